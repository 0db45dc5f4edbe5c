"""A problem of which only some solutions may be used."""

__all__ = ["ListedProblem"]

from typing import Any

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.problem import Best, CostRows, FeasibleSet, Problem, Sense, sign_of
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

    def best_costs(self, samples: FloatArray) -> FloatArray:
        """Return what each sample costs with the listed solution that is best for it alone."""
        low, high = self.cost_bounds(samples)
        return low if self.sense == "min" else high

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
