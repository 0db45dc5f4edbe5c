"""Any table becomes a float64 matrix here, once: arrays by position, frames and files by the names of their columns.

Cells of a file are text, but for the numbers of Parquet files. What a column of text holds is decided where it is asked
for, not where the file is read: 007 may be an id. Errors name the file, row, line and column.
"""

__all__ = [
    "CATEGORY_ADVICE",
    "NO_NAMES",
    "Table",
    "frame_of",
    "number_columns",
    "number_matrix",
    "text_column",
    "text_of_cell",
]

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import LARGEST, check_finite, check_matrix, check_n_rows, in_short, number_array, number_in
from hedgerow.data.columns import column_names, places
from hedgerow.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

CATEGORY_ADVICE: Final = (
    "Convert text that spells numbers (pandas.to_numeric), map it to integers (column.dt.weekday for dates), "
    "or make a 0/1 column of each category (pandas.get_dummies)."
)
"""What to do with a column of other things than numbers."""

NO_NAMES: Final = "these rules keep no names of readings, so columns can't be matched to them."

_GAPS: Final = ("", "na", "n/a", "nan", "null", "#n/a")
_FLAGS: Final = {"true": True, "yes": True, "false": False, "no": False}


def number_columns(table: Any) -> list[str]:
    """Return the names of a table's columns that hold numbers; none for what has no names, such as an array."""
    if isinstance(table, Table):
        return table.number_columns()
    if hasattr(table, "select_dtypes"):
        columns = ((name, table.iloc[:, place]) for place, name in enumerate(column_names(table) or []))
        return [name for name, column in columns if column.dtype.kind in "iuf" or _has_decimal_commas(column)]
    return column_names(table) or []


def frame_of(table: Any) -> "pd.DataFrame | None":
    """Return a table with column names as a DataFrame: of pandas or another library, from a file, or a list of rows.

    None for what has no names, such as an array.

    >>> frame_of([{"wind": 3.0, "day": "Monday"}])
       wind     day
    0   3.0  Monday
    """
    import pandas as pd

    if isinstance(table, Table):
        return table.typed_frame()
    if isinstance(table, pd.DataFrame):
        return table
    if isinstance(table, list) and table and isinstance(table[0], Mapping):
        return pd.DataFrame(table)
    names = column_names(table)
    return None if names is None else pd.DataFrame({name: np.asarray(table[name]) for name in names})


def number_matrix(
    table: Any,
    names: Sequence[str] | None,
    what: str,
    *,
    wanted: Sequence[int] | None = None,
    kind: str = "features",
    gaps: bool = False,
    n_rows: int | None = None,
) -> FloatArray:
    """Return the named columns as a matrix of finite numbers, in the order of the names; all columns if these are None.

    A table with column names is matched by name; an array has a column for each name, in their order. True and False
    count as 1 and 0.

    Parameters
    ----------
    table
        A table from a file, a DataFrame of pandas or another library, or an array.
    names
        Names of the columns; empty where they aren't known, so that only an array will do.
    what, kind
        What the table holds and what the names stand for, for messages.
    wanted
        Places of the names whose columns are needed; others may be missing or hold anything.
    gaps
        Whether values, and some of the columns, may be missing. They are NaN.
    n_rows
        How many rows there must be, one per sample.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"wind": [3.0], "day": ["Monday"], "temp": [20]})
    >>> number_matrix(frame, ["temp", "wind"], "readings")
    array([[20.,  3.]])
    >>> number_matrix([[20.0, 3.0]], ["temp", "wind"], "readings", wanted=[1])
    array([[3.]])
    """
    columns = column_names(table)
    if columns is None:
        matrix = _matrix_of(table, names, what, wanted, kind)
        labels = names and (names if wanted is None else [names[place] for place in wanted])
    else:
        names = columns if names is None else names
        if not names and wanted:
            raise InputError(NO_NAMES)
        labels = list(names) if wanted is None else [names[place] for place in wanted]
        if isinstance(table, Table):
            matrix = table.numbers(labels, what, gaps=gaps)
        else:
            matrix = _matrix_by_name(table, labels, what, places(columns, labels, what, gaps=gaps))
    check_n_rows(len(matrix), n_rows, what)
    if isinstance(table, Table):
        return matrix
    check_finite(np.where(np.isnan(matrix), 0.0, matrix) if gaps else matrix, what, labels)
    return np.ascontiguousarray(matrix)


def _matrix_of(
    array: Any, names: Sequence[str] | None, what: str, wanted: Sequence[int] | None, kind: str
) -> FloatArray:
    """Return the wanted columns of what has no column names."""
    matrix = check_matrix(number_array(array, what), what)
    width, needed = matrix.shape[1], max(wanted or (), default=-1) + 1
    if names and width != len(names):
        raise InputError(f"{what} must have one column for each of the {len(names)} {kind}; got {width}.")
    if width < needed:
        raise InputError(f"{what} must have at least {needed} columns; got {width}.")
    return matrix if wanted is None else matrix[:, list(wanted)]


