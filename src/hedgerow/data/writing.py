"""Files are written in one step: either the whole file is there, or nothing is changed. Tables become their content."""

__all__ = [
    "check_writable",
    "csv_of",
    "csv_text",
    "formulas_in",
    "parquet_bytes",
    "workbook_bytes",
    "write_bytes",
    "write_text",
]

import csv
import io
import math
import os
import stat
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import numpy as np

from hedgerow.data.checks import in_short, list_some, number_in
from hedgerow.data.dialect import CsvDialect
from hedgerow.data.table import numbers_of, text_column
from hedgerow.errors import InputError, file_error, needed

if TYPE_CHECKING:
    import pandas as pd

_BEGINS_A_FORMULA: Final = ("=", "+", "-", "@")


def write_text(path: str | Path, text: str) -> None:
    r"""Write a text file (UTF-8) in one step; what is no regular file, such as a pipe, is written to as it is.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "note.txt", "≤ goes left\n")
    ...     Path(folder, "note.txt").read_text(encoding="utf-8")
    '≤ goes left\n'
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"{path} can't be written: its text has half a surrogate pair, which no file can hold."
        ) from None
    write_bytes(path, data)


def csv_of(rows: Iterable[Iterable[Any]], sep: str = ",") -> str:
    r"""Return rows as CSV; texts with separators or quotes are quoted.

    >>> csv_of([("day", "advice"), ("Mon", "left, then right")])
    'day,advice\nMon,"left, then right"\n'
    """
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n", delimiter=sep).writerows(rows)
    return text.getvalue()


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file in one step; what is no regular file, such as a pipe, is written to as it is."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target.resolve(), data)  # a link stays a link: what it points to is replaced
    except OSError as error:
        raise file_error(error, path, "written") from error


def _replace(target: Path, data: bytes) -> None:
    """Write a file beside the target, with its permissions or those of any new file, and put it in its place."""
    temporary, is_there = _beside(target), target.exists()
    mode = stat.S_IMODE(target.stat().st_mode) if is_there else 0o666
    try:
        with open(temporary, "xb", opener=partial(os.open, mode=mode)) as stream:
            stream.write(data)
        if is_there:
            temporary.chmod(mode)  # the umask applies to new files only
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def check_writable(path: str | Path) -> None:
    """Raise `FileError` if no file can be made at this place; what exists there is not touched."""
    target = Path(path)
    if target.exists() and not target.is_file():
        return
    try:
        temporary = _beside(target.resolve())
        temporary.touch(exist_ok=False)
        temporary.unlink()
    except OSError as error:
        raise file_error(error, path, "written") from error


def _beside(target: Path) -> Path:
    """Return a path for a temporary file beside the target, which can then be replaced in one step."""
    return target.with_name(f".hedgerow-{uuid4().hex}.part")


# -- tables ------------------------------------------------------------------------------------------------------------


def csv_text(frame: "pd.DataFrame", dialect: CsvDialect | None = None) -> str:
    """Return a table as CSV; names and texts with separators or quotes are quoted.

    >>> import pandas as pd
    >>> print(csv_text(pd.DataFrame({"day": ["Mon"], "advice": ["left, then right"], "cost": [2.0]})), end="")
    day,advice,cost
    Mon,"left, then right",2
    """
    signs = dialect or CsvDialect()
    return frame.apply(text_column, decimal=signs.decimal).to_csv(sep=signs.sep, index=False, lineterminator="\n")


def workbook_bytes(frame: "pd.DataFrame") -> bytes:
    """Return a table as a workbook with one sheet; text stays text, even where it looks like a formula or a number."""
    import pandas as pd

    with needed("Excel files, unlike CSV files, need openpyxl", "excel"):
        from openpyxl.utils.exceptions import IllegalCharacterError
    target = io.BytesIO()
    try:
        with pd.ExcelWriter(target, engine="openpyxl") as writer:
            frame.apply(_workbook_cells).to_excel(writer, sheet_name="Table", index=False, freeze_panes=(1, 0))
            for cell in (cell for row in writer.sheets["Table"].iter_rows() for cell in row):
                if cell.data_type == "f":
                    cell.data_type = "s"
                elif cell.value == "":
                    cell.value = None
    except IllegalCharacterError as error:
        raise InputError(f"a workbook can't hold the control characters in {in_short(str(error))}.") from None
    return target.getvalue()


def parquet_bytes(frame: "pd.DataFrame") -> bytes:
    """Return a table as a Parquet file, in which columns keep their types."""
    with needed("Parquet files, unlike CSV files, need pyarrow", "parquet"):
        import pyarrow  # noqa: F401
    twice = frame.columns[frame.columns.duplicated()].unique().tolist()
    if twice:
        raise InputError(
            f"Parquet can't hold these columns more than once: {list_some(twice)}. Rename them, or write to CSV."
        )
    content: bytes = frame.apply(_of_one_type).to_parquet(None, engine="pyarrow", index=False)
    return content


def formulas_in(frame: "pd.DataFrame") -> list[str]:
    """Return the distinct names and texts that a spreadsheet would take for formulas.

    >>> import pandas as pd
    >>> formulas_in(pd.DataFrame({"=cmd()": ["-1.5", "-", "@sum", "a=b"]}))
    ['=cmd()', '@sum']
    """
    texts = dict.fromkeys(map(str, frame.columns))
    for place in range(frame.shape[1]):
        texts.update(dict.fromkeys(cell for cell in frame.iloc[:, place].tolist() if isinstance(cell, str)))
    return [text for text in texts if len(text) > 1 and text[0] in _BEGINS_A_FORMULA and math.isnan(number_in(text))]


def _workbook_cells(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return cells as they are written to a workbook, in which Arrow's types are numbers or text."""
    if not hasattr(column.dtype, "pyarrow_dtype"):
        return column
    return column.astype(object).where(np.isfinite(numbers_of(column, "")), text_column(column))


def _of_one_type(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a column of cells of any type as numbers if all filled ones are numbers, else as text."""
    if column.dtype != object:
        return column
    is_numeric = all(cell is None or type(cell) in (int, float) for cell in column)
    return column.astype("float64") if is_numeric else text_column(column)
