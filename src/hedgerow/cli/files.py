"""CSV in and out of the commands: tables are read elsewhere, results are written here."""

__all__ = ["Table", "check_output", "read_table", "write_output", "written_number"]

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hedgerow.csvfile import Table, read_table
from hedgerow.errors import InputError
from hedgerow.writing import write_text


def written_number(value: float) -> str:
    """Return a number so that it reads back exactly, whole ones without a point.

    Examples
    --------
    >>> from hedgerow.cli.files import written_number
    >>> written_number(1.0), written_number(0.1)
    ('1', '0.1')
    """
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def check_output(path: Path | None) -> None:
    """Refuse a place where no file can be written before any work is done."""
    if path is None or str(path) == "-":
        return
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a file in it, such as {path / 'tree.json'}.")
    if not path.parent.is_dir():
        raise InputError(f"{path} can't be written: there is no directory {path.parent}.")


def write_output(path: Path | None, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV file in one step, or to standard output where there is no path or it is "-"."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    if path is None or str(path) == "-":
        sys.stdout.write(text.getvalue())
    else:
        write_text(path, text.getvalue())
