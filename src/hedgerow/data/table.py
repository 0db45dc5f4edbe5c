"""A table from a file. Columns are matched by name; errors name the file, row and column."""

__all__ = ["Table"]

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short
from hedgerow.data.columns import places
from hedgerow.data.file_columns import Column, number_in
from hedgerow.errors import InputError


@dataclass(frozen=True)
class Table:
    """A file's columns, with at least one row."""

    path: Path  # where it was read, for messages
    data: tuple[Column, ...]  # the columns in the file's order, all of the same length
    lines: Sequence[int] | None = None  # per row the number of its line, in files that have lines
    guess: str = ""  # how the file was read, where that is a guess; else empty

    @property
    def columns(self) -> tuple[str, ...]:
        """The header."""
        return tuple(column.name for column in self.data)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.data[0])

    def numbers(self, names: Sequence[str], what: str, *, gaps: bool = False) -> FloatArray:
        """Return the named columns as numbers, in that order, read-only; missing columns are listed in the error.

        With `gaps`, missing columns and empty cells are no error but NaN.
        """
        try:
            found = places(self.columns, names, what, gaps=gaps)
        except InputError as error:
            raise InputError(f"{self.path}: {error}{self._hint()}") from None
        matrix = np.full((self.n_rows, len(names)), np.nan)
        for target, place in enumerate(found):
            if place < 0:
                continue
            column = self.data[place]
            matrix[:, target] = values = column.numbers
            for row in np.flatnonzero(~np.isfinite(values)).tolist():
                if not (gaps and column.is_gap(row)):
                    raise InputError(
                        f"{self.path}: {self._place(row)}, column {in_short(column.name)} must be a finite number; "
                        f"{column.described(row)}. Fill or drop it first.{self._guessed}"
                    )
        matrix.flags.writeable = False  # so that it need not be copied
        return matrix

    def numbers_beside(self, other: "Table", names: Sequence[str], what: str, rows: str = "samples") -> FloatArray:
        """Return the named columns as numbers, row by row beside another table, which holds the `rows`.

        If both have a column that identifies the rows, such as a date, it must be the same in both.
        """
        matrix = self.numbers(names, what)
        if len(matrix) != other.n_rows:
            raise InputError(f"{self.path} must have one row for each of the {other.n_rows} {rows}; got {len(matrix)}.")
        mine, theirs = self._row_names(), other._row_names()
        for name in mine:
            for row, (here, there) in enumerate(zip(mine[name], theirs.get(name, mine[name]), strict=True)):
                if here != there:
                    raise InputError(
                        f"{self.path}: {self._place(row)}, column {in_short(name)} is {in_short(here)}, but "
                        f"{in_short(there)} in {other.path}; the rows of both must belong together."
                    )
        return matrix

    def texts(self, name: str, what: str) -> list[str]:
        """Return a named column as text, without blanks around it; an empty cell is an error."""
        if name not in self.columns:
            raise InputError(f"{self.path} has no column {in_short(name)} for {what}.{self._hint()}")
        texts = [text.strip() for text in self.data[self.columns.index(name)].texts()]
        for row, text in enumerate(texts):
            if not text:
                raise InputError(
                    f"{self.path}: {self._place(row)}, column {in_short(name)} must hold {what}; it is empty."
                )
        return texts

    def others(self, names: Iterable[str]) -> list[Column]:
        """Return the columns that are not among the names, such as a date or an id."""
        known = set(names)
        return [column for column in self.data if column.name not in known]

    def labels(self, names: Iterable[str]) -> tuple[str, list[str]]:
        """Return labels of the rows: the first other column with all cells different, or numbers."""
        for column in self.others(names):
            texts = _different(column)
            if texts:
                return column.name, texts
        return "row", [str(number + 1) for number in range(self.n_rows)]

    def _row_names(self) -> dict[str, list[str]]:
        """Return the columns of words or dates with all cells different, by name."""
        words = [column for column in self.data if not np.isfinite(column.numbers).any()]
        return {column.name: texts for column in words if (texts := _different(column))}

    def numeric_columns(self) -> list[str]:
        """Return the names of columns with any numbers: what a tree could ask about."""
        return [column.name for column in self.data if column.name and np.isfinite(column.numbers).any()]

    def _place(self, row: int) -> str:
        return f"row {row + 1}" if self.lines is None else f"row {row + 1} (line {self.lines[row]})"

    def _hint(self) -> str:
        """Return what may be wrong with the header, if anything is."""
        holds_numbers = np.isfinite([number_in(name) for name in self.columns]).all()
        trouble = " The first line holds numbers; it must name the columns." if holds_numbers else ""
        return f"{trouble}{self._guessed}"

    @property
    def _guessed(self) -> str:
        return f" The file was {self.guess}." if self.guess else ""


def _different(column: Column) -> list[str]:
    """Return the cells of a named column as text if all are filled and no two are equal, else nothing."""
    texts = [text.strip() for text in column.texts()] if column.is_plain else [""]
    return texts if column.name and all(texts) and len(set(texts)) == len(texts) else []