def _matrix_by_name(table: Any, names: Sequence[str], what: str, found: Sequence[int]) -> FloatArray:
    """Return columns of a DataFrame, of pandas or another library, as numbers; NaN where they aren't there (−1)."""
    if not len(table):
        raise InputError(f"{what} must have at least one row; got none.")
    there = [place for place in range(len(names)) if found[place] >= 0]
    matrix = np.full((len(table), len(names)), np.nan)
    labels = [names[place] for place in there]
    frame = frame_of(table)
    assert frame is not None
    part = frame.iloc[:, [found[place] for place in there]]
    for place, name in enumerate(labels):
        if kind := _other_than_numbers(part.iloc[:, place]):
            has_commas = _has_decimal_commas(part.iloc[:, place])
            advice = (
                'Read the file with decimal commas: pandas.read_csv(…, decimal=",").' if has_commas else CATEGORY_ADVICE
            )
            raise InputError(f"{what} must hold numbers only; column {in_short(name)} holds {kind}. {advice}")
    if there:
        matrix[:, there] = number_array(part, what, labels)
    return matrix


def _has_decimal_commas(column: "pd.Series[Any]") -> bool:
    """Return whether the first text in a column is a number with a decimal comma."""
    text = next((cell for cell in column if isinstance(cell, str)), "")
    return "," in text and math.isfinite(number_in(text, ","))


def _other_than_numbers(column: "pd.Series[Any]") -> str:
    """Return what a column of a DataFrame holds if no threshold can be between its values, else nothing."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in "biuf":
        return ""
    if hasattr(column.dtype, "categories"):
        return "categories"
    text = next((cell for cell in column if isinstance(cell, str)), None)
    return "dates" if kind == "M" else "" if text is None else f"text such as {in_short(text)}"


# -- tables from files -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a file, with at least one row."""

    path: Path  # where it was read, for messages
    frame: "pd.DataFrame"  # columns of text, or of numbers
    decimal: str = "."  # the decimal sign of numbers
    guess: str = ""  # how the file was read, where that is a guess
    lines: Sequence[int] | None = None  # on which line each row ends, in files that have lines

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def columns(self) -> tuple[str, ...]:
        """The header."""
        return tuple(self.frame.columns)

    def numbers(self, names: Sequence[str], what: str, *, gaps: bool = False) -> FloatArray:
        """Return the named columns as numbers, in that order, read-only; missing columns are listed in the error.

        With `gaps`, missing columns and empty cells are no error but NaN, unless no column is there.
        """
        matrix = np.full((len(self), len(names)), np.nan)
        for target, place in enumerate(self._places(names, what, gaps=gaps)):
            if place >= 0:
                matrix[:, target] = self._finite_numbers(self.frame.iloc[:, place], gaps)
        matrix.flags.writeable = False  # so that it need not be copied
        return matrix

    def only(self, names: Sequence[str], what: str) -> "Table":
        """Return the table with the named columns only."""
        return replace(self, frame=self.frame.iloc[:, self._places(names, what)])

    def others(self, names: Iterable[str]) -> "pd.DataFrame":
        """Return the columns that are not among the names, such as a date or an id."""
        known = set(names)
        return self.frame.loc[:, [name not in known for name in self.columns]]

    def number_columns(self) -> list[str]:
        """Return the names of columns with any numbers: what a tree could ask about."""
        return [str(name) for name, column in self.frame.items() if name != "" and self._has_numbers(column)]

    def texts(self, name: str, what: str) -> list[str]:
        """Return a named column as text, without blanks around it; an empty cell is an error."""
        if name not in self.columns:
            raise InputError(f"{self.path} has no column {in_short(name)} for {what}.{self._hint()}")
        texts = text_column(self.frame.iloc[:, self.columns.index(name)]).str.strip().tolist()
        if not all(texts):
            raise InputError(f"{self._place(texts.index(''), name)} must hold {what}; it is empty.")
        return texts

    def texts_by_name(self, but: Iterable[str] = ()) -> dict[str, list[str]]:
        """Return the columns as text, but for those of these names."""
        return {str(name): text_column(column).tolist() for name, column in self.others(but).items()}

    def labels(self, names: Iterable[str]) -> tuple[str, list[str]]:
        """Return labels of the rows: the first other column with all cells different, or numbers."""
        for name, column in self.others(names).items():
            if texts := _row_labels(column):
                return str(name), texts
        return "row", [str(number + 1) for number in range(len(self))]

    def typed_frame(self) -> "pd.DataFrame":
        """Return the columns with their types: numbers, flags, dates, or text with None for empty cells.

        Numbers are float64 and dates datetime64; flags are bool, or objects where cells are empty. Dates keep the
        time of day on their own clock, without time zones.
        """
        return self.frame.apply(_typed, decimal=self.decimal)

    def check_beside(self, other: "Table", rows: str = "samples") -> None:
        """Raise `InputError` unless the rows belong to those of another table, which holds the `rows`.

        If both have a column of words or dates that identifies the rows, it must be the same in both.
        """
        if len(self) != len(other):
            raise InputError(f"{self.path} must have one row for each of the {len(other)} {rows}; got {len(self)}.")
        mine, theirs = (
            {name: _row_labels(column) for name, column in table.frame.items() if not table._has_numbers(column)}
            for table in (self, other)
        )
        for name in mine:
            for row, (here, there) in enumerate(zip(mine[name], theirs.get(name, ()), strict=False)):
                if here != there:
                    raise InputError(
                        f"{self._place(row, name)} is {in_short(here)}, but {in_short(there)} in {other.path}; "
                        "the rows of both must belong together."
                    )

    def _places(self, names: Sequence[str], what: str, *, gaps: bool = False) -> list[int]:
        try:
            return places(self.columns, names, what, gaps=gaps)
        except InputError as error:
            raise InputError(f"{self.path}: {error}{self._hint()}") from None

    def _has_numbers(self, column: "pd.Series[Any]") -> bool:
        """Return whether a column has any number."""
        return bool(np.isfinite(_numbers(column, self.decimal)).any())

    def _finite_numbers(self, column: "pd.Series[Any]", gaps: bool) -> FloatArray:
        """Return a column as numbers; a cell that is none is an error, but for an empty one with `gaps`."""
        values = _numbers(column, self.decimal)
        for row in np.flatnonzero(~(np.abs(values) <= LARGEST)).tolist():
            text = text_column(column.iloc[[row]]).iloc[0].strip()
            if gaps and text.lower() in _GAPS:
                continue
            is_large = math.isfinite(values[row])
            allowed = f"hold numbers from {-LARGEST:g} to {LARGEST:g}" if is_large else "be a finite number"
            got = f"got {in_short(text)}" if text else "it is empty"
            place = self._place(row, column.name)
            raise InputError(f"{place} must {allowed}; {got}. Fill or drop it first.{self._guessed}")
        return values

    def _place(self, row: int, name: Any) -> str:
        line = "" if self.lines is None else f" (line {self.lines[row]})"
        return f"{self.path}: row {row + 1}{line}, column {in_short(name)}"

    def _hint(self) -> str:
        """Return what may be wrong with the header, if anything is."""
        holds_numbers = np.isfinite([number_in(name) for name in self.columns]).all()
        trouble = " The first line holds numbers; it must name the columns." if holds_numbers else ""
        return f"{trouble}{self._guessed}"

    @property
    def _guessed(self) -> str:
        return f" The file was {self.guess}." if self.guess else ""


