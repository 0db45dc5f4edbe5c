"""The door: values from outside are checked here once, and become float64 arrays or plain numbers."""

import math
import numbers
import reprlib
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.data.arrays import FloatArray
from hedgerow.errors import InputError

LARGEST = 1e200
"""Largest magnitude of a number in a table: sums over any table, and products with weights, stay finite."""

_SHOWN = 5
_LONGEST = 60
_KINDS_IN_WORDS = {"U": "text", "S": "bytes", "M": "dates", "m": "durations"}


def check_matrix(matrix: FloatArray, what: str) -> FloatArray:
    """Return the matrix if it is one with rows and columns, else raise `InputError`."""
    if matrix.ndim != 2:
        raise InputError(
            f"{what} must be a matrix with one row per sample; got {_shape_in_words(matrix)}."
            f"{' Reshape your data: a single sample is a list in a list.' if matrix.ndim == 1 and matrix.size else ''}"
        )
    for size, part in zip(matrix.shape, ("row", "column"), strict=True):
        if not size:
            raise InputError(f"{what} must have at least one {part}; got none.")
    return matrix


def check_n_rows(n_rows: int, expected: int | None, what: str) -> None:
    """Raise `InputError` unless there is a row for each sample; None for any number of rows."""
    if expected is not None and n_rows != expected:
        raise InputError(f"{what} must have one row for each of the {expected} samples; got {n_rows}.")


def finite_vector(value: Any, what: str, *, length: int, per: str) -> FloatArray:
    """Return `value` as a float64 vector of the given length, all finite."""
    vector = number_array(value, what)
    if vector.shape != (length,):
        raise InputError(f"{what} must hold one number for each of the {length} {per}; got {_shape_in_words(vector)}.")
    check_finite(vector, what)
    return np.ascontiguousarray(vector)


def integer_between(value: Any, what: str, low: int, high: int | None = None) -> int:
    """Return `value` as an int within the bounds; a float is refused even when it is whole."""
    allowed = f"of {low} or more" if high is None else f"from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise InputError(f"{what} must be an integer {allowed}; got {in_short(value)}.")
    number = int(value)
    if number < low or (high is not None and number > high):
        raise InputError(f"{what} must be an integer {allowed}; got {in_short(number)}.")
    return number


def number_at_least(value: Any, what: str, *, strict: bool = False) -> float:
    """Return `value` as a finite float that is at least (or, strictly, above) zero."""
    number = _as_float(value)
    if not math.isfinite(number) or number < 0.0 or (strict and number == 0.0):
        allowed = f"{'above zero' if strict else 'zero or more'}{'' if math.isfinite(number) else ', a finite number'}"
        raise InputError(f"{what} must be {allowed}; got {in_short(value)}.")
    return number + 0.0  # −0.0 becomes 0.0: what is equal should also read and hash alike


def finite_number(value: Any, rule: str) -> float:
    """Return `value` as a finite float; the rule that it must be one is for the message."""
    number = _as_float(value)
    if not math.isfinite(number):
        raise InputError(f"{rule}; got {in_short(value)}.")
    return number


def number_in(text: str, decimal: str = ".") -> float:
    """Return the number in a text, or NaN if it is none or not finite.

    >>> number_in("1.5"), number_in("1,5", ","), number_in("1.5", ",")
    (1.5, 1.5, nan)
    """
    if "_" in text or (decimal == "," and "." in text):  # Python reads 1_000, spreadsheets don't
        return math.nan
    try:
        value = float(text.replace(decimal, "."))
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def unique_names(names: Iterable[Any], what: str, *, length: int | None = None) -> tuple[str, ...]:
    """Return names as a tuple of distinct, non-empty strings."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InputError(f"{what} must be a list of names; got {in_short(names)}.")
    result = tuple(str(name) for name in names)
    if length is not None and len(result) != length:
        raise InputError(f"{what} must be {length} names; got {len(result)}.")
    for number, name in enumerate(result):
        if not name.strip():
            raise InputError(f"{what} must not be empty; the one at place {number}, counted from 0, is.")
    twice = sorted(name for name, count in Counter(result).items() if count > 1)
    if twice:
        raise InputError(f"{what} must differ from each other; these occur more than once: {list_some(twice)}.")
    return result


def checked_text(value: Any, what: str) -> str:
    """Return the value if it is a text, else raise `InputError`."""
    if not isinstance(value, str):
        raise InputError(f"{what} must be a text; got {in_short(value)}.")
    return value


def list_some(names: Sequence[str]) -> str:
    """Return the first few names for a message, and how many there are beyond."""
    shown = ", ".join(in_short(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"


def in_short(value: Any) -> str:
    """Return the value for a message: in one line, cut where long, and safe for whatever a hostile file nests."""
    try:
        text = _shortener.repr(value)
    except (ValueError, RecursionError):  # an integer with too many digits to print
        text = f"a {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_shortener = reprlib.Repr()
_shortener.maxlevel = 3
_shortener.maxstring = _shortener.maxlong = _shortener.maxother = _LONGEST


def check_exists(path: Path, what: str) -> None:
    """Raise `InputError` if there is no such file; `what` says what it should be, such as "tree file"."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; a {what} is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such {what}.")


