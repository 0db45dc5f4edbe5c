"""The columns of a table: read as numbers where needed, otherwise kept as they are in the file."""

__all__ = ["Column", "number_in", "text_of"]

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import in_short
from hedgerow.wording.numbers import written_number

_THOUSANDS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+")
"""With a decimal comma only this can have points in it."""

_GAPS = ("", "na", "n/a", "nan", "null", "#n/a")


@dataclass(frozen=True, eq=False)
class Column:
    """Cells as they are in a file: text in CSV; in a workbook also numbers, dates, truth values, or None.

    An array holds numbers that Hedgerow has computed; whole ones are written without a fraction.

    >>> column = Column("wind", ["1.5", "calm", ""])
    >>> column.numbers.tolist(), column.described(1), column.described(2)
    ([1.5, nan, nan], "got 'calm'", 'it is empty')
    """

    name: str
    cells: Any
    decimal: str = "."

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def is_plain(self) -> bool:
        """Whether the cells can be written as text."""
        return True

    @cached_property
    def numbers(self) -> FloatArray | IntArray:
        """The cells as numbers; NaN where they are none."""
        if isinstance(self.cells, np.ndarray):
            return self.cells
        return np.array([_number(cell, self.decimal) for cell in self.cells], dtype=np.float64)

    def is_gap(self, row: int) -> bool:
        """Return whether a cell is empty, or says that it is missing."""
        return text_of(self.cells[row]).strip().lower() in _GAPS

    def described(self, row: int) -> str:
        """Describe a cell that should be a number, for a message."""
        text = text_of(self.cells[row]).strip()
        return f"got {in_short(text)}" if text else "it is empty"

    def texts(self, decimal: str = ".") -> list[str]:
        """Return the cells as they are written to CSV: numbers with the decimal sign; 007, perhaps an id, stays 007."""
        if decimal == self.decimal:
            return [text_of(cell, decimal) for cell in self._cells]
        pairs = zip(self._cells, self.numbers.tolist(), strict=True)
        return [
            cell.replace(self.decimal, decimal)
            if isinstance(cell, str) and not math.isnan(number)
            else text_of(cell, decimal)
            for cell, number in pairs
        ]

    def cells_to_write(self) -> list[Any]:
        """Return the cells as they are written to a workbook: text as a number where that is how it is written."""
        triples = zip(self._cells, self.texts(), self.numbers.tolist(), strict=True)
        return [
            number
            if isinstance(cell, str) and not math.isnan(number) and written_number(number) == text
            # A workbook has no infinite numbers.
            else text
            if isinstance(cell, float) and not math.isfinite(cell)
            else cell
            for cell, text, number in triples
        ]

    def arrow(self) -> Any:
        """Return the cells as they are written to Parquet: numbers where all that are filled are numbers, else text."""
        import pyarrow as pa

        if isinstance(self.cells, np.ndarray):
            return pa.array(self.cells)
        if all(cell is None or type(cell) in (int, float) for cell in self.cells):
            return pa.array([None if cell is None else float(cell) for cell in self.cells], pa.float64())
        return pa.array(self.texts(), pa.string())

    @property
    def _cells(self) -> Sequence[Any]:
        cells: Sequence[Any] = self.cells.tolist() if isinstance(self.cells, np.ndarray) else self.cells
        return cells


def number_in(text: str, decimal: str = ".") -> float:
    """Return the number in a text, or NaN if it is none or not finite.

    >>> number_in("1.5"), number_in("1,5", ","), number_in("1.5", ","), number_in("1.234,5", ",")
    (1.5, 1.5, nan, 1234.5)
    """
    if decimal == ",":
        if "." in text and not _THOUSANDS.fullmatch(text.strip()):
            return math.nan
        text = text.replace(".", "").replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        return math.nan
    # Python reads 1_000, spreadsheets don't.
    return value if math.isfinite(value) and "_" not in text else math.nan


def _number(cell: Any, decimal: str) -> float:
    if isinstance(cell, str):
        return number_in(cell, decimal)
    return float(cell) if type(cell) in (int, float) and math.isfinite(cell) else math.nan


def text_of(value: Any, decimal: str = ".") -> str:
    """Return a typed cell as text, dates in ISO form."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return written_number(value).replace(".", decimal) if math.isfinite(value) else str(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
