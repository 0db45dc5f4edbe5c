"""Match columns by name: the one place that decides which column of a table holds which reading or cost.

A table with column names (a pandas or polars DataFrame, a data file) goes by name or is refused. Only what has no
names, such as an array, goes by position.
"""

__all__ = [
    "CATEGORY_ADVICE",
    "COSTS",
    "NO_NAMES",
    "column_names",
    "matrix_of",
    "no_column",
    "number_columns",
    "places",
    "selected",
]

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import finite_matrix, in_short, list_some, number_array
from hedgerow.data.checks import names_of_columns as column_names
from hedgerow.errors import InputError

CATEGORY_ADVICE: Final = (
    "A tree asks whether a value is at most a threshold, so a category needs an order: map it to integers, "
    "or make a 0/1 column of each category (pandas.get_dummies)."
)
"""What to do with a category that has no order."""

NO_NAMES: Final = "these rules keep no names of readings, so columns can't be matched to them."
COSTS: Final = "costs"


def number_columns(table: Any) -> list[str]:
    """Return the names of a table's columns that hold numbers; none for what has no names, such as an array."""
    return column_names(table.select_dtypes("number") if hasattr(table, "select_dtypes") else table) or []


def no_column(what: str, missing: Sequence[str], given: Sequence[str]) -> str:
    """Return the sentence about columns that aren't there; a name in another spelling is pointed out.

    >>> no_column("observations", ["Temp"], ["temp", "wind"])
    "observations have no column for 'Temp'. There are 'temp', 'wind'; 'temp' is spelt differently."
    """
    by_spelling = {_spelling(name): name for name in given}
    near = [by_spelling[_spelling(name)] for name in missing if _spelling(name) in by_spelling]
    hint = f"; {list_some(near)} {'is' if len(near) == 1 else 'are'} spelt differently" if near else ""
    return f"{what} have no column for {list_some(missing)}. There are {list_some(given) or 'none'}{hint}."


def places(given: Sequence[str], wanted: Sequence[str], what: str, *, gaps: bool = False) -> list[int]:
    """Return for each wanted name its place among the given ones; with `gaps`, −1 where it isn't there.

    A wanted column that isn't there, or is there more than once, is an `InputError`. Other columns don't matter.

    >>> places(["day", "wind", "temp"], ["temp", "wind"], "observations")
    [2, 1]
    """
    needed, place, twice = set(wanted), {}, []
    for number, name in enumerate(given):
        if name in needed:
            twice += [name] if name in place else []
            place[name] = number
    if twice:
        raise InputError(f"{what} have these columns more than once: {list_some(sorted(set(twice)))}.")
    missing = [name for name in wanted if name not in place]
    if missing and not gaps:
        raise InputError(no_column(what, missing, given))
    return [place.get(name, -1) for name in wanted]


def selected(
    table: Any,
    names: Sequence[str],
    what: str,
    *,
    wanted: Sequence[int] | None = None,
    kind: str = "features",
    gaps: bool = False,
) -> FloatArray:
    """Return some of the named columns as a matrix of finite numbers, in the order of the names.

    A table with column names is matched by name; an array has a column for each name, in their order, and will alone do
    where names aren't known. `wanted` are the places of the names whose columns are needed; others may be missing or
    hold anything. With `gaps`, absent columns and missing values are allowed, as NaN. `what` the table holds and what
    `kind` of things the names are is for messages.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"wind": [3.0], "day": ["Monday"], "temp": [20]})
    >>> selected(frame, ["temp", "wind"], "observations")
    array([[20.,  3.]])
    >>> selected([[20.0, 3.0]], ["temp", "wind"], "observations", wanted=[1])
    array([[3.]])
    """
    chosen = range(len(names)) if wanted is None else wanted
    given = column_names(table)
    if given is None:
        matrix = _by_position(table, names, what, kind, chosen)
        labels = [names[place] for place in chosen] if names else None
        if wanted is not None:
            matrix = matrix[:, list(wanted)]
        return matrix if gaps and not np.isinf(matrix).any() else _finite(matrix, what, labels, gaps)
    if not names and len(chosen):
        raise InputError(NO_NAMES)
    labels = [names[place] for place in chosen]
    found = places(given, labels, what, gaps=gaps)
    if gaps and labels and max(found) < 0:
        raise InputError(no_column(what, labels, given))
    there = [place for place, column in enumerate(found) if column >= 0]
    if not there:
        return _finite(np.full((len(table), len(labels)), np.nan), what, labels, gaps)
    numbers = _numbers(table, [found[place] for place in there], what, [labels[place] for place in there])
    matrix = np.full((len(numbers), len(labels)), np.nan)
    matrix[:, there] = numbers
    return _finite(matrix, what, labels, gaps)


