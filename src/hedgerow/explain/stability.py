"""How far readings may be off before other advice is given: distances to the boxes of the leaves with other solutions.

A leaf's box holds `lower < value <= upper`. From above it is reached at its upper side, from below only beyond its
lower side, so the distance to it is the infimum of the changes that lead there. The adversary's price for the same
move (`move_costs`) is larger by its step ε for each reading that goes up.
"""

__all__ = ["ItemBounds", "Stability", "stability"]

from dataclasses import dataclass

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry import reach_limit
from hedgerow.tree import LeafItemBounds, Tree

_NONE = -1
_ENTRIES_PER_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class ItemBounds:
    """What single readings may do, one entry per observation and item that can change the advice by itself.

    As long as `lower < reading <= upper` the advice stays, all other readings being as they are.

    Attributes
    ----------
    row, item
        The observation and the item; entries are sorted by both.
    lower, upper
        The bounds, infinite where there is none on that side.
    leaf_below, leaf_above
        The leaf that is reached at the lower bound, and the one just beyond the upper; −1 where there is none.
    """

    row: IntArray
    item: IntArray
    lower: FloatArray
    upper: FloatArray
    leaf_below: IntArray
    leaf_above: IntArray


@dataclass(frozen=True, eq=False)
class Stability:
    """How firm the advice for each observation is.

    Attributes
    ----------
    possible
        Per observation and leaf whether it may be reached, missing readings being anything.
    certain
        Per observation whether all these leaves hold the same solution.
    radius
        Per observation the distance to the nearest leaf with another solution that the limits allow; infinite if there
        is none, NaN where the advice isn't certain.
    leaf
        That leaf; if the limits allow none, the nearest one without them; −1 if all leaves hold the same solution.
    within_limits
        Per observation whether that leaf is within the limits.
    distance
        Per observation the distance to that leaf.
    items
        The same for one item alone, without limits.
    """

    possible: BoolArray
    certain: BoolArray
    radius: FloatArray
    leaf: IntArray
    within_limits: BoolArray
    distance: FloatArray
    items: ItemBounds


def stability(
    tree: Tree,
    same_as: IntArray,
    observations: FloatArray,
    prices: FloatArray | None = None,
    limits: float | FloatArray | None = None,
) -> Stability:
    """Return how firm the tree's advice is, for each observation; NaN is a missing reading, which may be anything.

    Parameters
    ----------
    tree
        The tree.
    same_as
        Per leaf a number that leaves with equal solutions share.
    observations
        One row per observation.
    prices
        What a unit of change counts, one per feature; 1 if left out.
    limits
        Largest change of a single reading: one number, or one per feature.

    Examples
    --------
    >>> import numpy as np
    >>> tree = Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> found = stability(tree, np.array([0, 1]), np.array([[3.0], [6.5], [np.nan]]))
    >>> found.radius, found.leaf
    (array([2. , 1.5, nan]), array([ 1,  0, -1]))
    """
    if not tree.asks_single_items:
        return _of_questions(tree, same_as, observations, prices, limits)
    n_rows = observations.shape[0]
    block = max(1, _ENTRIES_PER_BLOCK // max(1, tree.item_bounds.item.size))
    parts = [
        _block(tree, same_as, observations[start : start + block], start, prices, limits)
        for start in range(0, n_rows, block)
    ]
    fields = ("possible", "certain", "radius", "leaf", "within_limits", "distance")
    of_items = ("row", "item", "lower", "upper", "leaf_below", "leaf_above")
    return Stability(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in fields},
        items=ItemBounds(**{name: np.concatenate([getattr(part.items, name) for part in parts]) for name in of_items}),
    )


def _block(
    tree: Tree,
    same_as: IntArray,
    observations: FloatArray,
    first_row: int,
    prices: FloatArray | None,
    limits: float | FloatArray | None,
) -> Stability:
    bounds = tree.item_bounds
    # Leaves × items on the path × observations. Comparisons with NaN are false: a missing reading is never outside.
    observed = observations.T[bounds.item]
    above, below = observed > bounds.upper[:, :, None], observed <= bounds.lower[:, :, None]
    change = np.zeros(observed.shape)
    with np.errstate(over="ignore"):
        np.subtract(observed, bounds.upper[:, :, None], out=change, where=above)
        np.subtract(bounds.lower[:, :, None], observed, out=change, where=below)
        weighted = change if prices is None else change * prices[bounds.item][:, :, None]
        distance = weighted.sum(axis=1).T
    allowed = _within(limits, change, below, bounds)
    n_outside = (above | below).sum(axis=1).T
    real = (bounds.lower < bounds.upper).all(axis=1)
    possible = (n_outside == 0) & real
    own = same_as[possible.argmax(axis=1)]
    other = (same_as != own[:, None]) & real
    certain = ~(possible & other).any(axis=1)
    radius, leaf = _nearest(np.where(other & allowed, distance, np.inf))
    far, far_leaf = _nearest(np.where(other, distance, np.inf))
    within = leaf != _NONE
    return Stability(
        possible=possible,
        certain=certain,
        radius=np.where(certain, radius, np.nan),
        leaf=np.where(certain, np.where(within, leaf, far_leaf), _NONE),
        within_limits=within,
        distance=np.where(within, radius, far),
        items=_alone(bounds, other & (n_outside == 1) & certain[:, None], above, below, first_row),
    )


