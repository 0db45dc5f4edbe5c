"""Advice for one row at a time, in microseconds: what a service needs."""

__all__ = ["Advice", "Advisor"]

from collections.abc import Mapping
from math import inf, isfinite, isinf, isnan, nan
from typing import TYPE_CHECKING, NamedTuple

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError

if TYPE_CHECKING:
    from hedgerow.rules.book import RuleBook


class Advice(NamedTuple):
    """What the rules advise for one row: the leaf, the solution in words, and its entries that are not zero."""

    leaf: int
    text: str
    solution: dict[str, float]


class Advisor:
    """The rules as plain Python values.

    >>> from hedgerow import RuleBook, Tree
    >>> rules = RuleBook(Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]]), ("bridge", "tunnel"))
    >>> Advisor(rules)({"bridge": 36.0})
    Advice(leaf=1, text='[0.0, 1.0]', solution={'x2': 1.0})
    """

    def __init__(self, book: "RuleBook") -> None:
        tree, asked = book.tree, book.asked
        terms = [
            tuple((asked[item], factor) for item, factor in zip(each.items, each.coefficients, strict=True))
            for each in tree.questions
        ]
        columns = (tree.question, tree.threshold, tree.left, tree.right, tree.leaf_number)
        self._nodes = [
            (terms[question] if leaf < 0 else (), threshold, left, right, leaf)
            for question, threshold, left, right, leaf in zip(*(column.tolist() for column in columns), strict=True)
        ]
        plans = [(book.plans.words[plan], book.plans.entries(plan)) for plan in range(len(book.plans))]
        self._advice = [plans[plan] for plan in book.plans.of_leaf.tolist()]

    def __call__(self, readings: Mapping[str, float]) -> Advice:
        """Return the advice; only the readings on the way through the tree are needed."""
        leaf, missing = self.way(readings)
        if missing:
            raise InputError(f"the reading of {in_short(missing[0])} is missing.")
        text, solution = self._advice[leaf]
        return Advice(leaf, text, dict(solution))

    def way(self, readings: Mapping[str, float]) -> tuple[int, list[str]]:
        """Return the leaf that readings lead to; or the missing ones of the first question that can't be answered."""
        terms, threshold, left, right, leaf = self._nodes[0]
        while leaf < 0:
            total = 0.0
            for name, factor in terms:
                value = readings.get(name)
                if type(value) is not float or not isfinite(value):
                    value = _number(name, value)
                total += factor * value
            if isnan(total):
                return -1, [name for name, _ in terms if isnan(_number(name, readings.get(name)))]
            terms, threshold, left, right, leaf = self._nodes[left if total <= threshold else right]
        return leaf, []


def _number(name: str, value: object) -> float:
    """Return a reading as a float, NaN if it is missing: whole numbers and numpy's are fine, text is not."""
    try:
        number = inf if isinstance(value, str | bytes | bool) else nan if value is None else float(value)  # type: ignore[arg-type]  # tried
    except (TypeError, ValueError, OverflowError):
        number = inf
    if isinf(number):
        raise InputError(f"the reading of {in_short(name)} must be a finite number; got {in_short(value)}.")
    return number
