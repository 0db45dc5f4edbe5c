"""The rules as text, one per leaf: for readers, for paper, and for browsers without scripts."""

__all__ = ["Rule", "rules_in_words"]

import math
from typing import NamedTuple

from hedgerow.report.inputs import Inputs
from hedgerow.report.words import exactly


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
        How many training samples reach the leaf; None where nobody knows.
    """

    leaf: int
    conditions: list[str]
    reachable: bool
    plan: int
    words: str
    samples: int | None


def rules_in_words(inputs: Inputs) -> list[Rule]:
    """Return the rules from left to right."""
    bounds, plans, counts = inputs.tree.item_bounds, inputs.plans, inputs.leaf_samples
    rules = []
    for leaf, plan in enumerate(plans.of_leaf):
        sides = list(
            zip(bounds.item[leaf].tolist(), bounds.lower[leaf].tolist(), bounds.upper[leaf].tolist(), strict=True)
        )
        rules.append(
            Rule(
                leaf=leaf,
                conditions=[
                    _condition(inputs.item_name(item), low, high)
                    for item, low, high in sides
                    if math.isfinite(low) or math.isfinite(high)
                ],
                reachable=all(low < high for _, low, high in sides),
                plan=plan,
                words=plans.words[plan],
                samples=None if counts is None else int(counts[leaf]),
            )
        )
    return rules


def _condition(name: str, low: float, high: float) -> str:
    if math.isinf(low):
        return f"{name} ≤ {exactly(high)}"
    if math.isinf(high):
        return f"{name} > {exactly(low)}"
    return f"{name} > {exactly(low)} and ≤ {exactly(high)}"
