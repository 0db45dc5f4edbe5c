"""Any table becomes a float64 matrix here, once: arrays by position, frames and files by the names of their columns.

A table from a file is a DataFrame that knows in its `attrs` which file it is and how that was read, so that errors name
the file, row and column.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import (
    LARGEST,
    as_number,
    check_finite,
    check_matrix,
    check_n_rows,
    in_short,
    list_some,
    number_array,
    number_in,
)
from hedgerow.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_CATEGORY_ADVICE: Final = (
    "Convert text that spells numbers (pandas.to_numeric), map it to integers (column.dt.weekday for dates), "
    "or make a 0/1 column of each category (pandas.get_dummies)."
)
"""What to do with a column of other things than numbers."""
_COMMA_ADVICE: Final = 'Read the file with decimal commas: pandas.read_csv(…, decimal=",").'

NO_NAMES: Final = "these rules keep no names of readings, so columns can't be matched to them."

_GAPS: Final = ("", "na", "n/a", "nan", "null", "#n/a")
_ID: Final = r"0\d"
"""What begins like this, such as 007, stays text."""
_ZONE: Final = r"([T ].*)(Z|[+-]\d\d(:?\d\d)?)$"
_DAY: Final = r"\d{4}-\d\d-\d\d"
_FLAGS: Final = {"true": True, "yes": True, "false": False, "no": False}


# -- columns by name ---------------------------------------------------------------------------------------------------


def column_names(table: Any) -> list[str] | None:
    """Return a table's column names as text; None for what has none, such as an array."""
    columns = getattr(table, "columns", None)
    if not hasattr(table, "iloc"):  # the columns of an Arrow table are values
        columns = getattr(table, "column_names", columns)
    return None if columns is None else [str(name) for name in columns]


def places(columns: Sequence[str], names: Sequence[str], what: str, *, gaps: bool = False) -> list[int]:
    """Return for each name its place among the columns; with `gaps`, −1 where it isn't there, unless none is.

    A name without a column, or with more than one, is an `InputError`. Other columns don't matter.

    >>> places(["day", "wind", "temp"], ["temp", "wind"], "readings")
    [2, 1]
    """
    needed, place, twice = set(names), {}, set()
    for number, name in enumerate(columns):
        if name in needed:
            if name in place:
                twice.add(name)
            place[name] = number
    if twice:
        raise InputError(f"{what} have these columns more than once: {list_some(sorted(twice))}.")
    missing = [name for name in names if name not in place]
    if missing and not (gaps and place):
        raise InputError(no_column(what, missing, columns))
    return [place.get(name, -1) for name in names]


def no_column(what: str, missing: Sequence[str], columns: Sequence[str]) -> str:
    """Return the sentence about columns that aren't there; a name in another spelling is pointed out.

    >>> no_column("readings", ["Temp"], ["temp", "wind"])
    "readings have no column for 'Temp'. There are 'temp', 'wind'; 'temp' is spelt differently."
    """
    by_spelling = {_spelling(name): name for name in columns}
    near = [by_spelling[_spelling(name)] for name in missing if _spelling(name) in by_spelling]
    hint = f"; {list_some(near)} {'is' if len(near) == 1 else 'are'} spelt differently" if near else ""
    header = (
        "" if any(map(math.isnan, map(number_in, columns))) else " The first line holds numbers; it must name columns."
    )
    return f"{what} have no column for {list_some(missing)}. There are {list_some(columns) or 'none'}{hint}.{header}"


def _spelling(name: str) -> str:
    return "".join(name.split()).casefold()


# -- matrices ----------------------------------------------------------------------------------------------------------


def number_columns(table: Any) -> list[str]:
    """Return the names of a table's columns that hold numbers; none for what has no names, such as an array."""
    if not hasattr(table, "select_dtypes"):
        return column_names(table) or []
    columns = ((name, table.iloc[:, place]) for place, name in enumerate(column_names(table) or []))
    return [name for name, column in columns if column.dtype.kind in "iuf" or _spells_numbers(column)]


