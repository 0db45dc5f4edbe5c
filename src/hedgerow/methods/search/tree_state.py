"""A tree in the making: structure and solutions with all that moves need to know about it."""

from dataclasses import dataclass

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT


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


def nodes_below(node: int, n_inner: int) -> list[int]:
    """Return a node and all inner nodes below it, from the top down."""
    nodes, level = [], [node]
    while level[0] < n_inner:
        nodes += level
        level = [child for place in level for child in (2 * place + 1, 2 * place + 2)]
    return nodes


def passing(structure: IntArray, node: int, splits: Splits, observations: FloatArray) -> BoolArray:
    """Return which observations come by a node of the structure by themselves."""
    passes = np.ones(len(observations), dtype=bool)
    while node > 0:
        node, is_right = (node - 1) // 2, node % 2 == 0
        split = structure[node]
        goes_right = (split != NO_SPLIT) & (observations[:, splits.question[split]] > splits.threshold[split])
        passes &= goes_right == is_right
    return passes
