"""Leaf problems and attacks that are too large for the built-in adversary: the same with the full knapsack."""

__all__ = ["large_attack", "large_leaf_problem"]

import numpy as np

from hedgerow.adversary.knapsack import solve_knapsack
from hedgerow.arrays import FloatArray, IntArray
from hedgerow.methods.tables.leaves import cheapest_against, fill_scenario, slot_order
from hedgerow.methods.tables.reach import Reading, structure_costs
from hedgerow.methods.tables.search import Table
from hedgerow.tolerances import BUDGET, VALUE


def large_leaf_problem(structure: IntArray, reading: Reading, table: Table, cutoff: float, choice: IntArray) -> float:
    """Return the value of a structure if it is below the cut-off, and write its solutions; ∞ if it is not."""
    move_cost = np.empty((structure.size + 1, len(table.loss)))
    structure_costs(structure, reading, move_cost)
    order = slot_order(move_cost)
    by_sample = np.ascontiguousarray(move_cost.T)
    budget = max(0.0, reading.limit - BUDGET)
    slot_of = np.argmin(by_sample, axis=1)
    scenarios: list[FloatArray] = []
    picked = np.zeros(order.size, dtype=np.int64)
    best, found = cutoff, False
    while True:
        scenario = np.empty((order.size, table.loss.shape[1]))
        fill_scenario(table.loss, slot_of, order, scenario)
        scenarios.append(scenario)
        bound = cheapest_against(np.array(scenarios), best, picked)
        if bound >= best:
            break
        gain = np.full(by_sample.shape, -np.inf)
        gain[:, order] = table.loss[:, picked]
        attack = solve_knapsack(gain, by_sample, budget)
        # Where not even this is exact, its bound is what is sure.
        if attack.bound < best:
            best, found = attack.bound, True
            choice[:] = -1
            choice[order] = picked
        if not attack.exact or attack.value <= bound + VALUE * max(1.0, abs(bound)):
            break
        slot_of = np.array(attack.choice)
    return best if found else np.inf


def large_attack(structure: IntArray, reading: Reading, slot_loss: FloatArray) -> float:
    """Return the worst case of a structure with fixed solutions; where it is not exact, a number above it."""
    move_cost = np.empty(slot_loss.shape)
    structure_costs(structure, reading, move_cost)
    budget = max(0.0, reading.limit - BUDGET)
    return solve_knapsack(np.ascontiguousarray(slot_loss.T), np.ascontiguousarray(move_cost.T), budget).bound