def frame_of(table: Any) -> "pd.DataFrame | None":
    """Return a table with column names as a DataFrame: of pandas or another library, or a list of rows.

    None for what has no names, such as an array.

    >>> frame_of([{"wind": 3.0, "day": "Monday"}])
       wind     day
    0   3.0  Monday
    """
    import pandas as pd

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
        A DataFrame of pandas or another library, or an array.
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
        matrix = _matrix_by_name(table, labels, what, gaps)
    check_n_rows(len(matrix), n_rows, what)
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


def _matrix_by_name(table: Any, names: Sequence[str], what: str, gaps: bool) -> FloatArray:
    """Return columns of a DataFrame, of pandas or another library, as numbers; NaN where they aren't there."""
    if not len(table):
        raise InputError(f"{what} must have at least one row; got none.")
    frame = frame_of(table)
    assert frame is not None
    try:
        found = places(column_names(table) or [], names, what, gaps=gaps)
    except InputError as error:
        raise InputError(f"{_file(frame)}{error}{_how_read(frame)}") from None
    matrix = np.full((len(table), len(names)), np.nan)
    for target, place in enumerate(found):
        if place >= 0:
            matrix[:, target] = _numbers(frame.iloc[:, place], names[target], what, gaps)
    return matrix


def _numbers(column: "pd.Series[Any]", name: str, what: str, gaps: bool) -> FloatArray:
    """Return a column as numbers; a cell that is none is an error, in files also an empty one unless `gaps`."""
    is_file, cells = "file" in column.attrs, column.tolist()
    values = np.array([_number_of(cell, column.attrs.get("decimal")) for cell in cells])
    for row in np.flatnonzero(~(np.abs(values) <= LARGEST)).tolist():
        is_gap = _is_gap(cells[row], is_file)
        if is_file and not (is_gap and gaps):
            got = "it is empty" if is_gap else f"got {in_short(str(cells[row]))}"
            is_large = math.isfinite(values[row])
            allowed = f"hold numbers from {-LARGEST:g} to {LARGEST:g}" if is_large else "be a finite number"
            place = f"{_file(column)}row {row + 1}, column {in_short(name)}"
            raise InputError(f"{place} must {allowed}; {got}. Fill or drop it first.{_how_read(column)}")
        if math.isnan(values[row]) and not is_gap:
            kind = f"{'text' if isinstance(cells[row], str) else 'values'} such as {in_short(cells[row])}"
            advice = _COMMA_ADVICE if _spells_numbers(column) else _CATEGORY_ADVICE
            raise InputError(f"{what} must hold numbers only; column {in_short(name)} holds {kind}. {advice}")
    return values


def _is_gap(cell: Any, is_file: bool = True) -> bool:
    """Return whether a cell is missing; in files some texts say so."""
    import pandas as pd

    if isinstance(cell, str):
        return is_file and cell.strip().lower() in _GAPS
    return bool(pd.api.types.is_scalar(cell) and pd.isna(cell))


def _number_of(cell: Any, decimal: str | None) -> float:
    """Return a cell as a number, and NaN if it is none; texts count in files only, whose decimal sign is known."""
    if isinstance(cell, str):
        return math.nan if decimal is None else number_in(cell, decimal)
    return as_number(cell)


def _spells_numbers(column: "pd.Series[Any]") -> bool:
    """Return whether texts are numbers: in a file any of them, elsewhere the first with a decimal comma."""
    texts = [cell for cell in column if isinstance(cell, str)] if column.dtype.kind == "O" else []
    if "file" in column.attrs:
        numbers = [number_in(text, column.attrs["decimal"]) for text in texts]
        return any(map(math.isfinite, numbers)) and not any(re.match(_ID, text) for text in texts)
    return bool(texts) and "," in texts[0] and math.isfinite(number_in(texts[0], ","))


# -- tables from files -------------------------------------------------------------------------------------------------


