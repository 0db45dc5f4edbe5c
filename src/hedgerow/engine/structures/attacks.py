"""What a structure costs at least, whole or in part: any affordable attack on the nodes that are open bounds it.

By weak duality a structure costs at least Σ_k F(samples sent to k), whichever affordable assignment sends them. Where
a subtree is still open, the table for as many solutions as it will have takes the place of F. What an attack costs
depends on the samples at each node only, so one that excluded something is kept: it excludes every structure that it
can be afforded in, at the cost of a few sums.
"""

__all__ = [
    "Frontier",
    "KeptAttacks",
    "SetCosts",
    "attack_bound",
    "exclude",
    "exclude_all",
    "fixed_attack",
    "frontier_bound",
    "keep",
    "kept_bound",
    "new_kept_attacks",
    "set_costs_of",
]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, smallest
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.structures.subsets import MAX_DENSE

_GAIN = 1e-12
_PRICE = 1e-9

_MOST_KEPT = 32
"""How many attacks of a kind are kept."""


class SetCosts(NamedTuple):
    """What sets of samples cost at least, in the forms that bounds use.

    Attributes
    ----------
    tables
        Row d: for every subset of the samples the least cost with 2^d solutions; no columns where there are too many
        subsets.
    loss
        Per sample and solution the loss, of all solutions that matter; no columns where these are not listed.
    fixed
        Where the slots' solutions are given: per node and sample the least loss at the slots below the node; else no
        rows.
    """

    tables: FloatArray
    loss: FloatArray
    fixed: FloatArray


def set_costs_of(
    *, tables: FloatArray | None = None, loss: FloatArray | None = None, fixed: FloatArray | None = None
) -> SetCosts:
    """Return the costs that are known, with empty arrays for what is not."""
    return SetCosts(
        np.empty((1, 0)) if tables is None else tables,
        np.empty((0, 0)) if loss is None else loss,
        np.empty((0, 0)) if fixed is None else fixed,
    )


class Frontier(NamedTuple):
    """The nodes that are open: slots, and nodes whose splits are still to be chosen.

    Attributes
    ----------
    nodes, levels
        The nodes, and how many more levels each will have below it.
    move_cost
        Per node of the whole tree and sample what it takes to move the sample there.
    """

    nodes: IntArray
    levels: IntArray
    move_cost: FloatArray


@kernel
def frontier_bound(frontier: Frontier, costs: SetCosts, limit: float, target: float, at: IntArray) -> float:
    """Return a lower bound on all trees that begin with these open nodes; stop early once at `target`.

    Where an attack on tables makes the bound, `at` takes the places of the samples.
    """
    if costs.fixed.shape[0]:
        return fixed_attack(frontier, costs.fixed, limit, target, at)
    if costs.tables.shape[1]:
        return attack_bound(frontier, costs.tables, limit, target, at)
    return _nominal_bound(frontier, costs.loss, at)


@kernel(inline="always")
def _go_where_it_costs_least(frontier: Frontier, at: IntArray) -> None:
    """Write for each sample the place among the open nodes that costs least to reach, the first one of equals."""
    nodes, move_cost = frontier.nodes, frontier.move_cost
    for row in range(at.size):
        at[row] = 0
        for place in range(1, nodes.size):
            if move_cost[nodes[place], row] < move_cost[nodes[at[row]], row]:
                at[row] = place


@kernel(inline="always")
def _nominal_bound(frontier: Frontier, loss: FloatArray, at: IntArray) -> float:
    """Return the bound for samples that go where it costs least to send them; open subtrees serve each one best."""
    _go_where_it_costs_least(frontier, at)
    total, sums = 0.0, np.empty(loss.shape[1])
    for place in range(frontier.nodes.size):
        sums[:] = 0.0
        for row in range(at.size):
            if at[row] == place and frontier.levels[place] == 0:
                for solution in range(sums.size):
                    sums[solution] += loss[row, solution]
            elif at[row] == place:
                total += smallest(loss[row])
        total += smallest(sums)
    return total


