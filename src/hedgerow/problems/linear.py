"""Problems whose cost is linear, c·x: what they all share, so that a new one is little more than its oracle."""

__all__ = ["LinearProblem", "numbered"]

from abc import ABC, abstractmethod

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.problem import Best, CostRows, FeasibleSet
from hedgerow.problems._named import NamedProblem, numbered


class LinearProblem(NamedProblem, ABC):
    """A problem with f(c, x) = c·x, in which every variable is an item.

    A subclass calls `super().__init__` with its items' names and writes three methods: `_minimise`, `infeasibility`
    and `feasible_set`. `all_solutions`, `describe` and `to_dict` may be refined. Objects are values: nothing in them
    changes after construction.

    Two more may be refined where the simple case does not fit: `_variable_costs` (with `variable_names`) if what a
    variable costs is not just its item's cost, and `_minimise_within` if the oracle may run out of time.

    Parameters
    ----------
    item_names
        Names of the items, which are also those of the variables.
    unit, reading_unit
        Unit of the costs, and that of the readings where it is another one.
    sense
        "min" if costs are to be small, "max" if the samples hold gains.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import Selection
    >>> problem = Selection(3, 2, unit="EUR")
    >>> best = problem.best_solution(np.array([[1.0, 2.0, 5.0], [1.0, 4.0, 2.0]]))
    >>> problem.describe(best.solution), best.value
    ('x1, x2', 8.0)
    """

    # What a subclass must define.

    @abstractmethod
    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        """Return, for each row of costs, a solution (a row) of least cost; costs already have the sign of "min"."""

    @abstractmethod
    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is not feasible, in words, or None if it is."""

    @abstractmethod
    def feasible_set(self) -> FeasibleSet:
        """Return X as rows and columns of a MIP."""

    # What a subclass may define.

    def _variable_costs(self, samples: FloatArray) -> FloatArray:
        """Return what one unit of each variable (column) costs on each sample (row): here the items' own costs."""
        return samples

    def _minimise_within(self, cost_vector: FloatArray, time_limit: float | None) -> tuple[FloatArray, float]:
        """Return a cheap solution and a bound that no cost lies below; −∞ stands for no bound, +∞ for "it is optimal".

        The time limit is not needed here: the oracles of most problems are quick.
        """
        del time_limit
        return self._minimise(cost_vector[np.newaxis])[0], np.inf

    @property
    def has_quick_oracle(self) -> bool:
        """Whether `_minimise` is a matter of microseconds, and exact: False where it calls a MIP solver."""
        return True

    # What follows from it.

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return f(c_j, x_k) for every sample j (rows) and solution k (columns)."""
        product: FloatArray = self._variable_costs(samples) @ solutions.T
        return product

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the one solution with the best weighted sum of costs: the oracle's answer to the summed samples."""
        if weights is None:
            weights = np.ones(len(samples))
        summed: FloatArray = weights @ self._variable_costs(samples)
        solution, bound = self._minimise_within(self._signed(summed), time_limit)
        # The value is what the solution costs, not what the oracle added up: the two may differ in the last digit.
        value = float(np.sum(weights * self.costs(solution[np.newaxis], samples)[:, 0]))
        proven = min(bound, value) if self.sense == "min" else max(-bound, value)
        return Best(frozen(solution), value, proven)

    def best_solutions(self, samples: FloatArray) -> FloatArray:
        """Return the best solution of each sample on its own, one per row."""
        return self._minimise(self._signed(self._variable_costs(samples)))

    def best_for_mixtures(self, samples: FloatArray, weights: FloatArray) -> FloatArray:
        """Return, for each row of weights, the solution with the best weighted sum of costs over the samples."""
        return self._minimise(self._signed(weights @ self._variable_costs(samples)))

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest f(c_j, x) over all solutions, for each sample."""
        costs = self._variable_costs(samples)
        return _row_products(costs, self._minimise(costs)), _row_products(costs, self._minimise(-costs))

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the one row that is the cost of a linear problem."""
        row = np.array(sample, dtype=np.float64, ndmin=2)
        return CostRows(self._variable_costs(row), np.zeros(1))

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every solution (one per row) if there are at most `limit`; here None, for "not known"."""
        del limit
        return None


def _row_products(costs: FloatArray, solutions: FloatArray) -> FloatArray:
    products: FloatArray = np.einsum("ji,ji->j", costs, solutions)
    return products
