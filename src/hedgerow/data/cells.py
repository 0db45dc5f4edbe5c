"""Columns of files as numbers and as text: cells are text in CSV, typed in workbooks, Arrow's in Parquet."""

__all__ = ["described", "is_gap", "is_plain", "numbers_of", "text_of", "texts_of"]

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, number_in
from hedgerow.errors import InputError
from hedgerow.wording.numbers import written_number

if TYPE_CHECKING:
    import pandas as pd

_LONGEST: Final = 40
_GAPS: Final = ("", "na", "n/a", "nan", "null", "#n/a")

_BEYOND_PYTHON: Final = (ValueError, OverflowError, KeyError)
"""What Python raises for years beyond 9999 and unknown time zones."""


def numbers_of(column: "pd.Series[Any]", decimal: str | None) -> FloatArray:
    """Return the cells as numbers; NaN where they are none.

    `decimal` is the decimal sign in text. Without a sign ("") text is no number; if it is None, each column shows it.

    >>> import pandas as pd
    >>> numbers_of(pd.Series(["1,5", "calm", ""]), ",").tolist()
    [1.5, nan, nan]
    """
    if _is_numeric(column):
        numbers: FloatArray = column.to_numpy(np.float64, na_value=np.nan)
        return numbers
    if decimal == "":
        return np.full(len(column), np.nan)
    cells = column.tolist()
    if decimal is None:
        decimal = "." if any(isinstance(cell, str) and "." in cell for cell in cells) else ","
    return np.array([_number(cell, decimal) for cell in cells], dtype=np.float64)


def texts_of(column: "pd.Series[Any]", decimal: str = ".") -> list[str]:
    """Return the cells as they are written to CSV: numbers with the decimal sign, dates in ISO form.

    >>> import pandas as pd
    >>> texts_of(pd.Series([1.0, 0.5, None]))
    ['1', '0.5', 'nan']
    """
    if not is_plain(column):
        raise InputError(
            f"column {in_short(column.name)} holds {_type_in_words(column)}, which CSV can't hold; drop it, or write "
            "to a file that ends in .parquet."
        )
    try:
        return [text_of(cell, decimal) for cell in column.tolist()]
    except _BEYOND_PYTHON:
        raise InputError(
            f"column {in_short(column.name)} holds {_type_in_words(column)} that can't be written as text; "
            "drop it first."
        ) from None


def text_of(cell: Any, decimal: str = ".") -> str:
    """Return a cell as text, dates in ISO form.

    >>> text_of(2.5, ","), text_of(True), text_of(None)
    ('2,5', 'true', '')
    """
    if isinstance(cell, str):
        return cell
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):  # pandas' own kinds of missing
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        return written_number(cell).replace(".", decimal) if math.isfinite(cell) else str(cell)
    return str(cell.isoformat()) if hasattr(cell, "isoformat") else str(cell)


def is_gap(column: "pd.Series[Any]", row: int) -> bool:
    """Return whether a cell is empty, or says that it is missing."""
    return text_of(column.iloc[row]).strip().lower() in _GAPS


def described(column: "pd.Series[Any]", row: int) -> str:
    """Describe a cell that should be a number, for a message.

    >>> import pandas as pd
    >>> described(pd.Series(["calm", ""]), 0), described(pd.Series(["calm", ""]), 1)
    ("got 'calm'", 'it is empty')
    """
    kind = _type_in_words(column)
    try:
        text = text_of(column.iloc[row]).strip()
    except _BEYOND_PYTHON:
        return f"got a {kind}"
    if not text or _is_numeric(column):
        return f"got {text}" if text else "it is empty"
    return f"got {in_short(text)}{f' of type {kind}' if kind else ''}"


def is_plain(column: "pd.Series[Any]") -> bool:
    """Return whether the cells can be written as text: lists, records and bytes can't."""
    kind = _arrow_type(column)
    if kind is None:
        return True
    from pyarrow import types

    return not (types.is_nested(kind) or "binary" in str(kind))


def _type_in_words(column: "pd.Series[Any]") -> str:
    """Return the type of a column of a Parquet file; empty for others."""
    text = str(_arrow_type(column) or "")  # nested types can be as long as a page
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _arrow_type(column: "pd.Series[Any]") -> Any:
    return getattr(column.dtype, "pyarrow_dtype", None)


def _is_numeric(column: "pd.Series[Any]") -> bool:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return is_numeric_dtype(column.dtype) and not is_bool_dtype(column.dtype)


def _number(cell: Any, decimal: str) -> float:
    if isinstance(cell, str):
        return number_in(cell, decimal)
    return float(cell) if type(cell) in (int, float) and math.isfinite(cell) else math.nan
