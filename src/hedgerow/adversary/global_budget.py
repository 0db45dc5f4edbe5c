"""The worst case under a global budget: the small kernel where it suffices, else the one for any size."""

__all__ = ["worst_choice"]

import math

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.geometry import reach_limit

_FEW_SAMPLES = 20
_FEW_NODES = 20_000
_TO_THE_END = -1


def worst_choice(loss: FloatArray, move_cost: FloatArray, budget: float) -> tuple[IntArray, float, bool]:
    """Return each sample's slot in a worst attack, a bound on every attack's loss, and whether that is attained."""
    # In units of the largest loss, since kernels compare with tolerances; powers of two change no digit.
    unit = 2.0 ** -math.frexp(float(np.abs(loss).max(initial=0.0)))[1]
    choice, bound, exact = _worst_choice(unit * loss, move_cost, budget)
    return choice, bound / unit, exact


def _worst_choice(loss: FloatArray, move_cost: FloatArray, budget: float) -> tuple[IntArray, float, bool]:
    # Imported here since compiled kernels are loaded only by those who use them.
    if len(loss) <= _FEW_SAMPLES:
        from hedgerow.adversary.small_knapsack import worst_assignment

        choice = np.empty(len(loss), dtype=np.int64)
        limit = float(reach_limit(budget))
        gain, cost = np.array(loss, order="C"), np.array(move_cost, order="C")
        value = worst_assignment(gain, cost, limit, -np.inf, _FEW_NODES, _TO_THE_END, choice)
        if not math.isnan(value):
            return choice, value, True
    from hedgerow.adversary.knapsack import solve_knapsack

    found = solve_knapsack(loss, move_cost, budget)
    return found.choice, found.bound, found.exact
