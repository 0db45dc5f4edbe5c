"""What it costs to move an observation into a leaf: ρ[j, k] in the paper."""

__all__ = ["entry_points", "move_costs"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.geometry import reach_limit
from hedgerow.tree import LeafItemBounds, Tree
from hedgerow.uncertainty import Nominal, Uncertainty

_ENTRIES_PER_BLOCK = 1 << 16
"""Distances that are held at a time: few enough to stay in the processor's cache."""


def move_costs(tree: Tree, observations: FloatArray, uncertainty: Uncertainty, *, margin: float = 0.0) -> FloatArray:
    """Return the least budget that moves the observation of each sample j (rows) into each leaf k (columns).

    It is the distance to the leaf's box, Σ_i w_i · dist(o_ji, (lower_i, upper_i]), and infinite where the box is
    empty, too narrow to be entered, or beyond an entry limit. The leaf that an observation reaches by itself costs 0.
    With a margin, each threshold may be moved by that much before the observation is: every box is wider by the
    margin on both sides, and several leaves may cost 0.
    """
    n_samples, n_leaves = observations.shape[0], tree.n_leaves
    if n_leaves == 1:
        return np.zeros((n_samples, 1))
    if isinstance(uncertainty, Nominal):
        return _nominal_costs(tree, observations, margin)
    bounds = _widened(tree.item_bounds, margin)
    # Leaves × items on the path × samples: with the samples last, every step runs over long stretches of memory.
    lower, upper = bounds.lower[:, :, None], bounds.upper[:, :, None]
    entry = _entry_from_below(bounds, uncertainty.epsilon)[:, :, None]
    prices = None if uncertainty.prices is None else uncertainty.prices[bounds.item][:, :, None]
    limits = uncertainty.limits if uncertainty.limits is None else reach_limit(uncertainty.limits)
    cost = np.empty((n_samples, n_leaves))
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


def _nominal_costs(tree: Tree, observations: FloatArray, margin: float) -> FloatArray:
    """Return 0 for the leaf that each observation reaches, and for those that it may reach within the margin."""
    cost = np.full((observations.shape[0], tree.n_leaves), np.inf)
    cost[np.arange(observations.shape[0]), tree.apply(observations)] = 0.0
    if margin > 0.0:
        bounds = _widened(tree.item_bounds, margin)
        for leaf in range(tree.n_leaves):
            observed = observations[:, bounds.item[leaf]]
            cost[((observed > bounds.lower[leaf]) & (observed <= bounds.upper[leaf])).all(axis=1), leaf] = 0.0
    return cost


def _widened(bounds: LeafItemBounds, margin: float) -> LeafItemBounds:
    if margin == 0.0:
        return bounds
    return LeafItemBounds(bounds.item, bounds.lower - margin, bounds.upper + margin)


def entry_points(tree: Tree, observations: FloatArray, leaves: IntArray, uncertainty: Uncertainty) -> FloatArray:
    """Return the observations moved into the given leaves, one leaf per sample, by the least change.

    A coordinate is set to the nearest point of the leaf's interval, never computed as a difference, so that the
    moved observation provably lands where it should.
    """
    moved = observations.copy()
    if isinstance(uncertainty, Nominal):
        return moved
    bounds = tree.item_bounds
    entry = _entry_from_below(bounds, uncertainty.epsilon)
    rows = np.arange(observations.shape[0])
    for place in range(bounds.item.shape[1]):
        item, lower, upper = (array[leaves, place] for array in (bounds.item, bounds.lower, bounds.upper))
        value = moved[rows, item]
        moved[rows, item] = np.where(value > upper, upper, np.where(value <= lower, entry[leaves, place], value))
    return moved


def _entry_from_below(bounds: LeafItemBounds, epsilon: float) -> FloatArray:
    """Return the point just above each lower side, ∞ where it lies beyond the upper side."""
    entry = np.maximum(bounds.lower + epsilon, np.nextafter(bounds.lower, np.inf))
    return np.where(np.isneginf(bounds.lower), -np.inf, np.where(entry > bounds.upper, np.inf, entry))


def _limits_of(limits: float | FloatArray, rows: slice, item: IntArray) -> float | FloatArray:
    if not isinstance(limits, np.ndarray):
        return limits
    return limits[item][:, :, None] if limits.ndim == 1 else limits[rows].T[item]
