"""Small random worlds over problem kinds, senses, budgets, options and scales.

In most worlds values lie on a lattice, thresholds between its points and budgets off it, so that no comparison hangs on
rounding. In close ones ε is about as long as a step of the lattice, so that readings and thresholds lie within ε of
each other, ε apart or a little more, and budgets may be spent to the last. All numbers are small multiples of powers of
two there: sums and differences are exact.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal
from hedgerow.problems import Assignment, ExplicitSet, Knapsack, Scheduling, Selection, ShortestPath
from hedgerow.tree.questions import Question

A_LITTLE = 2.0**-20
CLOSE_STEPS = (0.25, 0.5, 1.0 - A_LITTLE, 1.0, 1.0 + A_LITTLE, 1.25, 1.5, 2.0, 3.5)
"""How long ε is in close worlds, in steps of the lattice."""


@dataclass(frozen=True)
class World:
    """What an instance is made of, as plain values."""

    problem: Any
    costs: np.ndarray
    observations: np.ndarray | None
    weights: np.ndarray
    kind: str
    budget: Any
    options: dict[str, Any] = field(default_factory=dict)
    depth: int = 2
    step: float = 1.0
    questions: tuple[dict[int, float], ...] | None = None
    has_placeholders: bool = False

    @property
    def close(self):
        """Whether readings may lie within ε of each other."""
        return self.options["epsilon"] > 0.1 * self.step

    @cached_property
    def instance(self):
        sets = {"local": LocalBudget, "global": GlobalBudget}
        uncertainty = sets[self.kind](self.budget, **self.options) if self.kind in sets else Nominal()
        return Instance.create(
            self.problem,
            self.costs,
            observed=self.observations,
            weights=self.weights,
            uncertainty=uncertainty,
            depth=self.depth,
            questions=self.asked,
        )

    @property
    def asked(self):
        return self.questions and [Question.of(terms, str(terms)) for terms in self.questions]


class Kind:
    """Something to look for faults in: cases are drawn and checked."""

    name = ""

    def draw(self, rng):
        """Return a random case."""
        raise NotImplementedError

    def check(self, case):
        """Raise an error if the package is wrong about a case."""
        raise NotImplementedError

    def told(self, case):
        """Return what a case is made of."""
        return repr(case)

    def close(self):
        """Remove what was made for the cases."""


def problem(rng, most_solutions, tables):
    """Draw a problem with few solutions; a share of `tables` can have any table of losses."""
    sense = str(rng.choice(["min", "max"]))
    makers = [
        lambda: Selection(int(rng.integers(2, 5)), 1, sense=sense),
        lambda: Selection(3, 2, sense=sense),
        lambda: ShortestPath.grid(2),
        lambda: ShortestPath(list("ssab"), list("abtt"), "s", "t"),
        lambda: ExplicitSet(rng.integers(-2, 3, (int(rng.integers(1, 5)), 3)).astype(float), sense=sense),
        lambda: Knapsack([1.0, 2.0], 2.0, sense=sense),
        lambda: Assignment(["a", "b"], ["c", "d"], sense=sense),
        lambda: Scheduling(3, 2),
    ]
    if rng.random() < tables:
        return ExplicitSet(np.eye(int(rng.integers(3, 5))), sense=sense)
    while True:
        found = makers[rng.integers(len(makers))]()
        listed = found.all_solutions(most_solutions)
        if listed is not None and len(listed):
            return found


def questions(rng, n_features):
    """Draw questions about several readings, most of which share some, and about single ones."""
    found = []
    for _ in range(int(rng.integers(1, 3))):
        items = sorted(rng.choice(n_features, int(rng.integers(2, n_features + 1)), replace=False).tolist())
        found.append({item: float(rng.choice([1.0, -1.0, 2.0, -0.5])) for item in items})
    found += [{item: 1.0} for item in range(n_features) if rng.random() < 0.4]
    return tuple(terms for place, terms in enumerate(found) if terms not in found[:place])


def world(rng, *, most_samples, most_solutions, depths, most_features=3, close=None, least_samples=1, most_digits=4):
    """Draw a world; `close` says whether readings lie within ε of each other (half of the time if left out).

    Costs and readings are scaled by powers of ten up to `most_digits`, or of two where sums are to be exact.
    """
    close = rng.random() < 0.5 if close is None else close
    in_a_row = close and rng.random() < 0.6
    chosen = problem(rng, most_solutions, tables=0.5 * in_a_row)
    n = most_samples if in_a_row else int(rng.integers(least_samples, most_samples + 1))
    n_items = len(chosen.item_names)
    scale = float(
        2.0 ** rng.integers(-3 * most_digits, 3 * most_digits + 1)
        if close
        else 10.0 ** rng.integers(-most_digits, most_digits + 1)
    )
    low, high = (0 if isinstance(chosen, ShortestPath | Scheduling) else -6), 15
    costs = rng.integers(low, high, (n, n_items)) * scale
    observations = None
    if n_items > most_features or in_a_row or rng.random() < 0.3:
        observations = rng.integers(-6, 15, (n, int(rng.integers(1, most_features + 1)))) * scale
        if in_a_row:  # one reading tells the samples apart, each within ε of the next; the other one some of them
            observations = np.column_stack([rng.permutation(n), rng.choice([0, 4, 8], n)]) * scale
    n_features = n_items if observations is None else observations.shape[1]
    weights = np.ones(n) if rng.random() < 0.6 else rng.integers(1, 4, n).astype(float)
    kind = str(rng.choice(["local", "global", "nominal"], p=[0.7, 0.3, 0.0] if in_a_row else [0.45, 0.45, 0.1]))
    epsilon = float(rng.choice(CLOSE_STEPS[2 * in_a_row :])) if close else 0.001
    options: dict[str, Any] = {"epsilon": epsilon * scale}

    def amounts(most, shape=None):
        """Draw budgets or limits: off the lattice of what moves cost, or on it where sums are exact."""
        if close:
            found = rng.integers(0, min(most, 4) if rng.random() < 0.5 else most, shape)
            found = (found + rng.choice([0.0, 0.1, 0.5, epsilon])) * scale
            return found * rng.integers(0, 2, shape) if rng.random() < (0.6 if in_a_row else 0.3) else found
        return (rng.integers(0, most, shape) + (0.3 if most == 8 else 0.1)) * scale

    if rng.random() < 0.3:
        options["prices"] = rng.choice([0.5, 1.0, 2.0], n_features)
    if rng.random() < (0.1 if in_a_row else 0.3):
        options["limits"] = np.asarray(amounts(8, [(), (n_features,), (n, n_features)][rng.integers(3)]))
    budget: Any = 0.0 if rng.random() < 0.1 else float(amounts(16))
    if kind == "local" and rng.random() < (0.7 if in_a_row else 0.3):
        budget = amounts(10, n)
    asked = questions(rng, n_features) if n_features > 1 and rng.random() < (0.15 if in_a_row else 0.3) else None
    depth = max(depths) if in_a_row else int(rng.choice(depths))
    return World(chosen, costs, observations, weights, kind, budget, options, depth, scale, asked)


def with_placeholders(rng, drawn):
    """Return a world with more plans, most of which cost absurdly much: numbers that stand for "not possible"."""
    absurd = drawn.step * 10.0 ** rng.integers(6, 13)
    costs = rng.integers(0, 15, (len(drawn.costs), 2)) * drawn.step
    costs = np.hstack([costs, np.full((len(costs), 3), absurd)])
    readings = drawn.observations if drawn.observations is not None else drawn.costs
    return replace(drawn, problem=ExplicitSet(np.eye(5)), costs=costs, observations=readings, has_placeholders=True)
