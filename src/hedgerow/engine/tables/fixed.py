"""Structures whose solutions are fixed, compiled: what they cost, at least and exactly.

`slot_loss[k, j]` is what sample j costs at slot k. The same kernels serve thresholds that are refined and structures
that are sought for given solutions.
"""

__all__ = ["best_fixed_of", "fixed_attack", "hard_attack"]

import numpy as np

from hedgerow.adversary.knapsack import solve_knapsack
from hedgerow.adversary.knapsack_kernels import LARGEST_SUM, worst_assignment
from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.tables.reach import Reading, structure_costs
from hedgerow.tolerances import BUDGET

_GAIN = 1e-12
_PRICE = 1e-9
_ATTACK_NODES = 1_000_000
_HARD_ATTACK_NODES = 3_000_000


@kernel
def fixed_attack(
    nodes: IntArray, count: int, move_cost: FloatArray, node_loss: FloatArray, limit: float, target: float
) -> float:
    """Return the loss under a greedy attack on the first `count` of the given nodes; stop early once at `target`.

    Every sample begins at the worst node that costs nothing to reach; then moves are made, most gain per cost first.
    Where budgets are local (moves cost 0 or ∞) this is the worst case itself.
    """
    n_samples = move_cost.shape[1]
    at = np.zeros(n_samples, np.int64)
    total = 0.0
    for row in range(n_samples):
        for place in range(1, count):
            here, there = nodes[at[row]], nodes[place]
            cheaper = move_cost[there, row] < move_cost[here, row]
            same = move_cost[there, row] == move_cost[here, row]
            if cheaper or (same and node_loss[there, row] > node_loss[here, row]):
                at[row] = place
        total += node_loss[nodes[at[row]], row]
        limit -= move_cost[nodes[at[row]], row]
    while total < target and limit > 0.0:
        best_rate, best_row, best_place = 0.0, -1, -1
        for row in range(n_samples):
            here = nodes[at[row]]
            for place in range(count):
                gain = node_loss[nodes[place], row] - node_loss[here, row]
                price = move_cost[nodes[place], row] - move_cost[here, row]
                if gain > _GAIN and price <= limit and gain / max(price, _PRICE) > best_rate:
                    best_rate, best_row, best_place = gain / max(price, _PRICE), row, place
        if best_row < 0:
            break
        total += node_loss[nodes[best_place], best_row] - node_loss[nodes[at[best_row]], best_row]
        limit -= move_cost[nodes[best_place], best_row] - move_cost[nodes[at[best_row]], best_row]
        at[best_row] = best_place
    return total


@kernel
def best_fixed_of(
    structures: IntArray, reading: Reading, slot_loss: FloatArray, cutoff: float, undecided: IntArray
) -> tuple[int, float, int]:
    """Return which of the structures is best and its value if that is below the cut-off, else −1 and the cut-off.

    The last number says how many structures were too much for the built-in adversary; `undecided` lists them.
    """
    n_slots, n_samples = slot_loss.shape
    move_cost = np.empty((n_slots, n_samples))
    slots = np.empty(n_slots, np.int64)
    for slot in range(n_slots):
        slots[slot] = slot
    gain = np.ascontiguousarray(slot_loss.T)
    choice = np.empty(n_samples, np.int64)
    local = reading.budgets.size > 0
    best, n_undecided = -1, 0
    for number in range(structures.shape[0]):
        structure_costs(structures[number], reading, move_cost)
        value = fixed_attack(slots, n_slots, move_cost, slot_loss, reading.limit, cutoff)
        if value >= cutoff:
            continue
        if not local:
            by_sample = np.ascontiguousarray(move_cost.T)
            value = worst_assignment(
                gain, by_sample, reading.limit, -np.inf, _ATTACK_NODES // n_samples, LARGEST_SUM, choice
            )
        if np.isnan(value):
            undecided[n_undecided] = number
            n_undecided += 1
        elif value < cutoff:
            cutoff = value
            best = number
    return best, cutoff, n_undecided


def hard_attack(structure: IntArray, reading: Reading, slot_loss: FloatArray) -> float:
    """Return the worst case of a structure with fixed solutions; where it is not exact, a number above it."""
    move_cost, budget = np.empty(slot_loss.shape), reading.limit / (1.0 + BUDGET)
    structure_costs(structure, reading, move_cost)
    gain, by_sample = np.ascontiguousarray(slot_loss.T), np.ascontiguousarray(move_cost.T)
    return solve_knapsack(gain, by_sample, budget, node_limit=_HARD_ATTACK_NODES).bound
