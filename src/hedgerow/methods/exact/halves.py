"""Halves of trees of depth 2, compiled: below a root, each side is bounded and evaluated on its own.

Under a local budget a root forces some samples left, some right, and leaves others free. With g_l(S) the best value of
the left half l on the samples S, a pair of halves (l, q) costs at least
max(g_l(forced left + free) + g_q(forced right), g_l(forced left) + g_q(forced right + free)),
so that a root costs (left halves + right halves) evaluations, not their product.
"""

__all__ = ["bound_halves", "evaluate_halves", "half_costs", "settle_pairs", "side_samples"]

import numpy as np
from numba import njit

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.methods.tables.dominance import drop_dominated
from hedgerow.methods.tables.leaves import best_leaves, best_leaves_local
from hedgerow.methods.tables.reach import Reading, path_costs
from hedgerow.tolerances import BUDGET


@njit(cache=True)
def half_costs(root: int, side: int, split: int, reading: Reading, out: FloatArray) -> None:
    """Write into `out` (2 × samples) what it takes to move each sample into the two leaves of a half."""
    splits = np.array([split, root])
    goes_right = np.array([0, side])
    path_costs(2, splits, goes_right, reading, out[0])
    goes_right[0] = 1
    path_costs(2, splits, goes_right, reading, out[1])


@njit(cache=True)
def side_samples(root: int, reading: Reading, reaches: BoolArray) -> None:
    """Write into `reaches` (2 × samples) which samples can be sent to the root's left and right side."""
    cost = np.empty(reading.observations.shape[0])
    for side in range(2):
        path_costs(1, np.array([root]), np.array([side]), reading, cost)
        for row in range(cost.size):
            reaches[side, row] = cost[row] <= reading.limit


@njit(cache=True)
def _reaches_leaves(root_cost: FloatArray, split: int, reading: Reading, left: BoolArray, right: BoolArray) -> None:
    """Write which samples reach the two leaves below a split on another item than the root's."""
    item, threshold, price = reading.item[split], reading.threshold[split], reading.prices[reading.item[split]]
    entry = max(threshold + reading.epsilon, np.nextafter(threshold, np.inf))
    for row in range(root_cost.size):
        budget = reading.budgets[row]
        room = budget + BUDGET if budget > 0.0 else 0.0
        observed = reading.observations[row, item]
        largest = reading.limits[row if reading.limits.shape[0] > 1 else 0, item] + BUDGET
        here = root_cost[row] <= room
        if observed <= threshold:
            left[row] = here
            right[row] = entry - observed <= largest and price * (entry - observed) + root_cost[row] <= room
        else:
            right[row] = here
            left[row] = observed - threshold <= largest and price * (observed - threshold) + root_cost[row] <= room


@njit(cache=True)
def _root_costs(root: int, side: int, reading: Reading) -> FloatArray:
    """Return the move costs to one side of the root as they are, not yet held against the budgets."""
    n_samples = reading.observations.shape[0]
    cost = np.zeros(n_samples)
    if root < 0:
        return cost if side == 0 else np.full(n_samples, np.inf)
    item, threshold = reading.item[root], reading.threshold[root]
    entry = max(threshold + reading.epsilon, np.nextafter(threshold, np.inf))
    for row in range(n_samples):
        observed = reading.observations[row, item]
        distance = 0.0
        if side == 0 and observed > threshold:
            distance = observed - threshold
        elif side == 1 and observed <= threshold:
            distance = entry - observed
        if distance > reading.limits[row if reading.limits.shape[0] > 1 else 0, item] + BUDGET:
            cost[row] = np.inf
        else:
            cost[row] = reading.prices[item] * distance
    return cost


@njit(cache=True)
def _divided(part: FloatArray, whole: FloatArray) -> float:
    """Return what two solutions cost at least: one for the part, one for the rest of the whole."""
    inside, outside = np.inf, np.inf
    for solution in range(part.size):
        inside = min(inside, part[solution])
        outside = min(outside, whole[solution] - part[solution])
    return inside + outside


