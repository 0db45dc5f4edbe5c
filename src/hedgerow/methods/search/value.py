"""What a tree costs in the worst case, compiled: exactly where that is cheap, else by the relaxed knapsack."""

import numpy as np

from hedgerow.adversary.knapsack_kernels import ANY_SUM, LARGEST_SUM, worst_assignment
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.structures.reach import NO_LEVELS, Reading, node_path, path_costs
from hedgerow.methods.parameters import SEARCH
from hedgerow.tolerances import SAME_TANGENT

_MOST_CUTS = 60
"""Tangents that are drawn to find the best rate: more than are needed, so that rounding can't go on for ever."""


@kernel
def priced_total(move_cost: FloatArray, slot_loss: FloatArray, limit: float, rate: float) -> tuple[float, float]:
    """Return the sum over the samples of max_k (loss − rate · move cost), and the budget which that uses.

    Slots beyond the limit don't count. With a local budget and a rate of 0 this is the worst case itself.
    """
    best, paid = np.empty(move_cost.shape[1]), np.empty(move_cost.shape[1])
    best[:] = -np.inf
    paid[:] = 0.0
    for slot in range(move_cost.shape[0]):
        for row in range(best.size):
            cost = move_cost[slot, row]
            if cost <= limit:
                worth = slot_loss[slot, row] - rate * cost
                if worth > best[row] or (worth == best[row] and cost < paid[row]):
                    best[row], paid[row] = worth, cost
    total = used = 0.0
    for row in range(best.size):
        total += best[row]
        used += paid[row]
    return total, used


def tree_value(move_cost: FloatArray, slot_loss: FloatArray, limit: float, cutoff: float) -> tuple[float, float]:
    """Return what a tree costs in the worst case, and the rate at which the budget is worth its price.

    Under a global budget with many samples it is the linear relaxation's value, which is never below the truth and
    close to it; its rate is the one with the least bound. Trees that cost the cut-off or more may be said to cost ∞.
    """
    if limit <= 0.0 or move_cost.shape[1] > SEARCH.few_samples:
        return relaxed(move_cost, slot_loss, limit)
    choice = np.empty(move_cost.shape[1], np.int64)
    gain, cost = np.ascontiguousarray(slot_loss.T), np.ascontiguousarray(move_cost.T)
    # Any attack that reaches the cut-off will do, and one is soon found.
    if cutoff < np.inf and worst_assignment(gain, cost, limit, cutoff, SEARCH.attack_nodes, ANY_SUM, choice) >= cutoff:
        return np.inf, 0.0
    bound, rate = relaxed(move_cost, slot_loss, limit)
    value = worst_assignment(gain, cost, limit, -np.inf, SEARCH.attack_nodes, LARGEST_SUM, choice)
    return bound if np.isnan(value) else value, rate


@kernel
def relaxed(move_cost: FloatArray, slot_loss: FloatArray, limit: float) -> tuple[float, float]:
    """Return the least value of rate · limit + priced total over all rates, and that rate: 0 where budgets are local.

    The function is convex and made of straight pieces: tangents from both sides meet in its lowest point.
    """
    total, used = priced_total(move_cost, slot_loss, limit, 0.0)
    if used <= limit or limit <= 0.0:
        return total, 0.0
    low_rate, low_value, low_slope = 0.0, total, limit - used
    rate = 1.0
    while True:  # ends, since at a high enough rate no sample moves
        total, used = priced_total(move_cost, slot_loss, limit, rate)
        if used <= limit:
            break
        low_rate, low_value, low_slope = rate, total + rate * limit, limit - used
        rate *= 4.0
    high_rate, high_value, high_slope = rate, total + rate * limit, limit - used
    for _ in range(_MOST_CUTS):
        if high_slope <= low_slope:
            break
        rate = (low_value - high_value + high_slope * high_rate - low_slope * low_rate) / (high_slope - low_slope)
        if not low_rate < rate < high_rate:
            break
        total, used = priced_total(move_cost, slot_loss, limit, rate)
        value, slope = total + rate * limit, limit - used
        below = low_value + low_slope * (rate - low_rate)
        if value <= below + SAME_TANGENT * max(1.0, abs(value)):
            return value, rate
        if slope < 0.0:
            low_rate, low_value, low_slope = rate, value, slope
        else:
            high_rate, high_value, high_slope = rate, value, slope
    return (high_value, high_rate) if high_value <= low_value else (low_value, low_rate)


@kernel
def worst_outside(
    move_cost: FloatArray, slot_loss: FloatArray, limit: float, rate: float, begin: int, end: int
) -> FloatArray:
    """Return per sample the worst priced loss among the slots outside begin … end − 1, −∞ where none is in reach."""
    worst = np.empty(move_cost.shape[1])
    worst[:] = -np.inf
    for slot in range(move_cost.shape[0]):
        if begin <= slot < end:
            continue
        for row in range(worst.size):
            if move_cost[slot, row] <= limit:
                worst[row] = max(worst[row], slot_loss[slot, row] - rate * move_cost[slot, row])
    return worst


@kernel
def leaf_sums(loss: FloatArray, outside: FloatArray, cost: FloatArray, limit: float, rate: float) -> FloatArray:
    """Return per solution the priced total of the tree that holds it at the slot with these move costs.

    `outside` is each sample's worst priced loss at all other slots.
    """
    sums = np.empty(loss.shape[1])
    sums[:] = rate * limit
    elsewhere = 0.0
    for row in range(loss.shape[0]):
        if cost[row] > limit:
            elsewhere += outside[row]
            continue
        toll, least = rate * cost[row], outside[row]
        for solution in range(sums.size):
            sums[solution] += max(least, loss[row, solution] - toll)
    for solution in range(sums.size):
        sums[solution] += elsewhere
    return sums


@kernel
def refresh(structure: IntArray, reading: Reading, begin: int, end: int, move_cost: FloatArray) -> None:
    """Write the move costs of the slots begin … end − 1 anew."""
    splits = np.empty(structure.size, np.int64)
    goes_right = np.empty(structure.size, np.int64)
    for slot in range(begin, end):
        count = node_path(structure.size + slot, structure, splits, goes_right)
        path_costs(count, splits, goes_right, reading, NO_LEVELS, move_cost[slot])


@kernel
def price_splits(
    node: int,
    splits: IntArray,
    structure: IntArray,
    slot_loss: FloatArray,
    outside: FloatArray,
    rate: float,
    reading: Reading,
    values: FloatArray,
) -> None:
    """Write into `values[s]` what the tree costs, the budget priced at a rate, if a node asks split s, for some splits.

    Under local budgets this is the worst case; under a global one no attack costs more.
    """
    changed, begin, end = structure.copy(), node, node
    while begin < structure.size:
        begin, end = 2 * begin + 1, 2 * end + 2
    begin, end = begin - structure.size, end - structure.size + 1
    move_cost, worst = np.empty((end, outside.size)), np.empty(outside.size)
    for split in splits:
        changed[node] = split
        refresh(changed, reading, begin, end, move_cost)
        copy_into(outside, worst)
        for slot in range(begin, end):
            for row in range(worst.size):
                if move_cost[slot, row] <= reading.limit:
                    worst[row] = max(worst[row], slot_loss[slot, row] - rate * move_cost[slot, row])
        total = rate * reading.limit
        for row in range(worst.size):
            total += worst[row]
        values[split] = total
