"""Choose exactly p of n items."""

__all__ = ["Selection"]

import math
from collections.abc import Iterable, Mapping
from itertools import chain, combinations
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import integer_between
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._named import AllOrNothing, Units
from hedgerow.problems.linear import LinearProblem, numbered


class Selection(AllOrNothing, LinearProblem):
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

    _used = "chosen"

    def __init__(
        self, n: int, p: int, *, item_names: Iterable[Any] | None = None, sense: Sense = "min", **units: Unpack[Units]
    ) -> None:
        n = integer_between(n, "n", 1)
        self.p: Final = integer_between(p, "p", 1, n)
        super().__init__(item_names, default=numbered(n), **units, sense=sense)

    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        # A stable sort, so that of equally cheap items those named first are chosen.
        return self._rows(np.argsort(cost_vectors, axis=1, kind="stable")[:, : self.p])

    def _rows(self, chosen: IntArray) -> FloatArray:
        solutions = np.zeros((len(chosen), self.n_items))
        np.put_along_axis(solutions, chosen, 1.0, axis=1)
        return solutions

    def _fault(self, chosen: FloatArray) -> str | None:
        count = int(chosen.sum())
        return None if count == self.p else f"{count} items are chosen; exactly {self.p} must be"

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries that sum to p."""
        return FeasibleSet.of(([sp.csr_array(np.ones((1, self.n_items)))], self.p, self.p))

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every choice (one per row), in the order of the items, if there are at most `limit`."""
        count = math.comb(self.n_items, self.p)
        if count > limit:
            return None
        members = chain.from_iterable(combinations(range(self.n_items), self.p))
        return self._rows(np.fromiter(members, dtype=np.int64, count=count * self.p).reshape(count, self.p))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        return self._described("selection", n=self.n_items, p=self.p, items=list(self.item_names))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        options = reading.options(data, "n", "p", "items")
        n = reading.whole(data, "n", 1, reading.MAX_ITEMS)
        names = reading.texts_if_any(data, "items", length=n)
        return cls(n, reading.whole(data, "p", 1, n), item_names=names, **options)

    def __repr__(self) -> str:
        return f"Selection({self.n_items}, {self.p}{self._options_in_words()})"
