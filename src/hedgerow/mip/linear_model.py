"""A mixed-integer linear model as arrays with names."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import BoolArray, FloatArray, frozen
from hedgerow.data.checks import LARGEST, in_short, number_array, unique_names
from hedgerow.errors import InfeasibleProblemError, InputError

INFINITE: Final = 1e20
"""Solvers and modelling layers write ∞ as a large number; from here on it is one."""

_OBJECTIVE: Final = "the objective's coefficients"


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Optimise `cost @ x + offset` over `row_lower <= matrix @ x <= row_upper`, `lower <= x <= upper`.

    Build one with `create`, which checks everything.
    """

    # Names of the variables, all different, and of the rows, for messages.
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
        rows = sp.csr_array(matrix, dtype=np.float64)
        if not columns:
            raise InputError("a model must have at least one variable; this one has none.")
        if rows.ndim != 2 or rows.shape[1] != len(columns):
            raise InputError(f"matrix must have one column for each of the {len(columns)} variables; got {rows.shape}.")
        if not np.isfinite(rows.data).all():
            raise InputError("the coefficients of a model's rows must be finite numbers; at least one is not.")
        if sense not in ("min", "max"):
            raise InputError(f'sense must be "min" or "max"; got {in_short(sense)}.')
        n_rows = int(rows.shape[0])
        labels = tuple(map(str, row_names or ()))
        objective = _objective(np.append(number_array(cost, _OBJECTIVE), offset), [*columns, "the constant"])
        model = cls(
            names=columns,
            row_names=labels if len(labels) == n_rows else tuple(f"row {number}" for number in range(1, n_rows + 1)),
            sense="min" if sense == "min" else "max",
            cost=frozen(objective[:-1]),
            offset=float(objective[-1]),
            lower=_sides(lower, len(columns), "lower bounds"),
            upper=_sides(upper, len(columns), "upper bounds"),
            integer=frozen(_sides(integer, len(columns), "the marks of whole variables") != 0.0),
            matrix=rows,
            row_lower=_sides(row_lower, n_rows, "the rows' lower sides"),
            row_upper=_sides(row_upper, n_rows, "the rows' upper sides"),
        )
        _refuse_contradictions("variable", model.names, model.lower, model.upper)
        _refuse_contradictions("row", model.row_names, model.row_lower, model.row_upper)
        return model


def _objective(values: Any, names: list[str]) -> FloatArray:
    """Return the objective's coefficients and its constant, all of a size that leaves sums finite."""
    numbers = number_array(values, _OBJECTIVE)
    if numbers.shape != (len(names),):
        raise InputError(f"the objective must have {len(names) - 1} coefficients, one per variable.")
    wrong = ~(np.abs(numbers) <= LARGEST)
    if wrong.any():
        raise InputError(
            f"{_OBJECTIVE} must be from {-LARGEST:g} to {LARGEST:g}; "
            f"that of {names[int(np.argmax(wrong))]!r} is {numbers[wrong][0]}."
        )
    return numbers


def _sides(values: Any, length: int, what: str) -> FloatArray:
    numbers = number_array(values, what)
    if numbers.shape not in {(), (1,), (length,)}:
        raise InputError(f"{what} must be one number or {length} of them; got {numbers.shape}.")
    if np.isnan(numbers).any():
        raise InputError(f"{what} must be numbers or infinite; at least one is missing (nan).")
    numbers = np.broadcast_to(numbers, (length,))
    return frozen(np.where(np.abs(numbers) >= INFINITE, np.copysign(np.inf, numbers), numbers))


def _refuse_contradictions(kind: str, names: tuple[str, ...], lower: FloatArray, upper: FloatArray) -> None:
    wrong = (lower > upper) | (lower == np.inf) | (upper == -np.inf)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InfeasibleProblemError(
            f"the model has no solution: its {kind} {names[at]!r} must lie between {lower[at]:g} and {upper[at]:g}."
        )
