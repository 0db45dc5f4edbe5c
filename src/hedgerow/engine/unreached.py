"""Leaves that no sample can be sent to: they may hold anything, and get their neighbour's solution."""

import numpy as np

from hedgerow.adversary import move_costs
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.instance import Instance
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import existing_slots, tree_of
from hedgerow.tree.tree import Tree


def reachable(tree: Tree, instance: Instance) -> BoolArray:
    """Return which samples (rows) can be sent to which leaves (columns) within the budget, each one on its own."""
    cost = move_costs(tree, instance.observations, instance.uncertainty)
    return cost <= instance.uncertainty.reach(instance.n_samples)[:, None]


def filled(tree: Tree, instance: Instance) -> Tree:
    """Return the tree in which leaves that no sample can be sent to hold what stands beside them."""
    return fill_unreached(tree, np.asarray(reachable(tree, instance).any(axis=0)))


def tree_with(structure: IntArray, splits: Splits, solutions: FloatArray, choice: IntArray) -> Tree:
    """Return the tree with this structure and a choice among solutions, which is −1 at slots that no sample reaches."""
    reached = choice >= 0
    tree = tree_of(structure, splits, solutions[np.where(reached, choice, 0)])
    return fill_unreached(tree, reached[existing_slots(structure)])


def fill_unreached(tree: Tree, reached: BoolArray) -> Tree:
    """Return the tree in which every leaf that is not reached holds what the nearest reached leaf beside it holds.

    "Beside" is the sibling's side of the tree, or where no sample gets there either, that of the parent's sibling.
    """
    if reached.all() or not reached.any():
        return tree
    first, last = np.array(tree.leaf_number), np.array(tree.leaf_number)
    parent = np.full(tree.n_nodes, -1)
    for node in np.flatnonzero(tree.is_inner)[::-1]:
        first[node], last[node] = first[tree.left[node]], last[tree.right[node]]
        parent[tree.left[node]] = parent[tree.right[node]] = node
    source = np.arange(tree.n_leaves)
    for node in np.flatnonzero(~tree.is_inner):
        leaf, above = tree.leaf_number[node], int(node)
        if reached[leaf]:
            continue
        while not reached[first[above] : last[above] + 1].any():
            above = int(parent[above])
        around = first[above] + np.flatnonzero(reached[first[above] : last[above] + 1])
        source[leaf] = around[np.argmin(np.abs(around - leaf))]
    return tree.replace(solutions=tree.solutions[source])
