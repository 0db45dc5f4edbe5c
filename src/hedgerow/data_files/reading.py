"""Reads tables: files that end in `.parquet` as Parquet, all others as CSV."""

__all__ = ["is_excel", "is_parquet", "read_table"]

from pathlib import Path

from hedgerow.data_files.csv_files import read_csv
from hedgerow.data_files.table import Table
from hedgerow.errors import InputError


def read_table(path: Path) -> Table:
    """Read a CSV or Parquet file with at least one row."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; a file (CSV or Parquet) is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such file.")
    if is_excel(path):
        raise InputError(f"{path} is an Excel file by its name; save the sheet as CSV in UTF-8 and read that.")
    if not is_parquet(path):
        return read_csv(path)
    from hedgerow.data_files.parquet_files import read_parquet

    return read_parquet(path)


def is_excel(path: Path) -> bool:
    """Return whether a file is a spreadsheet by its name."""
    return path.suffix.lower() in (".xlsx", ".xlsm", ".xls", ".ods")


def is_parquet(path: Path) -> bool:
    """Return whether a file is Parquet by its name."""
    return path.suffix.lower() == ".parquet"
