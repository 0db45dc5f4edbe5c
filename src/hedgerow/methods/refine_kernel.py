"""The best combination of thresholds for a tree whose solutions and nominal routing stay, compiled.

Branch and bound, node by node from the root. A threshold that is still open stands at its lowest point for the slots
to its left and at its highest for those to its right: moving a sample costs most then, so that any attack that is
affordable against that is affordable against every combination below.
"""

__all__ = ["Options", "best_combination"]

from typing import NamedTuple

import numpy as np

from hedgerow.adversary.small_knapsack import ANY_SUM, LARGEST_SUM, worst_assignment
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, integer
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.tables.fixed import fixed_attack
from hedgerow.engine.tables.reach import NO_LEVELS, Reading, path_costs

_ATTACK_NODES = 1_000_000
_MAX_PATH = 64
_FIRST = integer(0)


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


class _Search(NamedTuple):
    """What the search works on."""

    slot_loss: FloatArray
    gain: FloatArray  # the same, samples × slots
    # Per place of the structure the splits that count for slots to its left and to its right.
    low: IntArray
    high: IntArray
    # Per node the slots below it, begin … end − 1.
    begin: IntArray
    end: IntArray
    trial: IntArray  # per node the number of the option that is tried; −1 where none is
    best: IntArray
    undecided: IntArray
    # Working space: move costs with the first 0, 1, … nodes decided, those of one combination as samples × slots, and
    # an attack.
    move_cost: FloatArray
    by_sample: FloatArray
    assigned: IntArray
    slots: IntArray


def best_combination(
    options: Options, reading: Reading, slot_loss: FloatArray, cutoff: float, best: IntArray, undecided: IntArray
) -> tuple[float, int]:
    """Return the value of the best combination if it is below the cut-off, else the cut-off, and write the combination.

    Of equal ones the first counts, later nodes varying faster. The second number says for how many combinations the
    knapsack gave up; `undecided` lists their options, one row each. `slot_loss[k, j]` is what sample j
    costs at slot k.
    """
    n_nodes, (n_slots, n_samples) = options.place.size, slot_loss.shape
    low, high = options.shape.copy(), options.shape.copy()
    low[options.place], high[options.place] = options.lowest, options.highest
    level = np.frexp(options.place + 1)[1] - 1
    below = n_slots >> level
    begin = (options.place + 1 - (1 << level)) * below
    search = _Search(
        slot_loss,
        np.ascontiguousarray(slot_loss.T),
        low,
        high,
        begin,
        begin + below,
        np.full(n_nodes, -1),
        best,
        undecided,
        np.empty((n_nodes + 1, n_slots, n_samples)),
        np.empty((n_samples, n_slots)),
        np.empty(n_samples, dtype=np.int64),
        np.arange(n_slots),
    )
    return _search_combinations(options, reading, search, cutoff)


@kernel
def _search_combinations(options: Options, reading: Reading, search: _Search, cutoff: float) -> tuple[float, int]:
    """Search the combinations; see `best_combination`."""
    low, high, trial, slot_loss = search.low, search.high, search.trial, search.slot_loss
    n_slots, n_samples = slot_loss.shape
    gain, by_sample = search.gain, search.by_sample
    _write_costs(_FIRST, n_slots, _FIRST, search, reading)
    n_undecided = 0
    level = 0
    if fixed_attack(search.slots, n_slots, search.move_cost[0], slot_loss, reading.limit, cutoff) >= cutoff:
        level = -1
    while level >= 0:
        here = options.place[level]
        trial[level] += 1
        if trial[level] == options.n_options[level]:
            low[here], high[here] = options.lowest[level], options.highest[level]
            trial[level] = -1
            level -= 1
            continue
        low[here] = high[here] = options.first[level] + trial[level]
        now = search.move_cost[level + 1]
        for slot in range(n_slots):
            copy_into(search.move_cost[level, slot], now[slot])
        _write_costs(search.begin[level], search.end[level], level + 1, search, reading)
        value = fixed_attack(search.slots, n_slots, now, slot_loss, reading.limit, cutoff)
        if value >= cutoff:
            continue
        settled, nodes = True, _ATTACK_NODES // n_samples
        if not reading.budgets.size:
            _transpose(now, by_sample)
            value = worst_assignment(gain, by_sample, reading.limit, cutoff, nodes, ANY_SUM, search.assigned)
            if value >= cutoff:
                continue
            settled = not np.isnan(value)
        if level < trial.size - 1:
            level += 1
            continue
        if settled and not reading.budgets.size:
            value = worst_assignment(gain, by_sample, reading.limit, -np.inf, nodes, LARGEST_SUM, search.assigned)
            settled = not np.isnan(value)
        if not settled:
            for node in range(trial.size if n_undecided < len(search.undecided) else 0):
                search.undecided[n_undecided, node] = options.first[node] + trial[node]
            n_undecided += 1
        elif value < cutoff:
            cutoff = value
            for node in range(trial.size):
                search.best[node] = options.first[node] + trial[node]
    return cutoff, n_undecided


@kernel
def _write_costs(begin: int, end: int, level: int, search: _Search, reading: Reading) -> None:
    """Write what it takes to get into some slots, left of the `low` splits and right of the `high` ones."""
    splits = np.empty(_MAX_PATH, np.int64)
    goes_right = np.empty(_MAX_PATH, np.int64)
    for slot in range(begin, end):
        count = 0
        node = search.low.size + slot
        while node > 0:
            parent = (node - 1) // 2
            goes_right[count] = node == 2 * parent + 2
            splits[count] = search.high[parent] if goes_right[count] else search.low[parent]
            count += 1
            node = parent
        path_costs(count, splits, goes_right, reading, NO_LEVELS, search.move_cost[level, slot])


@kernel(inline="always")
def _transpose(values: FloatArray, target: FloatArray) -> None:
    for one in range(values.shape[0]):
        for other in range(values.shape[1]):
            target[other, one] = values[one, other]
