"""The rules as messages, one per leaf: for readers, for paper, and for browsers without scripts."""

__all__ = ["condition", "rules_in_words"]

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from hedgerow.questions import Question
from hedgerow.report.data import ReportData
from hedgerow.report.facts import compared_side, in_short
from hedgerow.report.figures import plan_name
from hedgerow.report.language import Message, message, reading
from hedgerow.rulebook import RuleBook
from hedgerow.words import printable


def rules_in_words(data: ReportData) -> list[dict[str, Any]]:
    """Return the rules from left to right: conditions, plan, advice, and how many training samples reach each."""
    book, counts = data.book, data.leaf_samples
    bounds, rules = book.tree.bounds, []
    for leaf, plan in enumerate(book.plans.of_leaf.tolist()):
        sides = zip(*(side[leaf].tolist() for side in (bounds.question, bounds.lower, bounds.upper)), strict=True)
        limited = [side for side in sides if math.isfinite(side[1]) or math.isfinite(side[2])]
        conditions = [
            condition(book, book.tree.questions[number], end, name=partial(_side_name, data), yes=yes)
            for number, low, high in limited
            for end, yes in ((low, False), (high, True))
            if math.isfinite(end)
        ]
        rules.append(
            {
                "leaf": leaf,
                "conditions": conditions,
                "reachable": all(low < high for _, low, high in limited),
                "plan": plan,
                "words": in_short(book.plans.words[plan]),
                "samples": None if counts is None else int(counts[leaf]),
            }
        )
    return rules


def condition(
    book: RuleBook, question: Question, threshold: float, *, name: Callable[[str], Any] = printable, yes: bool = True
) -> Message:
    """Return the answer "yes", or "no", as a statement; `name` returns what the sides of a comparison are called."""
    unit = book.unit_of(question)
    answer = "yes" if yes else "no"
    sides = question.compared
    if sides is None:
        return message(f"reading.{answer}", name=printable(book.label(question)), value=reading(threshold, unit))
    first, second = map(name, sides)
    side = "equal" if threshold == 0.0 else "below" if threshold < 0.0 else "beyond"
    lower, higher = (message(f"{kind}.{question.kind_in(unit)}") for kind in ("lower", "higher"))
    return message(
        f"less.{side}.{answer}",
        first=first,
        second=second,
        amount=reading(abs(threshold), unit),
        lower=lower,
        higher=higher,
    )


def _side_name(data: ReportData, side: str) -> Any:
    found = compared_side(data, side)
    return plan_name(data, found) if isinstance(found, int) else found