def number_array(value: Any, what: str) -> FloatArray:
    """Return `value` as a float64 array of any shape, in which missing entries are NaN.

    Numbers only: text is refused even where it spells a number, and dates even though numpy counts them.
    """
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        raise InputError(f"{what} must hold numbers only, in rows of equal length; got {in_short(value)}.") from None
    if array.dtype.kind == "O":
        return _from_objects(array, what)
    if array.dtype.kind == "c":
        raise InputError(f"Complex data not supported: {what} must hold real numbers.")
    if array.dtype.kind not in "biuf":
        kind = _KINDS_IN_WORDS.get(array.dtype.kind, f"values of type {array.dtype}")
        example = f", such as {in_short(array.flat[0].item())}" if array.size else ""
        raise InputError(f"{what} must hold numbers only; got {kind}{example}.")
    numbers_only = np.asarray(array, dtype=np.float64)
    # A table's view of its data, which is read-only from pandas 3 on, still changes when the table does.
    is_kept = numbers_only.flags.owndata or (isinstance(value, np.ndarray) and numbers_only.flags.writeable)
    return numbers_only if is_kept else numbers_only.copy()


def _from_objects(array: NDArray[np.object_], what: str) -> FloatArray:
    result = np.empty(array.shape)
    flat = result.reshape(-1)
    entry: Any
    for place, entry in enumerate(array.flat):
        if entry is None or type(entry).__name__ in ("NAType", "NaTType"):  # pandas' own kinds of missing
            flat[place] = np.nan
        elif isinstance(entry, numbers.Real | Decimal | np.bool_):
            flat[place] = as_number(entry)
        else:
            raise InputError(f"{what} must hold numbers only; got {in_short(entry)}.")
    return result


def as_number(value: Any) -> float:
    """Return a number or flag as a float, and NaN for what is neither."""
    value = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    try:
        return float(value) if isinstance(value, numbers.Real | Decimal | np.bool_) else math.nan
    except OverflowError:  # an integer beyond the largest float
        return math.inf


def _as_float(value: Any) -> float:
    """Return a number, and NaN for what is none."""
    return math.nan if isinstance(value, bool) else as_number(value)


def check_finite(array: FloatArray, what: str, names: Sequence[str] | None = None) -> None:
    """Raise `InputError` with the place of the first entry that is not finite, or too large for a table."""
    if array.ndim == 2 and max(array.max(initial=0.0), -array.min(initial=0.0)) > LARGEST:
        bad = np.abs(array) > LARGEST
    else:
        bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(index) for index in np.argwhere(bad)[0])
        place = f"position {where[0]}"
        if len(where) == 2:
            place = f"row {where[0]}, column {where[1] if names is None else in_short(names[where[1]])}"
        shown = "NaN" if math.isnan(array[where]) else array[where]
        allowed = f"numbers from {-LARGEST:g} to {LARGEST:g}" if math.isfinite(array[where]) else "finite numbers"
        raise InputError(
            f"{what} must be {allowed}; got {shown} at {place}"
            f" ({int(bad.sum())} such value{'s' if bad.sum() > 1 else ''} in all). Fill or drop them first."
        )


def _shape_in_words(array: FloatArray) -> str:
    if array.ndim == 0:
        return "a single number"
    return f"{' × '.join(str(size) for size in array.shape)} value{'' if array.size == 1 else 's'}"
