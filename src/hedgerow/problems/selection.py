"""Choose exactly p of n items."""

from collections.abc import Iterable
from typing import Any, Final, Unpack

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import integer_between
from hedgerow.problem import FeasibleSet, RowBlock, Sense
from hedgerow.problems.base import MAX_ITEMS, LinearProblem, Units, numbered


class Selection(LinearProblem):
    """Choose exactly p of n items.

    Parameters
    ----------
    n
        Number of items.
    p
        Number of items to choose, from 1 to n.
    item_names
        Names of the items; by default the columns of the costs, or x1, x2, ….
    unit, reading_unit, sense
        As in `LinearProblem`.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import Selection
    >>> problem = Selection(4, 2, item_names=["oak", "ash", "elm", "yew"])
    >>> best = problem.best_solution(np.array([[3.0, 1.0, 4.0, 1.5]]))
    >>> problem.describe(best.solution), best.value
    ('ash, yew', 2.5)
    """

    kind = "selection"

    def __init__(
        self, n: int, p: int, *, item_names: Iterable[Any] | None = None, sense: Sense = "min", **units: Unpack[Units]
    ) -> None:
        self.n: Final = integer_between(n, "n", 1, MAX_ITEMS)
        self.p: Final = integer_between(p, "p", 1, self.n)
        super().__init__(item_names, default=numbered(self.n), **units, sense=sense)

    def _minimise(self, costs: FloatArray) -> FloatArray:
        solution = np.zeros(self.n)
        solution[np.argsort(costs, kind="stable")[: self.p]] = 1.0  # of equally cheap items those named first
        return solution

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries that sum to p."""
        return FeasibleSet.of(RowBlock("the number of chosen items", [np.ones((1, self.n))], self.p, self.p))
