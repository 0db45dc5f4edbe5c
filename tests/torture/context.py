"""Trees that ask about context: the best one, what it costs at worst and where it leads, against brute force."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.problems import ExplicitSet
from tests.torture.plain import Plain
from tests.torture.values import near, scale_of
from tests.torture.world import Kind

SETS = {"local": LocalBudget, "global": GlobalBudget}
NONE = "missing"


def sets_of(values):
    """Return each way to divide the values of a category, by one of the two parts; none if the values name rows."""
    if len(set(values)) == len(values):
        return []
    first, *others = sorted(set(values))
    parts = [{first, *more} for size in range(len(others)) for more in combinations(others, size)]
    return [frozenset(part) for part in parts]


class Context(Kind):
    """Readings, a number and a category, of which the category is never misread and the number only for a price."""

    name = "context"

    def draw(self, rng):
        n, n_plans = int(rng.integers(2, 6)), int(rng.integers(2, 4))
        numbers = rng.integers(0, 9, n).astype(float)
        if rng.random() < 0.2:
            numbers[rng.integers(n)] = np.nan
        return {
            "costs": rng.integers(0, 15, (n, n_plans)).astype(float).tolist(),
            "readings": rng.integers(0, 9, (n, n_plans)).astype(float).tolist() if rng.random() < 0.6 else None,
            "wind": numbers.tolist(),
            "sky": rng.choice(["clear", "grey", "snow", NONE][: int(rng.integers(1, 5))], n).tolist(),
            "budget": float(rng.integers(0, 8)) + 0.3,
            "kind": str(rng.choice(list(SETS))),
            "prices": {"wind": float(rng.choice([0.5, 1.0, 2.0]))} if rng.random() < 0.5 else {},
            "sense": str(rng.choice(["min", "max"])),
            "depth": int(rng.integers(1, 3)),
        }

    def check(self, case):
        frame = self._frame(case)
        problem = ExplicitSet(np.eye(len(case["costs"][0])), sense=case["sense"])
        uncertainty = SETS[case["kind"]](case["budget"], prices=case["prices"])
        read = {} if case["readings"] is None else {"readings": case["readings"], "learn_from": "readings"}
        options = {"context": frame, "uncertainty": uncertainty, "depth": case["depth"], **read}
        instance = Instance.create(problem, case["costs"], **options)
        plain, columns = self._plain(case, problem)
        found = solve(instance, method="exact", thresholds="midpoints", time_limit=60.0, random_state=0)
        expected, scale = plain.optimum(case["depth"], np.eye(problem.n_items)), scale_of(instance)
        assert found.status == "optimal", f"ends as {found.status}"
        value = plain.sign * found.objective
        assert near(value, expected, scale), f"{value}, not {expected}"
        leaves = self._leaves(found.tree.to_dict(), columns)
        worst = plain.worst([path for path, _ in leaves], plain.loss(np.array([each for _, each in leaves])))
        assert near(value, worst, scale), f"reports {value}, not {worst}"
        routes = plain.move_costs([path for path, _ in leaves]) == 0.0
        assert (found.tree.apply(instance.observations) == routes.argmax(axis=1)).all(), "a row takes another way"

    def _frame(self, case):
        sky = pd.Series([None if each == NONE else each for each in case["sky"]], dtype=object)
        return pd.DataFrame({"wind": case["wind"], "sky": sky})

    def _plain(self, case, problem):
        """Return the numbers for brute force, and where each reading, the number and each set of values stand."""
        wind = np.array(case["wind"])
        wind = np.where(np.isnan(wind), np.nanmedian(wind), wind)
        sets = sets_of(case["sky"])
        readings = np.zeros((len(wind), 0)) if case["readings"] is None else np.array(case["readings"])
        inside = np.array([[sky not in part for part in sets] for sky in case["sky"]], dtype=float)
        matrix = np.column_stack([readings, wind, inside.reshape(len(wind), len(sets))])
        n_readings = readings.shape[1]
        of_wind = np.inf if case["prices"] else 0.0
        limits = [np.inf] * n_readings + [of_wind] + [0.0] * len(sets)
        prices = [1.0] * n_readings + [case["prices"].get("wind", 1.0)] + [1.0] * len(sets)
        plain = Plain(
            SimpleNamespace(
                observations=matrix,
                uncertainty=SETS[case["kind"]](case["budget"], prices=prices, limits=limits),
                problem=problem,
                weights=np.ones(len(wind)),
                costs=np.array(case["costs"]),
                questions=[SimpleNamespace(items=(item,), coefficients=(1.0,)) for item in range(matrix.shape[1])],
            )
        )
        places = {part: n_readings + 1 + number for number, part in enumerate(sets)}
        return plain, {"wind": n_readings, **places, "all": frozenset(case["sky"])}

    def _leaves(self, node, columns, path=()):
        if "solution" in node:
            return [(list(path), np.array(node["solution"]))]
        item, threshold, turned = node.get("item"), node.get("threshold", 0.5), False
        if "values" in node:
            chosen = frozenset(node["values"])
            turned = chosen not in columns  # the other part of the values leads to the left
            item = columns[columns["all"] - chosen if turned else chosen]
        elif "column" in node:
            item = columns[node["column"]]
        asked = ((item, 1.0),), threshold
        sides = [
            self._leaves(node[side], columns, (*path, (*asked, right != turned)))
            for side, right in (("left", False), ("right", True))
        ]
        return [*sides[0], *sides[1]]
