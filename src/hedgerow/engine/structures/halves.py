"""Halves of trees of depth 2, compiled: below a root, each side is bounded and evaluated on its own.

Under a local budget a root forces some samples left, some right, and leaves others free. With g_l(S) the best value of
the left half l on the samples S, a pair of halves (l, q) costs at least
max(g_l(forced left + free) + g_q(forced right), g_l(forced left) + g_q(forced right + free)),
so that a root costs (left halves + right halves) evaluations, not their product.
"""

__all__ = ["bound_halves", "evaluate_halves", "half_costs", "side_samples"]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, stable_order
from hedgerow.engine.tables.dominance import drop_dominated
from hedgerow.engine.tables.leaves import best_leaves_local
from hedgerow.engine.tables.reach import Reading, path_costs
from hedgerow.geometry.kernels import change_range, single_cost, two_cost


@kernel
def half_costs(root: int, side: int, split: int, reading: Reading, out: FloatArray) -> None:
    """Write into `out` (2 × samples) what it takes to move each sample into the two leaves of a half."""
    splits = np.array([split, root])
    goes_right = np.array([0, side])
    path_costs(2, splits, goes_right, reading, 0, out[0])
    goes_right[0] = 1
    path_costs(2, splits, goes_right, reading, 0, out[1])


@kernel
def side_samples(root: int, reading: Reading, reaches: BoolArray) -> None:
    """Write into `reaches` (2 × samples) which samples can be sent to the root's left and right side.

    That is, to one of the two leaves there, whatever they are.
    """
    cost = np.empty(reading.observations.shape[0])
    for side in range(2):
        path_costs(1, np.array([root]), np.array([side]), reading, 1, cost)
        for row in range(cost.size):
            reaches[side, row] = cost[row] <= reading.limit


class _Side(NamedTuple):
    """One side of a root: per sample by how much its question's value must change at least and at most."""

    question: int
    least: FloatArray
    most: FloatArray


@kernel
def _side_of(root: int, side: int, reading: Reading) -> _Side:
    n_samples = reading.observations.shape[0]
    least, most = np.full(n_samples, -np.inf), np.full(n_samples, np.inf)
    if root < 0:
        if side == 1:
            least[:], most[:] = np.inf, -np.inf
        return _Side(-1, least, most)
    question, threshold = reading.item[root], reading.threshold[root]
    lower, upper = (threshold, np.inf) if side == 1 else (-np.inf, threshold)
    for row in range(n_samples):
        least[row], most[row] = change_range(reading.observations[row, question], lower, upper, reading.epsilon)
    return _Side(question, least, most)


@kernel
def _reaches(row: int, split: int, goes_right: bool, side: _Side, reading: Reading) -> bool:
    """Return whether a sample can be sent to one side of a split below a side of a root that asks another question."""
    room = reading.budgets[row]
    question, threshold = reading.item[split], reading.threshold[split]
    lower, upper = (threshold, np.inf) if goes_right else (-np.inf, threshold)
    least, most = change_range(reading.observations[row, question], lower, upper, reading.epsilon)
    if side.question < 0:
        if side.least[row] == np.inf:
            return False
        return bool(single_cost(question, least, most, row, reading.geometry) <= room)
    cost = two_cost(side.question, side.least[row], side.most[row], question, least, most, row, room, reading.geometry)
    return bool(cost <= room)


@kernel
def _changes_on_item(
    first: int,
    end: int,
    everyone: BoolArray,
    side: _Side,
    reading: Reading,
    enters: IntArray,
    leaves: IntArray,
) -> None:
    """Write for each sample the first split of an item from which on it reaches the left, and no more the right leaf.

    The larger the threshold, the more samples reach the left leaf, and the fewer the right one.
    """
    for row in range(everyone.size):
        enters[row] = end
        leaves[row] = first
        if not everyone[row]:
            continue
        low, high = first, end
        while low < high:
            middle = (low + high) // 2
            if _reaches(row, middle, False, side, reading):
                high = middle
            else:
                low = middle + 1
        enters[row] = low
        low, high = first, end
        while low < high:
            middle = (low + high) // 2
            if _reaches(row, middle, True, side, reading):
                low = middle + 1
            else:
                high = middle
        leaves[row] = low


@kernel(fastmath={"nnan", "nsz"})
def _divided(part: FloatArray, whole: FloatArray) -> float:
    """Return what two solutions cost at least: one for the part, one for the rest of the whole."""
    inside, outside = np.inf, np.inf
    for solution in range(part.size):
        inside = min(inside, part[solution])
        outside = min(outside, whole[solution] - part[solution])
    return inside + outside


