"""Reads tables: `.parquet` as Parquet, `.xlsx` as a workbook, all other files as CSV."""

__all__ = ["is_excel", "is_parquet", "read_table"]

from pathlib import Path

from hedgerow.data.csv_files import read_csv
from hedgerow.data.table import Table
from hedgerow.errors import InputError


def read_table(path: Path) -> Table:
    """Read a CSV, Excel or Parquet file with at least one row."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; a file (CSV, Excel or Parquet) is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such file.")
    if is_parquet(path):
        from hedgerow.data.parquet_files import read_parquet

        return read_parquet(path)
    if not is_excel(path):
        return read_csv(path)
    if path.suffix.lower() in (".xls", ".ods"):
        raise InputError(f"{path} is not in Excel's present format; save it as .xlsx, or as CSV in UTF-8.")
    from hedgerow.data.excel_files import read_excel

    return read_excel(path)


def is_excel(path: Path) -> bool:
    """Return whether a file is a spreadsheet by its name."""
    return path.suffix.lower() in (".xlsx", ".xlsm", ".xls", ".ods")


def is_parquet(path: Path) -> bool:
    """Return whether a file is Parquet by its name."""
    return path.suffix.lower() == ".parquet"
