"""The best combination of thresholds for a tree whose solutions and nominal routing stay, compiled.

Branch and bound, node by node from the root. A threshold that is still open stands at its lowest point for the slots
to its left and at its highest for those to its right: moving a sample costs most then, so that any attack that is
affordable against that is affordable against every combination below.
"""

__all__ = ["Options", "best_combination"]

from typing import NamedTuple

import numpy as np

from hedgerow.adversary.small_knapsack import worst_assignment
from hedgerow.arrays import FloatArray, IntArray
from hedgerow.compiled import kernel, record
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.engine.tables.fixed import fixed_attack
from hedgerow.engine.tables.reach import Reading, path_costs

_ATTACK_NODES = 1_000_000
_MAX_PATH = 64


@record
class Options(NamedTuple):
    """The thresholds that each node may have, as splits of a `Reading`."""

    shape: IntArray  # the structure, level by level; what stands at the places below is replaced
    place: IntArray  # per node, from the root down, its place in the structure
    # Per node the number of its splits, from the first on.
    first: IntArray
    n_options: IntArray
    # Per node the options with the lowest and the highest threshold.
    lowest: IntArray
    highest: IntArray


@kernel
def _slot_costs(slot: int, low: IntArray, high: IntArray, reading: Reading, out: FloatArray) -> None:
    """Write what it takes to get into a slot if it lies left of the `low` splits and right of the `high` ones."""
    splits = np.empty(_MAX_PATH, np.int64)
    goes_right = np.empty(_MAX_PATH, np.int64)
    count = 0
    node = low.size + slot
    while node > 0:
        parent = (node - 1) // 2
        goes_right[count] = node == 2 * parent + 2
        splits[count] = high[parent] if goes_right[count] else low[parent]
        count += 1
        node = parent
    path_costs(count, splits, goes_right, reading, 0, out)


@kernel
def best_combination(
    options: Options, reading: Reading, slot_loss: FloatArray, cutoff: float, best: IntArray, undecided: IntArray
) -> tuple[float, int]:
    """Return the value of the best combination if it is below the cut-off, else the cut-off, and write the combination.

    Of equal ones the first counts, later nodes varying faster. The second number says for how many combinations the
    knapsack gave up; `undecided` lists their options, one row each. `slot_loss[k, j]` is what sample j
    costs at slot k.
    """
    shape, place = options.shape, options.place
    n_nodes = place.size
    n_slots, n_samples = slot_loss.shape
    low, high = shape.copy(), shape.copy()
    for node in range(n_nodes):
        low[place[node]], high[place[node]] = options.lowest[node], options.highest[node]
    # The slots below each node, and move costs with the first nodes decided.
    begin, end = place.copy(), place.copy()
    for node in range(n_nodes):
        while begin[node] < shape.size:
            begin[node] = 2 * begin[node] + 1
            end[node] = 2 * end[node] + 2
    move_cost = np.empty((n_nodes + 1, n_slots, n_samples))
    for slot in range(n_slots):
        _slot_costs(slot, low, high, reading, move_cost[0, slot])
    slots = np.arange(n_slots)
    by_sample = np.empty((n_samples, n_slots))
    gain = np.ascontiguousarray(slot_loss.T)
    assigned = np.empty(n_samples, np.int64)
    trial = np.full(n_nodes, -1, np.int64)
    n_undecided = 0
    level = 0
    if fixed_attack(slots, n_slots, move_cost[0], slot_loss, reading.limit, cutoff) >= cutoff:
        level = -1
    while level >= 0:
        here = place[level]
        trial[level] += 1
        if trial[level] == options.n_options[level]:
            low[here], high[here] = options.lowest[level], options.highest[level]
            trial[level] = -1
            level -= 1
            continue
        low[here] = high[here] = options.first[level] + trial[level]
        now = move_cost[level + 1]
        for slot in range(n_slots):
            copy_into(move_cost[level, slot], now[slot])
        for slot in range(begin[level] - shape.size, end[level] - shape.size + 1):
            _slot_costs(slot, low, high, reading, now[slot])
        value = fixed_attack(slots, n_slots, now, slot_loss, reading.limit, cutoff)
        if value >= cutoff:
            continue
        settled = True
        if not reading.budgets.size:
            by_sample = np.ascontiguousarray(now.T)
            value = worst_assignment(gain, by_sample, reading.limit, cutoff, _ATTACK_NODES // n_samples, 0, assigned)
            if value >= cutoff:
                continue
            settled = not np.isnan(value)
        if level < n_nodes - 1:
            level += 1
            continue
        if settled and not reading.budgets.size:
            value = worst_assignment(gain, by_sample, reading.limit, -np.inf, _ATTACK_NODES // n_samples, -1, assigned)
            settled = not np.isnan(value)
        if not settled:
            if n_undecided < len(undecided):
                copy_into(options.first + trial, undecided[n_undecided])
            n_undecided += 1
        elif value < cutoff:
            cutoff = value
            copy_into(options.first + trial, best)
    return cutoff, n_undecided