def typed(column: "pd.Series[Any]", decimal: str = ".") -> "pd.Series[Any]":
    """Return a column of a file as numbers or flags if all filled cells are such, else as it is; None for empty cells.

    >>> import pandas as pd
    >>> typed(pd.Series(["1,5", ""], dtype=object), ",").tolist()
    [1.5, nan]
    """
    import pandas as pd

    if column.dtype.kind in "biufM" or not column.map(type).isin([str, type(None)]).all():
        return column
    texts = column.fillna("").astype(object)
    words = texts.str.strip().str.lower()
    filled = ~words.isin(_GAPS)
    if filled.any() and not words.str.match(_ID).any():
        numbers = pd.Series([number_in(text, decimal) for text in texts], column.index, name=column.name)
        if numbers.notna().equals(filled):
            return numbers
        if words[filled].isin(_FLAGS).all():
            flags = words.map(_FLAGS.get)
            return flags.astype(bool) if filled.all() else flags.astype(object)
    return texts.where(texts.str.strip() != "", None)


def with_dates(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return a table from a file with texts as dates where all of a column's are dates in ISO form.

    Dates keep the time of day on their own clock, without time zones.
    """
    import pandas as pd

    def dates_or(column: "pd.Series[Any]") -> "pd.Series[Any]":
        if column.dtype.kind != "O" or not column.notna().any():
            return column
        texts = column.astype("string").str.strip().str.replace(_ZONE, r"\1", regex=True)
        moments = pd.to_datetime(texts.where(texts.str.match(_DAY, na=False)), format="ISO8601", errors="coerce")
        return moments.astype("datetime64[us]") if moments.notna().equals(column.notna()) else column

    return frame.apply(dates_or)


def texts_of(frame: "pd.DataFrame", name: str, what: str) -> list[str]:
    """Return a named column of a table from a file as text, without blanks around it; an empty cell is an error."""
    if name not in frame.columns:
        raise InputError(f"{frame.attrs['file']} has no column {in_short(name)} for {what}.{_how_read(frame)}")
    texts = _texts(frame.iloc[:, frame.columns.tolist().index(name)])
    if not all(texts):
        raise InputError(f"{_file(frame)}row {texts.index('') + 1}, column {in_short(name)} must hold {what}.")
    return texts


def row_labels(frame: "pd.DataFrame", but: Iterable[str]) -> tuple[str, list[str]]:
    """Return labels of the rows of a table: the first other column with all cells different, or numbers."""
    for name, column in frame.loc[:, ~frame.columns.isin([*but, ""])].items():
        if _tells_apart(texts := _texts(column)):
            return str(name), texts
    return "row", [str(number + 1) for number in range(len(frame))]


def check_beside(frame: "pd.DataFrame", other: "pd.DataFrame") -> None:
    """Raise `InputError` unless the rows of a table from a file belong to those of another one.

    A column of words or dates that tells rows apart in both tables must be the same in both.
    """
    file, n_rows = frame.attrs["file"], len(other)
    if len(frame) != n_rows:
        raise InputError(f"{file} must have one row for each of the {n_rows} samples; got {len(frame)}.")
    for name in frame.columns.intersection(other.columns):
        if not all(_names_rows(table[name]) for table in (frame, other)):
            continue
        for row, (here, there) in enumerate(zip(_texts(frame[name]), _texts(other[name]), strict=True)):
            if here != there:
                raise InputError(
                    f"{file}: row {row + 1}, column {in_short(name)} is {in_short(here)}, but {in_short(there)} "
                    f"in {other.attrs['file']}; the rows of both must belong together."
                )


def _texts(column: "pd.Series[Any]") -> list[str]:
    return ["" if _is_gap(cell) else str(cell).strip().removesuffix(".0") for cell in column]


def _names_rows(column: Any) -> bool:
    """Return whether a column, and not one of several of its name, has words or dates that tell rows apart."""
    return column.ndim == 1 and column.dtype.kind in "OM" and _tells_apart(_texts(column))


def _tells_apart(texts: list[str]) -> bool:
    return all(texts) and len(set(texts)) == len(texts)


def _file(frame: Any) -> str:
    """Return the beginning of a message about a table that comes from a file."""
    return f"{frame.attrs['file']}: " if "file" in frame.attrs else ""


def _how_read(frame: Any) -> str:
    """Return the end of a message about a file whose way of writing was guessed."""
    guess = frame.attrs.get("guess")
    return f" The file was {guess}." if guess else ""
