"""How far readings may be off before other advice is given: distances to the boxes of the leaves with other solutions.

A leaf's box holds `lower < value <= upper`. From above it is reached at its upper side, from below only beyond its
lower side, so the distance to it is the infimum of the changes that lead there. The adversary's price for the same
move (`move_costs`) is larger by its step ε for each reading that goes up.
"""

__all__ = ["ItemBounds", "Stability", "stability"]

from typing import Any, NamedTuple

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry import geometry_of, reach_limit
from hedgerow.tree.questions import values_of
from hedgerow.tree.tree import LeafItemBounds, Tree

_NONE = -1
_ENTRIES_PER_BLOCK = 1 << 20
_BEYOND = 1e-9
"""How far beyond the point where an answer changes the advice is looked up, relative to the reading."""


class ItemBounds(NamedTuple):
    """What single readings may do, one entry per observation and item that can change the advice by itself.

    As long as `lower < reading <= upper` the advice stays, all other readings being as they are; a bound is infinite if
    there is none on that side. `leaf_below` is reached at the lower bound, `leaf_above` just beyond the upper; −1 for
    no leaf. Entries are sorted by row and item.
    """

    row: IntArray
    item: IntArray
    lower: FloatArray
    upper: FloatArray
    leaf_below: IntArray
    leaf_above: IntArray