def _of_questions(
    tree: Tree,
    same_as: IntArray,
    observations: FloatArray,
    prices: FloatArray | None,
    limits: float | FloatArray | None,
) -> Stability:
    from hedgerow.explain.question_stability import distances, possible_leaves, single_readings

    possible = possible_leaves(tree, observations)
    own = same_as[possible.argmax(axis=1)]
    other = (same_as != own[:, None]) & (tree.boxes.lower < tree.boxes.upper).all(axis=1)
    certain = ~(possible & other).any(axis=1)
    far, far_leaf = _nearest(np.where(other, distances(tree, observations, prices, None), np.inf))
    radius, leaf = far, far_leaf
    if limits is not None:
        radius, leaf = _nearest(np.where(other, distances(tree, observations, prices, limits), np.inf))
    within = leaf != _NONE
    alone = [
        (row, *bounds)
        for row in np.flatnonzero(certain).tolist()
        for bounds in single_readings(tree, same_as, observations[row])
    ]
    columns = [np.array(column) for column in zip(*alone, strict=True)] or [np.empty(0)] * 6
    row, item, lower, upper, below, above = columns
    return Stability(
        possible=possible,
        certain=certain,
        radius=np.where(certain, radius, np.nan),
        leaf=np.where(certain, np.where(within, leaf, far_leaf), _NONE),
        within_limits=within,
        distance=np.where(within, radius, far),
        items=ItemBounds(
            row.astype(np.int64), item.astype(np.int64), lower, upper, below.astype(np.int64), above.astype(np.int64)
        ),
    )


def _within(
    limits: float | FloatArray | None, change: FloatArray, below: BoolArray, bounds: LeafItemBounds
) -> BoolArray:
    """Return per observation and leaf whether every single change is within its limit."""
    if limits is None:
        return np.ones((change.shape[2], change.shape[0]), dtype=np.bool_)
    limit = np.asarray(limits[bounds.item][:, :, None] if isinstance(limits, np.ndarray) else limits)
    # Down to the upper side as the adversary may go; going up, the lower side itself is not enough.
    too_far = np.where(below, change >= limit, change > reach_limit(limit))
    allowed: BoolArray = np.logical_not(too_far.any(axis=1)).T
    return allowed


def _nearest(distance: FloatArray) -> tuple[FloatArray, IntArray]:
    leaf = distance.argmin(axis=1)
    nearest = distance[np.arange(distance.shape[0]), leaf]
    return nearest, np.where(np.isfinite(nearest), leaf, _NONE)


def _alone(bounds: LeafItemBounds, which: BoolArray, above: BoolArray, below: BoolArray, first_row: int) -> ItemBounds:
    """Return the bounds of single readings from the leaves that are one reading away from an observation."""
    row, leaf = np.nonzero(which)
    _, place = np.nonzero((above | below)[leaf, :, row])  # one each
    is_above = above[leaf, place, row]
    item = bounds.item[leaf, place]
    key = row * (int(bounds.item.max(initial=0)) + 1) + item
    keys, first = np.unique(key, return_index=True)
    lower, upper = np.full(keys.size, -np.inf), np.full(keys.size, np.inf)
    leaf_below, leaf_above = np.full(keys.size, _NONE), np.full(keys.size, _NONE)
    # A reading above the box may go down to the box's upper side; the largest such side is met first.
    for side, edge, nearest, reached, sign in (
        (is_above, bounds.upper, lower, leaf_below, -1.0),
        (~is_above, bounds.lower, upper, leaf_above, 1.0),
    ):
        chosen = np.flatnonzero(side)
        edges = edge[leaf[chosen], place[chosen]]
        order = np.lexsort((leaf[chosen], sign * edges, key[chosen]))
        sorted_keys, start = np.unique(key[chosen][order], return_index=True)
        target = np.searchsorted(keys, sorted_keys)
        nearest[target] = edges[order][start]
        reached[target] = leaf[chosen][order][start]
    return ItemBounds(first_row + row[first], item[first], lower, upper, leaf_below, leaf_above)
