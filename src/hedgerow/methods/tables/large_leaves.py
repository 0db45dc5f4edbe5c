"""The leaf problem under a global budget where the adversary's problem is large: the same loop with the full knapsack."""

__all__ = ["large_leaf_problem"]

import numpy as np

from hedgerow.adversary.knapsack import solve_knapsack
from hedgerow.arrays import IntArray
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
    scenarios: list[np.ndarray] = []
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
