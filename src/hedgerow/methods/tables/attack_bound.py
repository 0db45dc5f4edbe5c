"""A lower bound on the value of a structure, whole or in part: any affordable assignment of samples will do.

By weak duality a structure costs at least Σ_k F(samples sent to k), whichever affordable assignment sends them. Where
a subtree is still open, the table for as many solutions as it will have takes the place of F.
"""

__all__ = ["attack_bound"]

import numpy as np
from numba import njit

from hedgerow.arrays import FloatArray, IntArray


@njit(cache=True)
def attack_bound(
    nodes: IntArray,
    levels: IntArray,
    count: int,
    move_cost: FloatArray,
    tables: FloatArray,
    limit: float,
    target: float,
) -> float:
    """Return the cost under a greedy attack on the first `count` of the given nodes; stop early once at `target`.

    Starting with every sample where it is, again and again the move is made that raises the bound most per unit of
    budget. `move_cost[node, j]` says what moves cost, `levels` which table belongs to each node.
    """
    n_samples = move_cost.shape[1]
    masks = np.zeros(count, np.int64)
    at = np.zeros(n_samples, np.int64)
    spent = np.zeros(n_samples)
    for row in range(n_samples):
        least = np.inf
        for place in range(count):
            if move_cost[nodes[place], row] < least:
                least = move_cost[nodes[place], row]
                at[row] = place
        masks[at[row]] |= 1 << row
        spent[row] = least
        limit -= least
    total = 0.0
    for place in range(count):
        total += tables[levels[place], masks[place]]
    while total < target:
        best_rate = 0.0
        best_row, best_place, best_gain = -1, -1, 0.0
        for row in range(n_samples):
            here = at[row]
            bit = 1 << row
            leaves = tables[levels[here], masks[here]] - tables[levels[here], masks[here] ^ bit]
            for place in range(count):
                if place == here:
                    continue
                price = move_cost[nodes[place], row] - spent[row]
                if price > limit:
                    continue
                gain = tables[levels[place], masks[place] | bit] - tables[levels[place], masks[place]] - leaves
                if gain <= 1e-12:
                    continue
                rate = gain / max(price, 1e-9)
                if rate > best_rate:
                    best_rate, best_row, best_place, best_gain = rate, row, place, gain
        if best_row < 0:
            break
        bit = 1 << best_row
        masks[at[best_row]] ^= bit
        masks[best_place] |= bit
        price = move_cost[nodes[best_place], best_row] - spent[best_row]
        limit -= price
        spent[best_row] += price
        at[best_row] = best_place
        total += best_gain
    return total
