"""Where a threshold must lie so that two questions that share items are within reach together, compiled."""

__all__ = ["pair_point"]

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.compiled import kernel
from hedgerow.geometry.kernels import change_range, corner_cost, just_above
from hedgerow.geometry.pairs import worth


@kernel
def pair_point(
    value: float,
    left: bool,
    lower: float,
    upper: float,
    budget: float,
    epsilon: float,
    rate: float,
    other_alone: float,
    other_least: float,
    other_most: float,
    own: int,
    ray: FloatArray,
    corners: FloatArray,
    thresholds: FloatArray,
) -> int:
    """Return from which threshold on (left) or up to which one (right) a value can be brought to that side of it.

    It takes few numbers and no structures, since it is called for every sample, slot and question. Other thresholds
    leave the interval from `lower` to `upper`; a unit of change costs `rate`. `other_alone` is what the other question
    costs alone, `other_least` and `other_most` are by how much it must change (see `change_range`), and `own`, `ray`
    and `corners` say how both cost together (see `corner_cost`). The candidate thresholds are sorted.
    """
    # Wherever the threshold lies, the slot must be within reach without it.
    if _cost(value, lower, upper, epsilon, rate, other_alone, other_least, other_most, own, ray, corners) > budget:
        return thresholds.size if left else 0
    # How far down (left) or up (right) the value can be brought: a bound from every corner; costs are piecewise linear.
    farthest = budget / rate
    side = -1.0 if left else 1.0
    for place in range(corners.shape[0] + 1):
        one, two = (ray[own], ray[1 - own]) if place == 0 else (corners[place - 1, own], corners[place - 1, 1 - own])
        to_spend = 0.0 if place == 0 else budget
        if one * side < 0.0:
            one, two = -one, -two
        if one != 0.0:
            farthest = min(farthest, (to_spend - worth(two, other_least, other_most)) / abs(one))
    if left:
        guess = max(value - farthest, just_above(lower, epsilon) if value <= lower else -np.inf)
    else:
        guess = min(value + farthest, upper) - epsilon
        if farthest >= 0.0:
            guess = max(guess, min(value, upper))
    at = int(np.searchsorted(thresholds, guess))
    # Rounding may have moved it: the costs themselves decide.
    while at < thresholds.size:
        floor, ceiling = (lower, min(upper, thresholds[at])) if left else (max(lower, thresholds[at]), upper)
        cost = _cost(value, floor, ceiling, epsilon, rate, other_alone, other_least, other_most, own, ray, corners)
        if (cost <= budget) == left:
            break
        at += 1
    while at > 0:
        cut = thresholds[at - 1]
        floor, ceiling = (lower, min(upper, cut)) if left else (max(lower, cut), upper)
        cost = _cost(value, floor, ceiling, epsilon, rate, other_alone, other_least, other_most, own, ray, corners)
        if (cost <= budget) != left:
            break
        at -= 1
    return at


@kernel
def _cost(
    value: float,
    lower: float,
    upper: float,
    epsilon: float,
    rate: float,
    other_alone: float,
    other_least: float,
    other_most: float,
    own: int,
    ray: FloatArray,
    corners: FloatArray,
) -> float:
    least, most = change_range(value, lower, upper, epsilon)
    dearest = max(other_alone, rate * max(least, -most))
    return corner_cost(dearest, least, most, other_least, other_most, own, ray, corners)
