"""The rules as text, one per leaf: for readers, for paper, and for browsers without scripts."""

__all__ = ["Rule", "rules_in_words"]

import math
from typing import NamedTuple

from hedgerow.report.data import ReportData
from hedgerow.report.facts import in_short
from hedgerow.words import reading, typeset


class Rule(NamedTuple):
    """One leaf's rule.

    Attributes
    ----------
    leaf
        The leaf's number.
    conditions
        What must hold for it; none at the only leaf of a tree without questions.
    reachable
        Whether any reading can fulfil the conditions.
    plan, words
        The number of the advised plan, and the advice.
    samples
        How many training samples reach the leaf; None if not known.
    """

    leaf: int
    conditions: list[str]
    reachable: bool
    plan: int
    words: str
    samples: int | None


def rules_in_words(data: ReportData) -> list[Rule]:
    """Return the rules from left to right."""
    plans, counts = data.book.plans, data.leaf_samples
    rules = []
    for leaf, plan in enumerate(plans.of_leaf.tolist()):
        path = data.book.path_to(leaf)
        rules.append(
            Rule(
                leaf=leaf,
                conditions=[_condition(*side) for side in path]
                if data.book.tree.asks_single_items
                else data.book.conditions(leaf),
                reachable=all(low < high for _, low, high in path),
                plan=plan,
                words=in_short(plans.words[plan]),
                samples=None if counts is None else int(counts[leaf]),
            )
        )
    return rules


def _condition(name: str, low: float, high: float) -> str:
    lower, upper = (typeset(reading(value)) for value in (low, high))
    if math.isinf(low):
        return f"{name} ≤ {upper}"
    return f"{name} > {lower}" if math.isinf(high) else f"{name} > {lower} and ≤ {upper}"
