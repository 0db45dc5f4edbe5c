"""What it costs to move an observation into a leaf: ρ[j, k] in the paper."""

__all__ = ["entry_points", "move_costs"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.tolerances import BUDGET
from hedgerow.tree import LeafBoxes, Tree
from hedgerow.uncertainty import Nominal, Uncertainty

_ENTRIES_PER_BLOCK = 1 << 22


def move_costs(tree: Tree, observations: FloatArray, uncertainty: Uncertainty) -> FloatArray:
    """Return the least budget that moves the observation of each sample j (rows) into each leaf k (columns).

    It is the distance to the leaf's box, Σ_i w_i · dist(o_ji, (lower_i, upper_i]), and infinite where the box is
    empty, too narrow to be entered, or beyond an entry limit. The leaf that an observation reaches by itself costs 0.
    """
    n_samples, n_leaves = observations.shape[0], tree.n_leaves
    cost = np.zeros((n_samples, n_leaves))
    boxes = tree.boxes
    if not boxes.items.size:
        return cost
    if isinstance(uncertainty, Nominal):
        cost.fill(np.inf)
        cost[np.arange(n_samples), tree.apply(observations)] = 0.0
        return cost
    prices = np.ones(boxes.items.size) if uncertainty.prices is None else uncertainty.prices[boxes.items]
    entry = _entry_from_below(boxes, uncertainty.epsilon)
    block = max(1, _ENTRIES_PER_BLOCK // (n_leaves * boxes.items.size))
    for start in range(0, n_samples, block):
        rows = slice(start, min(start + block, n_samples))
        observed = observations[rows][:, None, boxes.items]
        distance = np.where(
            observed > boxes.upper, observed - boxes.upper, np.where(observed <= boxes.lower, entry - observed, 0.0)
        )
        limits = _limits(uncertainty.limits, rows, boxes.items)
        if limits is not None:
            distance[distance > limits + BUDGET] = np.inf
        # An item that need not move adds nothing whatever its price, so ∞ · 0 can't arise: prices are finite.
        np.einsum("jki,i->jk", distance, prices, out=cost[rows])
    # A box that is empty has an infinite entry for every sample at or below its lower side only; close it for all.
    cost[:, (boxes.lower >= boxes.upper).any(axis=1)] = np.inf
    return cost


def entry_points(
    tree: Tree, observations: FloatArray, leaves: IntArray, uncertainty: Uncertainty
) -> FloatArray:
    """Return the observations moved into the given leaves, one leaf per sample, by the least change.

    A coordinate is set to the nearest point of the leaf's interval, never computed as a difference, so that the
    moved observation provably lands where it should.
    """
    moved = observations.copy()
    boxes = tree.boxes
    if isinstance(uncertainty, Nominal) or not boxes.items.size:
        return moved
    entry = _entry_from_below(boxes, uncertainty.epsilon)
    observed = observations[:, boxes.items]
    upper, lower = boxes.upper[leaves], boxes.lower[leaves]
    moved[:, boxes.items] = np.where(observed > upper, upper, np.where(observed <= lower, entry[leaves], observed))
    return moved


def _entry_from_below(boxes: LeafBoxes, epsilon: float) -> FloatArray:
    """Return the point just above each lower side, ∞ where it lies beyond the upper side."""
    entry = np.maximum(boxes.lower + epsilon, np.nextafter(boxes.lower, np.inf))
    return np.where(np.isneginf(boxes.lower), -np.inf, np.where(entry > boxes.upper, np.inf, entry))


def _limits(limits: float | FloatArray | None, rows: slice, items: IntArray) -> float | FloatArray | None:
    if not isinstance(limits, np.ndarray):
        return limits
    return limits[items] if limits.ndim == 1 else limits[rows][:, None, items]
