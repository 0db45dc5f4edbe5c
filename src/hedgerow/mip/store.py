"""The columns and rows of a model as plain arrays."""

__all__ = ["ModelArrays"]

import math
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike, NDArray

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.data.checks import integer_between
from hedgerow.errors import InputError

_Scalar = TypeVar("_Scalar", bound=np.generic)


class ModelArrays:
    """A growing MIP: minimise `cost @ x` over `row_lower <= matrix @ x <= row_upper`, `lower <= x <= upper`.

    Every solve loads the arrays into a solver, and every answer is checked against them.
    """

    def __init__(self) -> None:
        self.lower: FloatArray = np.empty(0)
        self.upper: FloatArray = np.empty(0)
        self.cost: FloatArray = np.empty(0)
        self.integer: BoolArray = np.empty(0, dtype=np.bool_)
        self.n_rows = 0
        # One entry per call that added rows, joined when needed: rows may come one at a time.
        self._row_lower: list[FloatArray] = [np.empty(0)]
        self._row_upper: list[FloatArray] = [np.empty(0)]
        self._row_sizes: list[IntArray] = [np.empty(0, dtype=np.int64)]
        self._indices: list[IntArray] = [np.empty(0, dtype=np.int64)]
        self._coefficients: list[FloatArray] = [np.empty(0)]

    @property
    def n_columns(self) -> int:
        """Number of variables."""
        return self.lower.size

    @property
    def has_integers(self) -> bool:
        """Whether any column must be whole; without one the model is a linear programme."""
        return bool(self.integer.any())

    @property
    def row_lower(self) -> FloatArray:
        """Lower sides of all rows."""
        return _joined(self._row_lower)

    @property
    def row_upper(self) -> FloatArray:
        """Upper sides of all rows."""
        return _joined(self._row_upper)

    def matrix(self) -> sp.csr_array:
        """Return the rows as a sparse matrix over all columns."""
        starts = np.concatenate([[0], np.cumsum(_joined(self._row_sizes))])
        return sp.csr_array(
            (_joined(self._coefficients), _joined(self._indices), starts), shape=(self.n_rows, self.n_columns)
        )

    def add_variables(
        self,
        count: int,
        *,
        lower: ArrayLike = 0.0,
        upper: ArrayLike = math.inf,
        cost: ArrayLike = 0.0,
        integer: ArrayLike = False,
    ) -> IntArray:
        """Add variables and return their column indices; options are one value for all of them, or one each."""
        first, count = self.n_columns, integer_between(count, "count", 0)
        new_lower, new_upper = _sides(lower, upper, count, "column")
        new_cost = _finite(cost, count, "cost")
        self.lower = np.concatenate([self.lower, new_lower])
        self.upper = np.concatenate([self.upper, new_upper])
        self.cost = np.concatenate([self.cost, new_cost])
        self.integer = np.concatenate([self.integer, _spread(integer, count, "integer", np.bool_)])
        return np.arange(first, first + count, dtype=np.int64)

    def add_rows(self, matrix: Any, columns: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> IntArray:
        """Add constraints `lower <= matrix @ x[columns] <= upper` and return their row indices.

        A side that isn't there is infinite; sides are one value for all rows, or one each.
        """
        where = self._checked_columns(columns)
        block = sp.csr_array(matrix, dtype=np.float64)
        if block.ndim != 2 or block.shape[1] != where.size:
            raise InputError(
                f"matrix must have one column per entry of columns ({where.size}); got shape {block.shape}."
            )
        count = int(block.shape[0])
        new_lower, new_upper = _sides(lower, upper, count, "row")
        # Solvers refuse a column that occurs twice in a row.
        if where.size > 1 and np.bincount(where - where.min()).max() > 1:
            block = sp.csr_array((block.data, where[block.indices], block.indptr), shape=(count, self.n_columns))
            where = np.arange(self.n_columns, dtype=np.int64)
        block.sum_duplicates()
        return self._keep_rows(np.diff(block.indptr), where[block.indices], block.data, new_lower, new_upper)

    def add_row(self, columns: ArrayLike, coefficients: ArrayLike, lower: float, upper: float) -> int:
        """Add the constraint `lower <= coefficients @ x[columns] <= upper` and return its row index."""
        where = self._checked_columns(columns)
        values = _finite(coefficients, where.size, "coefficients")
        new_lower, new_upper = _sides(lower, upper, 1, "row")
        if np.unique(where).size < where.size:
            where, inverse = np.unique(where, return_inverse=True)
            values = np.asarray(np.bincount(inverse, weights=values), dtype=np.float64)
        return int(self._keep_rows(np.array([where.size]), where, values, new_lower, new_upper)[0])

    def set_costs(self, columns: ArrayLike, costs: ArrayLike) -> None:
        """Replace the costs of some variables."""
        where = self._checked_columns(columns)
        self.cost[where] = _finite(costs, where.size, "costs")

    def set_bounds(self, columns: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> None:
        """Replace the bounds of some variables; equal ones fix them."""
        where = self._checked_columns(columns)
        self.lower[where], self.upper[where] = _sides(lower, upper, where.size, "column")

    def _checked_columns(self, columns: ArrayLike) -> IntArray:
        """Return column indices as an array, or say which of them does not exist."""
        where = np.atleast_1d(np.asarray(columns))
        if where.size == 0:
            return np.empty(0, dtype=np.int64)
        if where.ndim != 1 or where.dtype.kind not in "iu":
            raise InputError(f"columns must be a list of column indices; got {where.ndim}-d {where.dtype} values.")
        if where.min() < 0 or where.max() >= self.n_columns:
            worst = where.min() if where.min() < 0 else where.max()
            raise InputError(
                f"columns must lie from 0 to {self.n_columns - 1}, as add_variables returned them; got {worst}."
            )
        return where.astype(np.int64)

    def _keep_rows(
        self, sizes: IntArray, indices: IntArray, coefficients: FloatArray, lower: FloatArray, upper: FloatArray
    ) -> IntArray:
        if not np.isfinite(coefficients).all():
            raise InputError("the coefficients of a row must be finite numbers; at least one is not.")
        self._row_sizes.append(sizes.astype(np.int64))
        self._indices.append(indices)
        self._coefficients.append(coefficients.astype(np.float64))
        self._row_lower.append(lower)
        self._row_upper.append(upper)
        first, self.n_rows = self.n_rows, self.n_rows + lower.size
        return np.arange(first, self.n_rows, dtype=np.int64)


def _joined(parts: list[NDArray[_Scalar]]) -> NDArray[_Scalar]:
    if len(parts) > 1:
        parts[:] = [np.concatenate(parts)]
    return parts[0]


def _spread(value: ArrayLike, count: int, what: str, dtype: type[_Scalar]) -> NDArray[_Scalar]:
    array: NDArray[_Scalar] = np.asarray(value, dtype=dtype)
    if array.shape not in {(), (count,)}:
        raise InputError(f"{what} must be one value or {count} of them; got shape {array.shape}.")
    return np.broadcast_to(array, (count,)).copy()


def _finite(value: ArrayLike, count: int, what: str) -> FloatArray:
    array = _spread(value, count, what, np.float64)
    if not np.isfinite(array).all():
        raise InputError(f"{what} must be finite numbers; got {array[~np.isfinite(array)][0]}.")
    return array


def _sides(lower: ArrayLike, upper: ArrayLike, count: int, of: str) -> tuple[FloatArray, FloatArray]:
    low = _spread(lower, count, f"{of} lower", np.float64)
    high = _spread(upper, count, f"{of} upper", np.float64)
    wrong = ~(low <= high) | (low == np.inf) | (high == -np.inf)  # the first catches NaN as well
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(f"the lower side of a {of} must not exceed its upper side; got {low[at]} and {high[at]}.")
    return low, high
