"""The door: values from outside are checked here once, and become float64 arrays or plain numbers."""

__all__ = ["finite_matrix", "finite_vector", "integer_between", "list_some", "number_at_least", "unique_names"]

import math
import numbers
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.errors import InputError

_SHOWN = 5


def finite_matrix(value: Any, what: str, *, n_columns: int | None = None, columns: str = "items") -> FloatArray:
    """Return `value` as a C-contiguous float64 matrix with at least one row, all finite."""
    matrix = _as_float(value, what)
    if matrix.ndim != 2:
        raise InputError(
            f"{what} must be a matrix with one row per sample; got {_shape_in_words(matrix)}. "
            "For a single sample, wrap it in a list."
        )
    if matrix.shape[0] == 0:
        raise InputError(f"{what} must have at least one row; got none.")
    if n_columns is not None and matrix.shape[1] != n_columns:
        raise InputError(f"{what} must have one column for each of the {n_columns} {columns}; got {matrix.shape[1]}.")
    _reject_non_finite(matrix, what)
    return np.ascontiguousarray(matrix)


def finite_vector(value: Any, what: str, *, length: int, per: str) -> FloatArray:
    """Return `value` as a float64 vector of the given length, all finite."""
    vector = _as_float(value, what)
    if vector.shape != (length,):
        raise InputError(f"{what} must hold one number for each of the {length} {per}; got {_shape_in_words(vector)}.")
    _reject_non_finite(vector, what)
    return np.ascontiguousarray(vector)


def integer_between(value: Any, what: str, low: int, high: int | None = None) -> int:
    """Return `value` as an int within the bounds; a float is refused even when it is whole."""
    allowed = f"of {low} or more" if high is None else f"from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise InputError(f"{what} must be an integer {allowed}; got {value!r}.")
    number = int(value)
    if number < low or (high is not None and number > high):
        raise InputError(f"{what} must be an integer {allowed}; got {number}.")
    return number


def number_at_least(value: Any, what: str, low: float = 0.0, *, strict: bool = False) -> float:
    """Return `value` as a finite float that is at least (or, strictly, above) `low`."""
    words = {(0.0, False): "zero or more", (0.0, True): "above zero"}
    allowed = words.get((low, strict), f"{'above' if strict else 'at least'} {low}")
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(f"{what} must be a number {allowed}; got {value!r}.")
    number = float(value)
    if not math.isfinite(number) or number < low or (strict and number == low):
        raise InputError(f"{what} must be {allowed}{'' if math.isfinite(number) else ' and finite'}; got {number}.")
    return number


def unique_names(names: Iterable[Any], what: str, *, length: int | None = None) -> tuple[str, ...]:
    """Return names as a tuple of distinct, non-empty strings."""
    result = tuple(str(name) for name in names)
    if length is not None and len(result) != length:
        raise InputError(f"{what} must name each of the {length} columns; got {len(result)} names.")
    if any(not name.strip() for name in result):
        raise InputError(f"{what} must not be empty; name number {[not n.strip() for n in result].index(True)} is.")
    twice = sorted(name for name, count in Counter(result).items() if count > 1)
    if twice:
        raise InputError(f"{what} must differ from each other; these occur more than once: {list_some(twice)}.")
    return result


def list_some(names: Sequence[str]) -> str:
    """Return the first few names for a message, and how many there are beyond."""
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def _as_float(value: Any, what: str) -> FloatArray:
    try:
        array = np.asarray(value)
        if array.dtype == object or array.dtype.kind not in "biuf":
            array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what} must hold numbers only, in rows of equal length; {error}.") from None
    return np.asarray(array, dtype=np.float64)


def _reject_non_finite(array: FloatArray, what: str) -> None:
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(index) for index in np.argwhere(bad)[0])
        place = f"row {where[0]}, column {where[1]}" if len(where) == 2 else f"position {where[0]}"
        raise InputError(
            f"{what} must be finite numbers; got {array[where]} at {place}"
            f" ({int(bad.sum())} such value{'s' if bad.sum() > 1 else ''} in all). Fill or drop them first."
        )


def _shape_in_words(array: FloatArray) -> str:
    if array.ndim == 0:
        return "a single number"
    return f"{' × '.join(str(size) for size in array.shape)} values"
