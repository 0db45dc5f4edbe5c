"""Choose one of a list of solutions: given plans, tours or rosters."""

from collections.abc import Iterable
from typing import Any, Final, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import unique_names
from hedgerow.data.table import number_matrix
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems.base import LinearProblem, Units, numbered
from hedgerow.tolerances import FEASIBILITY


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
        solutions, (n_solutions, n) = self.solutions, self.solutions.shape
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

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return the solutions (one per row) if there are at most `limit`, else None."""
        return self.solutions if len(self.solutions) <= limit else None

    def describe(self, solution: FloatArray) -> str:
        """Return the solution's name if it has one, else the items that it uses."""
        row = None if self.solution_names is None else self._row_of(solution)
        return super().describe(solution) if self.solution_names is None or row is None else self.solution_names[row]
