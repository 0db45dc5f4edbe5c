"""What it costs to move an observation into a leaf: ρ[j, k] in the paper."""

import numpy as np

from hedgerow.adversary.condition_cost import condition_costs, move_into
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.geometry import entry_from_below, reach_limit
from hedgerow.tree.tree import LeafBounds, Tree
from hedgerow.uncertainty import Uncertainty

_ENTRIES_PER_BLOCK = 1 << 16
"""Distances that are held at a time: few enough to stay in the processor's cache."""


def move_costs(
    tree: Tree, observations: FloatArray, uncertainty: Uncertainty, *, margin: float = 0.0, enough: float = np.inf
) -> FloatArray:
    """Return the least budget that moves the observation of each sample j (rows) into each leaf k (columns).

    Where leaves have several plans to choose from, columns are the rows of `tree.solutions`: a move must lead to the
    leaf and make its reader take the plan. What costs more than `enough` may be said to cost ∞.

    For single readings it is the distance to the leaf's box, Σ_i w_i · dist(o_ji, (lower_i, upper_i]), for other
    questions the optimum of a small linear programme (see `hedgerow.geometry`). It is infinite where the box is empty,
    too narrow to be entered, or beyond an entry limit. The leaf that an observation reaches by itself costs 0.
    With a margin, each threshold may be moved by that much before the observation is: every box is wider by the
    margin on both sides, and several leaves may cost 0.
    """
    if tree.has_cards or not tree.asks_single_items:
        return condition_costs(tree, observations, uncertainty, margin, enough)
    if tree.n_leaves == 1:
        return np.zeros((len(observations), 1))
    bounds = tree.item_bounds
    if margin:
        bounds = LeafBounds(bounds.item, bounds.lower - margin, bounds.upper + margin)
    return _box_costs(bounds, observations, uncertainty)


def _box_costs(bounds: LeafBounds, observations: FloatArray, uncertainty: Uncertainty) -> FloatArray:
    """Return the least budget that moves each observation (rows) into each of some boxes (columns)."""
    # Leaves × items on the path × samples: with the samples last, every step runs over long stretches of memory.
    lower, upper = bounds.lower[:, :, None], bounds.upper[:, :, None]
    entry = entry_from_below(bounds.lower, bounds.upper, uncertainty.epsilon)[:, :, None]
    prices = None if uncertainty.prices is None else uncertainty.prices[bounds.item][:, :, None]
    limits = uncertainty.limits if uncertainty.limits is None else reach_limit(uncertainty.limits)
    n_samples = observations.shape[0]
    cost = np.empty((n_samples, len(bounds.item)))
    block = max(1, _ENTRIES_PER_BLOCK // bounds.item.size)
    for start in range(0, n_samples, block):
        rows = slice(start, start + block)
        observed = observations[rows].T[bounds.item]
        distance = observed - upper
        np.maximum(distance, 0.0, out=distance)
        np.subtract(entry, observed, out=distance, where=observed <= lower)
        if limits is not None:
            distance[distance > _limits_of(limits, rows, bounds.item)] = np.inf
        # An item that need not move adds nothing whatever its price, so ∞ · 0 can't arise: prices are finite.
        if prices is not None:
            distance *= prices
        cost[rows] = distance.sum(axis=1).T
    # An empty box is infinitely far only from at or below its lower side so far; close it for all.
    cost[:, (bounds.lower >= bounds.upper).any(axis=1)] = np.inf
    return cost


def entry_points(tree: Tree, observations: FloatArray, leaves: IntArray, uncertainty: Uncertainty) -> FloatArray:
    """Return the observations moved into the given leaves (rows of `tree.solutions`), by the least change.

    A coordinate is set to the nearest point of the leaf's interval, never computed as a difference, so that the
    moved observation provably lands where it should. Sums are nudged where rounding would put them on the wrong side.
    """
    moved = observations.copy()
    if tree.has_cards or not tree.asks_single_items:
        move_into(tree, moved, leaves, uncertainty)
        return moved
    bounds = tree.item_bounds
    entry = entry_from_below(bounds.lower, bounds.upper, uncertainty.epsilon)
    rows = np.arange(observations.shape[0])
    for place in range(bounds.item.shape[1]):
        item, lower, upper = (array[leaves, place] for array in (bounds.item, bounds.lower, bounds.upper))
        value = moved[rows, item]
        moved[rows, item] = np.where(value > upper, upper, np.where(value <= lower, entry[leaves, place], value))
    return moved


def _limits_of(limits: float | FloatArray, rows: slice, item: IntArray) -> float | FloatArray:
    if not isinstance(limits, np.ndarray):
        return limits
    return limits[item][:, :, None] if limits.ndim == 1 else limits[rows].T[item]
