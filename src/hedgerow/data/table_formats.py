"""A DataFrame as the content of a file: CSV, a workbook, or Parquet."""

__all__ = ["csv_text", "formulas_in", "parquet_bytes", "workbook_bytes"]

import io
import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.cells import numbers_of, texts_of
from hedgerow.data.checks import in_short, list_some, number_in
from hedgerow.data.dialect import CsvDialect
from hedgerow.errors import InputError, needed

if TYPE_CHECKING:
    import pandas as pd

_BEGINS_A_FORMULA: Final = ("=", "+", "-", "@")


def csv_text(frame: "pd.DataFrame", dialect: CsvDialect | None = None) -> str:
    """Return a table as CSV; names and texts with separators or quotes are quoted.

    >>> import pandas as pd
    >>> print(csv_text(pd.DataFrame({"day": ["Mon"], "advice": ["left, then right"], "cost": [2.0]})), end="")
    day,advice,cost
    Mon,"left, then right",2
    """
    written = dialect or CsvDialect()
    texts = frame.apply(_texts, decimal=written.decimal)
    return texts.to_csv(sep=written.sep, index=False, lineterminator="\n")


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
    twice = [str(name) for name, count in Counter(frame.columns).items() if count > 1]
    if twice:
        raise InputError(
            f"Parquet can't hold these columns more than once: {list_some(twice)}. Rename them, or write to CSV."
        )
    mixed = [name for name, column in frame.items() if column.dtype == object]
    content: bytes = frame.assign(**{str(name): _one_type(frame[name]) for name in mixed}).to_parquet(
        None, engine="pyarrow", index=False
    )
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
    numbers = numbers_of(column, "")
    return column.astype(object).where(np.isfinite(numbers), _texts(column))


def _texts(column: "pd.Series[Any]", decimal: str = ".") -> "pd.Series[Any]":
    import pandas as pd

    return pd.Series(texts_of(column, decimal), column.index, dtype=object)


def _one_type(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a column of a workbook as numbers if all filled cells are numbers, else as text."""
    if all(cell is None or type(cell) in (int, float) for cell in column):
        return column.astype("float64")
    return _texts(column)
