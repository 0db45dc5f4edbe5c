"""Advice for one row at a time, in microseconds: what a service needs."""

__all__ = ["Advice", "advice_for"]

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from math import inf, isfinite, isinf, isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hedgerow.data.checks import in_short
from hedgerow.data.context import context_frame, context_matrix
from hedgerow.errors import InputError
from hedgerow.tree.questions import Question

if TYPE_CHECKING:
    from hedgerow.rules.book import RuleBook


class Advice(NamedTuple):
    """What the rules advise for one row: the leaf, the solution in words, and its entries that are not zero.

    `filled_in` names readings on the row's way that are missing and were filled in. Where the leaf has several plans to
    choose from, `totals` holds their words and what they add up to by the readings.
    """

    leaf: int
    text: str
    solution: dict[str, float]
    filled_in: tuple[str, ...] = ()
    totals: tuple[tuple[str, float], ...] = ()


def advice_for(book: "RuleBook", row: Mapping[str, Any]) -> Advice:
    """Return the advice for a row by name, of which only what is asked on its way through the tree is needed.

    >>> from hedgerow import RuleBook, Tree
    >>> rules = RuleBook(Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]]), ("bridge", "tunnel"))
    >>> advice_for(rules, {"bridge": 36.0})
    Advice(leaf=1, text='[0.0, 1.0]', solution={'x2': 1.0}, filled_in=(), totals=())
    """
    tree, names = book.tree, book.asked
    if book.context:
        row = {**row, **_features(book, row)}
    filled_in: dict[str, None] = {}

    def value_of(question: Question) -> float:
        total = 0.0
        for item, factor in zip(question.items, question.coefficients, strict=True):
            value = _number(names[item], row.get(names[item]))
            if isnan(value):
                value = _usual(book, names[item], row)
                filled_in[names[item]] = None
            total += factor * value
        return total

    node = 0
    while tree.is_inner[node]:
        question, threshold, left, right = tree.split(node)
        node = left if value_of(question) <= threshold else right
    if filled_in:
        _check_spelling(book, row, [name for name in filled_in if name not in row])
    leaf = int(tree.leaf_number[node])
    chosen, totals = leaf, list[float]()
    if tree.has_cards:
        held, sign = tree.rows_at(leaf), -1.0 if tree.takes_largest else 1.0
        if held.stop - held.start > 1:
            totals = [value_of(tree.sums[row]) + sign * tree.handicap[row] for row in range(held.start, held.stop)]
        chosen = held.start + (totals.index(min(totals, key=lambda total: sign * total)) if totals else 0)
    plan = int(book.plans.of_leaf[chosen])
    listed = ((book.plans.text(row), float(total)) for row, total in enumerate(totals, held.start)) if totals else ()
    return Advice(leaf, book.plans.words[plan], book.plans.entries(plan), tuple(filled_in), tuple(listed))


def _check_spelling(book: "RuleBook", row: Mapping[Any, Any], absent: Sequence[str]) -> None:
    """Refuse a row in which a reading that isn't there, not even as a gap, seems to stand under another name."""
    known = {*book.names, *(name for each in book.context for name in (each.column.name, each.column.date))}
    others = [key for key in row if isinstance(key, str) and key not in known]
    for name in absent:
        for similar in get_close_matches(name, others, 1, cutoff=0.8):
            raise InputError(f"there is no reading {in_short(similar)}; did you mean {in_short(name)}?")


def _features(book: "RuleBook", row: Mapping[str, Any]) -> dict[str, float]:
    """Return the features of context in a row, in which columns may be missing."""
    absent = {each.column.name: None for each in book.context if each.column.date not in row}
    values = context_matrix(book.context, context_frame([{**absent, **row}]))[0].tolist()
    return dict(zip([each.name for each in book.context], values, strict=True))


def _usual(book: "RuleBook", name: str, row: Mapping[str, Any]) -> float:
    """Return what stands in for a missing reading."""
    if book.fill_ins is None:
        raise InputError(f"the reading of {in_short(name)} is missing.")
    names = list(book.fill_ins.typical)
    values = np.array([[_number(each, row.get(each)) for each in names]])
    return float(book.fill_ins.filled(values)[0, names.index(name)])


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
