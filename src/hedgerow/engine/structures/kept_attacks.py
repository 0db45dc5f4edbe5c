"""Attacks that excluded something before, kept to exclude what is like it: a few sums in place of a new attack.

An attack is an assignment of samples to open nodes. What it costs the tree at least depends on the samples at each node
only, so it excludes every structure that it can be afforded in.
"""

__all__ = [
    "KeptAttacks",
    "LastNode",
    "exclude_all",
    "exclude_like",
    "keep",
    "kept_bound",
    "new_attacks",
    "new_last_node",
]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.tables.subsets import MAX_DENSE

_MOST = 32
"""How many attacks of a kind are kept."""


class KeptAttacks(NamedTuple):
    """Attacks by the kind of nodes that they are on.

    Attributes
    ----------
    place
        Per kind, attack and sample which of the nodes it is sent to.
    worth
        Per kind and attack what it costs at least; −∞ where there is none.
    """

    place: IntArray
    worth: FloatArray


class LastNode(NamedTuple):
    """The splits that the last node may get, what samples pay to its slots, and which of them attacks exclude.

    Attributes
    ----------
    move_cost
        Per split of the list, slot and sample what it takes to move the sample there.
    excluded
        Per split of the list whether an attack excludes it below the splits of the other nodes.
    spent
        Per attack and split of the list what the samples cost that are sent to the two slots.
    known
        Per attack whether `spent` is about the present list.
    sizes
        How many splits are listed, and how many attacks were kept so far.
    """

    move_cost: FloatArray
    excluded: BoolArray
    spent: FloatArray
    known: BoolArray
    sizes: IntArray


def new_attacks(n_kinds: int, n_samples: int) -> KeptAttacks:
    """Return room for attacks, and none where there are too many samples for tables of subsets."""
    most = _MOST if n_samples <= MAX_DENSE else 0
    return KeptAttacks(np.zeros((n_kinds, most, n_samples), dtype=np.int64), np.full((n_kinds, most), -np.inf))


def new_last_node(n_splits: int, n_samples: int) -> LastNode:
    """Return room for a list of splits, or none as for attacks."""
    most = n_splits + 1 if n_samples <= MAX_DENSE else 0
    return LastNode(
        np.empty((most, 2, n_samples)),
        np.zeros(most, dtype=np.bool_),
        np.empty((_MOST, most)),
        np.zeros(_MOST, dtype=np.bool_),
        np.zeros(2, dtype=np.int64),
    )


@kernel
def kept_bound(
    kind: int, nodes: IntArray, move_cost: FloatArray, limit: float, target: float, kept: KeptAttacks
) -> float:
    """Return what a kept attack costs that can be afforded and reaches the target; −∞ if there is none."""
    place, worth = kept.place[kind], kept.worth[kind]
    for number in range(worth.size):
        if worth[number] >= target:
            spent = 0.0
            for row in range(move_cost.shape[1]):
                spent += move_cost[nodes[place[number, row]], row]
            if spent <= limit:
                found = float(worth[number])
                _move_forward(number, place, worth)
                return float(found)
    return -np.inf


@kernel(inline="always")
def _move_forward(number: int, place: IntArray, worth: FloatArray) -> None:
    """Let an attack change places with the one half as far behind the first."""
    ahead = number // 2
    worth[number], worth[ahead] = worth[ahead], worth[number]
    for row in range(place.shape[1]):
        place[number, row], place[ahead, row] = place[ahead, row], place[number, row]


@kernel
def keep(kind: int, at: IntArray, bound: float, kept: KeptAttacks) -> None:
    """Keep an attack, in front of those that were of little use; the last one is forgotten."""
    place, worth = kept.place[kind], kept.worth[kind]
    middle = worth.size // 2
    for number in range(worth.size - 1, middle, -1):
        copy_into(place[number - 1], place[number])
        worth[number] = worth[number - 1]
    copy_into(at, place[middle])
    worth[middle] = bound


@kernel(inline="always")
def exclude_all(
    kind: int, limit: float, target: float, move_cost: FloatArray, kept: KeptAttacks, last: LastNode
) -> None:
    """Mark the last node's splits that kept attacks exclude below the present splits of all other nodes.

    `move_cost` has a row per slot; the last two are the last node's.
    """
    last.excluded[:] = False
    for number in range(kept.worth.shape[1]):
        if kept.worth[kind, number] >= target:
            _exclude(number, kept.place[kind, number], limit, move_cost, last)


@kernel(inline="always")
def exclude_like(
    kind: int, at: IntArray, bound: float, limit: float, move_cost: FloatArray, kept: KeptAttacks, last: LastNode
) -> None:
    """Keep a new attack in place of the oldest one, and mark what it excludes."""
    number = int(last.sizes[1]) % kept.worth.shape[1]
    last.sizes[1] += 1
    copy_into(at, kept.place[kind, number])
    kept.worth[kind, number] = bound
    last.known[number] = False
    _exclude(number, at, limit, move_cost, last)


@kernel
def _exclude(number: int, at: IntArray, limit: float, move_cost: FloatArray, last: LastNode) -> None:
    first_slot, count, spent = len(move_cost) - 2, last.sizes[0], last.spent[number]
    for row in range(at.size):
        if at[row] < first_slot:
            limit -= move_cost[at[row], row]
    if not limit >= 0.0:
        return
    if not last.known[number]:
        last.known[number] = True
        spent[:count] = 0.0
        for row in range(at.size):
            if at[row] >= first_slot:
                for split in range(count):
                    spent[split] += last.move_cost[split, at[row] - first_slot, row]
    for split in range(count):
        if spent[split] <= limit:
            last.excluded[split] = True
