"""Names of items and what a solution uses of them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import integer_between, unique_names
from hedgerow.tolerances import FEASIBILITY

MAX_ITEMS: Final = 200_000
"""Most items of a problem, so that a small file can't describe a huge one."""


def numbered(n_items: int, letter: str = "x") -> tuple[str, ...]:
    """Return the names x1, x2, … for items without names."""
    return tuple(f"{letter}{number}" for number in range(1, n_items + 1))


def named_or_numbered(things: int | Iterable[Any], what: str, letter: str) -> tuple[str, ...]:
    """Return the names of things that are given by their names, or by how many there are."""
    if isinstance(things, Iterable):
        return unique_names(things, what)
    return numbered(integer_between(things, f"the number of {what}", 1, MAX_ITEMS), letter)


def distinct_names(ends: Iterable[tuple[str, str]]) -> list[str]:
    """Return the name `tail-head` for each pair, with #2, #3, … where earlier pairs are the same."""
    count: Counter[tuple[str, str]] = Counter()
    names = []
    for pair in ends:
        count[pair] += 1
        names.append("-".join(pair) + (f"#{count[pair]}" if count[pair] > 1 else ""))
    return names


def amounts(names: Sequence[str], values: FloatArray) -> list[str]:
    """Return what is used, and how much of it where that is not 1: "a", "2 × b"."""
    return [
        name if _amount(value) == "1" else f"{_amount(value)} × {name}"
        for name, value in zip(names, values.tolist(), strict=True)
        if abs(value) > FEASIBILITY
    ]


def _amount(value: float) -> str:
    whole = round(value)
    return str(whole) if abs(value - whole) <= FEASIBILITY else f"{value:.6g}"
