"""Numbers, names and intervals in words for people."""

__all__ = ["amount", "apart", "interval", "listed", "number", "rows_of_text"]

import math
from collections.abc import Iterable, Sequence

from hedgerow.words import number as figure

_WIDTH = 12


def number(value: float) -> str:
    """Return a number with at most ten digits.

    Examples
    --------
    >>> from hedgerow.explain.words import number
    >>> number(0.1 + 0.2), number(36.0)
    ('0.3', '36')
    """
    return f"{value + 0.0:.10g}"


def apart(value: float, threshold: float) -> tuple[str, str]:
    """Return two numbers as texts that differ if the numbers do, however close they are.

    Examples
    --------
    >>> from hedgerow.explain.words import apart
    >>> apart(36.2, 35.0), apart(5.000000000000001, 5.0)
    (('36.2', '35'), ('5.000000000000001', '5.0'))
    """
    texts = number(value), number(threshold)
    return texts if texts[0] != texts[1] or value == threshold else (repr(float(value)), repr(float(threshold)))


def amount(value: float, unit: str) -> str:
    """Return a cost with about six digits, and its unit if there is one.

    Examples
    --------
    >>> from hedgerow.explain.words import amount
    >>> amount(7.2, "min"), amount(10000 / 3, "")
    ('7.2 min', '3,333.33')
    """
    return f"{figure(value)} {unit}".rstrip()


def interval(name: str, lower: float, upper: float) -> str:
    """Return `lower < value <= upper` in words.

    Examples
    --------
    >>> from hedgerow.explain.words import interval
    >>> interval("bridge", 36.5, float("inf")), interval("bridge", 30.0, 36.5)
    ('bridge > 36.5', '30 < bridge ≤ 36.5')
    """
    if math.isinf(lower) and math.isinf(upper):
        return f"any {name}"
    if math.isinf(lower):
        return f"{name} ≤ {number(upper)}"
    if math.isinf(upper):
        return f"{name} > {number(lower)}"
    low, high = apart(lower, upper)
    return f"{low} < {name} ≤ {high}"


def listed(words: Sequence[str], shown: int) -> str:
    """Return the first words of a list, and how many follow.

    Examples
    --------
    >>> from hedgerow.explain.words import listed
    >>> listed(["a", "b", "c"], 3), listed([f"x{i}" for i in range(1205)], 2)
    ('a, b, c', 'x0, x1 and 1,203 more')
    """
    text = ", ".join(words[:shown])
    return text if len(words) <= shown else f"{text} and {len(words) - shown:,} more"


def rows_of_text(parts: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    r"""Return headed lines with the heads in a column of their own; what follows a first line stands under it.

    Examples
    --------
    >>> from hedgerow.explain.words import rows_of_text
    >>> print("\n".join(rows_of_text([("advice", ["s → t"]), ("if", ["a", "b"])])))
      advice      s → t
      if          a
                  b
    """
    return [
        f"  {head if place == 0 else '':<{_WIDTH}}{line}" for head, lines in parts for place, line in enumerate(lines)
    ]
