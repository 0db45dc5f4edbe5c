"""What a budget affords: the one comparison of move costs with budgets, and of changes with entry limits."""

__all__ = ["affordable", "reach_limit"]

from typing import overload

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray
from hedgerow.tolerances import BUDGET


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
