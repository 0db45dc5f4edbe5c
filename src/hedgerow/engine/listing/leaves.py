"""The leaf problem with wishes: which plans the leaves of one structure may hold together."""

__all__ = ["Rules", "go_together", "mark_slots", "wished_leaves"]

from typing import NamedTuple

import numpy as np

from hedgerow.adversary.small_knapsack import LARGEST_SUM, worst_assignment
from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray

_ATTACK_NODES = 1_000_000


class Rules(NamedTuple):
    """What the plans at the leaves must keep to."""

    active: bool  # whether there is any such rule
    max_plans: int  # most different plans; 0 for no limit
    fixed: IntArray  # per slot the plan that it must hold, −1 for any


@kernel
def mark_slots(splits: IntArray, question: IntArray, threshold: FloatArray, exists: BoolArray) -> None:
    """Write which slots exist; a slot with an empty box doesn't.

    `splits` are those of the inner nodes, level by level.
    """
    n_inner = splits.size
    low, high = np.full((n_inner + 1, n_inner), -np.inf), np.full((n_inner + 1, n_inner), np.inf)
    for slot in range(n_inner + 1):
        exists[slot], place = True, n_inner + slot
        while place > 0:
            right, place = place % 2 == 0, (place - 1) // 2
            split = splits[place]
            if split < 0:
                exists[slot] = exists[slot] and not right
                continue
            for node in range(n_inner):
                if splits[node] >= 0 and question[splits[node]] == question[split]:
                    if right:
                        low[slot, node] = max(low[slot, node], threshold[split])
                    else:
                        high[slot, node] = min(high[slot, node], threshold[split])
        for node in range(n_inner):
            exists[slot] = exists[slot] and low[slot, node] < high[slot, node]


@kernel
def _fits(level: int, solution: int, order: IntArray, picked: IntArray, rules: Rules) -> bool:
    """Return whether a plan at this level goes together with those before it."""
    slot = order[level]
    if rules.fixed[slot] >= 0 and rules.fixed[slot] != solution:
        return False
    n_plans = 1
    for placed in range(level):
        fresh = picked[placed] != solution
        for earlier in range(placed):
            fresh = fresh and picked[earlier] != picked[placed]
        n_plans += fresh
    return rules.max_plans == 0 or n_plans <= rules.max_plans


@kernel
def go_together(choice: IntArray, rules: Rules, exists: BoolArray) -> bool:
    """Return whether the plans at the slots keep to the rules."""
    order, fit = np.flatnonzero(exists), True
    for level in range(order.size):
        fit = fit and _fits(level, choice[order[level]], order, choice[order], rules)
    return fit


