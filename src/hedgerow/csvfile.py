"""CSV files of strangers as tables of text: columns are matched by name, and what is wrong is told with its place."""

__all__ = ["Table", "read_table"]

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.checks import list_some
from hedgerow.errors import FileFormatError, InputError

_OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True)
class Table:
    """A CSV file as text, with the line that each row came from.

    Attributes
    ----------
    path
        Where it was read, for messages.
    columns
        The header.
    rows
        One list of texts per row, as long as the header.
    lines
        Per row the number of its line in the file.
    """

    path: Path
    columns: tuple[str, ...]
    rows: list[list[str]]
    lines: list[int]

    def numbers(self, names: Sequence[str], what: str) -> FloatArray:
        """Return the named columns as numbers, in that order; missing columns are listed in the error."""
        missing = [name for name in names if name not in set(self.columns)]
        if missing:
            raise InputError(f"{self.path} has no column for these {what}: {list_some(missing)}.{self._hint(missing)}")
        twice = [name for name, count in Counter(self.columns).items() if count > 1 and name in set(names)]
        if twice:
            raise InputError(f"{self.path} has these columns more than once: {list_some(twice)}.")
        place = [self.columns.index(name) for name in names]
        matrix = np.empty((len(self.rows), len(names)))
        for number, row in enumerate(self.rows):
            for target, source in enumerate(place):
                value = _number(row[source])
                if value is None:
                    raise InputError(self._complaint(number, source, row[source]))
                matrix[number, target] = value
        return matrix

    def texts(self, name: str, what: str) -> list[str]:
        """Return a named column as text, without blanks around it; an empty cell is an error."""
        if name not in self.columns:
            raise InputError(f"{self.path} has no column {name!r} for {what}.{self._hint([name])}")
        place = self.columns.index(name)
        for number, row in enumerate(self.rows):
            if not row[place].strip():
                where = f"row {number + 1} (line {self.lines[number]}), column {name!r}"
                raise InputError(f"{self.path}: {where} must hold {what}; it is empty.")
        return [row[place].strip() for row in self.rows]

    def others(self, names: Iterable[str]) -> list[int]:
        """Return the places of the columns that are not among the names."""
        known = set(names)
        return [place for place, name in enumerate(self.columns) if name not in known]

    def numeric_columns(self) -> list[str]:
        """Return the named columns that hold any number at all: what a tree could ask about."""
        return [
            name
            for place, name in enumerate(self.columns)
            if name and any(_number(row[place]) is not None for row in self.rows)
        ]

    def _complaint(self, number: int, column: int, text: str) -> str:
        got = f"got {text.strip()!r:.40}" if text.strip() else "it is empty"
        return (
            f"{self.path}: row {number + 1} (line {self.lines[number]}), column {self.columns[column]!r} must be a "
            f"finite number; {got}. Fill or drop it first."
        )

    def _hint(self, missing: Sequence[str]) -> str:
        separators = [words for sign, words in _OTHER_SEPARATORS.items() if sign in self.columns[0]]
        if len(self.columns) == 1 and separators:
            return f" Columns must be separated by commas, not by {separators[0]}."
        if all(_number(name) is not None for name in self.columns) and any(_number(name) is None for name in missing):
            return " Its first line holds numbers; it must name the columns."
        return f" It has {list_some(self.columns)}."


def read_table(path: Path) -> Table:
    """Read a CSV file (UTF-8, commas, a header) with at least one row."""
    text = _text(path)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    header: list[str] | None = None
    try:
        for row in reader:
            if not row:
                continue  # blank lines, often the last ones
            if header is None:
                header = [name.strip() for name in row]
                continue
            if len(row) != len(header):
                raise FileFormatError(
                    f"{path}: row {len(rows) + 1} (line {reader.line_num}) must have {len(header)} columns like the "
                    f"header, up to {header[-1]!r}; got {len(row)}."
                )
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise FileFormatError(f"{path}: line {reader.line_num} can't be read as CSV: {error}.") from None
    if header is None:
        raise FileFormatError(f"{path} is empty; it must have a header that names the columns, and one row per sample.")
    if not rows:
        raise FileFormatError(f"{path} has a header but no rows; at least one is needed.")
    return Table(path, tuple(header), rows, lines)


def _text(path: Path) -> str:
    if path.is_dir():
        raise InputError(f"{path} is a directory; a CSV file is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such file.")
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")  # spreadsheets like to begin with a byte-order mark
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FileFormatError(
            f"{path} is not UTF-8 text: byte {error.start + 1}, in line {line}, can't be read. Save it as CSV in UTF-8."
        ) from None


def _number(text: str) -> float | None:
    """Return the number that a cell holds, or None if it is none, or not finite."""
    try:
        value = float(text)
    except ValueError:
        return None
    # Python reads 1_000, spreadsheets don't.
    return value if math.isfinite(value) and "_" not in text else None
