"""Where a tree's nodes go: leaves at equal distances, parents half-way between their children."""

__all__ = ["leaf_axis"]

import numpy as np

from hedgerow.arrays import FloatArray, frozen
from hedgerow.tree import Tree


def leaf_axis(tree: Tree) -> FloatArray:
    """Return the place of every node along the row of leaves, in leaves: leaf k is at k.

    Subtrees own disjoint stretches of the row, so that nodes of one level are in order and at least a leaf apart.
    """
    place = tree.leaf_number.astype(np.float64)
    for node in np.flatnonzero(tree.leaf_number < 0)[::-1]:  # children have larger numbers than their parents
        place[node] = (place[tree.left[node]] + place[tree.right[node]]) / 2
    return frozen(place)
