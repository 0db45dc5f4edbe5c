"""Tables in and out, by the file's ending: `.parquet` is Parquet, anything else CSV."""

__all__ = ["check_output", "read_table", "write_output"]

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from hedgerow.checks import list_some
from hedgerow.cli.columns import Column
from hedgerow.cli.csv_files import csv_text, formulas_in, read_csv
from hedgerow.cli.notes import note
from hedgerow.cli.table import Table
from hedgerow.errors import InputError
from hedgerow.writing import write_bytes, write_text


def read_table(path: Path) -> Table:
    """Read a CSV or Parquet file with at least one row."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; a file (CSV or Parquet) is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such file.")
    if not _is_parquet(path):
        return read_csv(path)
    from hedgerow.cli.parquet_files import read_parquet

    return read_parquet(path)


def check_output(path: Path | None) -> None:
    """Refuse a place where no file can be written before any work is done."""
    if _is_standard_output(path):
        return
    assert path is not None
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a file in it.")
    if not path.parent.is_dir():
        raise InputError(f"{path} can't be written: there is no directory {path.parent}.")
    if not os.access(path if path.exists() and not path.is_file() else path.parent, os.W_OK):
        raise InputError(f"{path} can't be written: you may not write to {path.parent}.")


def write_output(path: Path | None, columns: Sequence[Column]) -> None:
    """Write a table in one step, or as CSV to standard output where there is no path or it is "-"."""
    if _is_standard_output(path):
        sys.stdout.write(csv_text(columns))
        return
    assert path is not None
    if not _is_parquet(path):
        write_text(path, csv_text(columns))
        formulas = formulas_in(columns)
        if formulas:
            # Names must read back as they were, so they are not altered; whoever opens the file should know.
            note(f"{path}: a spreadsheet would take this for formulas, so import it as text: {list_some(formulas)}")
        return
    from hedgerow.cli.parquet_files import parquet_bytes

    write_bytes(path, parquet_bytes(columns))


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet"


def _is_standard_output(path: Path | None) -> bool:
    return path is None or str(path) == "-"