def matrix_of(table: Any, what: str) -> FloatArray:
    """Return all columns of a table, or an array, as a matrix of finite numbers, as they are.

    True and False count as 1 and 0, and an ordered category of increasing numbers as these numbers. Other categories
    are refused: a tree file keeps numbers only, and which text stands for which number is for its owner to decide.

    >>> matrix_of([[True, 3], [False, 5]], "observations").tolist()
    [[1.0, 3.0], [0.0, 5.0]]
    >>> try:
    ...     matrix_of([["Monday"], ["Friday"]], "observations")
    ... except InputError as error:
    ...     print(error)
    observations must hold numbers only; got text such as 'Monday'. A tree asks whether a value is at most a ...
    """
    given = column_names(table)
    if given is None:
        return _finite(_array(table, what), what, None, gaps=False)
    return _finite(_numbers(table, range(len(given)), what, given), what, given, gaps=False)


def _spelling(name: str) -> str:
    return "".join(name.split()).casefold()


def _by_position(table: Any, names: Sequence[str], what: str, kind: str, chosen: Sequence[int]) -> FloatArray:
    matrix = _array(table, what)
    needed = max(chosen, default=-1) + 1
    if names and matrix.shape[1] != len(names):
        raise InputError(f"{what} must have one column for each of the {len(names)} {kind}; got {matrix.shape[1]}.")
    if matrix.shape[1] < needed:
        raise InputError(f"{what} must have at least {needed} columns; got {matrix.shape[1]}.")
    return matrix


def _array(table: Any, what: str) -> FloatArray:
    """Return what has no column names as a matrix, in which entries may be missing."""
    _refuse_text(table, what)
    matrix = number_array(table, what)
    if matrix.ndim != 2 or not matrix.size:
        return finite_matrix(table, what)  # which says what is wrong with the shape
    return matrix


def _finite(matrix: FloatArray, what: str, names: Sequence[str] | None, gaps: bool) -> FloatArray:
    if not len(matrix):
        raise InputError(f"{what} must have at least one row; got none.")
    if not matrix.shape[1]:
        return matrix
    if gaps:
        finite_matrix(np.nan_to_num(matrix, nan=0.0, posinf=np.inf, neginf=-np.inf), what, column_names=names)
        return matrix
    return finite_matrix(matrix, what, column_names=names)


def _numbers(table: Any, columns: Sequence[int], what: str, names: Sequence[str]) -> FloatArray:
    """Return some columns of a table with names as numbers, in which entries may be missing."""
    chosen = list(columns)
    if not hasattr(table, "iloc"):
        part = table[:, chosen] if hasattr(table, "select") else np.asarray(table)[:, chosen]
        return number_array(part, what, names)
    part = table.iloc[:, chosen]
    for place, kind in enumerate(part.dtypes):
        if getattr(kind, "kind", "O") not in "biuf":
            _refuse_unordered(part.iloc[:, place], f"column {in_short(names[place])}", what)
    return number_array(part, what, names)


def _refuse_unordered(column: Any, where: str, what: str) -> None:
    """Refuse a column of a DataFrame whose values have no order that a threshold could use."""
    only = f"{what} must hold numbers only; {where}"
    categories = getattr(column.dtype, "categories", None)
    if categories is not None:
        _refuse_category(list(categories), bool(column.dtype.ordered), only, what)
    elif getattr(column.dtype, "kind", "O") == "M":
        raise InputError(
            f"{only} holds dates. Pass what may matter again another day, such as weekday, month or hour "
            "(column.dt.weekday)."
        )
    else:
        text = next((entry for entry in column if isinstance(entry, str)), None)
        if text is not None:
            raise InputError(f"{only} holds text such as {in_short(text)}.{_advice(what)}")


def _refuse_category(categories: list[Any], ordered: bool, only: str, what: str) -> None:
    if not ordered:
        raise InputError(f"{only} is a category without an order.{_advice(what)}")
    numeric = all(isinstance(category, int | float | np.number) for category in categories)
    if not numeric or any(lower >= higher for lower, higher in pairwise(categories)):
        order = " < ".join(in_short(category) for category in categories[:3])
        more = " < …" if len(categories) > 3 else ""
        raise InputError(
            f"{only} is an ordered category ({order}{more}). Pass numbers instead, such as column.cat.codes, and the "
            "same ones for every later observation."
        )


def _refuse_text(table: Any, what: str) -> None:
    """Refuse text in an array or in lists."""
    try:
        array = np.asarray(table)
    except (TypeError, ValueError):
        return  # rows of unequal length are refused where numbers are read
    if array.dtype.kind in "OU":
        text = next((str(entry) for entry in array.flat if isinstance(entry, str)), None)
        if text is not None:
            raise InputError(f"{what} must hold numbers only; got text such as {in_short(text)}.{_advice(what)}")


def _advice(what: str) -> str:
    return "" if what == COSTS else f" {CATEGORY_ADVICE}"
