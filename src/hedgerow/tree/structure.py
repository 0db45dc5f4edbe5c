"""A tree without its solutions: one split per inner node.

Structures have a full shape of a given depth. Nodes are numbered level by level (the children of node q are 2q + 1
and 2q + 2), and the 2^depth *slots* below the last level are numbered from left to right. A node may also ask nothing
(`NO_SPLIT`): everything then goes left, and what lies to its right does not exist.
"""

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.run.options import Options
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import Splits
from hedgerow.tree.tree import Tree

NO_SPLIT = -1


def existing_slots(structure: IntArray) -> BoolArray:
    """Return which slots exist, that is, don't lie to the right of a node that asks nothing."""
    exists = np.ones(1, dtype=bool)
    for level in range(_depth(structure)):
        splits = structure[2**level - 1 : 2 ** (level + 1) - 1]
        exists = np.stack([exists, exists & (splits != NO_SPLIT)], axis=1).ravel()
    return exists


def slots_below(node: int, n_inner: int) -> tuple[int, int]:
    """Return the first slot below a node and the one after the last."""
    begin = end = node
    while begin < n_inner:
        begin, end = 2 * begin + 1, 2 * end + 2
    return begin - n_inner, end - n_inner + 1


def nominal_slots(structure: IntArray, splits: Splits, values: FloatArray) -> IntArray:
    """Return the slot that each sample reaches by itself, given the values of the questions."""
    rows = np.arange(values.shape[0])
    node = np.zeros(values.shape[0], dtype=np.int64)
    for _ in range(_depth(structure) if len(splits) else 0):
        split = structure[node]
        goes_right = (split != NO_SPLIT) & (values[rows, splits.question[split]] > splits.threshold[split])
        node = 2 * node + 1 + goes_right
    return node - structure.size if len(splits) else node


def structure_allowed(structure: IntArray, splits: Splits, values: FloatArray, settings: Options) -> bool:
    """Return whether a structure keeps `min_samples_leaf` and `max_leaves`."""
    exists = existing_slots(structure)
    if settings.max_leaves is not None and int(exists.sum()) > settings.max_leaves:
        return False
    if settings.min_samples_leaf == 0:
        return True
    rows = np.bincount(nominal_slots(structure, splits, values), minlength=exists.size)
    return bool((rows[exists] >= settings.min_samples_leaf).all())


def tree_of(structure: IntArray, splits: Splits, solutions: FloatArray) -> Tree:
    """Return the tree with this structure and one solution per slot; slots that don't exist are left out."""

    def look(node: int) -> FloatArray | tuple[Question, float, int, int]:
        while node < structure.size and structure[node] == NO_SPLIT:
            node = 2 * node + 1
        if node >= structure.size:
            slot: FloatArray = solutions[node - structure.size]
            return slot
        split = int(structure[node])
        return splits.question_of(split), float(splits.threshold[split]), 2 * node + 1, 2 * node + 2

    return Tree.grown(0, look)


def structure_of(tree: Tree, splits: Splits, depth: int) -> IntArray:
    """Return the structure of a tree whose splits are all candidates; leaves above the full depth ask nothing."""
    structure = np.full(2**depth - 1, NO_SPLIT, dtype=np.int64)
    numbers = split_numbers(tree, splits)
    for node in np.flatnonzero(tree.is_inner):
        same = (splits.question == numbers[tree.question[node]]) & (splits.threshold == tree.threshold[node])
        structure[tree.level_place[node]] = np.flatnonzero(same)[0]
    return structure


def split_numbers(tree: Tree, splits: Splits) -> IntArray:
    """Return per question of the tree its number among the candidate splits' questions, −1 if it is none of them."""
    if splits.questions is None:
        return tree.question_items
    place = {question: number for number, question in enumerate(splits.questions)}
    return np.array([place.get(question, -1) for question in tree.questions], dtype=np.int64)


def _depth(structure: IntArray) -> int:
    return int(structure.size + 1).bit_length() - 1
