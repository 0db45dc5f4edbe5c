"""What a structure costs at least, whole or in part: any affordable attack on the nodes that are open bounds it.

By weak duality a structure costs at least Σ_k F(samples sent to k), whichever affordable assignment sends them. Where
a subtree is still open, the table for as many solutions as it will have takes the place of F. What an attack costs
depends on the samples at each node only, so one that excluded something is kept: it excludes every structure that it
can be afforded in, at the cost of a few sums.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray

_GAIN = 1e-12
_PRICE = 1e-9

_MOST_KEPT = 32
"""How many attacks are kept."""


class Frontier(NamedTuple):
    """The nodes that are open: slots, and nodes whose splits are still to be chosen."""

    # The nodes, and how many more levels each will have below it.
    nodes: IntArray
    levels: IntArray
    move_cost: FloatArray  # Per node of the whole tree and sample what it takes to move the sample there.


@kernel(inline="always")
def _go_where_it_costs_least(nodes: IntArray, move_cost: FloatArray, at: IntArray) -> None:
    """Write for each sample the place among the open nodes that costs least to reach, the first one of equals."""
    for row in range(at.size):
        at[row] = 0
        for place in range(1, nodes.size):
            if move_cost[nodes[place], row] < move_cost[nodes[at[row]], row]:
                at[row] = place


@kernel
def frontier_bound(frontier: Frontier, tables: FloatArray, limit: float, target: float, at: IntArray) -> float:
    """Return a lower bound on all trees that begin with these open nodes; stop early once at `target`.

    It is what a greedy attack on the open nodes costs. Row d of the tables has for every subset of the samples the
    least cost with 2^d solutions. Starting with every sample where it is, again and again the move is made that raises
    the bound most per unit of budget. A move takes one sample to another node, or all samples of a node together. `at`
    takes the places of the samples under the attack.
    """
    nodes, levels, move_cost = frontier.nodes, frontier.levels, frontier.move_cost
    count, n_samples = nodes.size, at.size
    masks, worth, total = np.zeros(count, np.int64), np.empty(count), 0.0
    _go_where_it_costs_least(nodes, move_cost, at)
    for row in range(n_samples):
        masks[at[row]] |= 1 << row
        limit -= move_cost[nodes[at[row]], row]
    for place in range(count):
        worth[place] = tables[levels[place], masks[place]]
        total += worth[place]
    while total < target:
        best, moved, source, sink, best_gain, best_price = 0.0, 0, 0, 0, 0.0, 0.0
        for row in range(n_samples):  # one sample to another node
            here = at[row]
            bit = 1 << row
            given_up = worth[here] - tables[levels[here], masks[here] ^ bit]
            for place in range(count):
                price = move_cost[nodes[place], row] - move_cost[nodes[here], row]
                if place == here or price > limit:
                    continue
                gain = tables[levels[place], masks[place] | bit] - worth[place] - given_up
                rate = gain / max(price, _PRICE)
                if gain > _GAIN and rate > best:
                    best, moved, source, sink, best_gain, best_price = rate, bit, here, place, gain, price
        for here in range(count):  # all samples of a node together
            for place in range(count):
                if place == here or masks[here] == 0:
                    continue
                gain = tables[levels[place], masks[place] | masks[here]] - worth[place] - worth[here]
                if gain <= _GAIN:
                    continue
                price = 0.0
                for row in range(n_samples):
                    if at[row] == here:
                        price += move_cost[nodes[place], row] - move_cost[nodes[here], row]
                rate = gain / max(price, _PRICE)
                if price <= limit and rate > best:
                    best, moved, source, sink, best_gain, best_price = rate, masks[here], here, place, gain, price
        if best <= 0.0:
            break
        masks[source] ^= moved
        masks[sink] |= moved
        for row in range(n_samples):
            if moved >> row & 1:
                at[row] = sink
        worth[source] = tables[levels[source], masks[source]]
        worth[sink] = tables[levels[sink], masks[sink]]
        limit -= best_price
        total += best_gain
    return total


class KeptAttacks(NamedTuple):
    """Attacks that excluded something, and what they exclude among the last node's splits."""

    # Per node whose splits are listed, and last for the slots: per attack and sample the open node it is sent to.
    place: IntArray
    worth: FloatArray  # Per node and attack what it costs at least; −∞ where there is none.
    oldest: IntArray  # Per node the attack that is replaced next.
    # Per attack on the slots and split of the last node's list what the samples cost that are sent to its two slots.
    spent: FloatArray
    known: BoolArray  # Per attack on the slots whether `spent` is about the present list.
    # Per split of the list whether an attack excludes it below the present splits of the other nodes.
    excluded: BoolArray


