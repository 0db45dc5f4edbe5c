"""Tables from files and for files: `.parquet` is Parquet, `.xlsx` a workbook, all other files are CSV.

What separates the columns of a CSV file, and its decimal sign, are guessed unless given.
"""

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hedgerow.data.checks import check_exists, in_short
from hedgerow.data.table import typed
from hedgerow.errors import FileFormatError, InputError, needed

if TYPE_CHECKING:
    import pandas as pd

_WINDOWS: Final = "cp1252"
_CONTROLS: Final = frozenset(range(32)) - frozenset(b"\t\n\r")  # which other files have, such as UTF-16
_MAGIC: Final = {b"PAR1": ("a Parquet file", ".parquet"), b"PK\x03\x04": ("an Excel file", ".xlsx")}
_WORDS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_ROWS_LOOKED_AT: Final = 1000

_COMMA_NUMBER = re.compile(r"\s*[+-]?\d*,\d+\s*")
_POINT_NUMBER = re.compile(r"\s*[+-]?\d*\.\d+\s*")


# -- how tables are read and written -----------------------------------------------------------------------------------


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
    notes: list[str] = field(default_factory=list)  # such as what was guessed; to be shown once all input is good
    first: CsvDialect | None = None  # the dialect of the first CSV file that was read, in which others are written

    def __post_init__(self) -> None:
        self.sep = "\t" if self.sep == "tab" else self.sep
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


# -- reading -----------------------------------------------------------------------------------------------------------


def read_table(path: Path) -> "pd.DataFrame":
    """Read a CSV, Excel or Parquet file with at least one row; its `attrs` say which file it was, and how it was read.

    Columns are numbers, flags, dates or text; what is no number in a column of numbers leaves that column text.
    """
    check_exists(path, "file")
    decimal, guess = ".", ""
    if is_parquet(path):
        frame = _read_parquet(path)
    elif is_excel(path):
        if path.suffix.lower() in (".xls", ".ods"):
            raise InputError(f"{path} is not in Excel's present format; save it as .xlsx, or as CSV in UTF-8.")
        decimal = options_of().decimal or "."
        frame, guess = _read_excel(path, decimal)
    else:
        frame, decimal, guess = _read_csv(path)
    frame.columns = frame.columns.map(lambda name: str(name).strip())
    frame.attrs = {"file": str(path), "decimal": decimal, "guess": guess}
    options_of().notes += [f"{path}: {guess}"] if guess else []
    return frame


def is_excel(path: Path) -> bool:
    """Return whether a file is a spreadsheet by its name."""
    return path.suffix.lower() in (".xlsx", ".xlsm", ".xls", ".ods")


def is_parquet(path: Path) -> bool:
    """Return whether a file is Parquet by its name."""
    return path.suffix.lower() == ".parquet"


# -- CSV ---------------------------------------------------------------------------------------------------------------


def _read_csv(path: Path) -> "tuple[pd.DataFrame, str, str]":
    """Return a table, its decimal sign, and how the file was read where that was guessed."""
    import pandas as pd

    text = _text_in(path)
    dialect, is_guess = options_of().dialect_of(text)
    guess = f"read with {dialect.in_words}; --sep and --decimal overrule this" if is_guess else ""
    header, *rows = _csv_rows(path, text, dialect.sep, guess)
    frame = pd.DataFrame(rows, columns=pd.Index(header, dtype=object), dtype=object)
    return frame.apply(typed, decimal=dialect.decimal), dialect.decimal, guess


def _csv_rows(path: Path, text: str, sep: str, guess: str) -> list[list[str]]:
    """Return the rows that are not blank, all as long as the first one."""
    rows: list[list[str]] = []
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
    except csv.Error as error:
        raise FileFormatError(f"{path}: line {reader.line_num} can't be read as CSV: {error}.") from None
    if not rows:
        raise FileFormatError(f"{path} is empty; it must have a header that names the columns, and one row per sample.")
    if len(rows) == 1:
        raise FileFormatError(f"{path} has a header but no rows; at least one is needed.")
    return rows


def _text_in(path: Path) -> str:
    content = path.read_bytes()
    kind = next((kind for magic, kind in _MAGIC.items() if content.startswith(magic)), None)
    if kind is not None:
        raise FileFormatError(f"{path} is {kind[0]}; rename it so that it ends in {kind[1]}.")
    try:
        # Spreadsheets often begin a file with a byte-order mark, which utf-8-sig skips.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not _CONTROLS.intersection(content):
            with suppress(UnicodeDecodeError):
                text = content.decode(_WINDOWS)
                options_of().notes.append(
                    f"{path}: read as text of Windows ({_WINDOWS}); save it in UTF-8 if letters are wrong"
                )
                return text
        line = content[: error.start].count(b"\n") + 1
        raise FileFormatError(
            f"{path} is not UTF-8 text (line {line}). Save it as CSV in UTF-8, or as .xlsx."
        ) from None


