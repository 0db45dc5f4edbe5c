"""Problems with listed solutions, and sets of plans beside single plans, such as "any way over the north bridge"."""

__all__ = ["ListedProblem", "PlanSets", "sets_by_item"]

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Self, TypeAlias, get_args

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import finite_matrix, in_short, unique_names
from hedgerow.errors import InputError
from hedgerow.problem import Best, CostRows, FeasibleSet, Problem, Sense, sign_of
from hedgerow.problems import _reading as reading
from hedgerow.problems.explicit import one_of
from hedgerow.tolerances import FEASIBILITY


class ListedProblem:
    """A problem, `whole`, of which only the listed solutions (rows) may be used; its costs and words stay."""

    def __init__(self, problem: Problem, solutions: FloatArray) -> None:
        self.whole, self._solutions = problem, frozen(np.array(solutions))
        self.item_names, self.variable_names = problem.item_names, problem.variable_names
        self.sense: Sense = problem.sense
        self.unit = problem.unit

    def check_samples(self, samples: FloatArray) -> None:
        """Raise `InputError` if the problem can't be solved for such costs."""
        self.whole.check_samples(samples)

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return f(c_j, x_k) for every sample j (rows) and solution k (columns)."""
        return self.whole.costs(solutions, samples)

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the listed solution with the best weighted sum of costs over the samples."""
        del time_limit
        sums = (np.ones(len(samples)) if weights is None else weights) @ self.costs(self._solutions, samples)
        best = int(np.argmin(sign_of(self.whole) * sums))
        return Best(self._solutions[best], float(sums[best]), float(sums[best]))

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, the least and the largest cost of a listed solution."""
        costs = self.costs(self._solutions, samples)
        return costs.min(axis=1), costs.max(axis=1)

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is not feasible, in words, or None if it is."""
        reason = self.whole.infeasibility(solution)
        listed = reason is None and (np.abs(self._solutions - solution).max(axis=1) <= FEASIBILITY).any()
        return reason if listed or reason is not None else "it is one that must not be used"

    def feasible_set(self) -> FeasibleSet:
        """Return X: one binary per listed solution, exactly one of them 1, and x equal to its row."""
        return one_of(self._solutions)

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the cost of one sample as the worst of some linear functions of the solution."""
        return self.whole.cost_rows(sample)

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return the listed solutions (one per row) if there are at most `limit`, else None."""
        return self._solutions if len(self._solutions) <= limit else None

    def describe(self, solution: FloatArray) -> str:
        """Return the solution in words for people."""
        return self.whole.describe(solution)

    def to_dict(self) -> dict[str, Any]:
        """Return a description of the whole problem."""
        return self.whole.to_dict()


Inside: TypeAlias = Literal["best", "worst", "mean"]

MOST_PLANS: Final = 20_000
"""Most solutions that a problem may have for sets of them."""

_WORDS: Final = {"best": "the best of {}", "worst": "the worst of {}", "mean": "{} on average"}
_REDUCED: Final[dict[str, dict[str, Any]]] = {
    "min": {"best": np.min, "worst": np.max},
    "max": {"best": np.max, "worst": np.min},
}


