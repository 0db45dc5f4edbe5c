"""What a budget affords, and the ε rule on arrays, for code that does without compiled kernels.

There is one comparison of move costs with budgets, and of changes with entry limits. `kernels.change_range` is the
compiled twin of the ε rule.
"""

from collections.abc import Sequence
from typing import Protocol, overload

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.tolerances import BUDGET


class Asked(Protocol):
    """What move costs need to know of a question: the items that it reads, in increasing order, and coefficients."""

    @property
    def items(self) -> Sequence[int]:
        """Indices of the items."""

    @property
    def coefficients(self) -> Sequence[float]:
        """Their coefficients, none of them 0."""


def separate(questions: Sequence[Asked]) -> bool:
    """Return whether no item is read by two questions, so that the costs of moving them add up."""
    items = [item for question in questions for item in question.items]
    return len(items) == len(set(items))


@overload
def reach_limit(budget: float) -> float: ...
@overload
def reach_limit(budget: FloatArray) -> FloatArray: ...
def reach_limit(budget: float | FloatArray) -> float | FloatArray:
    """Return the largest move cost that `budget` affords; a budget of zero affords no move at all."""
    if isinstance(budget, np.ndarray):
        return np.where(budget > 0.0, (1.0 + BUDGET) * budget, 0.0)
    return (1.0 + BUDGET) * budget if budget > 0.0 else 0.0


def affordable(move_cost: FloatArray, budget: float | FloatArray) -> BoolArray:
    """Return which move costs lie within the budget: the one comparison that every method uses."""
    return move_cost <= reach_limit(budget)


def entry_from_below(lower: FloatArray, upper: FloatArray, epsilon: float) -> FloatArray:
    """Return the least value in each interval `lower < value <= upper` that counts as larger than `lower`.

    It is lower + ε, or the next number where ε vanishes beside a huge one; ∞ where the interval is too narrow to be
    entered from below, and −∞ where it has no lower end.
    """
    entry = np.maximum(lower + epsilon, np.nextafter(lower, np.inf))
    return np.where(np.isneginf(lower), -np.inf, np.where(entry > upper, np.inf, entry))


def falls_short(value: FloatArray, misread: FloatArray, threshold: FloatArray, epsilon: float) -> BoolArray:
    """Return which changes of a value lead beyond the threshold, but by less than ε.

    Such a change counts for neither side: it may have been made for another threshold. A value may come down to it from
    above all the same if that is the least change for the side, which only questions that share items need to know.
    """
    least = np.where(value > threshold, np.minimum(value, threshold + epsilon), threshold + epsilon)
    return (misread > threshold) & (misread < least - BUDGET * (np.abs(threshold) + epsilon))