@njit(cache=True)
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

    Two attacks are tried: whoever can goes left, and whoever can goes right. From one threshold to the next of an item
    only few samples change sides, so that the sums are carried along. Needs local budgets.
    """
    n_samples, n_solutions = loss.shape
    everyone, forced = reaches[side], reaches[side] & ~reaches[1 - side]
    whole, whole_forced = np.zeros(n_solutions), np.zeros(n_solutions)
    for row in range(n_samples):
        if everyone[row]:
            whole += loss[row]
        if forced[row]:
            whole_forced += loss[row]
    root_cost = _root_costs(root, side, reading)
    # For the two leaves: who is in, and the sums over all of these and over the forced ones.
    inside = np.zeros((2, n_samples), np.bool_)
    now = np.zeros((2, n_samples), np.bool_)
    sums = np.zeros((2, n_solutions))
    sums_forced = np.zeros((2, n_solutions))
    slot_cost = np.empty((2, n_samples))
    for split in range(reading.item.size):
        if split == 0 or reading.item[split] != reading.item[split - 1]:
            inside[:] = False
            sums[:] = 0.0
            sums_forced[:] = 0.0
        if root >= 0 and reading.item[split] == reading.item[root]:
            half_costs(root, side, split, reading, slot_cost)
            for leaf in range(2):
                for row in range(n_samples):
                    now[leaf, row] = slot_cost[leaf, row] <= 0.0
        else:
            _reaches_leaves(root_cost, split, reading, now[0], now[1])
        lost = False
        for row in range(n_samples):
            if everyone[row] and not (now[0, row] or now[1, row]):
                lost = True
            for leaf in range(2):
                if now[leaf, row] != inside[leaf, row]:
                    inside[leaf, row] = now[leaf, row]
                    sign = 1.0 if now[leaf, row] else -1.0
                    for solution in range(n_solutions):
                        sums[leaf, solution] += sign * loss[row, solution]
                    if forced[row]:
                        for solution in range(n_solutions):
                            sums_forced[leaf, solution] += sign * loss[row, solution]
        without_free[split] = max(_divided(sums_forced[0], whole_forced), _divided(sums_forced[1], whole_forced))
        # A free sample may reach the side yet neither leaf, where their boxes are too narrow to be entered.
        with_free[split] = without_free[split] if lost else max(_divided(sums[0], whole), _divided(sums[1], whole))


@njit(cache=True)
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
    forced_cost = np.empty((2, n_samples))
    kept = np.empty((splits.size, 2, n_samples))
    choice = np.empty(2, np.int64)
    count = 0
    for place in range(splits.size):
        split = splits[place]
        half_costs(root, side, split, reading, slot_cost)
        all_value = best_leaves_local(loss, slot_cost, cutoff_with_free, choice)
        if all_value >= cutoff_with_free:
            continue
        for row in range(n_samples):
            for leaf in range(2):
                forced_cost[leaf, row] = slot_cost[leaf, row] if forced[row] else np.inf
        forced_value = best_leaves_local(loss, forced_cost, cutoff_without_free, choice) if forced.any() else 0.0
        if forced_value >= cutoff_without_free:
            continue
        if prune_dominated:
            count = drop_dominated(slot_cost, kept, splits, with_free, without_free, count)
            if count < 0:
                count = -1 - count
                continue
            kept[count] = slot_cost
        splits[count] = split
        with_free[count] = all_value
        without_free[count] = forced_value
        count += 1
    return count


@njit(cache=True)
def settle_pairs(
    root: int,
    left: IntArray,
    left_values: FloatArray,
    right: IntArray,
    right_values: FloatArray,
    start: int,
    allowance: int,
    max_splits: int,
    reading: Reading,
    loss: FloatArray,
    cutoff: float,
    best: IntArray,
    choice: IntArray,
) -> tuple[int, int, float]:
    """Evaluate the pairs of halves that their values don't exclude, from the left half number `start` on.

    `left_values` and `right_values` have a row with and a row without the free samples. Returns the next left half,
    the number of pairs evaluated, and the best value below the cut-off, or the cut-off.
    """
    n_samples = loss.shape[0]
    local = reading.budgets.size > 0
    slot_cost = np.empty((4, n_samples))
    trial = np.empty(4, np.int64)
    evaluated = 0
    for place in range(start, left.size):
        if evaluated >= allowance:
            return place, evaluated, cutoff
        half_costs(root, 0, left[place], reading, slot_cost[:2])
        for other in range(right.size):
            if left_values[0, place] + right_values[1, other] >= cutoff:
                continue
            if left_values[1, place] + right_values[0, other] >= cutoff:
                continue
            if (root >= 0) + (left[place] >= 0) + (right[other] >= 0) > max_splits:
                continue
            half_costs(root, 1, right[other], reading, slot_cost[2:])
            trial[:] = -1
            value = best_leaves(loss, slot_cost, reading.limit, local, cutoff, trial)
            evaluated += 1
            if value < cutoff:
                cutoff = value
                best[0] = left[place]
                best[1] = right[other]
                choice[:] = trial
    return left.size, evaluated, cutoff
