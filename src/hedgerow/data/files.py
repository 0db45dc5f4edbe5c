"""Tables from files and for files: `.parquet` is Parquet, `.xlsx` a workbook, all other files are CSV."""

__all__ = ["csv_text", "is_excel", "is_parquet", "parquet_bytes", "read_table", "workbook_bytes"]

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hedgerow.data.checks import check_exists, in_short, list_some
from hedgerow.data.dialect import CsvDialect, decimal_sign, options_of
from hedgerow.data.size_limits import refuse_large_workbook, unpacked_parquet
from hedgerow.data.table import Table, text_column, text_of_cell
from hedgerow.errors import FileFormatError, InputError, needed

if TYPE_CHECKING:
    import pandas as pd

_MAGIC: Final = {b"PAR1": ("a Parquet file", ".parquet"), b"PK\x03\x04": ("an Excel file", ".xlsx")}
_WINDOWS: Final = "cp1252"
_CONTROLS: Final = frozenset(range(32)) - frozenset(b"\t\n\r")  # which other files have, such as UTF-16


def read_table(path: Path) -> Table:
    """Read a CSV, Excel or Parquet file with at least one row."""
    check_exists(path, "file")
    if is_parquet(path):
        return _read_parquet(path)
    if not is_excel(path):
        return _read_csv(path)
    if path.suffix.lower() in (".xls", ".ods"):
        raise InputError(f"{path} is not in Excel's present format; save it as .xlsx, or as CSV in UTF-8.")
    return _read_excel(path)


def is_excel(path: Path) -> bool:
    """Return whether a file is a spreadsheet by its name."""
    return path.suffix.lower() in (".xlsx", ".xlsm", ".xls", ".ods")


def is_parquet(path: Path) -> bool:
    """Return whether a file is Parquet by its name."""
    return path.suffix.lower() == ".parquet"


# -- CSV ---------------------------------------------------------------------------------------------------------------


def _read_csv(path: Path) -> Table:
    """Read text with a header."""
    options = options_of()
    text, is_foreign = _text_in(path)
    dialect, is_guess = options.dialect_of(text)
    guesses = [f"with {dialect.in_words}; --sep and --decimal overrule this"] * is_guess
    guesses += [f"as text of Windows ({_WINDOWS}); save it in UTF-8 if letters are wrong"] * is_foreign
    guess = f"read {', and '.join(guesses)}" if guesses else ""
    rows, lines = _csv_rows(path, text, dialect.sep, guess)
    options.notes += [f"{path}: {guess}"] if guess else []
    return Table(path, _frame(rows), dialect.decimal, guess, lines[1:])


def _csv_rows(path: Path, text: str, sep: str, guess: str) -> tuple[list[list[str]], list[int]]:
    """Return the rows that are not blank, all as long as the first one, and the line on which each row ends."""
    rows: list[list[str]] = []
    lines: list[int] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sep, strict=True)
    try:
        for row in reader:
            if not row or (len(row) == 1 and row[0].isspace()):
                continue
            if rows and len(row) != len(rows[0]):
                raise FileFormatError(
                    f"{path}: row {len(rows)} (line {reader.line_num}) must have {len(rows[0])} columns "
                    f"like the header; got {len(row)}.{f' It was {guess}.' if guess else ''}"
                )
            rows.append(row)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise FileFormatError(f"{path}: line {reader.line_num} can't be read as CSV: {error}.") from None
    if not rows:
        raise FileFormatError(f"{path} is empty; it must have a header that names the columns, and one row per sample.")
    if len(rows) == 1:
        raise FileFormatError(f"{path} has a header but no rows; at least one is needed.")
    return rows, lines


def _frame(rows: Sequence[Sequence[str]]) -> "pd.DataFrame":
    """Return rows of text; the first row names the columns."""
    import pandas as pd

    names = [name.strip() for name in rows[0]]
    return pd.DataFrame(rows[1:], columns=pd.Index(names, dtype=object), dtype=object)


def _text_in(path: Path) -> tuple[str, bool]:
    """Return a file's text, and whether it is no UTF-8 and was read as text of Windows."""
    content = path.read_bytes()
    kind = next((kind for magic, kind in _MAGIC.items() if content.startswith(magic)), None)
    if kind is not None:
        raise FileFormatError(f"{path} is {kind[0]}; rename it so that it ends in {kind[1]}.")
    try:
        # Spreadsheets often begin a file with a byte-order mark, which utf-8-sig skips.
        return content.decode("utf-8-sig"), False
    except UnicodeDecodeError as error:
        if not _CONTROLS.intersection(content):
            with suppress(UnicodeDecodeError):
                return content.decode(_WINDOWS), True
        line = content[: error.start].count(b"\n") + 1
        raise FileFormatError(
            f"{path} is not UTF-8 text: byte {error.start + 1}, in line {line}, can't be read. Save it as CSV in UTF-8."
        ) from None


# -- Excel and Parquet -------------------------------------------------------------------------------------------------