@kernel
def attack_bound(frontier: Frontier, tables: FloatArray, limit: float, target: float, at: IntArray) -> float:
    """Return the cost under a greedy attack on the open nodes; stop early once at `target`.

    Starting with every sample where it is, again and again the move is made that raises the bound most: once per unit
    of budget, and if that does not reach the target, once more by itself. A move takes one sample to another node, or
    all samples of a node together. `at` takes the places of the samples under the last attack.
    """
    best = -np.inf
    for by_rate in (True, False):
        best = max(best, _greedy_attack(frontier, tables, limit, target, by_rate, at))
        if best >= target or limit <= 0.0:
            break
    return best


@kernel(inline="always")
def _greedy_attack(
    frontier: Frontier, tables: FloatArray, limit: float, target: float, by_rate: bool, at: IntArray
) -> float:
    nodes, levels = frontier.nodes, frontier.levels
    masks, worth, total = np.zeros(nodes.size, np.int64), np.empty(nodes.size), 0.0
    _go_where_it_costs_least(frontier, at)
    for row in range(at.size):
        masks[at[row]] |= 1 << row
        limit -= frontier.move_cost[nodes[at[row]], row]
    for place in range(nodes.size):
        worth[place] = tables[levels[place], masks[place]]
        total += worth[place]
    while total < target:
        single = _best_single_move(frontier, tables, limit, by_rate, masks, at, worth)
        merger = _best_merger(frontier, tables, limit, by_rate, masks, at, worth, single[0])
        rate, moved, source, sink, gain, price = merger if merger[0] > single[0] else single
        if rate <= 0.0:
            break
        masks[source] ^= moved
        masks[sink] |= moved
        for row in range(at.size):
            if moved >> row & 1:
                at[row] = sink
        worth[source] = tables[levels[source], masks[source]]
        worth[sink] = tables[levels[sink], masks[sink]]
        limit -= price
        total += gain
    return total


@kernel(inline="always")
def _best_single_move(
    frontier: Frontier,
    tables: FloatArray,
    limit: float,
    by_rate: bool,
    masks: IntArray,
    at: IntArray,
    worth: FloatArray,
) -> tuple[float, int, int, int, float, float]:
    """Return the best move of one sample: rate, sample as a mask, from where, to where, gain, price."""
    nodes, levels, move_cost = frontier.nodes, frontier.levels, frontier.move_cost
    best = (0.0, 0, 0, 0, 0.0, 0.0)
    for row in range(at.size):
        here = at[row]
        bit = 1 << row
        given_up = worth[here] - tables[levels[here], masks[here] ^ bit]
        for place in range(nodes.size):
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
    frontier: Frontier,
    tables: FloatArray,
    limit: float,
    by_rate: bool,
    masks: IntArray,
    at: IntArray,
    worth: FloatArray,
    to_beat: float,
) -> tuple[float, int, int, int, float, float]:
    """Return the best move of all samples of a node together, in the same form."""
    nodes, levels, move_cost = frontier.nodes, frontier.levels, frontier.move_cost
    best = (to_beat, 0, 0, 0, 0.0, 0.0)
    for here in range(nodes.size):
        for place in range(nodes.size):
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


@kernel
def fixed_attack(frontier: Frontier, node_loss: FloatArray, limit: float, target: float, at: IntArray) -> float:
    """Return the loss under a greedy attack where solutions are given; stop early once at `target`.

    `node_loss[node, j]` is what sample j costs at a node. Every sample begins at the worst node that costs nothing to
    reach; then moves are made, most gain per cost first. Where budgets are local (moves cost 0 or ∞) this is the worst
    case itself.
    """
    nodes, move_cost = frontier.nodes, frontier.move_cost
    total = 0.0
    for row in range(at.size):
        at[row] = 0
        for place in range(1, nodes.size):
            here, there = nodes[at[row]], nodes[place]
            cheaper = move_cost[there, row] < move_cost[here, row]
            same = move_cost[there, row] == move_cost[here, row]
            if cheaper or (same and node_loss[there, row] > node_loss[here, row]):
                at[row] = place
        total += node_loss[nodes[at[row]], row]
        limit -= move_cost[nodes[at[row]], row]
    while total < target and limit > 0.0:
        best_rate, best_row, best_place = 0.0, -1, -1
        for row in range(at.size):
            here = nodes[at[row]]
            for place in range(nodes.size):
                gain = node_loss[nodes[place], row] - node_loss[here, row]
                price = move_cost[nodes[place], row] - move_cost[here, row]
                if gain > _GAIN and price <= limit and gain / max(price, _PRICE) > best_rate:
                    best_rate, best_row, best_place = gain / max(price, _PRICE), row, place
        if best_row < 0:
            break
        here, there = nodes[at[best_row]], nodes[best_place]
        total += node_loss[there, best_row] - node_loss[here, best_row]
        limit -= move_cost[there, best_row] - move_cost[here, best_row]
        at[best_row] = best_place
    return total