class PlanSets(ListedProblem):
    """A problem whose leaves may also hold a named set of its solutions.

    A set is one more solution: all of the problem's variables are 0 and a variable of its own is 1. It costs what its
    members cost on a sample: the best of them where the planner will know the truth, the worst where one is taken
    blindly, or their mean.

    Parameters
    ----------
    problem
        A problem whose solutions can be listed.
    sets
        Per name the members, one solution per row; see `sets_by_item`.
    inside
        What a set costs: "best", "worst" or "mean" of its members.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import PlanSets, Selection, sets_by_item
    >>> base = Selection(3, 2, item_names=["bus", "tram", "taxi"])
    >>> problem = PlanSets(base, sets_by_item(base, ["bus"]))
    >>> best = problem.best_solution(np.array([[1.0, 2.0, 9.0], [1.0, 9.0, 2.0]]))
    >>> problem.describe(best.solution), best.value
    ('any plan with bus (the best of 2)', 6.0)
    """

    def __init__(
        self, problem: Problem, sets: Mapping[str, Sequence[Sequence[float]] | FloatArray], *, inside: Inside = "best"
    ) -> None:
        plain = problem.all_solutions(MOST_PLANS)
        if plain is None:
            raise InputError(f"sets of plans need a problem with at most {MOST_PLANS:,} solutions.")
        if inside not in get_args(Inside):
            raise InputError(f'inside must be "best", "worst" or "mean"; got {in_short(inside)}.')
        self._base, self._inside = problem, inside
        self._names = unique_names(sets, "sets")
        self._members = [finite_matrix(sets[name], f"the set {name}", n_columns=plain.shape[1]) for name in sets]
        for name, rows in zip(self._names, self._members, strict=True):
            for row in rows:
                reason = problem.infeasibility(row)
                if reason is not None:
                    raise InputError(f"a member of the set {in_short(name)} is not feasible: {reason}.")
        count = len(self._names)
        extended = np.zeros((len(plain) + count, plain.shape[1] + count))
        extended[: len(plain), : plain.shape[1]] = plain
        extended[len(plain) :, plain.shape[1] :] = np.eye(count)
        super().__init__(problem, extended)
        self.variable_names = unique_names((*problem.variable_names, *self._names), "names of variables and sets")

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return f(c_j, x_k) for every sample j (rows) and solution k (columns), sets included."""
        width = len(self._base.variable_names)
        chosen = solutions[:, width:]
        costs = self._base.costs(solutions[:, :width], samples)
        is_set = chosen.any(axis=1)
        if is_set.any():
            costs = np.where(is_set, self._set_costs(samples) @ chosen.T, costs)
        return costs

    def _set_costs(self, samples: FloatArray) -> FloatArray:
        reduced = np.mean if self._inside == "mean" else _REDUCED[self.sense][self._inside]
        return np.column_stack([reduced(self._base.costs(rows, samples), axis=1) for rows in self._members])

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is neither one of the problem nor a set, in words, or None if it is."""
        width = len(self._base.variable_names)
        if len(solution) != width + len(self._names):
            return f"it has {len(solution)} entries, and there are {width + len(self._names)} variables"
        if not np.any(solution[width:]):
            return self._base.infeasibility(solution[:width])
        one = np.count_nonzero(solution) == 1 and solution[width:].max() == 1.0
        return None if one else "a set stands alone, with a single 1"

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the cost of one sample as the worst of some linear functions of the solution."""
        rows = self._base.cost_rows(sample)
        # All variables of the problem are 0 in a set, so that the constants alone would count.
        constant = rows.constants.max() if self.sense == "min" else rows.constants.min()
        own = np.repeat(self._set_costs(np.atleast_2d(sample)) - constant, len(rows.constants), axis=0)
        return CostRows(np.hstack([rows.coefficients, own]), rows.constants)

    def describe(self, solution: FloatArray) -> str:
        """Return the solution in words; a set by its name, and how its members count."""
        width = len(self._base.variable_names)
        if not np.any(solution[width:]):
            return self._base.describe(solution[:width])
        number = int(np.argmax(solution[width:]))
        return f"{self._names[number]} ({_WORDS[self._inside].format(len(self._members[number]))})"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        sets = {name: rows.tolist() for name, rows in zip(self._names, self._members, strict=True)}
        return {"kind": "plan_sets", "problem": self._base.to_dict(), "sets": sets, "inside": self._inside}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        from hedgerow.problems.problem_file import problem_from_dict

        reading.only_fields(data, "problem", "sets", "inside")
        base, sets = data.get("problem"), data.get("sets")
        if not isinstance(base, Mapping) or base.get("kind") == "plan_sets" or not isinstance(sets, Mapping):
            raise InputError('plan_sets needs the tables "problem", of another kind, and "sets".')
        return cls(problem_from_dict(base), sets, inside=data.get("inside", "best"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlanSets) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._names, self._inside))

    def __repr__(self) -> str:
        return f"PlanSets({self._base!r}, {len(self._names)} sets, inside={self._inside!r})"


def sets_by_item(
    problem: Problem, items: Sequence[str] | None = None, *, words: str = "any plan with {}"
) -> dict[str, FloatArray]:
    """Return for each item the solutions that use it, as sets for `PlanSets`.

    Parameters
    ----------
    problem
        A problem whose variables are its items, such as paths, spanning trees or selections, and can be listed.
    items
        Names of the items; all that some but not all solutions use, and more than one, if left out.
    words
        What a set is called, such as "any way over {}".
    """
    plans = problem.all_solutions(MOST_PLANS)
    if plans is None or problem.variable_names != problem.item_names:
        raise InputError("sets by item need a problem whose solutions can be listed and whose variables are its items.")
    uses = plans != 0.0
    found = {}
    for number, name in enumerate(problem.item_names):
        count = int(uses[:, number].sum())
        if name in items if items is not None else 1 < count < len(plans):
            if not count:
                raise InputError(f"no solution uses {in_short(name)}.")
            found[words.format(name)] = plans[uses[:, number]]
    unknown = [name for name in items or () if name not in problem.item_names]
    if unknown:
        raise InputError(f"there is no item {in_short(unknown[0])}.")
    return found
