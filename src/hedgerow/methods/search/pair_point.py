"""Where a threshold must lie so that two questions that share items are within reach together, compiled."""

__all__ = ["ALONE", "pair_point"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import count_below
from hedgerow.data.arrays import FloatArray
from hedgerow.geometry.kernels import Geometry, change_range, corner_cost, just_above
from hedgerow.geometry.pairs import worth

ALONE = -1
"""In place of the number of a pair's list: the question is looked at alone."""


@kernel(inline="always")
def pair_point(
    item: int,
    left: bool,
    value: float,
    lower: float,
    upper: float,
    budget: float,
    which: int,
    own: int,
    other_alone: float,
    other_least: float,
    other_most: float,
    thresholds: FloatArray,
    geometry: Geometry,
) -> int:
    """Return from which threshold on (left) or up to which one (right) a value can be brought to that side of it.

    There are no entry limits. Other thresholds leave the interval from `lower` to `upper`. `which` and `own` say how
    the question costs together with the other one (see `corner_cost`), which costs `other_alone` alone and must change
    by an amount from `other_least` to `other_most`. The candidate thresholds are sorted.
    """
    low, high = 0, thresholds.size
    # Wherever the threshold lies, the slot must be within reach without it.
    if _cost(item, value, lower, upper, which, own, other_alone, other_least, other_most, geometry) > budget:
        return high if left else low
    farthest = budget / geometry.rate[item]
    if which >= 0:
        farthest = _farthest(left, budget, farthest, which, own, other_least, other_most, geometry)
    if left:
        guess = max(value - farthest, just_above(lower, geometry.epsilon) if value <= lower else -np.inf)
    else:
        guess = min(value + farthest, upper) - geometry.epsilon
        if farthest >= 0.0:
            guess = max(guess, min(value, upper))
    # Rounding may have moved it: the costs themselves decide, mostly those of its two neighbours.
    at, n_tried = min(count_below(thresholds, guess), high - 1), 0
    while low < high:
        floor, ceiling = lower, upper
        if left:
            ceiling = min(upper, thresholds[at])
        else:
            floor = max(lower, thresholds[at])
        cost = _cost(item, value, floor, ceiling, which, own, other_alone, other_least, other_most, geometry)
        if (cost <= budget) == left:
            high = at
            at -= 1
        else:
            at += 1
            low = at
        n_tried += 1
        if n_tried > 2:
            at = (low + high) // 2
    return low


@kernel(inline="always")
def _farthest(
    left: bool,
    budget: float,
    farthest: float,
    which: int,
    own: int,
    other_least: float,
    other_most: float,
    geometry: Geometry,
) -> float:
    """Return how far down (left) or up a value can be brought: a bound from each corner; costs are piecewise linear."""
    first = geometry.first_corner[which]
    side = -1.0 if left else 1.0
    for place in range(first - 1, geometry.first_corner[which + 1]):
        if place < first:
            one, two, to_spend = geometry.rays[which, own], geometry.rays[which, 1 - own], 0.0
        else:
            one, two, to_spend = geometry.corners[place, own], geometry.corners[place, 1 - own], budget
        if one * side < 0.0:
            one, two = -one, -two
        if one != 0.0:
            farthest = min(farthest, (to_spend - worth(two, other_least, other_most)) / abs(one))
    return farthest


@kernel
def _cost(
    item: int,
    value: float,
    lower: float,
    upper: float,
    which: int,
    own: int,
    other_alone: float,
    other_least: float,
    other_most: float,
    geometry: Geometry,
) -> float:
    """Return what it takes to bring the value into an interval, together with the other question."""
    least, most = change_range(value, lower, upper, geometry.epsilon)
    dearest = max(other_alone, geometry.rate[item] * max(least, -most))
    return corner_cost(dearest, least, most, other_least, other_most, own, which, geometry) if which >= 0 else dearest
