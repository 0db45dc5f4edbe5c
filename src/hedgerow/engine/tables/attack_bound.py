"""A lower bound on the value of a structure, whole or in part: any affordable assignment of samples will do.

By weak duality a structure costs at least Σ_k F(samples sent to k), whichever affordable assignment sends them. Where
a subtree is still open, the table for as many solutions as it will have takes the place of F.
"""

__all__ = ["attack_bound"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray

_GAIN = 1e-12
_PRICE = 1e-9


@kernel
def attack_bound(
    nodes: IntArray,
    levels: IntArray,
    count: int,
    move_cost: FloatArray,
    tables: FloatArray,
    limit: float,
    target: float,
    at: IntArray,
) -> float:
    """Return the cost under a greedy attack on the first `count` of the given nodes; stop early once at `target`.

    Starting with every sample where it is, again and again the move is made that raises the bound most: once per unit
    of budget, and if that does not reach the target, once more by itself. A move takes one sample to another node, or
    all samples of a node together. `move_cost[node, j]` says what moves cost, `levels` which table belongs to a node.
    `at` takes the places of the samples under the last attack.
    """
    best = -np.inf
    for by_rate in (True, False):
        best = max(best, _greedy_attack(nodes, levels, count, move_cost, tables, limit, target, by_rate, at))
        if best >= target or limit <= 0.0:
            break
    return best


@kernel(inline="always")
def _greedy_attack(
    nodes: IntArray,
    levels: IntArray,
    count: int,
    move_cost: FloatArray,
    tables: FloatArray,
    limit: float,
    target: float,
    by_rate: bool,
    at: IntArray,
) -> float:
    n_samples = move_cost.shape[1]
    masks = np.zeros(count, np.int64)
    at[:] = 0
    for row in range(n_samples):
        for place in range(1, count):
            if move_cost[nodes[place], row] < move_cost[nodes[at[row]], row]:
                at[row] = place
        masks[at[row]] |= 1 << row
        limit -= move_cost[nodes[at[row]], row]
    worth, total = np.empty(count), 0.0
    for place in range(count):
        worth[place] = tables[levels[place], masks[place]]
        total += worth[place]
    while total < target:
        single = _best_single_move(nodes, levels, count, move_cost, tables, limit, by_rate, masks, at, worth)
        merger = _best_merger(nodes, levels, count, move_cost, tables, limit, by_rate, masks, at, worth, single[0])
        rate, moved, source, sink, gain, price = merger if merger[0] > single[0] else single
        if rate <= 0.0:
            break
        masks[source] ^= moved
        masks[sink] |= moved
        for row in range(n_samples):
            if moved >> row & 1:
                at[row] = sink
        worth[source] = tables[levels[source], masks[source]]
        worth[sink] = tables[levels[sink], masks[sink]]
        limit -= price
        total += gain
    return total


@kernel(inline="always")
def _best_single_move(
    nodes: IntArray,
    levels: IntArray,
    count: int,
    move_cost: FloatArray,
    tables: FloatArray,
    limit: float,
    by_rate: bool,
    masks: IntArray,
    at: IntArray,
    worth: FloatArray,
) -> tuple[float, int, int, int, float, float]:
    """Return the best move of one sample: rate, sample as a mask, from where, to where, gain, price."""
    best = (0.0, 0, 0, 0, 0.0, 0.0)
    for row in range(at.size):
        here = at[row]
        bit = 1 << row
        given_up = worth[here] - tables[levels[here], masks[here] ^ bit]
        for place in range(count):
            price = move_cost[nodes[place], row] - move_cost[nodes[here], row]
            if place == here or price > limit:
                continue
            gain = tables[levels[place], masks[place] | bit] - worth[place] - given_up
            rate = gain / max(price, _PRICE) if by_rate else gain
            if gain > _GAIN and rate > best[0]:
                best = (rate, bit, here, place, gain, price)
    return best


@kernel(inline="always")
def _best_merger(
    nodes: IntArray,
    levels: IntArray,
    count: int,
    move_cost: FloatArray,
    tables: FloatArray,
    limit: float,
    by_rate: bool,
    masks: IntArray,
    at: IntArray,
    worth: FloatArray,
    to_beat: float,
) -> tuple[float, int, int, int, float, float]:
    """Return the best move of all samples of a node together, in the same form."""
    best = (to_beat, 0, 0, 0, 0.0, 0.0)
    for here in range(count):
        for place in range(count):
            if place == here or masks[here] == 0:
                continue
            gain = tables[levels[place], masks[place] | masks[here]] - worth[place] - worth[here]
            if gain <= _GAIN or (not by_rate and gain <= best[0]):
                continue
            price = 0.0
            for row in range(at.size):
                if at[row] == here:
                    price += move_cost[nodes[place], row] - move_cost[nodes[here], row]
            rate = gain / max(price, _PRICE) if by_rate else gain
            if price <= limit and rate > best[0]:
                best = (rate, masks[here], here, place, gain, price)
    return best
