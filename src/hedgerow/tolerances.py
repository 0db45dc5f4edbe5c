"""Every tolerance has a name, and this is their home."""

__all__ = ["BUDGET", "FEASIBILITY", "OPTIMALITY_GAP", "ROUNDED_FEASIBILITY", "VALUE", "affordable", "reach_limit"]

from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

BUDGET: Final = 1e-9
"""A move is affordable if its cost exceeds the budget by no more than this."""

FEASIBILITY: Final = 1e-6
"""How far a solution's values may lie off integrality, bounds and rows."""

ROUNDED_FEASIBILITY: Final = 10 * FEASIBILITY
"""How far rows may give way once a solver's integer values were rounded: each of them moves every row it is in."""

OPTIMALITY_GAP: Final = 1e-6
"""A relative gap at most this large counts as proof of optimality."""

VALUE: Final = 1e-9
"""Two objective values closer than this, relative to their size, count as equal."""


@overload
def reach_limit(budget: float) -> float: ...
@overload
def reach_limit(budget: NDArray[np.float64]) -> NDArray[np.float64]: ...
def reach_limit(budget: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
    """Return the largest move cost that `budget` affords; a budget of zero affords no move at all."""
    if isinstance(budget, np.ndarray):
        return np.where(budget > 0.0, budget + BUDGET, 0.0)
    return budget + BUDGET if budget > 0.0 else 0.0


def affordable(move_cost: NDArray[np.float64], budget: float | NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which move costs lie within the budget: the one comparison that every method uses."""
    return move_cost <= reach_limit(budget)