# -- columns -----------------------------------------------------------------------------------------------------------


def _numbers(column: "pd.Series[Any]", decimal: str) -> FloatArray:
    """Return a column as numbers; NaN where a text is none."""
    if column.dtype != object:
        return column.to_numpy(np.float64)
    return np.array([number_in(cell, decimal) for cell in column], dtype=np.float64)


def text_column(column: "pd.Series[Any]", decimal: str = ".") -> "pd.Series[Any]":
    """Return a column as it is written to CSV: numbers with the decimal sign, dates in ISO form.

    >>> import pandas as pd
    >>> text_column(pd.Series([1.0, 0.5, None])).tolist()
    ['1', '0.5', 'nan']
    >>> text_column(pd.Series([2.5, True, None, "wet"], dtype=object), ",").tolist()
    ['2,5', 'true', '', 'wet']
    """
    import pandas as pd

    return pd.Series([text_of_cell(cell, decimal) for cell in column.tolist()], column.index, dtype=object)


def text_of_cell(cell: Any, decimal: str = ".") -> str:
    """Return a cell as text: nothing where it is missing, a date without its midnight."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):  # pandas' own kinds of missing
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        return repr(cell).removesuffix(".0").replace(".", decimal)
    return str(cell.isoformat()).removesuffix("T00:00:00") if hasattr(cell, "isoformat") else str(cell)


def _row_labels(column: "pd.Series[Any]") -> list[str]:
    """Return the cells of a named column as text if all are filled and no two are equal, else nothing."""
    texts = text_column(column).str.strip().tolist() if column.name != "" else [""]
    return texts if all(texts) and len(set(texts)) == len(texts) else []


def _typed(column: "pd.Series[Any]", decimal: str) -> "pd.Series[Any]":
    """Return a column as the first type that all its filled cells have: numbers, flags, ISO dates, or text."""
    import pandas as pd

    if column.dtype != object:
        return column.astype("float64")
    texts = column.str.strip()
    words = texts.str.lower()
    filled = ~words.isin(_GAPS)
    if filled.any():
        numbers = pd.Series(_numbers(texts, decimal), column.index)
        if numbers.notna().equals(filled):
            return numbers
        if words[filled].isin(_FLAGS).all():
            flags = words.map(_FLAGS.get)
            return flags.astype(bool) if filled.all() else flags.astype(object)
        moments = pd.Series(np.array([_moment(text) for text in texts], "datetime64[us]"), column.index)
        if moments.notna().equals(filled):
            return moments
    return texts.where(texts != "", None)


def _moment(text: str) -> datetime | None:
    """Return the date, or date and time, in an ISO text, without its time zone."""
    with suppress(ValueError):
        return datetime.fromisoformat(text).replace(tzinfo=None)
    return None