class KeptAttacks(NamedTuple):
    """Attacks by the kind of nodes that they are on, and what they exclude among the last node's splits.

    Attributes
    ----------
    place
        Per kind, attack and sample which of the open nodes it is sent to.
    worth
        Per kind and attack what it costs at least; −∞ where there is none.
    oldest
        Per kind the attack that is replaced next.
    spent
        Per attack on the slots and split of the last node's list what the samples cost that are sent to its two slots.
    known
        Per such attack whether `spent` is about the present list.
    excluded
        Per split of the list whether an attack excludes it below the present splits of the other nodes.
    """

    place: IntArray
    worth: FloatArray
    oldest: IntArray
    spent: FloatArray
    known: BoolArray
    excluded: BoolArray


def new_kept_attacks(n_kinds: int, n_splits: int, n_samples: int) -> KeptAttacks:
    """Return room for attacks, and none where there are too many samples for tables of subsets."""
    most = _MOST_KEPT if n_samples <= MAX_DENSE else 0
    return KeptAttacks(
        np.zeros((n_kinds, most, n_samples), dtype=np.int64),
        np.full((n_kinds, most), -np.inf),
        np.zeros(n_kinds, dtype=np.int64),
        np.empty((most, n_splits)),
        np.zeros(most, dtype=np.bool_),
        np.zeros(n_splits, dtype=np.bool_),
    )


@kernel
def keep(kind: int, at: IntArray, bound: float, kept: KeptAttacks) -> int:
    """Keep an attack in place of the oldest one of its kind; return its number."""
    number = int(kept.oldest[kind])
    kept.oldest[kind] = (number + 1) % kept.worth.shape[1]
    copy_into(at, kept.place[kind, number])
    kept.worth[kind, number] = bound
    return number


@kernel
def kept_bound(kind: int, frontier: Frontier, limit: float, target: float, kept: KeptAttacks) -> float:
    """Return what a kept attack costs that can be afforded and reaches the target; −∞ if there is none."""
    nodes, move_cost = frontier.nodes, frontier.move_cost
    for number in range(kept.worth.shape[1]):
        if kept.worth[kind, number] >= target:
            place, spent = kept.place[kind, number], 0.0
            for row in range(place.size):
                spent += move_cost[nodes[place[row]], row]
            if spent <= limit:
                return float(kept.worth[kind, number])
    return -np.inf


@kernel
def exclude_all(
    kind: int, limit: float, target: float, slot_cost: FloatArray, last: FloatArray, kept: KeptAttacks
) -> None:
    """Mark the last node's splits that kept attacks exclude below the present splits of all other nodes.

    `slot_cost` has a row of move costs per slot; the last two are the last node's, whose costs are in `last`: per split
    of its list, slot and sample.
    """
    kept.excluded[:] = False
    for number in range(kept.worth.shape[1]):
        if kept.worth[kind, number] >= target:
            exclude(kind, number, limit, slot_cost, last, kept)


@kernel
def exclude(kind: int, number: int, limit: float, slot_cost: FloatArray, last: FloatArray, kept: KeptAttacks) -> None:
    """Mark the last node's splits that one attack excludes; see `exclude_all`."""
    at, spent, first_slot, count = kept.place[kind, number], kept.spent[number], len(slot_cost) - 2, len(last)
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