def _read_excel(path: Path) -> Table:
    """Read a sheet of a workbook: the first one, unless the options name another."""
    import pandas as pd

    with needed("Excel files, unlike CSV files, need openpyxl", "excel"):
        import openpyxl  # noqa: F401
    options = options_of()
    try:
        content = io.BytesIO(path.read_bytes())
        refuse_large_workbook(path, content)
        book = pd.ExcelFile(content, engine="openpyxl")
        names = [str(name) for name in book.sheet_names]
        if options.sheet is not None and options.sheet not in names:
            raise InputError(f"{path} has no sheet {in_short(options.sheet)}; it has {list_some(names)}.")
        sheet = options.sheet or names[0]
        cells = pd.read_excel(book, sheet_name=sheet, header=None, dtype=object, na_filter=False)
    except (FileFormatError, InputError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises whatever it meets in a file that is none
        raise FileFormatError(f"{path} can't be read as an Excel file (.xlsx): {in_short(str(error))}.") from None
    rows = cells[(cells != "").any(axis=1)].to_numpy().tolist()
    # Numbers may have been typed as text: "1,5", or "1.5".
    decimal = options.decimal or decimal_sign(cell for row in rows for cell in row if isinstance(cell, str))
    frame = _frame([[text_of_cell(cell, decimal) for cell in row] for row in rows] or [[]])
    if frame.empty or not any(frame.columns):
        raise FileFormatError(f"{path}: sheet {in_short(sheet)} needs a header and at least one row below it.")
    guess = f"read from sheet {in_short(sheet)}; --sheet overrules this" if len(names) > 1 and not options.sheet else ""
    options.notes += [f"{path}: {guess}"] if guess else []
    width = max(place for place, name in enumerate(frame.columns) if name) + 1
    return Table(path, frame.iloc[:, :width], decimal, guess)


def _read_parquet(path: Path) -> Table:
    """Read a Parquet file with at least one column and one row."""
    import pandas as pd

    with needed("Parquet files, unlike CSV files, need pyarrow", "parquet"):
        from pyarrow import ArrowException
    if path.is_file() and path.stat().st_size == 0:
        raise FileFormatError(f"{path} is empty; it must be a Parquet file with one row per sample.")
    try:
        with path.open("rb") as stream:
            content = unpacked_parquet(path, stream)
        columns = [_parquet_column(column) for column in content.columns]
    except (FileFormatError, MemoryError):
        raise
    except (ArrowException, OSError, ValueError, OverflowError, KeyError) as error:  # such as a day of no calendar
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:100].rstrip(". ")
        raise FileFormatError(f"{path} can't be read as Parquet: {reason}.") from None
    if not content.num_columns or not content.num_rows:
        raise FileFormatError(f"{path} has no rows; at least one is needed.")
    frame = pd.concat(columns, axis=1, keys=range(len(columns)))
    return Table(path, frame.set_axis([name.strip() for name in content.column_names], axis=1))


def _parquet_column(column: Any) -> "pd.Series[Any]":
    """Return a column of a Parquet file: numbers as they are where none is missing, else text."""
    import pandas as pd
    from pyarrow import types

    is_number = types.is_integer(column.type) or types.is_floating(column.type)
    if is_number and not column.null_count:
        return pd.Series(column.to_numpy())
    return pd.Series([text_of_cell(cell) for cell in column.to_pylist()], dtype=object)


# -- tables as the content of files ------------------------------------------------------------------------------------


def csv_text(frame: "pd.DataFrame", dialect: CsvDialect | None = None) -> str:
    """Return a table as CSV; names and texts with separators or quotes are quoted.

    >>> import pandas as pd
    >>> print(csv_text(pd.DataFrame({"day": ["Mon"], "advice": ["left, then right"], "cost": [2.0]})), end="")
    day,advice,cost
    Mon,"left, then right",2
    """
    signs = dialect or CsvDialect()
    filled = frame.astype(object).where(frame.notna(), None)  # what is missing is an empty cell
    return filled.apply(text_column, decimal=signs.decimal).to_csv(sep=signs.sep, index=False, lineterminator="\n")


def workbook_bytes(frame: "pd.DataFrame") -> bytes:
    """Return a table as a workbook with one sheet; text stays text, even where it looks like a formula or a number."""
    import pandas as pd

    with needed("Excel files, unlike CSV files, need openpyxl", "excel"):
        from openpyxl.utils.exceptions import IllegalCharacterError
    target = io.BytesIO()
    try:
        with pd.ExcelWriter(target, engine="openpyxl") as writer:
            frame.to_excel(writer, sheet_name="Table", index=False, freeze_panes=(1, 0))
            for cell in (cell for row in writer.sheets["Table"].iter_rows() for cell in row):
                if cell.data_type == "f":
                    cell.data_type = "s"
                elif cell.value == "":
                    cell.value = None
    except IllegalCharacterError as error:
        raise InputError(f"a workbook can't hold the control characters in {in_short(str(error))}.") from None
    return target.getvalue()


def parquet_bytes(frame: "pd.DataFrame") -> bytes:
    """Return a table as a Parquet file; columns are numbers, flags or text."""
    with needed("Parquet files, unlike CSV files, need pyarrow", "parquet"):
        import pyarrow  # noqa: F401
    twice = frame.columns[frame.columns.duplicated()].unique().tolist()
    if twice:
        raise InputError(
            f"Parquet can't hold these columns more than once: {list_some(twice)}. Rename them, or write to CSV."
        )
    content: bytes = frame.apply(_of_one_type).to_parquet(None, engine="pyarrow", index=False)
    return content


def _of_one_type(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a column of cells of any type as numbers if all filled ones are numbers, else as text."""
    if column.dtype != object:
        return column
    is_numeric = all(cell is None or type(cell) in (int, float) for cell in column)
    return column.astype("float64") if is_numeric else text_column(column)
