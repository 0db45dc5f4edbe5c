"""Between trees of any shape and the full shape that models have: which slot belongs to which leaf."""

__all__ = ["full_shape", "skeleton"]

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, structure_of, tree_of
from hedgerow.tree.tree import Tree


def full_shape(tree: Tree, splits: Splits, depth: int) -> tuple[IntArray, IntArray]:
    """Return a tree's structure at full depth, and per slot the number of the leaf that stands there.

    Where the tree asks nothing, both sides lead to the same leaves, so that any question may stand there instead.
    """
    structure = structure_of(tree, splits, depth)
    exists = existing_slots(structure)
    leaf = np.where(exists, np.cumsum(exists) - 1, 0)
    for node in np.flatnonzero(structure == NO_SPLIT)[::-1]:
        first, width = _slots_below(int(node), depth)
        half = width // 2
        leaf[first + half : first + width] = leaf[first : first + half]
    return structure, leaf


def skeleton(structure: IntArray, splits: Splits, n_variables: int) -> Tree:
    """Return the tree of a structure with nothing at its leaves yet."""
    return tree_of(structure, splits, np.zeros((structure.size + 1, n_variables)))


def _slots_below(node: int, depth: int) -> tuple[int, int]:
    """Return the first slot below a node and how many there are."""
    level = (node + 1).bit_length() - 1
    width = 2 ** (depth - level)
    return (node + 1 - 2**level) * width, width
