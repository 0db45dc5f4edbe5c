"""Columns by name: the one place where names are matched to the columns of a table."""

__all__ = ["column_names", "no_column", "places"]

import math
from collections.abc import Sequence
from typing import Any

from hedgerow.data.checks import list_some, number_in
from hedgerow.errors import InputError


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
