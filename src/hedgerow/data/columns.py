"""Numbers by column name: any table or array becomes a float64 matrix here, once.

A table with column names (a data file, a pandas or polars DataFrame) is matched by name. Only what has no names, such
as an array, goes by position.
"""

__all__ = ["CATEGORY_ADVICE", "COSTS", "NO_NAMES", "no_column", "number_columns", "number_matrix", "places"]

from collections.abc import Sequence
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import check_finite, column_names, finite_matrix, in_short, list_some, number_array, number_in
from hedgerow.errors import InputError

CATEGORY_ADVICE: Final = (
    "A tree asks whether a value is at most a threshold, so a category needs an order: map it to integers, "
    "or make a 0/1 column of each category (pandas.get_dummies)."
)
"""What to do with a category that has no order."""

NO_NAMES: Final = "these rules keep no names of readings, so columns can't be matched to them."
COSTS: Final = "costs"


@runtime_checkable
class _NumbersByName(Protocol):
    """A table that turns its columns into numbers itself: one from a file, which knows lines."""

    def number_columns(self) -> list[str]: ...

    def numbers(self, names: Sequence[str], what: str, *, gaps: bool = False) -> FloatArray: ...


def number_columns(table: Any) -> list[str]:
    """Return the names of a table's columns that hold numbers; none for what has no names, such as an array."""
    if isinstance(table, _NumbersByName):
        return table.number_columns()
    return column_names(table.select_dtypes("number") if hasattr(table, "select_dtypes") else table) or []


def number_matrix(
    table: Any,
    names: Sequence[str] | None,
    what: str,
    *,
    wanted: Sequence[int] | None = None,
    kind: str = "features",
    gaps: bool = False,
) -> FloatArray:
    """Return the named columns as a matrix of finite numbers, in the order of the names; all columns if these are None.

    A table with column names is matched by name; an array has a column for each name, in their order. True and False
    count as 1 and 0.

    Parameters
    ----------
    table
        A data file, a DataFrame, or an array.
    names
        Names of the columns; empty where they aren't known, so that only an array will do.
    what, kind
        What the table holds and what the names stand for, for messages.
    wanted
        Places of the names whose columns are needed; others may be missing or hold anything.
    gaps
        Whether values, and some of the columns, may be missing. They are NaN.

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
        return _from_array(table, names, what, wanted, kind, gaps)
    if names is None:
        names = columns
    if not names and wanted:
        raise InputError(NO_NAMES)
    labels = list(names) if wanted is None else [names[place] for place in wanted]
    if isinstance(table, _NumbersByName):
        return table.numbers(labels, what, gaps=gaps)
    found = np.array(places(columns, labels, what, gaps=gaps), dtype=np.int64)
    there = np.flatnonzero(found >= 0)
    matrix = np.full((len(table), len(labels)), np.nan)
    if there.size:
        matrix[:, there] = _from_frame(table, found[there].tolist(), what, [labels[place] for place in there])
    return _finite(matrix, what, labels, gaps)


def places(columns: Sequence[str], names: Sequence[str], what: str, *, gaps: bool = False) -> list[int]:
    """Return for each name its place among the columns; with `gaps`, −1 where it isn't there, unless none is.

    A name without a column, or with more than one, is an `InputError`. Other columns don't matter.

    >>> places(["day", "wind", "temp"], ["temp", "wind"], "readings")
    [2, 1]
    """
    needed, place, twice = set(names), {}, []
    for number, name in enumerate(columns):
        if name in needed:
            twice += [name] if name in place else []
            place[name] = number
    if twice:
        raise InputError(f"{what} have these columns more than once: {list_some(sorted(set(twice)))}.")
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
    return f"{what} have no column for {list_some(missing)}. There are {list_some(columns) or 'none'}{hint}."


def _spelling(name: str) -> str:
    return "".join(name.split()).casefold()


def _from_array(
    table: Any, names: Sequence[str] | None, what: str, wanted: Sequence[int] | None, kind: str, gaps: bool
) -> FloatArray:
    """Return the wanted columns of what has no column names."""
    matrix = number_array(table, what)
    if matrix.ndim != 2 or not matrix.size:
        return finite_matrix(table, what)  # which says what is wrong with the shape
    width, needed = matrix.shape[1], max(wanted or (), default=-1) + 1
    if names and width != len(names):
        raise InputError(f"{what} must have one column for each of the {len(names)} {kind}; got {width}.")
    if width < needed:
        raise InputError(f"{what} must have at least {needed} columns; got {width}.")
    if wanted is not None:
        matrix = matrix[:, list(wanted)]
        names = names and [names[place] for place in wanted]
    return _finite(matrix, what, names or None, gaps)


def _from_frame(table: Any, chosen: list[int], what: str, names: Sequence[str]) -> FloatArray:
    """Return columns of a DataFrame, of pandas or another library, as numbers, in which entries may be missing."""
    if hasattr(table, "iloc"):
        part = table.iloc[:, chosen]
    else:
        import pandas as pd

        part = pd.DataFrame({name: np.asarray(table[name]) for name in names})
    for place, kind in enumerate(part.dtypes):
        if getattr(kind, "kind", "O") not in "biuf":
            _refuse_unordered(part.iloc[:, place], f"column {in_short(names[place])}", what)
    return number_array(part, what, names)


def _finite(matrix: FloatArray, what: str, names: Sequence[str] | None, gaps: bool) -> FloatArray:
    """Return the matrix if its entries are finite, or NaN with `gaps`."""
    if not len(matrix):
        raise InputError(f"{what} must have at least one row; got none.")
    check_finite(np.where(np.isnan(matrix), 0.0, matrix) if gaps else matrix, what, names)
    return np.ascontiguousarray(matrix)


# -- columns that hold no numbers --------------------------------------------------------------------------------------


def _refuse_unordered(column: Any, where: str, what: str) -> None:
    """Refuse a column of a DataFrame whose values have no order that a threshold could use."""
    only = f"{what} must hold numbers only; {where}"
    if hasattr(column.dtype, "categories"):
        raise InputError(f"{only} is a category{_advice('', what)}")
    if getattr(column.dtype, "kind", "O") == "M":
        raise InputError(
            f"{only} holds dates. Pass what may matter again another day, such as weekday, month or hour "
            "(column.dt.weekday)."
        )
    text = next((entry for entry in column if isinstance(entry, str)), None)
    if text is not None:
        raise InputError(f"{only} holds text such as {in_short(text)}{_advice(text, what)}")


def _advice(text: str, what: str) -> str:
    """Return how to make numbers of such a text, as the end of a sentence."""
    if any(np.isfinite(number_in(text, decimal)) for decimal in (".", ",")):
        return '. Convert the text to numbers first: pandas.to_numeric, or pandas.read_csv(…, decimal=",").'
    return "." if what == COSTS else f". {CATEGORY_ADVICE}"
