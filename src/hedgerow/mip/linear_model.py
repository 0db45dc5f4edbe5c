"""A mixed-integer linear model as arrays with names."""

__all__ = ["LinearModel"]

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import BoolArray, FloatArray, frozen
from hedgerow.data.checks import LARGEST, in_short, number_array, unique_names
from hedgerow.errors import InfeasibleProblemError, InputError

_INFINITE: Final = 1e20
"""Solvers and modelling layers write ∞ as a large number; from here on it is one."""


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Optimise `cost @ x + offset` over `row_lower <= matrix @ x <= row_upper`, `lower <= x <= upper`.

    Build one with `create`, which checks everything.
    """

    # Names of the variables and of the rows, all different; rows that share a name are numbered instead.
    names: tuple[str, ...]
    row_names: tuple[str, ...]
    sense: Literal["min", "max"]  # whether the objective is to be small ("min") or large ("max")
    # The objective's coefficients and its constant.
    cost: FloatArray
    offset: float
    # Per variable its bounds, which may be infinite, and whether it must be whole.
    lower: FloatArray
    upper: FloatArray
    integer: BoolArray
    # The rows, sparse, and their sides, which may be infinite.
    matrix: sp.csr_array
    row_lower: FloatArray
    row_upper: FloatArray

    @classmethod
    def create(
        cls,
        names: Iterable[Any],
        *,
        cost: Any,
        matrix: Any,
        row_lower: Any = -np.inf,
        row_upper: Any = np.inf,
        lower: Any = 0.0,
        upper: Any = np.inf,
        integer: Any = False,
        row_names: Iterable[Any] | None = None,
        sense: str = "min",
        offset: float = 0.0,
    ) -> Self:
        """Check everything and return the model; errors name the variable or row."""
        columns = unique_names(names, "variable names")
        if not columns:
            raise InputError("a model must have at least one variable; this one has none.")
        rows = sp.csr_array(matrix, dtype=np.float64)
        rows.sum_duplicates()
        if rows.ndim != 2 or rows.shape[1] != len(columns):
            raise InputError(f"matrix must have one column for each of the {len(columns)} variables; got {rows.shape}.")
        if not np.isfinite(rows.data).all():
            raise InputError("the coefficients of a model's rows must be finite numbers; at least one is not.")
        n_rows = int(rows.shape[0])
        if sense not in ("min", "max"):
            raise InputError(f'sense must be "min" or "max"; got {in_short(sense)}.')
        model = cls(
            names=columns,
            row_names=_row_labels(row_names, n_rows),
            sense="min" if sense == "min" else "max",
            cost=_finite(cost, columns),
            offset=float(_finite([offset], ["the constant"])[0]),
            lower=_sides(lower, len(columns), "lower bounds"),
            upper=_sides(upper, len(columns), "upper bounds"),
            integer=frozen(np.broadcast_to(np.asarray(integer, dtype=np.bool_), (len(columns),)).copy()),
            matrix=rows,
            row_lower=_sides(row_lower, n_rows, "the rows' lower sides"),
            row_upper=_sides(row_upper, n_rows, "the rows' upper sides"),
        )
        _refuse_contradictions("variable", model.names, model.lower, model.upper)
        _refuse_contradictions("row", model.row_names, model.row_lower, model.row_upper)
        return model

    @property
    def n_columns(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.row_names)


def _row_labels(names: Iterable[Any] | None, n_rows: int) -> tuple[str, ...]:
    """Return the rows' names, or numbers if names repeat; only messages use them."""
    given = () if names is None else tuple(str(name) for name in names)
    if len(set(given)) == n_rows == len(given) and all(name.strip() for name in given):
        return given
    return tuple(f"row {number}" for number in range(1, n_rows + 1))


def _finite(values: Any, names: Iterable[str]) -> FloatArray:
    labels = list(names)
    numbers = number_array(values, "the objective's coefficients")
    if numbers.shape != (len(labels),):
        raise InputError(f"the objective must have {len(labels)} coefficients, one per variable; got {numbers.shape}.")
    fits = np.abs(numbers) <= LARGEST
    if not fits.all():
        worst = int(np.argmin(fits))
        allowed = f"from {-LARGEST:g} to {LARGEST:g}" if np.isfinite(numbers[worst]) else "finite"
        raise InputError(
            f"the objective's coefficients must be {allowed}; that of {labels[worst]!r} is {numbers[worst]}."
        )
    return frozen(numbers)


def _sides(values: Any, length: int, what: str) -> FloatArray:
    numbers = number_array(values, what)
    if numbers.shape not in {(), (1,), (length,)}:
        raise InputError(f"{what} must be one number or {length} of them; got {numbers.shape}.")
    if np.isnan(numbers).any():
        raise InputError(f"{what} must be numbers or infinite; at least one is missing (nan).")
    numbers = np.broadcast_to(numbers, (length,))
    return frozen(np.where(np.abs(numbers) >= _INFINITE, np.copysign(np.inf, numbers), numbers))


def _refuse_contradictions(kind: str, names: tuple[str, ...], lower: FloatArray, upper: FloatArray) -> None:
    wrong = (lower > upper) | (lower == np.inf) | (upper == -np.inf)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InfeasibleProblemError(
            f"the model has no solution: its {kind} {names[at]!r} must lie between {lower[at]:g} and {upper[at]:g}."
        )
