"""Searches over structures on a table, compiled: thousands of structures per second, most of them by a bound alone."""

__all__ = ["Table", "best_of", "value_below"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, smallest
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.leaf_problem import Attacks, best_leaves, no_rules
from hedgerow.engine.tables.attack_bound import attack_bound
from hedgerow.engine.tables.reach import Reading, structure_costs


class Table(NamedTuple):
    """What solutions cost.

    Attributes
    ----------
    loss
        Per sample (row) and solution (column) of the pool the loss.
    subset_costs
        One row: for every subset of the samples what one solution for it costs; of length 0 where there are too many.
    """

    loss: FloatArray
    subset_costs: FloatArray


@kernel(inline="always")
def _nominal_bound(loss: FloatArray, move_cost: FloatArray, sums: FloatArray) -> float:
    """Return what the slots cost at least if every sample goes where it costs least to send it."""
    n_slots, n_samples = move_cost.shape
    sums[:] = 0.0
    for row in range(n_samples):
        place = 0
        for slot in range(1, n_slots):
            if move_cost[slot, row] < move_cost[place, row]:
                place = slot
        for solution in range(loss.shape[1]):
            sums[place, solution] += loss[row, solution]
    total = 0.0
    for slot in range(n_slots):
        total += smallest(sums[slot])
    return total


@kernel(inline="always")
def value_below(
    structure: IntArray,
    reading: Reading,
    table: Table,
    cutoff: float,
    move_cost: FloatArray,
    sums: FloatArray,
    choice: IntArray,
    attacks: Attacks,
) -> float:
    """Return the value of a structure if it is below the cut-off, and write its solutions; ∞ if it is not.

    NaN if that takes too large an adversary. Slots that no sample can be sent to keep −1 in `choice`. `move_cost` and
    `sums` are working space, `attacks` those on structures before it.
    """
    n_slots = structure.size + 1
    structure_costs(structure, reading, move_cost)
    if table.subset_costs.shape[1]:
        slots, levels = np.empty(n_slots, np.int64), np.zeros(n_slots, np.int64)
        for slot in range(n_slots):
            slots[slot] = slot
        at = np.empty(move_cost.shape[1], np.int64)
        bound = attack_bound(slots, levels, n_slots, move_cost, table.subset_costs, reading.limit, cutoff, at)
    else:
        bound = _nominal_bound(table.loss, move_cost, sums)
    if bound >= cutoff:
        return np.inf
    choice[:] = -1
    local = reading.budgets.size > 0
    return best_leaves(table.loss, move_cost, reading.limit, local, cutoff, choice, attacks, no_rules())


@kernel
def best_of(
    structures: IntArray,
    reading: Reading,
    table: Table,
    cutoff: float,
    best_choice: IntArray,
    undecided: IntArray,
    attacks: Attacks,
) -> tuple[int, float, int]:
    """Return which of the structures is best and its value if that is below the cut-off, else −1 and the cut-off.

    The last number says how many structures were too much for the built-in adversary; `undecided` lists them. Attacks
    that are found join the pool and are tried on the structures that follow.
    """
    n_slots = structures.shape[1] + 1
    move_cost = np.empty((n_slots, table.loss.shape[0]))
    sums = np.empty((n_slots, table.loss.shape[1]))
    choice = np.empty(n_slots, np.int64)
    best, n_undecided = -1, 0
    for number in range(structures.shape[0]):
        value = value_below(structures[number], reading, table, cutoff, move_cost, sums, choice, attacks)
        if np.isnan(value):
            undecided[n_undecided] = number
            n_undecided += 1
        elif value < cutoff:
            cutoff = value
            best = number
            copy_into(choice, best_choice)
    return best, cutoff, n_undecided
