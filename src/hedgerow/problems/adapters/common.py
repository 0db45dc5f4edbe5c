"""What adapters share: the choice of uncertain items by name, by pattern or by objects, and errors."""

__all__ = ["Finder", "chosen_columns", "only_linear"]

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.data.checks import in_short, list_some
from hedgerow.errors import InputError

Finder: TypeAlias = Callable[[Any], Iterable[int] | None]
"""Returns the columns that an object of a modelling layer stands for, or None if it is no such object."""


def chosen_columns(items: Any, names: Sequence[str], find: Finder | None = None) -> IntArray:
    """Return the columns of the chosen items, in the order in which they were named.

    Items are a name, a pattern such as "make_*", an object that `find` knows, or any nesting of lists and dictionaries
    of these; None stands for all variables.

    Examples
    --------
    >>> from hedgerow.problems.adapters.common import chosen_columns
    >>> chosen_columns(["stock", "make_*"], ["make_a", "make_b", "stock", "idle"])
    array([2, 0, 1])
    """
    if items is None:
        return np.arange(len(names))
    column_of = {name: column for column, name in enumerate(names)}
    columns: list[int] = []
    unknown: list[str] = []

    def collect(entry: Any) -> None:
        found = None if find is None else find(entry)
        if found is not None:
            columns.extend(int(column) for column in found)
        elif isinstance(entry, str):
            matches = _named(entry, column_of)
            columns.extend(matches)
            if not matches:
                unknown.append(entry)
        elif isinstance(entry, Iterable):
            for inner in entry.values() if isinstance(entry, Mapping) else entry:
                collect(inner)
        else:
            raise InputError(f"items must be names of variables, or the model's own variables; got {in_short(entry)}.")

    collect(items)
    if unknown:
        raise InputError(f"the model has no variable {list_some(unknown)}; its variables are {list_some(list(names))}.")
    if not columns:
        raise InputError("items must choose at least one variable; got none.")
    twice = [names[column] for column, count in Counter(columns).items() if count > 1]
    if twice:
        raise InputError(f"items must be chosen once; these are chosen more often: {list_some(twice)}.")
    return np.array(columns, dtype=np.int64)


def _named(text: str, column_of: Mapping[str, int]) -> list[int]:
    """Return the column of that name, or, where there is none, those that a pattern with `*` fits."""
    if text in column_of:
        return [column_of[text]]
    if "*" not in text:
        return []
    pattern = re.compile(".*".join(re.escape(part) for part in re.split(r"\*+", text)), re.DOTALL)
    return [column for name, column in column_of.items() if pattern.fullmatch(name)]


def only_linear(what: str) -> InputError:
    """Return the error for parts of a model that no linear model has."""
    return InputError(f"only linear models can be used; this one has {what}. Write it with rows and variables alone.")
