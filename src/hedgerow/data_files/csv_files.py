"""CSV in and out: UTF-8, commas, a header."""

__all__ = ["csv_text", "formulas_in", "read_csv"]

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hedgerow.checks import in_short
from hedgerow.data_files.columns import Column, TextColumn, number_in
from hedgerow.data_files.table import Table, wrong_separator
from hedgerow.errors import FileFormatError
from hedgerow.words import counted

_MAGIC_OF_PARQUET = b"PAR1"
_BEGINS_A_FORMULA = ("=", "+", "-", "@")


def read_csv(path: Path) -> Table:
    """Read a CSV file with a header and at least one row."""
    rows: list[list[str]] = []
    lines: list[int] = []
    header: list[str] | None = None
    # Spreadsheets often begin a file with a byte-order mark, which utf-8-sig skips.
    with path.open("rb") as raw, io.TextIOWrapper(_not_parquet(raw, path), "utf-8-sig", newline="") as text:
        reader = csv.reader(text, strict=True)
        try:
            for row in reader:
                if not row:
                    continue  # blank lines, often the last ones
                if header is None:
                    header = [name.strip() for name in row]
                    continue
                if len(row) != len(header):
                    raise FileFormatError(f"{path}: {_ragged(header, len(row), len(rows) + 1, reader.line_num)}")
                rows.append(row)
                lines.append(reader.line_num)
        except csv.Error as error:
            raise FileFormatError(f"{path}: line {reader.line_num} can't be read as CSV: {error}.") from None
        except UnicodeDecodeError:
            raise FileFormatError(_not_utf8(path, reader.line_num)) from None
    if header is None:
        raise FileFormatError(f"{path} is empty; it must have a header that names the columns, and one row per sample.")
    if not rows:
        raise FileFormatError(f"{path} has a header but no rows; at least one is needed.")
    cells = zip(*rows, strict=True)
    return Table(path, tuple(TextColumn(name, column) for name, column in zip(header, cells, strict=True)), lines)


def _ragged(header: list[str], n_cells: int, row: int, line: int) -> str:
    separator = wrong_separator(header)
    if separator:
        return (
            f"columns must be separated by commas, not by {separator}, and decimals by points; the header has no "
            f"comma, row {row} (line {line}) has."
        )
    wanted = counted(len(header), "column")
    return f"row {row} (line {line}) must have {wanted} like the header, up to {in_short(header[-1])}; got {n_cells}."


def csv_text(columns: Sequence[Column]) -> str:
    """Return columns as CSV; names and texts with commas or quotes are quoted.

    Examples
    --------
    >>> from hedgerow.data_files.columns import TextColumn
    >>> from hedgerow.data_files.csv_files import csv_text
    >>> print(csv_text([TextColumn("day", ["Mon"]), TextColumn("advice", ["left, then right"])]), end="")
    day,advice
    Mon,"left, then right"
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(column.name for column in columns)
    writer.writerows(zip(*(column.texts() for column in columns), strict=True))
    return text.getvalue()


def formulas_in(columns: Sequence[Column]) -> list[str]:
    """Return the distinct names and texts that a spreadsheet would take for formulas.

    Examples
    --------
    >>> from hedgerow.data_files.columns import TextColumn
    >>> from hedgerow.data_files.csv_files import formulas_in
    >>> formulas_in([TextColumn("=cmd()", ["-1.5", "-", "@sum", "a=b"])])
    ['=cmd()', '@sum']
    """
    texts = dict.fromkeys(column.name for column in columns)
    for column in columns:
        if not np.isfinite(column.numbers).all():  # numbers are no formulas
            texts.update(dict.fromkeys(column.texts()))
    return [text for text in texts if len(text) > 1 and text[0] in _BEGINS_A_FORMULA and math.isnan(number_in(text))]


def _not_parquet(raw: io.BufferedReader, path: Path) -> io.BufferedReader:
    if raw.peek(4).startswith(_MAGIC_OF_PARQUET):
        raise FileFormatError(f"{path} is a Parquet file; rename it so that it ends in .parquet.")
    return raw


def _not_utf8(path: Path, lines_read: int) -> str:
    """Return the message for a file that is not UTF-8, with the place of the first bad byte."""
    where = f"something after line {lines_read}"
    if path.is_file():  # a pipe can't be read again
        try:
            path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            where = f"byte {error.start + 1}, in line {line},"
    return f"{path} is not UTF-8 text: {where} can't be read. Save it as CSV in UTF-8."
