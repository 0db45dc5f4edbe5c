"""Choose one of a list of solutions: given plans, tours or rosters, or those of another problem."""

__all__ = ["ExplicitSet", "ListedProblem"]

from collections.abc import Iterable
from typing import Any, Final, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import unique_names
from hedgerow.data.table import number_matrix
from hedgerow.problem import CostRows, FeasibleSet, Problem, Sense
from hedgerow.problems.base import BaseProblem, LinearProblem, Units
from hedgerow.problems.naming import numbered
from hedgerow.tolerances import FEASIBILITY


def _one_of(solutions: FloatArray) -> FeasibleSet:
    """Return the listed solutions (rows) as a feasible set: one binary for each, exactly one of them 1."""
    n_solutions, n = solutions.shape
    equal = sp.hstack([sp.eye_array(n), -sp.csr_array(solutions.T)])
    one = sp.hstack([sp.csr_array((1, n)), sp.csr_array(np.ones((1, n_solutions)))])
    right = np.append(np.zeros(n), 1.0)
    return FeasibleSet(
        sp.csr_array(sp.vstack([equal, one])),
        right,
        right,
        np.append(solutions.min(axis=0), np.zeros(n_solutions)),
        np.append(solutions.max(axis=0), np.ones(n_solutions)),
        # Where all entries of a column are whole numbers, the solver's tolerances leave no trace in it.
        np.append((solutions == np.round(solutions)).all(axis=0), np.ones(n_solutions, dtype=np.bool_)),
    )


class ExplicitSet(LinearProblem):
    """Choose one of the listed solutions.

    Parameters
    ----------
    solutions
        A matrix with one row per solution and one column per item.
    item_names
        Names of the items; x1, x2, … by default, or the columns of a DataFrame.
    solution_names
        Names of the solutions, if they have any.
    unit, reading_unit, sense
        As in `LinearProblem`.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import ExplicitSet
    >>> plans = [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    >>> problem = ExplicitSet(plans, solution_names=["early", "noon", "late"], unit="EUR")
    >>> best = problem.best_solution(np.array([[30.0, 25.0, 20.0, 35.0]]))
    >>> problem.describe(best.solution), best.value
    ('noon', 45.0)
    """

    kind = "explicit"

    def __init__(
        self,
        solutions: Any,
        *,
        item_names: Iterable[Any] | None = None,
        solution_names: Iterable[Any] | None = None,
        sense: Sense = "min",
        **units: Unpack[Units],
    ) -> None:
        rows = number_matrix(solutions, None, "solutions") + 0.0  # −0.0 becomes 0.0
        given = getattr(solutions, "columns", None) if item_names is None else item_names
        super().__init__(given, default=numbered(rows.shape[1]), **units, sense=sense)
        self.solutions: Final = frozen(rows)
        named = None if solution_names is None else unique_names(solution_names, "solution_names", length=len(rows))
        self.solution_names: Final = named

    def _row_of(self, solution: FloatArray) -> int | None:
        """Return the number of the listed solution that this one is, up to noise, or None."""
        distances = np.max(np.abs(self.solutions - solution), axis=1)
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= FEASIBILITY else None

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is none of those listed, in words, or None if it is one."""
        misshapen = self._misshapen(solution)
        if misshapen is not None or self._row_of(solution) is not None:
            return misshapen
        return f"it is none of the {len(self.solutions)} listed solutions"

    def feasible_set(self) -> FeasibleSet:
        """Return X: one binary per solution, exactly one of them 1, and x equal to its row."""
        return _one_of(self.solutions)

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return the solutions (one per row) if there are at most `limit`, else None."""
        return self.solutions if len(self.solutions) <= limit else None

    def describe(self, solution: FloatArray) -> str:
        """Return the solution's name if it has one, else the items that it uses."""
        row = None if self.solution_names is None else self._row_of(solution)
        return super().describe(solution) if self.solution_names is None or row is None else self.solution_names[row]


class ListedProblem(BaseProblem):
    """A problem, `whole`, of which only the listed solutions (rows) may be used; its costs and words stay."""

    # Its description is that of the whole problem, so that it can't prove two of them equal.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __init__(self, problem: Problem, solutions: FloatArray) -> None:
        reading_unit = getattr(problem, "reading_unit", None)
        super().__init__(problem.item_names, sense=problem.sense, unit=problem.unit, reading_unit=reading_unit)
        self.whole, self._solutions = problem, frozen(np.array(solutions))

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries."""
        return self.whole.variable_names

    def check_samples(self, samples: FloatArray) -> None:
        """Raise `InputError` if the whole problem can't be solved for such costs."""
        self.whole.check_samples(samples)

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return f(c_j, x_k) for every sample j (rows) and solution k (columns)."""
        return self.whole.costs(solutions, samples)

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the cost of one sample as the worst of some linear functions of the solution."""
        return self.whole.cost_rows(sample)

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is not feasible, in words, or None if it is."""
        reason = self.whole.infeasibility(solution)
        is_listed = reason is None and (np.abs(self._solutions - solution).max(axis=1) <= FEASIBILITY).any()
        return None if is_listed else reason or "it is one that must not be used"

    def feasible_set(self) -> FeasibleSet:
        """Return X: one binary per listed solution, exactly one of them 1, and x equal to its row."""
        return _one_of(self._solutions)

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return the listed solutions (one per row) if there are at most `limit`, else None."""
        return self._solutions if len(self._solutions) <= limit else None

    def describe(self, solution: FloatArray) -> str:
        """Return the solution in words for people."""
        return self.whole.describe(solution)

    def to_dict(self) -> dict[str, Any]:
        """Return a description of the whole problem."""
        return self.whole.to_dict()
