"""A tree without its solutions: one split per inner node.

Structures have a full shape of a given depth. Nodes are numbered level by level (the children of node q are 2q + 1
and 2q + 2), and the 2^depth *slots* below the last level are numbered from left to right. A node may also ask nothing
(`NO_SPLIT`): everything then goes left, and what lies to its right does not exist.
"""

__all__ = ["NO_SPLIT", "existing_slots", "nominal_slots", "structure_allowed", "structure_of", "tree_of"]

from typing import Any

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.run.options import Options
from hedgerow.splits import Splits
from hedgerow.tree import Tree

NO_SPLIT = -1


def existing_slots(structure: IntArray) -> BoolArray:
    """Return which slots exist, that is, don't lie to the right of a node that asks nothing."""
    exists = np.ones(1, dtype=bool)
    for level in range(_depth(structure)):
        splits = structure[2**level - 1 : 2 ** (level + 1) - 1]
        exists = np.stack([exists, exists & (splits != NO_SPLIT)], axis=1).ravel()
    return exists


def nominal_slots(structure: IntArray, splits: Splits, observations: FloatArray) -> IntArray:
    """Return the slot that each observation reaches by itself."""
    rows = np.arange(observations.shape[0])
    node = np.zeros(observations.shape[0], dtype=np.int64)
    for _ in range(_depth(structure) if len(splits) else 0):
        split = structure[node]
        goes_right = (split != NO_SPLIT) & (observations[rows, splits.item[split]] > splits.threshold[split])
        node = 2 * node + 1 + goes_right
    return node - structure.size if len(splits) else node


def structure_allowed(structure: IntArray, splits: Splits, observations: FloatArray, settings: Options) -> bool:
    """Return whether a structure keeps `min_samples_leaf` and `max_leaves`."""
    exists = existing_slots(structure)
    if settings.max_leaves is not None and int(exists.sum()) > settings.max_leaves:
        return False
    if settings.min_samples_leaf == 0:
        return True
    rows = np.bincount(nominal_slots(structure, splits, observations), minlength=exists.size)
    return bool((rows[exists] >= settings.min_samples_leaf).all())


def tree_of(structure: IntArray, splits: Splits, solutions: FloatArray) -> Tree:
    """Return the tree with this structure and one solution per slot; slots that don't exist are left out."""

    def nested(node: int) -> dict[str, Any]:
        if node >= structure.size:
            return {"solution": solutions[node - structure.size]}
        split = int(structure[node])
        if split == NO_SPLIT:
            return nested(2 * node + 1)
        return {
            "item": int(splits.item[split]),
            "threshold": float(splits.threshold[split]),
            "left": nested(2 * node + 1),
            "right": nested(2 * node + 2),
        }

    return Tree.from_dict(nested(0))


def structure_of(tree: Tree, splits: Splits, depth: int) -> IntArray:
    """Return the structure of a tree whose splits are all candidates; leaves above the full depth ask nothing."""
    structure = np.full(2**depth - 1, NO_SPLIT, dtype=np.int64)
    stack = [(0, 0)]
    while stack:
        node, place = stack.pop()
        if tree.item[node] < 0:
            continue
        if place >= structure.size:
            raise InputError(f"the tree is deeper than {depth}.")
        same = np.flatnonzero((splits.item == tree.item[node]) & (splits.threshold == tree.threshold[node]))
        if not same.size:
            raise InputError(f"the tree's split at node {node} is not among the candidate splits.")
        structure[place] = same[0]
        stack += [(int(tree.left[node]), 2 * place + 1), (int(tree.right[node]), 2 * place + 2)]
    return structure


def _depth(structure: IntArray) -> int:
    return int(structure.size + 1).bit_length() - 1
