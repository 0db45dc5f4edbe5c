"""What problems are made of, and what they answer: rows and columns of a feasible set, costs, best solutions."""

__all__ = ["Best", "CostRows", "FeasibleSet", "Network", "RowBlock", "Sense"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import scipy.sparse as sp

Sense: TypeAlias = Literal["min", "max"]
"""Whether a problem wants its costs small or its gains large."""


@dataclass(frozen=True)
class Best:
    """The best single solution for a weighted set of samples, F(S) in the exact method.

    Attributes
    ----------
    solution
        The values of all variables.
    value
        Its weighted sum of costs over the samples, in the problem's own sign.
    bound
        No solution has a better sum than this; equal to `value` unless a solver ran out of time.
    """

    solution: FloatArray
    value: float
    bound: float


@dataclass(frozen=True)
class FeasibleSet:
    """The feasible set X as the rows and columns of a MIP.

    The first columns are the solution's variables; further ones are auxiliary. A point is feasible if
    `row_lower <= matrix @ point <= row_upper` and `lower <= point <= upper`, with `integer` columns whole.
    """

    matrix: "sp.csr_array"
    row_lower: FloatArray
    row_upper: FloatArray
    lower: FloatArray
    upper: FloatArray
    integer: BoolArray
    row_names: tuple[str, ...] = ()
    """What the rows count, such as "the weight of the chosen items"; empty if they have no names."""

    @classmethod
    def of(cls, *rows: "RowBlock", most: ArrayLike = 1.0, n_whole: int | None = None) -> Self:
        """Return the points from 0 to `most` that fulfil the rows; the first `n_whole` columns are integer, or all."""
        import scipy.sparse as sp

        blocks = [[None if block is None else sp.csr_array(block) for block in part.blocks] for part in rows]
        matrix = sp.csr_array(sp.bmat(blocks))
        lower, upper = (
            np.concatenate([np.full(part.n_rows, getattr(part, side), dtype=np.float64) for part in rows])
            for side in ("lower", "upper")
        )
        names = tuple(name for part in rows for name in part.all_names)
        n = matrix.shape[1]
        whole = np.arange(n) < (n if n_whole is None else n_whole)
        return cls(matrix, lower, upper, np.zeros(n), np.full(n, most, dtype=np.float64), whole, names)

    @property
    def n_columns(self) -> int:
        """Number of columns, auxiliary ones included."""
        return self.lower.size

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.row_lower.size


class RowBlock(NamedTuple):
    """Some rows of a feasible set, with what they count.

    The blocks are matrices side by side, dense or sparse, None for a block of zeros. There is one name for all of the
    rows, or one for each.
    """

    names: str | Sequence[str]
    blocks: Sequence[Any]
    lower: ArrayLike
    upper: ArrayLike

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return next(int(block.shape[0]) for block in self.blocks if block is not None)

    @property
    def all_names(self) -> Sequence[str]:
        """One name for each row."""
        return [self.names] * self.n_rows if isinstance(self.names, str) else self.names


@dataclass(frozen=True)
class CostRows:
    """The cost of one sample as linear functions of the solution: f(c, x) is the worst of them.

    They are `coefficients @ x + constants`.

    A linear problem has one row. "Worst" is the largest for a problem that minimises (a makespan is the largest
    machine load) and the smallest for one that maximises.
    """

    coefficients: FloatArray
    constants: FloatArray


@dataclass(frozen=True, eq=False)
class Network:
    """The graph of a problem whose variables are its arcs, for those who draw it."""

    nodes: tuple[str, ...]
    """Names of the nodes."""
    ends: IntArray
    """Arcs × 2: numbers of the nodes that each arc connects."""
    places: FloatArray
    """Nodes × 2: their coordinates."""
    terminals: tuple[int, ...] = ()
    """Numbers of the nodes where paths start and end; empty where there are none."""
