"""How a CSV file is written: what separates its columns, and its decimal sign. Both are guessed unless given."""

__all__ = ["CsvDialect", "TableOptions", "options_of", "table_options"]

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError

_WORDS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SPELT: Final = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t"}
_ROWS_LOOKED_AT: Final = 1000

_COMMA_NUMBER = re.compile(r"\s*[+-]?\d*,\d+\s*")
_POINT_NUMBER = re.compile(r"\s*[+-]?\d*\.\d+\s*")


class CsvDialect(NamedTuple):
    r"""What separates columns, and the decimal sign.

    >>> CsvDialect.of("day;wind\nMon;1,5\n").in_words
    'semicolons between columns and decimal commas'
    >>> CsvDialect.of("day,wind\nMon,1.5\n") == CsvDialect()
    True
    """

    sep: str = ","
    decimal: str = "."

    @classmethod
    def of(cls, text: str, sep: str | None = None, decimal: str | None = None) -> "CsvDialect":
        """Return the dialect of a CSV file; what is None is guessed from its first rows."""
        chosen = _separator(text) if sep is None else sep
        return cls(chosen, _decimal(text, chosen) if decimal is None else decimal)

    @property
    def in_words(self) -> str:
        """The dialect in words."""
        between = _WORDS.get(self.sep, repr(self.sep))
        return f"{between} between columns and decimal {'commas' if self.decimal == ',' else 'points'}"


@dataclass
class TableOptions:
    """How the tables of a command are read, and what there is to say about that."""

    # As given; None where it is to be guessed.
    sep: str | None = None
    decimal: str | None = None
    sheet: str | None = None  # name of the sheet to read from workbooks; None for the first
    notes: list[str] = field(default_factory=list)  # such as what was guessed; to be shown once all input is good
    first: CsvDialect | None = None  # the dialect of the first CSV file that was read, in which others are written

    def __post_init__(self) -> None:
        self.sep = None if self.sep is None else _SPELT.get(self.sep.lower(), self.sep)
        if self.sep is not None and (len(self.sep) != 1 or self.sep in '"\r\n'):
            raise InputError(f'--sep must be one character, such as ";", or "tab"; got {in_short(self.sep)}.')
        if self.decimal not in (None, ".", ","):
            raise InputError(f'--decimal must be "." or ","; got {in_short(self.decimal)}.')

    def dialect_of(self, text: str) -> tuple[CsvDialect, bool]:
        """Return the dialect of a CSV file, and whether it is an unusual one that was guessed."""
        dialect = CsvDialect.of(text, self.sep, self.decimal)
        self.first = self.first or dialect
        return dialect, dialect != CsvDialect(self.sep or ",", self.decimal or ".")

    @property
    def to_write(self) -> CsvDialect:
        """The dialect to write: as given, else that of the first file read."""
        read = self.first or CsvDialect()
        return CsvDialect(self.sep or read.sep, self.decimal or read.decimal)


_CURRENT: ContextVar[TableOptions | None] = ContextVar("table_options", default=None)


def options_of() -> TableOptions:
    """Return the options under which tables are read now; fresh ones outside of `table_options`."""
    return _CURRENT.get() or TableOptions()


@contextmanager
def table_options(options: TableOptions) -> Iterator[TableOptions]:
    """Read and write tables under these options."""
    token = _CURRENT.set(options)
    try:
        yield options
    finally:
        _CURRENT.reset(token)


def _rows(text: str, sep: str) -> list[list[str]]:
    """Return the first rows that are not blank, as far as they can be read."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        rows.extend(islice(filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=sep)), _ROWS_LOOKED_AT))
    return rows or [[]]


def _separator(text: str) -> str:
    """Return the sign that splits the first rows into the most columns, the comma if none splits them."""
    widths = {sep: [len(row) for row in _rows(text, sep)] for sep in _WORDS}
    # Rows may differ in length, which is an error that is better explained with the sign of the header.
    return max(_WORDS, key=lambda sep: (min(widths[sep]), widths[sep][0]))


def _decimal(text: str, sep: str) -> str:
    """Return the comma if there are numbers with one, and none with a point; between commas only the point will do."""
    if sep == ",":
        return "."
    cells = [cell for row in _rows(text, sep)[1:] for cell in row]
    has_comma = any(map(_COMMA_NUMBER.fullmatch, cells))
    return "," if has_comma and not any(map(_POINT_NUMBER.fullmatch, cells)) else "."