class Stability(NamedTuple):
    """How firm the advice for each observation is.

    Attributes
    ----------
    possible, certain
        Per observation and leaf whether it may be reached, missing readings being anything; and per observation whether
        all these leaves hold the same solution.
    radius
        Distance to the nearest leaf with another solution that the limits allow; infinite if there is none, NaN where
        the advice isn't certain.
    leaf, within_limits, distance
        That leaf, whether the limits allow it, and its distance; if they allow none, the nearest leaf without limits;
        −1 if all leaves hold the same solution.
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

    Leaves with equal solutions share a number in `same_as`. Prices are per feature, 1 if left out; limits on the change
    of a single reading are one number, or one per feature.

    >>> tree = Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> found = stability(tree, np.array([0, 1]), np.array([[3.0], [6.5], [np.nan]]))
    >>> found.radius, found.leaf
    (array([2. , 1.5, nan]), array([ 1,  0, -1]))
    """
    if not tree.asks_single_items:
        return _of_questions(tree, same_as, observations, prices, limits)
    block = max(1, _ENTRIES_PER_BLOCK // max(1, tree.item_bounds.item.size))
    parts = [
        _block(tree, same_as, observations[start : start + block], start, prices, limits)
        for start in range(0, observations.shape[0], block)
    ]
    columns: list[Any] = list(zip(*parts, strict=True))
    items: list[Any] = [np.concatenate(column) for column in zip(*columns.pop(), strict=True)]
    joined: list[Any] = [np.concatenate(column) for column in columns]
    return Stability(*joined, ItemBounds(*items))  # type: ignore[call-arg]  # six before the last


def _found(
    possible: BoolArray, other: BoolArray, certain: BoolArray, near: FloatArray, anyhow: FloatArray, items: ItemBounds
) -> Stability:
    """Return the result from distances to all leaves, within limits (`near`) and without, of which some are others."""
    radius, leaf = _nearest(np.where(other, near, np.inf))
    far, far_leaf = _nearest(np.where(other, anyhow, np.inf))
    within = leaf != _NONE
    chosen = np.where(certain, np.where(within, leaf, far_leaf), _NONE)
    radius_or_nan = np.where(certain, radius, np.nan)
    return Stability(possible, certain, radius_or_nan, chosen, within, np.where(within, radius, far), items)


def _others(possible: BoolArray, same_as: IntArray, real: Any) -> tuple[BoolArray, BoolArray]:
    """Return which leaves hold another solution than the first one that is possible, and where none of these is.

    A leaf that no reading leads to is none of them.
    """
    other = (same_as != same_as[possible.argmax(axis=1)][:, None]) & real
    return other, np.logical_not((possible & other).any(axis=1))


# -- questions about single items ----------------------------------------------------------------------------------


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
    other, certain = _others(possible, same_as, real)
    alone = _alone(bounds, other & (n_outside == 1) & certain[:, None], above, below, first_row)
    return _found(possible, other, certain, np.where(allowed, distance, np.inf), distance, alone)


def _within(
    limits: float | FloatArray | None, change: FloatArray, below: BoolArray, bounds: LeafItemBounds
) -> BoolArray:
    """Return per observation and leaf whether every single change is within its limit."""
    if limits is None:
        return np.ones((change.shape[2], change.shape[0]), dtype=np.bool_)
    limit = np.asarray(limits[bounds.item][:, :, None] if isinstance(limits, np.ndarray) else limits)
    # Down to the upper side as the adversary may go; going up, the lower side itself is not enough.
    too_far = np.where(below, change >= limit, change > reach_limit(limit))
    return np.logical_not(too_far.any(axis=1)).T


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


# -- questions about several items ---------------------------------------------------------------------------------


def _of_questions(
    tree: Tree,
    same_as: IntArray,
    observations: FloatArray,
    prices: FloatArray | None,
    limits: float | FloatArray | None,
) -> Stability:
    values = values_of(tree.questions, observations)[:, None, :]
    # A question with a missing reading may be anything.
    outside = (values > tree.boxes.upper) | (values <= tree.boxes.lower)
    real = _reachable(tree, observations.shape[1])
    possible = np.logical_not(outside.any(axis=2)) & real
    far = _distances(tree, observations, prices, None)
    near = far if limits is None else _distances(tree, observations, prices, limits)
    other, certain = _others(possible, same_as, real)
    found = [
        (row, *bounds)
        for row in np.flatnonzero(certain).tolist()
        for bounds in _single_readings(tree, same_as, observations[row])
    ]
    columns = np.array(found, dtype=np.float64).reshape(-1, 6).T
    row, item, below, above = columns[[0, 1, 4, 5]].astype(np.int64)
    return _found(possible, other, certain, near, far, ItemBounds(row, item, columns[2], columns[3], below, above))


def _reachable(tree: Tree, n_items: int) -> BoolArray:
    """Return which leaves some reading leads to: A > B, B > C and A <= C can't hold together."""
    from hedgerow.geometry.least_change import least_change

    real: BoolArray = np.asarray((tree.boxes.lower < tree.boxes.upper).all(axis=1))
    matrix = np.zeros((len(tree.questions), n_items))
    for row, question in enumerate(tree.questions):
        matrix[row, list(question.items)] = question.coefficients
    for leaf in np.flatnonzero(real):
        lower, upper = tree.boxes.lower[leaf], np.array(tree.boxes.upper[leaf])
        ends = np.abs(np.concatenate([lower, upper]))
        step = _BEYOND * (ends[np.isfinite(ends)].max(initial=0.0) or 1.0)
        least, change = np.minimum(lower + step, upper), np.empty(n_items)
        real[leaf] = np.isfinite(least_change(matrix, np.ones(n_items), np.full(n_items, np.inf), least, upper, change))
    return real


def _distances(
    tree: Tree, observations: FloatArray, prices: FloatArray | None, limits: float | FloatArray | None
) -> FloatArray:
    """Return per observation and leaf the infimum of the changes that lead there; ∞ where limits forbid it.

    Questions with a missing reading hold in every leaf.
    """
    from hedgerow.geometry.path_kernels import leaf_costs

    geometry = geometry_of(tree.questions, observations.shape[1], prices=prices, limits=limits, epsilon=0.0)
    values = values_of(tree.questions, observations)
    found = np.empty((len(observations), tree.n_leaves))
    unknown = np.isnan(values)
    patterns, pattern_of = np.unique(unknown, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        rows = np.flatnonzero(pattern_of.ravel() == number)
        free = pattern[tree.bounds.question]
        lower = np.where(free, -np.inf, tree.bounds.lower)
        upper = np.where(free, np.inf, tree.bounds.upper)
        costs = np.empty((rows.size, tree.n_leaves))
        leaf_costs(np.nan_to_num(values[rows]), np.array(tree.bounds.question), lower, upper, geometry, np.inf, costs)
        found[rows] = costs
    return found


def _single_readings(
    tree: Tree, same_as: IntArray, observation: FloatArray
) -> list[tuple[int, float, float, int, int]]:
    """Return for each reading that can change the advice alone: item, bounds, and the leaves beyond the bounds.

    The advice stays between the bounds, all other readings being as they are; −1 stands for no leaf.
    """
    values = values_of(tree.questions, observation[None])[0]
    if np.isnan(values).any():
        return []
    own = same_as[tree.apply(observation[None])[0]]
    inner = np.flatnonzero(tree.is_inner)
    found = []
    for item in tree.asked_items.tolist():
        slope = np.array([dict(zip(q.items, q.coefficients, strict=True)).get(item, 0.0) for q in tree.questions])
        nodes = inner[slope[tree.question[inner]] != 0.0]
        asked = tree.question[nodes]
        edges = np.unique(observation[item] + (tree.threshold[nodes] - values[asked]) / slope[asked])
        bounds, leaves = [-np.inf, np.inf], [_NONE, _NONE]
        for side, sign in ((0, -1.0), (1, 1.0)):
            beyond = edges[sign * (edges - observation[item]) >= 0.0][:: int(sign)]
            trial = np.repeat(observation[None], beyond.size, axis=0)
            trial[:, item] = beyond + sign * _BEYOND * (1.0 + np.abs(beyond))
            reached = tree.apply(np.nan_to_num(trial)) if beyond.size else np.empty(0, np.int64)
            changed = np.flatnonzero(same_as[reached] != own)
            if changed.size:
                bounds[side], leaves[side] = float(beyond[changed[0]]), int(reached[changed[0]])
        if leaves != [_NONE, _NONE]:
            found.append((item, *bounds, *leaves))
    return found