def new_kept_attacks(n_nodes: int, n_splits: int, n_samples: int) -> KeptAttacks:
    """Return room for attacks."""
    return KeptAttacks(
        np.zeros((n_nodes, _MOST_KEPT, n_samples), dtype=np.int64),
        np.full((n_nodes, _MOST_KEPT), -np.inf),
        np.zeros(n_nodes, dtype=np.int64),
        np.empty((_MOST_KEPT, n_splits)),
        np.zeros(_MOST_KEPT, dtype=np.bool_),
        np.zeros(n_splits, dtype=np.bool_),
    )


@kernel
def keep(node: int, at: IntArray, bound: float, kept: KeptAttacks) -> int:
    """Keep an attack in place of the oldest one; return its number."""
    number = int(kept.oldest[node])
    kept.oldest[node] = (number + 1) % kept.worth.shape[1]
    copy_into(at, kept.place[node, number])
    kept.worth[node, number] = bound
    return number


@kernel
def kept_bound(node: int, frontier: Frontier, limit: float, target: float, kept: KeptAttacks) -> float:
    """Return what a kept attack costs that can be afforded and reaches the target; −∞ if there is none."""
    nodes, move_cost = frontier.nodes, frontier.move_cost
    for number in range(kept.worth.shape[1]):
        if kept.worth[node, number] >= target:
            left = limit
            for row in range(move_cost.shape[1]):
                left -= move_cost[nodes[kept.place[node, number, row]], row]
                if left < 0.0:
                    break
            if left >= 0.0:
                return float(kept.worth[node, number])
    return -np.inf


@kernel
def exclude_like(
    at: IntArray, bound: float, limit: float, slot_cost: FloatArray, last: FloatArray, kept: KeptAttacks
) -> None:
    """Keep a new attack on the slots, and mark what it excludes; see `exclude_all`."""
    number = keep(len(kept.worth) - 1, at, bound, kept)
    kept.known[number] = False
    _exclude(number, limit, slot_cost, last, kept)


@kernel
def exclude_all(limit: float, target: float, slot_cost: FloatArray, last: FloatArray, kept: KeptAttacks) -> None:
    """Mark the last node's splits that kept attacks exclude below the present splits of all other nodes.

    `slot_cost` has a row of move costs per slot; the last two are the last node's, whose costs are in `last`: per split
    of its list, slot and sample.
    """
    kept.excluded[:] = False
    for number in range(kept.worth.shape[1]):
        if kept.worth[-1, number] >= target:
            _exclude(number, limit, slot_cost, last, kept)


@kernel
def _exclude(number: int, limit: float, slot_cost: FloatArray, last: FloatArray, kept: KeptAttacks) -> None:
    """Mark the last node's splits that one attack excludes; see `exclude_all`."""
    at, spent, first_slot, count = kept.place[-1, number], kept.spent[number], len(slot_cost) - 2, len(last)
    for row in range(at.size):
        if at[row] < first_slot:
            limit -= slot_cost[at[row], row]
    if not limit >= 0.0:
        return
    if not kept.known[number]:
        kept.known[number] = True
        spent[:count] = 0.0
        for row in range(at.size):
            if at[row] >= first_slot:
                for split in range(count):
                    spent[split] += last[split, at[row] - first_slot, row]
    for split in range(count):
        if spent[split] <= limit:
            kept.excluded[split] = True
