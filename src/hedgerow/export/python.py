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

# What the tree asks about, in which unit; what it can advise, with the solution's entries that are not zero; and
# which advice each leaf gives.
ASKED = {asked}
UNIT = {unit}
ADVICE = (
{advice}
)
ADVICE_OF_LEAF = {advice_of_leaf}


def advise(readings):
    """Return the leaf's number, the advice in words, and the solution's entries that are not zero.

    `readings` maps names to numbers. Only those on the way through the tree are needed; one of these that is missing
    is a ValueError.
    """
    leaf = leaf_of(readings)
    text, solution = ADVICE[ADVICE_OF_LEAF[leaf]]
    return {{"leaf": leaf, "advice": text, "solution": dict(solution)}}


def leaf_of(readings):
    """Return the number of the leaf that the readings lead to."""
{rules}


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
    {'leaf': 0, 'advice': 'by bridge', 'solution': {'x1': 1.0}}
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
        unit=repr(book.reading_unit),
        advice="\n".join(
            f"    ({words!r}, {book.plans.entries(plan)!r})," for plan, words in enumerate(book.plans.words)
        ),
        advice_of_leaf=repr(tuple(book.plans.of_leaf.tolist())),
        rules="\n".join(f"    {line}" for line in book.fold(at_leaf, at_question)),
    )
