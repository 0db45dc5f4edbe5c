"""CSV in and out: UTF-8, a header, and one row per sample."""

__all__ = ["csv_text", "formulas_in", "read_csv"]

import csv
import io
import math
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from hedgerow.data.dialect import Dialect, options_of
from hedgerow.data.file_columns import Column, number_in
from hedgerow.data.table import Table
from hedgerow.data.writing import csv_of
from hedgerow.errors import FileFormatError
from hedgerow.wording.numbers import counted

_MAGIC = {b"PAR1": ("a Parquet file", ".parquet"), b"PK\x03\x04": ("an Excel file", ".xlsx")}
_WINDOWS = "cp1252"
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r")  # which other files have, such as UTF-16
_BEGINS_A_FORMULA = ("=", "+", "-", "@")


def read_csv(path: Path) -> Table:
    """Read a CSV file with a header and at least one row."""
    options = options_of()
    text, foreign = _text_in(path, options.encoding)
    dialect, guessed = options.dialect_of(text)
    guesses = [f"with {dialect.in_words}; --sep and --decimal overrule this"] * guessed
    guesses += [f"as text of Windows ({_WINDOWS}); --encoding overrules this"] * foreign
    guess = f"read {', and '.join(guesses)}" if guesses else ""
    rows: list[list[str]] = []
    lines: list[int] = []
    header: list[str] | None = None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=dialect.sep, strict=True)
    try:
        for row in reader:
            if not row:
                continue  # blank lines, often the last ones
            if header is None:
                header = [name.strip() for name in row]
                continue
            if len(row) != len(header):
                wanted, hint = counted(len(header), "column"), f" It was {guess}." if guess else ""
                raise FileFormatError(
                    f"{path}: row {len(rows) + 1} (line {reader.line_num}) must have {wanted} like the header; "
                    f"got {len(row)}.{hint}"
                )
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise FileFormatError(f"{path}: line {reader.line_num} can't be read as CSV: {error}.") from None
    if header is None:
        raise FileFormatError(f"{path} is empty; it must have a header that names the columns, and one row per sample.")
    if not rows:
        raise FileFormatError(f"{path} has a header but no rows; at least one is needed.")
    if guess:
        options.notes.append(f"{path}: {guess}")
    cells = zip(*rows, strict=True)
    data = (Column(name, column, dialect.decimal) for name, column in zip(header, cells, strict=True))
    return Table(path, tuple(data), lines, guess)


def csv_text(columns: Sequence[Column], dialect: Dialect | None = None) -> str:
    """Return columns as CSV; names and texts with separators or quotes are quoted.

    >>> print(csv_text([Column("day", ["Mon"]), Column("advice", ["left, then right"])]), end="")
    day,advice
    Mon,"left, then right"
    """
    written = dialect or Dialect()
    rows = zip(*(column.texts(written.decimal) for column in columns), strict=True)
    return csv_of([[column.name for column in columns], *rows], written.sep)


def formulas_in(columns: Sequence[Column]) -> list[str]:
    """Return the distinct names and texts that a spreadsheet would take for formulas.

    >>> formulas_in([Column("=cmd()", ["-1.5", "-", "@sum", "a=b"])])
    ['=cmd()', '@sum']
    """
    texts = dict.fromkeys(column.name for column in columns)
    for column in columns:
        if not np.isfinite(column.numbers).all():  # numbers are no formulas
            texts.update(dict.fromkeys(column.texts()))
    return [text for text in texts if len(text) > 1 and text[0] in _BEGINS_A_FORMULA and math.isnan(number_in(text))]


def _text_in(path: Path, encoding: str | None) -> tuple[str, bool]:
    """Return a file's text, and whether it is no UTF-8 and was read as text of Windows."""
    with path.open("rb") as stream:
        content = stream.read()
    kind = next((kind for magic, kind in _MAGIC.items() if content.startswith(magic)), None)
    if kind is not None:
        raise FileFormatError(f"{path} is {kind[0]}; rename it so that it ends in {kind[1]}.")
    try:
        # Spreadsheets often begin a file with a byte-order mark, which utf-8-sig skips.
        return content.decode(encoding or "utf-8-sig"), False
    except UnicodeDecodeError as error:
        if encoding is None and not _CONTROLS.intersection(content):
            with suppress(UnicodeDecodeError):
                return content.decode(_WINDOWS), True
        line = content[: error.start].count(b"\n") + 1
        raise FileFormatError(
            f"{path} is not {encoding or 'UTF-8'} text: byte {error.start + 1}, in line {line}, can't be read. "
            "Save it as CSV in UTF-8, or name its --encoding."
        ) from None