@kernel(inline="always")
def _order(
    loss: FloatArray,
    move_cost: FloatArray,
    limit: float,
    local: bool,
    nominal: IntArray,
    fixed: IntArray,
    exists: BoolArray,
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the slots that exist, in order; how many samples reach each; and what is to come.

    Slots with a given plan come first, then those that most samples reach.
    """
    n_samples, n_solutions = loss.shape
    reach, first = np.zeros(exists.size), np.zeros(exists.size)
    for slot in range(exists.size):
        for row in range(n_samples):
            if exists[slot] and move_cost[slot, row] <= limit:
                reach[slot] += 1.0
        if not exists[slot]:
            reach[slot] = -1.0
        first[slot] = reach[slot] + (n_samples if exists[slot] and fixed[slot] >= 0 else 0)
    order = np.argsort(-first, kind="mergesort")[: np.count_nonzero(exists)]
    depth = order.size
    least = np.zeros(depth + 1)
    counted = np.zeros(n_samples, np.bool_)
    for level in range(depth):
        sums = np.zeros(n_solutions)
        for row in range(n_samples):
            here = move_cost[order[level], row] <= limit if local else nominal[row] == order[level]
            if here and not counted[row]:
                counted[row] = True
                sums += loss[row]
        least[level] = sums.min()
    for level in range(depth - 1, -1, -1):
        least[level] += least[level + 1]
    return order, reach, least


@kernel
def wished_leaves(
    loss: FloatArray,
    move_cost: FloatArray,
    limit: float,
    local: bool,
    nominal: IntArray,
    rules: Rules,
    exists: BoolArray,
    cutoff: float,
    choice: IntArray,
    most: int = -1,
) -> float:
    """Return the least worst case below the cut-off with plans that keep to the rules, and write them; else ∞.

    `move_cost[k, j]` is what it takes to move sample j into slot k, `nominal[j]` the slot that it reaches by itself.
    Depth first over the slots. Under a local budget the bound is what the slots placed so far cost, under a global one
    what they cost as read; NaN if the adversary is too hard. With `most` the search ends after that many slots have
    been filled, with the best plans so far.
    """
    n_samples, n_solutions = loss.shape
    order, reach, least = _order(loss, move_cost, limit, local, nominal, rules.fixed, exists)
    depth = order.size
    picked = np.full(depth, -1, np.int64)
    queue = np.empty((depth, n_solutions), np.int64)
    added = np.empty((depth, n_solutions))
    position = np.zeros(depth, np.int64)
    worst = np.full((depth + 1, n_samples), -np.inf)
    total = np.zeros(depth + 1)
    by_sample = np.ascontiguousarray(move_cost.T)
    best, level, fresh = cutoff, 0, True
    found = False
    while level >= 0:
        if fresh:
            if most == 0:
                break
            most -= 1
            _fill_added(loss, move_cost[order[level]], limit, local, nominal, order[level], worst[level], added[level])
            if reach[order[level]] == 0.0:
                # Plans in use come first where a leaf may hold anything, the nearest leaf's before all others.
                for placed in range(level):
                    added[level, picked[placed]] -= 1.0 / (1.0 + abs(order[placed] - order[level]))
            queue[level] = np.argsort(added[level], kind="mergesort")
            if reach[order[level]] == 0.0:
                added[level] = 0.0
            position[level], fresh = 0, False
        if position[level] == n_solutions:
            level -= 1
            continue
        solution = queue[level, position[level]]
        position[level] += 1
        value = total[level] + added[level, solution]
        if value + least[level + 1] >= best:
            level -= 1
            continue
        if not _fits(level, solution, order, picked, rules):
            continue
        picked[level] = solution
        if level < depth - 1:
            total[level + 1] = value
            for row in range(n_samples):
                worst[level + 1, row] = worst[level, row]
                if move_cost[order[level], row] <= limit:
                    worst[level + 1, row] = max(worst[level, row], loss[row, solution])
            level, fresh = level + 1, True
            continue
        if not local:
            value = _attacked(loss, by_sample, limit, order, picked)
            if np.isnan(value):
                return value
            if value >= best:
                continue
        best, found = value, True
        for placed in range(depth):
            choice[order[placed]] = picked[placed]
    return best if found else np.inf


@kernel(inline="always")
def _attacked(loss: FloatArray, move_cost: FloatArray, limit: float, order: IntArray, picked: IntArray) -> float:
    """Return the worst case of plans at the slots under a global budget, NaN if that is too hard."""
    gain = np.full(move_cost.shape, -np.inf)
    for placed in range(order.size):
        for row in range(loss.shape[0]):
            gain[row, order[placed]] = loss[row, picked[placed]]
    slot_of = np.empty(loss.shape[0], np.int64)
    return worst_assignment(gain, move_cost, limit, -np.inf, _ATTACK_NODES, LARGEST_SUM, slot_of)


@kernel(inline="always")
def _fill_added(
    loss: FloatArray,
    move_cost: FloatArray,
    limit: float,
    local: bool,
    nominal: IntArray,
    slot: int,
    worst: FloatArray,
    added: FloatArray,
) -> None:
    """Write what each plan at this slot adds to the bound so far."""
    added[:] = 0.0
    for row in range(loss.shape[0]):
        if local and move_cost[row] <= limit:
            so_far = worst[row]
            for solution in range(loss.shape[1]):
                added[solution] += loss[row, solution] if so_far == -np.inf else max(0.0, loss[row, solution] - so_far)
        elif not local and nominal[row] == slot:
            for solution in range(loss.shape[1]):
                added[solution] += loss[row, solution]