def _first_rows(text: str, sep: str) -> list[list[str]]:
    """Return the first rows that are not blank, as far as they can be read."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        rows.extend(islice(filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=sep)), _ROWS_LOOKED_AT))
    return rows or [[]]


def _separator(text: str) -> str:
    """Return the sign that splits the first rows into the most columns, the comma if none splits them."""
    widths = {sep: [len(row) for row in _first_rows(text, sep)] for sep in _WORDS}
    # Rows may differ in length, which is an error that is better explained with the sign of the header.
    return max(_WORDS, key=lambda sep: (min(widths[sep]), widths[sep][0]))


def _decimal(text: str, sep: str) -> str:
    """Return the comma if there are numbers with one, and none with a point; between commas only the point will do."""
    if sep == ",":
        return "."
    cells = [cell for row in _first_rows(text, sep)[1:] for cell in row]
    has_comma = any(map(_COMMA_NUMBER.fullmatch, cells))
    return "," if has_comma and not any(map(_POINT_NUMBER.fullmatch, cells)) else "."


# -- Excel and Parquet -------------------------------------------------------------------------------------------------


def _read_excel(path: Path, decimal: str) -> "tuple[pd.DataFrame, str]":
    """Return the first sheet of a workbook, and a note if there are others."""
    import pandas as pd

    with needed("Excel files, unlike CSV files, need openpyxl", "excel"):
        import openpyxl  # noqa: F401
    try:
        with pd.ExcelFile(path, engine="openpyxl") as book:
            names = [str(name) for name in book.sheet_names]
            cells = pd.read_excel(book, header=None, dtype=object)
    except MemoryError:
        raise
    except Exception as error:  # openpyxl raises whatever it meets in a file that is none
        raise FileFormatError(f"{path} can't be read as an Excel file (.xlsx): {in_short(str(error))}.") from None
    cells = cells.dropna(how="all").dropna(axis=1, how="all")
    if len(cells) < 2:
        raise FileFormatError(f"{path}: sheet {in_short(names[0])} needs a header and at least one row below it.")
    frame = cells.iloc[1:].reset_index(drop=True).infer_objects().apply(typed, decimal=decimal)
    guess = f"read from sheet {in_short(names[0])}, the first of {len(names)}" if len(names) > 1 else ""
    return frame.set_axis(cells.iloc[0].fillna("").tolist(), axis=1), guess


def _read_parquet(path: Path) -> "pd.DataFrame":
    """Read a Parquet file with at least one column and one row."""
    import pandas as pd

    with needed("Parquet files, unlike CSV files, need pyarrow", "parquet"):
        from pyarrow import ArrowException
    if path.stat().st_size == 0:
        raise FileFormatError(f"{path} is empty; it must be a Parquet file with one row per sample.")
    try:
        with path.open("rb") as stream:
            frame = pd.read_parquet(stream, engine="pyarrow").reset_index(drop=True)
        frame.select_dtypes("string").to_numpy(object)  # text that is not UTF-8 shows here, not where it is used
    except (ArrowException, OSError, ValueError, OverflowError, KeyError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:100].rstrip(". ")
        raise FileFormatError(f"{path} can't be read as Parquet: {reason}.") from None
    if frame.empty:
        raise FileFormatError(f"{path} has no rows; at least one is needed.")
    return frame


# -- tables as the content of files ------------------------------------------------------------------------------------


def csv_text(frame: "pd.DataFrame", dialect: CsvDialect | None = None) -> str:
    """Return a table as CSV; names and texts with separators or quotes are quoted.

    >>> import pandas as pd
    >>> print(csv_text(pd.DataFrame({"day": ["Mon"], "advice": ["left, then right"], "cost": [2.0]})), end="")
    day,advice,cost
    Mon,"left, then right",2
    """
    signs = dialect or CsvDialect()
    # Whole numbers are written without a point.
    return frame.convert_dtypes().to_csv(sep=signs.sep, decimal=signs.decimal, index=False, lineterminator="\n")


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
    """Return a table as a Parquet file."""
    with needed("Parquet files, unlike CSV files, need pyarrow", "parquet"):
        from pyarrow import ArrowException
    try:
        content: bytes = frame.to_parquet(None, engine="pyarrow", index=False)
    except (ArrowException, ValueError) as error:
        raise InputError(f"this table can't be written as Parquet: {in_short(str(error))}. Write CSV.") from None
    return content
