"""Workbooks (.xlsx) in and out: one sheet with a header and one row per sample."""

__all__ = ["read_excel", "workbook_bytes"]

import io
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from hedgerow.data.checks import in_short, list_some
from hedgerow.data.dialect import options_of
from hedgerow.data.file_columns import Column, text_of
from hedgerow.data.table import Table
from hedgerow.errors import FileFormatError, InputError, needed


def read_excel(path: Path) -> Table:
    """Read a sheet of a workbook: the first one, unless the options name another."""
    openpyxl, options = _openpyxl(), options_of()
    try:
        with path.open("rb") as stream:  # formulas are read as the values that the spreadsheet saved
            book = openpyxl.load_workbook(io.BytesIO(stream.read()), read_only=True, data_only=True)
        names = book.sheetnames
        if options.sheet is not None and options.sheet not in names:
            raise InputError(f"{path} has no sheet {in_short(options.sheet)}; it has {list_some(names)}.")
        sheet = options.sheet or names[0]
        rows = [row for row in book[sheet].iter_rows(values_only=True) if any(cell is not None for cell in row)]
    except (InputError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises whatever it meets in a file that is none
        raise FileFormatError(f"{path} can't be read as an Excel file (.xlsx): {in_short(str(error))}.") from None
    if len(rows) < 2:
        raise FileFormatError(f"{path}: sheet {in_short(sheet)} needs a header and at least one row below it.")
    header = [text_of(_plain(name)).strip() for name in rows[0]]
    guess = f"read from sheet {in_short(sheet)}; --sheet overrules this" if len(names) > 1 and not options.sheet else ""
    if guess:
        options.notes.append(f"{path}: {guess}")
    width = max(place for place, name in enumerate(header) if name) + 1
    columns = []
    for name, cells in zip(header[:width], zip(*rows[1:], strict=True), strict=False):
        # Numbers may have been typed as text: "1,5", or "1.5".
        has_points = any(isinstance(cell, str) and "." in cell for cell in cells)
        columns.append(Column(name, [*map(_plain, cells)], "." if has_points else options.decimal or ","))
    return Table(path, tuple(columns), guess=guess)


def workbook_bytes(columns: Sequence[Column]) -> bytes:
    """Return columns as a workbook with one sheet; text stays text, even where it looks like a formula."""
    book = _openpyxl().Workbook()
    sheet = book.active
    sheet.title = "Table"
    sheet.append([column.name for column in columns])
    for row in zip(*(column.cells_to_write() for column in columns), strict=True):
        sheet.append([None if cell == "" else cell for cell in row])
    for cells in sheet.iter_rows():
        for cell in cells:
            if cell.data_type == "f":
                cell.data_type = "s"
    sheet.freeze_panes = "A2"
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _plain(cell: Any) -> Any:
    """Return a date in place of its midnight: workbooks know no dates without a time."""
    midnight = isinstance(cell, datetime) and cell.time() == datetime.min.time()
    return cell.date() if midnight else cell


def _openpyxl() -> Any:
    with needed("Excel files, unlike CSV files, need openpyxl", "excel"):
        import openpyxl
    return openpyxl
