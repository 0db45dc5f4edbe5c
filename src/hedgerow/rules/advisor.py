"""Advice for one row at a time, in microseconds: what a service needs."""

__all__ = ["Advice", "way"]

from collections.abc import Mapping
from math import inf, isfinite, isinf, isnan, nan
from typing import NamedTuple

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.tree.tree import Tree


class Advice(NamedTuple):
    """What the rules advise for one row: the leaf, the solution in words, and its entries that are not zero."""

    leaf: int
    text: str
    solution: dict[str, float]


def way(tree: Tree, names: Mapping[int, str], readings: Mapping[str, float]) -> tuple[int, list[str]]:
    """Return the leaf that readings by name lead to; or the missing ones of the first question without an answer.

    >>> way(Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]]), {0: "bridge"}, {"bridge": 36.0})
    (1, [])
    """
    node = 0
    while tree.is_inner[node]:
        question, threshold, left, right = tree.split(node)
        values = [_number(names[item], readings.get(names[item])) for item in question.items]
        missing = [names[item] for item, value in zip(question.items, values, strict=True) if isnan(value)]
        if missing:
            return -1, missing
        total = 0.0
        for factor, value in zip(question.coefficients, values, strict=True):
            total += factor * value
        node = left if total <= threshold else right
    return int(tree.leaf_number[node]), []


def _number(name: str, value: object) -> float:
    """Return a reading as a float, NaN if it is missing: whole numbers and numpy's are fine, text is not."""
    if type(value) is float and isfinite(value):
        return value
    try:
        number = inf if isinstance(value, str | bytes | bool) else nan if value is None else float(value)  # type: ignore[arg-type]  # tried
    except (TypeError, ValueError, OverflowError):
        number = inf
    if isinf(number):
        raise InputError(f"the reading of {in_short(name)} must be a finite number; got {in_short(value)}.")
    return number
