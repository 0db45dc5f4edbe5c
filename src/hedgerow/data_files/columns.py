"""The columns of a table: read as numbers where needed, otherwise kept as they are in the file."""

__all__ = ["Column", "NumberColumn", "TextColumn", "number_in"]

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.checks import in_short
from hedgerow.words import written_number

_GAPS = ("", "na", "n/a", "nan", "null")


class Column(Protocol):
    """The interface of a column, for any kind of file."""

    @property
    def name(self) -> str:
        """Its name in the header."""

    def __len__(self) -> int:
        """Return the number of rows."""

    @property
    def numbers(self) -> FloatArray | IntArray:
        """The cells as numbers, NaN where they are no finite numbers."""

    @property
    def is_plain(self) -> bool:
        """Whether the cells can be written as text."""

    def is_gap(self, row: int) -> bool:
        """Return whether a cell is missing."""

    def described(self, row: int) -> str:
        """Describe a cell that should be a number, for a message."""

    def texts(self) -> list[str]:
        """Return the cells as they are written to CSV."""

    def arrow(self) -> Any:
        """Return the cells as they are written to Parquet: a `pyarrow` array."""

    def renamed(self, name: str) -> "Column":
        """Return the same cells under another name."""


@dataclass(frozen=True, eq=False)
class TextColumn:
    """Cells that are text, as in a CSV file.

    Examples
    --------
    >>> from hedgerow.data_files.columns import TextColumn
    >>> column = TextColumn("wind", ["1.5", "calm", ""])
    >>> column.numbers.tolist(), column.described(1), column.described(2)
    ([1.5, nan, nan], "got 'calm'", 'it is empty')
    """

    name: str
    cells: Sequence[str]
    is_plain: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def numbers(self) -> FloatArray:
        """The cells as numbers; NaN where they are none."""
        return np.array([number_in(text) for text in self.cells], dtype=np.float64)

    def is_gap(self, row: int) -> bool:
        """Return whether a cell is empty, or says that it is missing."""
        return self.cells[row].strip().lower() in _GAPS

    def described(self, row: int) -> str:
        """Describe a cell, for a message."""
        text = self.cells[row].strip()
        return f"got {in_short(text)}" if text else "it is empty"

    def texts(self) -> list[str]:
        """Return the cells as they are."""
        return list(self.cells)

    def arrow(self) -> Any:
        """Return the cells as text: a number may be an id, and 007 must stay 007."""
        import pyarrow as pa

        return pa.array(self.cells, pa.string())

    def renamed(self, name: str) -> Column:
        """Return the same cells under another name."""
        return dataclasses.replace(self, name=name)


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """Numbers that Hedgerow has computed; whole ones are written without a fraction.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.data_files.columns import NumberColumn
    >>> NumberColumn("x1", np.array([1.0, 0.1])).texts()
    ['1', '0.1']
    """

    name: str
    numbers: FloatArray | IntArray
    is_plain: ClassVar[bool] = True

    def __len__(self) -> int:
        return len(self.numbers)

    def is_gap(self, row: int) -> bool:
        """Return whether there is no number."""
        return math.isnan(self.numbers[row])

    def described(self, row: int) -> str:
        """Describe a cell, for a message."""
        return f"got {self.numbers[row]}"

    def texts(self) -> list[str]:
        """Return the numbers so that they read back exactly."""
        return [written_number(value) for value in self.numbers.tolist()]

    def arrow(self) -> Any:
        """Return the numbers with their type."""
        import pyarrow as pa

        return pa.array(self.numbers)

    def renamed(self, name: str) -> Column:
        """Return the same numbers under another name."""
        return dataclasses.replace(self, name=name)


def number_in(text: str) -> float:
    """Return the number in a text, or NaN if it is none or not finite."""
    try:
        value = float(text)
    except ValueError:
        return math.nan
    # Python reads 1_000, spreadsheets don't.
    return value if math.isfinite(value) and "_" not in text else math.nan
