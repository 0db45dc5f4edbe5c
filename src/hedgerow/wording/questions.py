"""Questions in words: what a node asks, how a reading answers, and where else a threshold may lie."""

__all__ = ["Cell", "answer", "cell_ends", "cell_in_words", "condition", "interval", "kind_of_unit", "misreading"]

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import apart, number, printable, reading

Cell: TypeAlias = tuple[float, float] | None
"""Where a threshold may lie at no loss; None at a node that no sample and no attack reaches."""

_DIGITS_WITHIN = 2
_KINDS = {
    **dict.fromkeys(("s", "sec", "min", "h", "d", "seconds", "minutes", "hours", "days"), "time"),
    **dict.fromkeys(("EUR", "USD", "GBP", "CHF", "€", "$", "£", "ct", "kEUR"), "money"),
}
_COMPARATIVES = {"time": ("quicker", "slower"), "money": ("cheaper", "more expensive"), "amount": ("less", "more")}


def kind_of_unit(unit: str) -> str:
    """Return what readings in this unit are: "time", "money" or "amount".

    >>> kind_of_unit("min"), kind_of_unit("EUR/MWh"), kind_of_unit("")
    ('time', 'money', 'amount')
    """
    return _KINDS.get(unit.partition("/")[0].strip(), "amount")


def condition(
    question: Question,
    threshold: float,
    item_names: Sequence[str] | None = None,
    unit: str = "",
    *,
    yes: bool = True,
    is_flag: bool = False,
    digits: Callable[[float], str] = reading,
    name: Callable[[str], str] = printable,
) -> str:
    """Return the answer "yes", or "no", to a question as a statement: the one place where questions are worded.

    A question called "A less B" is a comparison. How it is put depends on the unit: times are quicker or slower, money
    is cheaper or more expensive, anything else is less or more.

    Parameters
    ----------
    question, threshold
        What is asked: whether the question's value is at most the threshold.
    item_names
        Names of the readings; "item 3" if None.
    unit
        Unit of the question's value.
    yes
        Which of the two answers.
    is_flag
        Whether the question's value is 0 for no and 1 for yes, so that no number has to be named.
    digits, name
        How numbers and names are written.

    Examples
    --------
    >>> condition(Question.of({0: 1.0, 2: -1.0}, "motorway less bridge"), -2.0, unit="min")
    'motorway at least 2 min quicker than bridge'
    >>> condition(Question.of_item(1), 9.0, ["bridge", "Market Street"], "min")
    'Market Street ≤ 9 min'
    >>> condition(Question.of_item(1), 9.0, ["bridge", "Market Street"], "min", yes=False)
    'Market Street > 9 min'
    >>> condition(Question.of_item(0), 0.5, ["Ann worked at night"], is_flag=True)
    'Ann worked at night: no'
    """
    if question.compared is None:
        ends = (-math.inf, threshold) if yes else (threshold, math.inf)
        return interval(name(question.label(item_names)), *ends, unit, digits, is_flag=is_flag)
    first, second = map(name, question.compared)
    size = f"{digits(abs(threshold))} {unit}".rstrip()
    lower, higher = _COMPARATIVES[kind_of_unit(unit)]
    if threshold == 0.0:
        return f"{first} {'no ' if yes else ''}{higher} than {second}"
    if threshold < 0.0:
        return f"{first} {'at least' if yes else 'less than'} {size} {lower} than {second}"
    return f"{first} {'at most' if yes else 'more than'} {size} {higher} than {second}"


def interval(
    name: str,
    lower: float,
    upper: float,
    unit: str = "",
    digits: Callable[[float], str] = reading,
    *,
    is_flag: bool = False,
) -> str:
    """Return `lower < value <= upper` in words; a flag is said to be yes or no.

    >>> interval("bridge", 36.5, float("inf"), "min"), interval("bridge", 30.0, 36.5)
    ('bridge > 36.5 min', '30 < bridge ≤ 36.5')
    >>> interval("night shift", 0.5, float("inf"), is_flag=True)
    'night shift: yes'
    """
    if is_flag and (0.0 <= lower < 1.0 or 0.0 <= upper < 1.0):
        return f"{name}: {'no' if upper < 1.0 else 'yes'}"
    if math.isinf(lower) and math.isinf(upper):
        return f"any {name}"
    if math.isinf(lower):
        return f"{name} ≤ {digits(upper)} {unit}".rstrip()
    if math.isinf(upper):
        return f"{name} > {digits(lower)} {unit}".rstrip()
    low, high = apart(lower, upper)
    return f"{low} < {name} ≤ {high} {unit}".rstrip()


def answer(name: str, value: float, threshold: float, *, is_flag: bool = False) -> str:
    """Return how a value answers the question whether it is at most the threshold.

    >>> answer("bridge", 36.0, 35.0), answer("night shift", 1.0, 0.5, is_flag=True)
    ('bridge 36 > 35', 'night shift: yes')
    """
    if is_flag and 0.0 <= threshold < 1.0:
        return f"{name}: {'no' if value <= threshold else 'yes'}"
    shown, limit = apart(value, threshold)
    return f"{name} {shown} {'≤' if value <= threshold else '>'} {limit}"


def misreading(name: str, value: float, new_value: float, *, is_flag: bool = False) -> str:
    """Return what is read in place of a value; NaN is a missing reading.

    >>> misreading("bridge", 36.0, 35.0), misreading("night shift", 0.0, 1.0, is_flag=True)
    ('bridge read as 35 instead of 36', 'night shift read as yes instead of no')
    """
    new, old = ("yes" if each else "no" for each in (new_value, value)) if is_flag else apart(new_value, value)
    return f"{name} (missing) being {new}" if math.isnan(value) else f"{name} read as {new} instead of {old}"


def cell_ends(cell: Cell) -> Cell:
    """Return a cell with its ends rounded inwards; None if it has no width that a person could see, or isn't known.

    >>> cell_ends((8.3871, 9.6123)), cell_ends((5.0, 5.0))
    ((8.4, 9.6), None)
    """
    if cell is None:
        return None
    low, high = cell
    width = high - low
    if width == math.inf:
        width = max(1.0, *(abs(end) / 10.0 for end in cell if math.isfinite(end)), 0.0)
    if not width > 0.0:
        return None
    place = math.floor(math.log10(width)) - _DIGITS_WITHIN + 1
    low, high = (
        end if math.isinf(end) else float(f"{to_whole(_in_steps(end, place))}e{place}")
        for end, to_whole in ((low, math.ceil), (high, math.floor))
    )
    return (low, high) if low < high else None


def cell_in_words(cell: Cell, unit: str = "") -> str:
    """Return where a threshold may lie as a clause; empty if it may not move by anything that a person could see.

    >>> cell_in_words((8.3871, 9.6123), "min")
    'anything from 8.4 to 9.6 min is as good'
    >>> cell_in_words((8.3871, float("inf")))
    'anything from 8.39 on is as good'
    """
    if cell is None:
        return "no sample gets here, whatever is misread"
    ends = cell_ends(cell)
    if ends is None:
        return ""
    low, high = (f"{number(end, 12)} {unit}".rstrip() for end in ends)
    if math.isinf(ends[0]) and math.isinf(ends[1]):
        return "any threshold is as good"
    if math.isinf(ends[0]):
        return f"anything up to {high} is as good"
    if math.isinf(ends[1]):
        return f"anything from {low} on is as good"
    return f"anything from {number(ends[0], 12)} to {high} is as good"


def _in_steps(end: float, place: int) -> float:
    return end / 10.0**place if place >= 0 else end * 10.0**-place
