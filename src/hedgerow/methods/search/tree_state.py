"""A tree in the making: structure and solutions with all that moves need to know about it."""

__all__ = ["TreeState", "nodes_below", "passing", "slots_below", "splits_with_rows"]

from dataclasses import dataclass

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots


@dataclass(frozen=True, eq=False)
class TreeState:
    """A structure whose slots hold solutions of a pool. Moves make new ones; arrays that don't change are shared."""

    structure: IntArray  # one split per inner node, level by level; see `hedgerow.tree.structure`
    choice: IntArray  # per slot its solution's place in the pool
    # Slots × samples: what it takes to send a sample to the slot, and what that costs.
    move_cost: FloatArray
    slot_loss: FloatArray
    value: float  # the worst-case loss, or a number just above it where the adversary is relaxed
    rate: float  # what a unit of a global budget is worth to the adversary


def slots_below(node: int, n_inner: int) -> tuple[int, int]:
    """Return the first slot below a node and the one after the last."""
    begin = end = node
    while begin < n_inner:
        begin, end = 2 * begin + 1, 2 * end + 2
    return begin - n_inner, end - n_inner + 1


def nodes_below(node: int, n_inner: int) -> list[int]:
    """Return a node and all inner nodes below it, from the top down."""
    nodes, level = [], [node]
    while level[0] < n_inner:
        nodes += level
        level = [child for place in level for child in (2 * place + 1, 2 * place + 2)]
    return nodes


def splits_with_rows(
    structure: IntArray, node: int, splits: Splits, observations: FloatArray, fewest: int
) -> BoolArray:
    """Return for each split whether all leaves below the node have `fewest` rows of their own if it asks that.

    Rows are sorted once per item and leaf, whatever the number of splits.
    """
    begin, end = slots_below(node, structure.size)
    middle = (begin + end) // 2
    own = observations[passing(structure, node, splits, observations)]
    if_left = _route(structure, 2 * node + 1, structure.size, splits, own) - structure.size
    if_right = _route(structure, 2 * node + 2, structure.size, splits, own) - structure.size
    asking = np.where(np.arange(structure.size) == node, 0, structure)
    leaves = np.flatnonzero(existing_slots(asking)[begin:end]) + begin
    keeps = np.ones(len(splits), dtype=bool)
    for first, last in zip(splits.first, np.append(splits.first[1:], len(splits)), strict=True):
        values, thresholds = own[:, splits.question[first]], splits.threshold[first:last]
        for slot in leaves:
            there = np.sort(values[(if_left if slot < middle else if_right) == slot])
            at_most = np.searchsorted(there, thresholds, side="right")
            keeps[first:last] &= (at_most if slot < middle else there.size - at_most) >= fewest
    return keeps


def passing(structure: IntArray, node: int, splits: Splits, observations: FloatArray) -> BoolArray:
    """Return which observations come by a node of the structure by themselves."""
    return np.asarray(_route(structure, 0, node, splits, observations) == node)


def _route(structure: IntArray, start: int, until: int, splits: Splits, observations: FloatArray) -> IntArray:
    """Return the node that each observation has come to when its number is first at least `until`."""
    rows = np.arange(observations.shape[0])
    node = np.full(rows.size, start, dtype=np.int64)
    while start < until:
        moving = node < until
        split = structure[np.where(moving, node, 0)]
        goes_right = (split != NO_SPLIT) & (observations[rows, splits.question[split]] > splits.threshold[split])
        node = np.where(moving, 2 * node + 1 + goes_right, node)
        start = 2 * start + 1
    return node
