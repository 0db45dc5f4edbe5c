"""The leaf problem with wishes: which plans the leaves of one structure may hold together."""

__all__ = ["Rules", "slot_relations", "wished_leaves"]

from typing import NamedTuple

import numpy as np

from hedgerow.adversary.small_knapsack import worst_assignment
from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel

_ATTACK_NODES = 1_000_000


class Rules(NamedTuple):
    """What the plans at the leaves must keep to.

    Attributes
    ----------
    active
        Whether there is any such rule.
    max_plans
        Most different plans; 0 for no limit.
    must
        Plans each of which at least one sample must be advised as read.
    fixed
        Per slot the plan that it must hold, −1 for any.
    questions, rank
        Questions in which advice must be monotone, and per question the place of each plan in the order, −1 for none.
    """

    active: bool
    max_plans: int
    must: IntArray
    fixed: IntArray
    questions: IntArray
    rank: IntArray


@kernel
def slot_relations(
    splits: IntArray, question: IntArray, threshold: FloatArray, rules: Rules, exists: BoolArray, below: BoolArray
) -> None:
    """Write which of the four slots exist, and per rule which slot lies below which in its question, all else alike.

    `splits` are those of the root and its children. A slot with an empty box doesn't exist.
    """
    low, high = np.full((4, 3), -np.inf), np.full((4, 3), np.inf)
    for slot in range(4):
        exists[slot] = True
        for step in range(2):
            split, right = (splits[0], slot >= 2) if step == 0 else (splits[1 + slot // 2], slot % 2 == 1)
            if split < 0:
                exists[slot] = exists[slot] and not right
                continue
            for node in range(3):
                if splits[node] >= 0 and question[splits[node]] == question[split]:
                    if right:
                        low[slot, node] = max(low[slot, node], threshold[split])
                    else:
                        high[slot, node] = min(high[slot, node], threshold[split])
        for node in range(3):
            exists[slot] = exists[slot] and low[slot, node] < high[slot, node]
    for number in range(rules.questions.size):
        for first in range(4):
            for second in range(4):
                apart, alike = False, exists[first] and exists[second]
                for node in range(3):
                    if splits[node] >= 0 and question[splits[node]] == rules.questions[number]:
                        apart = apart or high[first, node] <= low[second, node]
                    elif max(low[first, node], low[second, node]) >= min(high[first, node], high[second, node]):
                        alike = False
                below[number, first, second] = apart and alike


@kernel
def _fits(level: int, solution: int, order: IntArray, picked: IntArray, rules: Rules, below: BoolArray) -> bool:
    """Return whether a plan at this level goes together with those at the levels before it."""
    slot = order[level]
    if rules.fixed[slot] >= 0 and rules.fixed[slot] != solution:
        return False
    n_plans = 1
    for placed in range(level):
        plan = picked[placed]
        fresh = plan != solution
        for earlier in range(placed):
            fresh = fresh and picked[earlier] != plan
        n_plans += fresh
        if plan == solution:
            continue
        for number in range(rules.questions.size):
            one, other = rules.rank[number, plan], rules.rank[number, solution]
            if below[number, order[placed], slot] and (one < 0 or other < 0 or one > other):
                return False
            if below[number, slot, order[placed]] and (one < 0 or other < 0 or other > one):
                return False
    return rules.max_plans == 0 or n_plans <= rules.max_plans


@kernel
def _all_used(order: IntArray, picked: IntArray, nominal: IntArray, rules: Rules) -> bool:
    for plan in rules.must:
        used = False
        for level in range(order.size):
            if picked[level] == plan:
                for row in range(nominal.size):
                    used = used or nominal[row] == order[level]
        if not used:
            return False
    return True


@kernel
def _order(
    loss: FloatArray, move_cost: FloatArray, limit: float, local: bool, nominal: IntArray, exists: BoolArray
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the slots that exist, the most reached first; how many samples reach each; and what is to come."""
    n_samples, n_solutions = loss.shape
    reach = np.zeros(4)
    for slot in range(4):
        for row in range(n_samples):
            if exists[slot] and move_cost[slot, row] <= limit:
                reach[slot] += 1.0
        if not exists[slot]:
            reach[slot] = -1.0
    order = np.argsort(-reach, kind="mergesort")[: np.count_nonzero(exists)]
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
    below: BoolArray,
    cutoff: float,
    choice: IntArray,
) -> float:
    """Return the least worst case below the cut-off with plans that keep to the rules, and write them; else ∞.

    `move_cost[k, j]` is what it takes to move sample j into slot k, `nominal[j]` the slot that it reaches by itself.
    Depth first over the slots. Under a local budget the bound is what the slots placed so far cost, under a global one
    what they cost as read; NaN if the adversary is too hard.
    """
    n_samples, n_solutions = loss.shape
    order, reach, least = _order(loss, move_cost, limit, local, nominal, exists)
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
        if not _fits(level, solution, order, picked, rules, below):
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
        if not _all_used(order, picked, nominal, rules):
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


@kernel
def _attacked(loss: FloatArray, move_cost: FloatArray, limit: float, order: IntArray, picked: IntArray) -> float:
    """Return the worst case of plans at the slots under a global budget, NaN if that is too hard."""
    gain = np.full(move_cost.shape, -np.inf)
    for placed in range(order.size):
        for row in range(loss.shape[0]):
            gain[row, order[placed]] = loss[row, picked[placed]]
    slot_of = np.empty(loss.shape[0], np.int64)
    return worst_assignment(gain, move_cost, limit, -np.inf, _ATTACK_NODES, -1, slot_of)


@kernel
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
