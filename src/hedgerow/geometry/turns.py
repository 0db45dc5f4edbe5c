"""Where samples gain or lose a leaf as one threshold moves, for questions about single readings.

A leaf on the left of a node is reached from some threshold on, a leaf on its right up to some threshold, since boxes
only grow or shrink. The *turn* is the least such threshold on the left and the largest on the right; where no threshold
will do, it is ∞ on the left and −∞ on the right.
"""

__all__ = ["item_turns"]

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry.budget import entry_from_below, reach_limit


def item_turns(
    observations: FloatArray,
    item: IntArray,
    lower: FloatArray,
    upper: FloatArray,
    goes_right: BoolArray,
    budgets: FloatArray,
    margin: float,
    prices: FloatArray | None,
    limits: float | FloatArray | None,
    epsilon: float,
) -> FloatArray:
    """Return the turn of each sample (row) and leaf (column).

    Leaves × places are the items on each leaf's path, that of the moving threshold first, each once, and the intervals
    that all other thresholds leave, with their margins. `goes_right` says per leaf whether it is on the right of the
    moving threshold, which may be off by the margin; `budgets` are the samples' largest affordable move costs.
    """
    price = np.ones(observations.shape[1]) if prices is None else prices
    most = np.broadcast_to(np.inf if limits is None else reach_limit(np.asarray(limits, float)), observations.shape)
    spare = np.repeat(budgets[:, None], len(item), axis=1)
    entry = entry_from_below(lower, upper, epsilon)
    for place in range(item.shape[1]):
        asked = item[:, place]
        value = observations[:, asked]
        distance = np.where(value > upper[:, place], value - upper[:, place], 0.0)
        distance = np.where(value <= lower[:, place], entry[:, place] - value, distance)
        out = (distance > most[:, asked]) | (lower[:, place] >= upper[:, place])
        if place == 0:
            own, own_distance = value, distance
        else:
            spare = spare - price[asked] * distance
        spare[out] = -np.inf
    asked, low, high = item[:, 0], lower[:, 0], upper[:, 0]
    reach = np.minimum(spare / price[asked], most[:, asked])
    never = own_distance > reach
    # On the left the box must not be empty, an entry from below must fit, and one from above must be affordable.
    left = np.maximum(own - margin - reach, np.nextafter(low - margin, np.inf))
    left = np.where(own <= low, entry[:, 0] - margin, left)
    # On the right likewise; what lies above the threshold already need not move.
    right = np.minimum(high, own + reach) + margin - epsilon
    right = np.maximum(right, np.nextafter(np.minimum(own, high) + margin, -np.inf))
    turn = np.where(goes_right, right, left)
    return np.where(never, np.where(goes_right, -np.inf, np.inf), turn)
