"""Where results go: a file, written in one step, or standard output."""

__all__ = ["check_output", "is_standard_output", "put_out", "save_picture", "write_output"]

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hedgerow.checks import list_some
from hedgerow.cli.notes import note
from hedgerow.data_files.columns import Column
from hedgerow.data_files.csv_files import csv_text, formulas_in
from hedgerow.data_files.dialect import options_of
from hedgerow.data_files.reading import is_excel, is_parquet
from hedgerow.errors import InputError
from hedgerow.writing import check_writable, write_bytes, write_text


def check_output(path: Path | None, *, excel: bool = False) -> None:
    """Refuse a place where no file can be written, before any work is done; an Excel name unless `excel` is written.

    Where a workbook is written its name must end in .xlsx.
    """
    if is_standard_output(path):
        return
    assert path is not None
    if is_excel(path) and not (excel and path.suffix.lower() == ".xlsx"):
        ending = ".xlsx" if excel else ".csv or .json"
        raise InputError(f"{path} would not be an Excel file; name a file that ends otherwise, such as {ending}.")
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a file in it.")
    if not path.parent.is_dir():
        raise InputError(f"{path} can't be written: there is no directory {path.parent}.")
    if not os.access(path if path.exists() and not path.is_file() else path.parent, os.W_OK):
        raise InputError(f"{path} can't be written: you may not write to {path.parent}.")
    check_writable(path)


def write_output(path: Path | None, columns: Sequence[Column]) -> None:
    """Write a table in one step, or as CSV to standard output where there is no path or it is "-".

    CSV is written as `--sep` and `--decimal` say, else like the first CSV file that was read.
    """
    dialect = options_of().to_write
    if is_standard_output(path):
        sys.stdout.write(csv_text(columns, dialect))
        return
    assert path is not None
    if is_parquet(path):
        from hedgerow.data_files.parquet_files import parquet_bytes

        write_bytes(path, parquet_bytes(columns))
    elif is_excel(path):
        from hedgerow.data_files.excel_files import workbook_bytes

        write_bytes(path, workbook_bytes(columns))
    else:
        write_text(path, csv_text(columns, dialect))
        formulas = formulas_in(columns)
        if formulas:
            # Names must read back as they were, so they are not altered; a note must do.
            note(f"{path}: a spreadsheet would take this for formulas, so import it as text: {list_some(formulas)}")


def put_out(path: Path | None, content: str | bytes) -> None:
    """Write text or bytes in one step, or text to standard output where there is no path or it is "-"."""
    if path is None or is_standard_output(path):
        sys.stdout.write(str(content))
        sys.stdout.flush()
    else:
        write_bytes(path, content if isinstance(content, bytes) else content.encode())


def save_picture(path: Path | None, plot: str, value: Any) -> None:
    """Save what a function of `hedgerow.plot` draws, if a file is named."""
    if path is not None:
        import hedgerow.plot

        getattr(hedgerow.plot, plot)(value).figure.savefig(path)
        note(f"saved to {path}")


def is_standard_output(path: Path | None) -> bool:
    """Return whether no file is meant: no path, or "-"."""
    return path is None or str(path) == "-"
