"""What may be decided: the protocol that every optimisation problem fulfils.

A problem owns its feasible set X and its cost function f(c, x). Everything else in the package talks to it
through the names below, so that a user's own class works everywhere a built-in one does.
"""

__all__ = [
    "Best",
    "CostRows",
    "FeasibleSet",
    "ListsNearOptimal",
    "ListsVertices",
    "Problem",
    "RowBlock",
    "Sense",
    "is_oracle_only",
    "missing_parts",
    "named_after",
    "sign_of",
]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from hedgerow.data.arrays import BoolArray, FloatArray

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


@runtime_checkable
class Problem(Protocol):
    """What the package asks of an optimisation problem.

    Costs are in the problem's own sign: a maximising problem returns gains. `samples` is always a matrix with one
    row per sample and one column per item, `solutions` one with a row per solution and a column per variable.
    """

    @property
    def item_names(self) -> tuple[str, ...]:
        """Names of the uncertain items, whose costs the samples hold."""

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries; for most problems the items themselves."""

    @property
    def sense(self) -> Sense:
        """Whether smaller ("min") or larger ("max") costs are better."""

    @property
    def unit(self) -> str:
        """Unit of the costs, such as "min" or "EUR"; empty if there is none."""

    def check_samples(self, samples: FloatArray) -> None:
        """Raise `InputError` if the problem can't be solved for such costs."""

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return f(c_j, x_k) for every sample j (rows) and solution k (columns)."""

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the one solution with the best weighted sum of costs over the samples (weights are non-negative)."""

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, a number below and one above every f(c_j, x); the tighter the better."""

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is not feasible, in words, or None if it is."""

    def feasible_set(self) -> FeasibleSet:
        """Return X as rows and columns of a MIP."""

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the cost of one sample as the worst of some linear functions of the solution."""

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every solution (one per row) if there are at most `limit`, else None."""

    def describe(self, solution: FloatArray) -> str:
        """Return the solution in words for people, such as "s → 2 → t"."""

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description, with the problem's kind under "kind"."""


@runtime_checkable
class ListsNearOptimal(Protocol):
    """What a problem may offer besides: its good solutions as a list, where all of them would be too many.

    The exact method then works on that list as if it were the whole of X, since no leaf of a better tree than the best
    one known can hold a solution that is bad on every sample.
    """

    def solutions_within(self, sample: FloatArray, limit: float, max_count: int) -> FloatArray | None:
        """Return every solution that is at least as good as `limit` on a sample, or None if they are too many."""


@runtime_checkable
class ListsVertices(Protocol):
    """What a continuous problem with linear costs may offer besides: the vertices of X.

    Where no sample can be sent to a second leaf, the best solution for a leaf is one of them. Elsewhere a point between
    vertices may be better, so that they are no more than good solutions to begin with.
    """

    def vertices(self, limit: int) -> FloatArray | None:
        """Return every vertex (one per row) if there are at most `limit`, else None."""


def missing_parts(candidate: object) -> list[str]:
    """Return the names of the parts of `Problem` that an object lacks; none for a problem."""
    parts = (name for name in vars(Problem) if not name.startswith("_"))
    return sorted(name for name in parts if not hasattr(candidate, name))


def is_oracle_only(problem: Problem) -> bool:
    """Return whether all that is known of X is what `best_solution` returns: there is no MIP and no list of it.

    Such a problem says so by an attribute `oracle_only` that is true; its `feasible_set` then need not work.
    """
    return bool(getattr(problem, "oracle_only", False))


def named_after(problem: Problem, columns: Sequence[str]) -> Problem:
    """Return the problem with a table's columns as names of its items, if it has no names of its own."""
    # Of the class, since an object that wraps a problem and hands on its attributes would lose its wrapping.
    rename = getattr(type(problem), "named_after", None)
    named: Problem = problem if rename is None else rename(problem, columns)
    return named


def sign_of(problem: Problem) -> float:
    """Return +1 for a problem that minimises and −1 for one that maximises: costs times it are to be minimised."""
    return 1.0 if problem.sense == "min" else -1.0
