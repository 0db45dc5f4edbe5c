"""Export to Python: a module with one function that needs neither Hedgerow nor anything else."""

__all__ = ["to_python"]

from typing import Any

from hedgerow._version import WRITTEN_BY
from hedgerow.export.sums import summed
from hedgerow.rulebook import RuleBook

_TEMPLATE = '''\
"""A decision tree in plain Python, {written_by}."""

from decimal import Decimal
from numbers import Real

# What the tree asks about, in which unit; the least and the largest reading of the training data; what the tree can
# advise, with the solution's entries that are not zero; and which advice each leaf gives.
ASKED = {asked}
SEEN = {seen}
UNIT = {unit}
ADVICE = (
{advice}
)
ADVICE_OF_LEAF = {advice_of_leaf}


def advise(readings):
    """Return the leaf's number, the advice in words, the solution's entries that are not zero, and what is "outside".

    These are the names of readings that lie beyond all of the training data: the advice is outside experience then.
    `readings` maps names to numbers. Only those on the way through the tree are needed; one of these that is missing
    is a ValueError.
    """
    leaf = leaf_of(readings)
    text, solution = ADVICE[ADVICE_OF_LEAF[leaf]]
    outside = [name for name, ends in SEEN.items() if name in readings and _is_outside(readings[name], *ends)]
    return {{"leaf": leaf, "advice": text, "solution": dict(solution), "outside": outside}}


def leaf_of(readings):
    """Return the number of the leaf that the readings lead to."""
{rules}


def _is_outside(value, least, largest):
    return isinstance(value, (Real, Decimal)) and value == value and not least <= value <= largest


def _reading(readings, name):
    value = readings[name] if name in readings else None
    if value is not None and not isinstance(value, (Real, Decimal)):
        raise ValueError(f"the reading of {{name!r}} must be a number; got {{value!r}}.")
    if value is None or value != value:
        raise ValueError(f"the reading of {{name!r}} is missing.")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"the reading of {{name!r}} is too large a number.") from None
'''


def to_python(source: Any) -> str:
    """Return a Python module whose function `advise` takes readings by name.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_python
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> module = {}
    >>> exec(to_python(RuleBook(tree, ("bridge", "tunnel"), {"advice": ["by bridge", "by tunnel"]})), module)
    >>> module["advise"]({"bridge": 35.0})
    {'leaf': 0, 'advice': 'by bridge', 'solution': {'x1': 1.0}, 'outside': []}
    """
    book = RuleBook.of(source)

    def read(item: int) -> str:
        return f"_reading(readings, {book.asked[item]!r})"

    def at_leaf(leaf: int) -> list[str]:
        basis = book.basis(leaf)
        return [f"return {leaf}{'  # based on ' if basis else ''}{basis}"]

    def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
        return [
            f"if {summed(book.asks(node), read)} <= {float(book.tree.threshold[node])!r}:",
            *(f"    {line}" for line in yes),
            "else:",
            *(f"    {line}" for line in no),
        ]

    return _TEMPLATE.format(
        written_by=WRITTEN_BY,
        asked=repr(tuple(book.asked.values())),
        seen=repr({name: tuple(ends) for name, ends in book.ranges.items()}),
        unit=repr(book.reading_unit),
        advice="\n".join(
            f"    ({words!r}, {book.plans.entries(plan)!r})," for plan, words in enumerate(book.plans.words)
        ),
        advice_of_leaf=repr(tuple(book.plans.of_leaf.tolist())),
        rules="\n".join(f"    {line}" for line in book.fold(at_leaf, at_question)),
    )
