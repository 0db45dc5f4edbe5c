"""A table from a file. Columns are matched by name; errors name the file, row, line and column."""

__all__ = ["FileTable"]

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.cells import described, is_gap, is_plain, numbers_of, texts_of
from hedgerow.data.checks import LARGEST, in_short, number_in
from hedgerow.data.columns import places
from hedgerow.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_FIRST_ROWS: Final = 100


@dataclass(frozen=True, eq=False)
class FileTable:
    """A file's columns, with at least one row.

    Attributes
    ----------
    path
        Where it was read, for messages.
    frame
        The cells: text from CSV, values from a workbook, Arrow's types from Parquet.
    decimal
        Decimal sign of numbers that are text; "" if text is never a number, None if each column shows it.
    guess
        How the file was read, where that is a guess; else empty.
    line_of
        Returns the line of a row, in files that have lines.
    """

    path: Path
    frame: "pd.DataFrame"
    decimal: str | None = "."
    guess: str = ""
    line_of: Callable[[int], int] | None = None

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def columns(self) -> tuple[str, ...]:
        """The header."""
        return tuple(self.frame.columns)

    def numbers(self, names: Sequence[str], what: str, *, gaps: bool = False) -> FloatArray:
        """Return the named columns as numbers, in that order, read-only; missing columns are listed in the error.

        With `gaps`, missing columns and empty cells are no error but NaN, unless no column is there.
        """
        matrix = np.full((len(self), len(names)), np.nan)
        for target, place in enumerate(self._places(names, what, gaps=gaps)):
            if place >= 0:
                matrix[:, target] = self._numbers_in(place, gaps)
        matrix.flags.writeable = False  # so that it need not be copied
        return matrix

    def only(self, names: Sequence[str], what: str) -> "FileTable":
        """Return the table with the named columns only."""
        return replace(self, frame=self.frame.iloc[:, self._places(names, what)])

    def number_columns(self) -> list[str]:
        """Return the names of columns with any numbers: what a tree could ask about."""
        return [name for place, name in enumerate(self.columns) if name and self._has_numbers(place)]

    def check_beside(self, other: "FileTable", rows: str = "samples") -> None:
        """Raise `InputError` unless the rows belong to those of another table, which holds the `rows`.

        If both have a column that identifies the rows, such as a date, it must be the same in both.
        """
        if len(self) != len(other):
            raise InputError(f"{self.path} must have one row for each of the {len(other)} {rows}; got {len(self)}.")
        mine, theirs = self._row_names(), other._row_names()
        for name in mine:
            for row, (here, there) in enumerate(zip(mine[name], theirs.get(name, mine[name]), strict=True)):
                if here != there:
                    raise InputError(
                        f"{self._place(row, name)} is {in_short(here)}, but {in_short(there)} in {other.path}; "
                        "the rows of both must belong together."
                    )

    def texts(self, name: str, what: str) -> list[str]:
        """Return a named column as text, without blanks around it; an empty cell is an error."""
        if name not in self.columns:
            raise InputError(f"{self.path} has no column {in_short(name)} for {what}.{self._hint()}")
        texts = [text.strip() for text in texts_of(self.frame.iloc[:, self.columns.index(name)])]
        if not all(texts):
            raise InputError(f"{self._place(texts.index(''), name)} must hold {what}; it is empty.")
        return texts

    def others(self, names: Iterable[str]) -> "pd.DataFrame":
        """Return the columns that are not among the names, such as a date or an id."""
        known = set(names)
        return self.frame.loc[:, [name not in known for name in self.columns]]

    def texts_by_name(self, but: Iterable[str] = ()) -> dict[str, list[str]]:
        """Return the columns as text, but for those of these names and those that are no text, such as lists."""
        return {str(name): texts_of(column) for name, column in self.others(but).items() if is_plain(column)}

    def labels(self, names: Iterable[str]) -> tuple[str, list[str]]:
        """Return labels of the rows: the first other column with all cells different, or numbers."""
        for name, column in self.others(names).items():
            texts = _different(column)
            if texts:
                return str(name), texts
        return "row", [str(number + 1) for number in range(len(self))]

    def _places(self, names: Sequence[str], what: str, *, gaps: bool = False) -> list[int]:
        try:
            return places(self.columns, names, what, gaps=gaps)
        except InputError as error:
            raise InputError(f"{self.path}: {error}{self._hint()}") from None

    def _has_numbers(self, place: int) -> bool:
        """Return whether a column has any number; where the first rows have, the others are not looked at."""
        column = self.frame.iloc[:, place]
        parts = (column.iloc[:_FIRST_ROWS], column.iloc[_FIRST_ROWS:])
        return any(np.isfinite(numbers_of(part, self.decimal)).any() for part in parts)

    def _row_names(self) -> dict[str, list[str]]:
        """Return the columns of words or dates with all cells different, by name."""
        words = [place for place in range(len(self.columns)) if not self._has_numbers(place)]
        return {self.columns[place]: texts for place in words if (texts := _different(self.frame.iloc[:, place]))}

    def _numbers_in(self, place: int, gaps: bool) -> FloatArray:
        column = self.frame.iloc[:, place]
        values = numbers_of(column, self.decimal)
        with np.errstate(invalid="ignore"):
            bad = np.flatnonzero(~(np.abs(values) <= LARGEST))
        for row in bad.tolist():
            if gaps and is_gap(column, row):
                continue
            allowed = "be a finite number"
            if np.isfinite(values[row]):
                allowed = f"hold numbers from {-LARGEST:g} to {LARGEST:g}"
            raise InputError(
                f"{self._place(row, column.name)} must {allowed}; {described(column, row)}. "
                f"Fill or drop it first.{self._guessed}"
            )
        return values

    def _place(self, row: int, name: Any) -> str:
        line = "" if self.line_of is None else f" (line {self.line_of(row)})"
        return f"{self.path}: row {row + 1}{line}, column {in_short(name)}"

    def _hint(self) -> str:
        """Return what may be wrong with the header, if anything is."""
        holds_numbers = np.isfinite([number_in(name) for name in self.columns]).all()
        trouble = " The first line holds numbers; it must name the columns." if holds_numbers else ""
        return f"{trouble}{self._guessed}"

    @property
    def _guessed(self) -> str:
        return f" The file was {self.guess}." if self.guess else ""


def _different(column: "pd.Series[Any]") -> list[str]:
    """Return the cells of a named column as text if all are filled and no two are equal, else nothing."""
    texts = [text.strip() for text in texts_of(column)] if column.name != "" and is_plain(column) else [""]
    return texts if all(texts) and len(set(texts)) == len(texts) else []
