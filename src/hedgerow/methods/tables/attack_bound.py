"""A lower bound on the value of a structure, whole or in part: any affordable assignment of samples will do.

By weak duality a structure costs at least Σ_k F(samples sent to k), whichever affordable assignment sends them. Where
a subtree is still open, the table for as many solutions as it will have takes the place of F.
"""

__all__ = ["attack_bound"]

import numpy as np
from numba import njit

from hedgerow.arrays import FloatArray, IntArray

_GAIN = 1e-12
_PRICE = 1e-9


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

    Starting with every sample where it is, again and again the move is made that raises the bound most: once per unit
    of budget, and if that does not reach the target, once more by itself. A move takes one sample to another node, or
    all samples of a node together. `move_cost[node, j]` says what moves cost, `levels` which table belongs to a node.
    """
    best = -np.inf
    for by_rate in (True, False):
        best = max(best, _greedy_attack(nodes, levels, count, move_cost, tables, limit, target, by_rate))
        if best >= target or limit <= 0.0:
            break
    return best


@njit(cache=True)
def _greedy_attack(
    nodes: IntArray,
    levels: IntArray,
    count: int,
    move_cost: FloatArray,
    tables: FloatArray,
    limit: float,
    target: float,
    by_rate: bool,
) -> float:
    n_samples = move_cost.shape[1]
    masks = np.zeros(count, np.int64)
    at = np.zeros(n_samples, np.int64)
    for row in range(n_samples):
        for place in range(1, count):
            if move_cost[nodes[place], row] < move_cost[nodes[at[row]], row]:
                at[row] = place
        masks[at[row]] |= 1 << row
        limit -= move_cost[nodes[at[row]], row]
    worth = np.empty(count)
    total = 0.0
    for place in range(count):
        worth[place] = tables[levels[place], masks[place]]
        total += worth[place]
    while total < target:
        best_rate, best_set, best_from, best_to, best_gain, best_price = 0.0, 0, 0, 0, 0.0, 0.0
        for row in range(n_samples):
            here = at[row]
            bit = 1 << row
            given_up = worth[here] - tables[levels[here], masks[here] ^ bit]
            for place in range(count):
                price = move_cost[nodes[place], row] - move_cost[nodes[here], row]
                if place == here or price > limit:
                    continue
                gain = tables[levels[place], masks[place] | bit] - worth[place] - given_up
                rate = gain / max(price, _PRICE) if by_rate else gain
                if gain > _GAIN and rate > best_rate:
                    best_rate, best_set, best_from, best_to = rate, bit, here, place
                    best_gain, best_price = gain, price
        for here in range(count):
            for place in range(count):
                if place == here or masks[here] == 0:
                    continue
                gain = tables[levels[place], masks[place] | masks[here]] - worth[place] - worth[here]
                if gain <= _GAIN or (not by_rate and gain <= best_rate):
                    continue
                price = 0.0
                for row in range(n_samples):
                    if at[row] == here:
                        price += move_cost[nodes[place], row] - move_cost[nodes[here], row]
                if price > limit:
                    continue
                rate = gain / max(price, _PRICE) if by_rate else gain
                if rate > best_rate:
                    best_rate, best_set, best_from, best_to = rate, masks[here], here, place
                    best_gain, best_price = gain, price
        if best_set == 0:
            break
        masks[best_from] ^= best_set
        masks[best_to] |= best_set
        for row in range(n_samples):
            if best_set >> row & 1:
                at[row] = best_to
        worth[best_from] = tables[levels[best_from], masks[best_from]]
        worth[best_to] = tables[levels[best_to], masks[best_to]]
        limit -= best_price
        total += best_gain
    return total
