"""What each solution of the pool would cost at one slot, given what the other slots cost each sample, compiled."""

__all__ = ["leaf_sums"]

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.compiled import kernel


@kernel
def leaf_sums(loss: FloatArray, outside: FloatArray, cost: FloatArray, limit: float, rate: float) -> FloatArray:
    """Return per solution the priced total of the tree that holds it at the slot with these move costs.

    `outside` is each sample's worst priced loss at all other slots.
    """
    sums = np.full(loss.shape[1], rate * limit)
    elsewhere = 0.0
    for row in range(loss.shape[0]):
        if cost[row] > limit:
            elsewhere += outside[row]
            continue
        toll, least = rate * cost[row], outside[row]
        for solution in range(loss.shape[1]):
            sums[solution] += max(least, loss[row, solution] - toll)
    return sums + elsewhere