@kernel
def bound_halves(
    root: int,
    side: int,
    reading: Reading,
    loss: FloatArray,
    reaches: BoolArray,
    with_free: FloatArray,
    without_free: FloatArray,
) -> None:
    """Write for every split a bound on its half's value on the samples that can be sent there, and on the forced ones.

    Two attacks are tried: all go left that can, or all go right. From one threshold to the next of an item
    only few samples change sides, so that the sums are carried along. Needs local budgets.
    """
    n_samples, n_solutions = loss.shape
    n_splits = reading.item.size
    everyone, forced = reaches[side], reaches[side] & ~reaches[1 - side]
    whole = np.zeros((2, n_solutions))
    n_free = 0
    for row in range(n_samples):
        if everyone[row]:
            whole[0] += loss[row]
        if forced[row]:
            whole[1] += loss[row]
        n_free += everyone[row] and not forced[row]
    this_side = _side_of(root, side, reading)
    enters, leaves = np.empty(n_samples, np.int64), np.empty(n_samples, np.int64)
    # Sums over who reaches the left leaf and the right one, all of them and the forced ones.
    left, right = np.empty((2, n_solutions)), np.empty((2, n_solutions))
    first = 0
    while first < n_splits:
        end = first
        while end < n_splits and reading.item[end] == reading.item[first]:
            end += 1
        if root >= 0 and reading.item[first] == reading.item[root]:
            for split in range(first, end):
                without_free[split], with_free[split] = _bound_on_root_item(
                    root, side, split, reading, loss, everyone, forced, whole
                )
            first = end
            continue
        _changes_on_item(first, end, everyone, this_side, reading, enters, leaves)
        order_in, order_out = stable_order(enters), stable_order(leaves)
        next_in, next_out = 0, 0
        left[:] = 0.0
        for row in range(2):
            copy_into(whole[row], right[row])
        for split in range(first, end):
            while next_in < n_samples and enters[order_in[next_in]] <= split:
                _add_sample(order_in[next_in], 1.0, loss, forced, left)
                next_in += 1
            while next_out < n_samples and leaves[order_out[next_out]] <= split:
                if everyone[order_out[next_out]]:
                    _add_sample(order_out[next_out], -1.0, loss, forced, right)
                next_out += 1
            with_free[split] = max(_divided(left[0], whole[0]), _divided(right[0], whole[0]))
            without_free[split] = with_free[split]
            if n_free:
                without_free[split] = max(_divided(left[1], whole[1]), _divided(right[1], whole[1]))
        first = end


@kernel
def _add_sample(row: int, sign: float, loss: FloatArray, forced: BoolArray, sums: FloatArray) -> None:
    for solution in range(loss.shape[1]):
        sums[0, solution] += sign * loss[row, solution]
    if forced[row]:
        for solution in range(loss.shape[1]):
            sums[1, solution] += sign * loss[row, solution]


@kernel
def _bound_on_root_item(
    root: int,
    side: int,
    split: int,
    reading: Reading,
    loss: FloatArray,
    everyone: BoolArray,
    forced: BoolArray,
    whole: FloatArray,
) -> tuple[float, float]:
    """Return the bounds without and with the free samples for a split on the root's own item."""
    slot_cost = np.empty((2, loss.shape[0]))
    half_costs(root, side, split, reading, slot_cost)
    best = np.full(2, -np.inf)
    sums = np.empty((2, loss.shape[1]))
    for leaf in range(2):
        sums[:] = 0.0
        for row in range(loss.shape[0]):
            if everyone[row] and slot_cost[leaf, row] <= 0.0:
                _add_sample(row, 1.0, loss, forced, sums)
        for kind in range(2):
            best[kind] = max(best[kind], _divided(sums[kind], whole[kind]))
    return best[1], best[0]


@kernel
def evaluate_halves(
    root: int,
    side: int,
    splits: IntArray,
    reading: Reading,
    loss: FloatArray,
    reaches: BoolArray,
    cutoff_with_free: float,
    cutoff_without_free: float,
    prune_dominated: bool,
    with_free: FloatArray,
    without_free: FloatArray,
) -> int:
    """Evaluate halves exactly, drop those at a cut-off and those dominated, and return how many are left at the front.

    `splits` and both value arrays are rewritten in place.
    """
    n_samples = loss.shape[0]
    forced = reaches[side] & ~reaches[1 - side]
    slot_cost = np.empty((2, n_samples))
    counted = np.empty((2, n_samples))
    kept = np.empty((splits.size, 2, n_samples))
    choice = np.empty(2, np.int64)
    count = 0
    for place in range(splits.size):
        split = splits[place]
        half_costs(root, side, split, reading, slot_cost)
        for row in range(n_samples):
            for leaf in range(2):
                counted[leaf, row] = slot_cost[leaf, row] if reaches[side, row] else np.inf
        all_value = best_leaves_local(loss, counted, cutoff_with_free, choice, np.inf) if reaches[side].any() else 0.0
        if all_value >= cutoff_with_free:
            continue
        for row in range(n_samples):
            for leaf in range(2):
                counted[leaf, row] = slot_cost[leaf, row] if forced[row] else np.inf
        forced_value = best_leaves_local(loss, counted, cutoff_without_free, choice, np.inf) if forced.any() else 0.0
        if forced_value >= cutoff_without_free:
            continue
        if prune_dominated:
            count = drop_dominated(slot_cost, kept, splits, with_free, without_free, count, True)
            if count < 0:
                count = -1 - count
                continue
            kept[count] = slot_cost
        splits[count] = split
        with_free[count] = all_value
        without_free[count] = forced_value
        count += 1
    return count
