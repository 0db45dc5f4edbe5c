"""Branch and bound over structures, compiled: splits listed for a node, placed, and paired at the last two nodes.

Nodes are numbered level by level and get their splits in that order, so that after t of them the open ones are
t, …, 2t.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.structures.attacks import (
    Frontier,
    KeptAttacks,
    exclude_all,
    exclude_like,
    frontier_bound,
    keep,
    kept_bound,
    new_kept_attacks,
)
from hedgerow.engine.structures.reach import Reading, node_path, path_costs
from hedgerow.tree.structure import NO_SPLIT

_FAILURES = 8
"""After this number of attacks in vain only one of as many splits is attacked anew, and the others by kept attacks."""


class SplitList(NamedTuple):
    """The splits of a node that may still lead to something better."""

    # The splits and their bounds.
    split: IntArray
    bound: FloatArray
    cost: FloatArray  # Where its children are slots: per split, child and sample what moves cost.
    counts: IntArray  # How many splits are listed, and how many attacks failed since one excluded a split.


class Branch(NamedTuple):
    """A structure whose first nodes have their splits."""

    structure: IntArray  # The splits of the nodes.
    move_cost: FloatArray  # Per node and sample what it takes to move the sample there.
    level: IntArray  # Per node how many questions lead to it.
    kept: KeptAttacks  # Attacks that excluded something.


class Survivors(NamedTuple):
    """Room for structures that no bound excludes, and for their bounds."""

    structure: IntArray
    bound: FloatArray


def new_branch(depth: int, reading: Reading) -> tuple[Branch, list[SplitList]]:
    """Return a structure without splits, and room for the list of each node."""
    n_inner, most, n_samples = 2**depth - 1, reading.item.size + 1, reading.observations.shape[0]
    branch = Branch(
        structure=np.full(n_inner, NO_SPLIT, dtype=np.int64),
        move_cost=np.zeros((2 * n_inner + 1, n_samples)),
        level=np.repeat(np.arange(depth + 1), 2 ** np.arange(depth + 1)),
        kept=new_kept_attacks(n_inner + 1, most, n_samples),
    )
    lists = []
    for node in range(n_inner):
        n_costs = most if 2 * node + 1 >= n_inner else 0
        cost, counts = np.empty((n_costs, 2, n_samples)), np.zeros(2, dtype=np.int64)
        lists.append(SplitList(np.zeros(most, dtype=np.int64), np.empty(most), cost, counts))
    return branch, lists


@kernel
def place_split(node: int, split: int, branch: Branch, reading: Reading) -> None:
    """Give a node its split, and its two children their move costs."""
    branch.structure[node] = split
    depth = branch.level[branch.structure.size]
    splits, goes_right = np.empty(depth, np.int64), np.empty(depth, np.int64)
    for child in range(2 * node + 1, 2 * node + 3):
        count = node_path(child, branch.structure, splits, goes_right)
        path_costs(count, splits, goes_right, reading, depth - count, branch.move_cost[child])


@kernel(inline="always")
def _path_frontier(node: int, branch: Branch) -> Frontier:
    """Return the node's two children and what hangs off the path to it: the frontier if all else stays open."""
    depth = branch.level[branch.structure.size]
    nodes, levels = np.empty(depth + 1, np.int64), np.empty(depth + 1, np.int64)
    nodes[0], nodes[1] = 2 * node + 1, 2 * node + 2
    count = 2
    while node > 0:
        nodes[count] = node + 1 if node % 2 else node - 1
        count += 1
        node = (node - 1) // 2
    for place in range(count):
        levels[place] = depth - branch.level[nodes[place]]
    return Frontier(nodes[:count], levels[:count], branch.move_cost)


@kernel(inline="always")
def _open_frontier(node: int, branch: Branch) -> Frontier:
    """Return all nodes that are open once this one and those before it have their splits."""
    depth = branch.level[branch.structure.size]
    nodes, levels = np.empty(node + 2, np.int64), np.empty(node + 2, np.int64)
    for place in range(node + 2):
        nodes[place] = node + 1 + place
        levels[place] = depth - branch.level[nodes[place]]
    return Frontier(nodes, levels, branch.move_cost)


@kernel
def list_splits(
    node: int,
    candidates: IntArray,
    target: float,
    branch: Branch,
    listed: SplitList,
    reading: Reading,
    tables: FloatArray,
) -> None:
    """Add the splits of a node to its list that may lead below the target; all but the path to it stays open."""
    children, has_costs = branch.move_cost[2 * node + 1 : 2 * node + 3], len(listed.cost) > 0
    frontier, at = _path_frontier(node, branch), np.zeros(reading.observations.shape[0], np.int64)
    for split in candidates:
        place_split(node, split, branch, reading)
        bound = kept_bound(node, frontier, reading.limit, target, branch.kept)
        if bound < target:
            thorough = listed.counts[1] < _FAILURES or listed.counts[1] % _FAILURES == 0
            bound = frontier_bound(frontier, tables, reading.limit, target if thorough else -np.inf, at)
            listed.counts[1] += 1
            if bound >= target and thorough:
                keep(node, at, bound, branch.kept)
                listed.counts[1] = 0
        if bound < target:
            number = listed.counts[0]
            listed.split[number], listed.bound[number] = split, bound
            if has_costs:
                copy_into(children.ravel(), listed.cost[number].ravel())
            listed.counts[0] += 1


@kernel
def bound_below(
    node: int, split: int, target: float, branch: Branch, reading: Reading, tables: FloatArray, at: IntArray
) -> float:
    """Give a node its split; return a bound on all structures below it. All nodes before it have their splits.

    `at` takes the attack that makes the bound.
    """
    place_split(node, split, branch, reading)
    return frontier_bound(_open_frontier(node, branch), tables, reading.limit, target, at)


@kernel
def pair_splits(
    start: int,
    target: float,
    branch: Branch,
    left: SplitList,
    right: SplitList,
    reading: Reading,
    tables: FloatArray,
    survivors: Survivors,
) -> tuple[int, int]:
    """Give the last two nodes pairs of their splits, from pair number `start` on, as many as there is room for bounds.

    Returns how many structures no bound excludes, and where to go on. An attack that excludes a split of the last node
    is tried at once on all others of its list.
    """
    node, slots, n_right = branch.structure.size - 1, branch.structure.size, right.counts[0]
    last, kept = right.cost[:n_right], branch.kept
    at = np.zeros(reading.observations.shape[0], np.int64)
    count, n_bounds, pair, end, frontier = 0, 0, start, left.counts[0] * n_right, _open_frontier(node, branch)
    while pair < end and n_bounds < survivors.bound.size:
        first, second = pair // n_right, pair % n_right
        n_bounds += 1
        if second == 0:
            if bound_below(node - 1, left.split[first], target, branch, reading, tables, at) >= target:
                pair += n_right
                continue
            exclude_all(reading.limit, target, branch.move_cost[slots:], last, kept)
        pair += 1
        if kept.excluded[second]:
            continue
        branch.structure[node] = right.split[second]
        copy_into(last[second].ravel(), branch.move_cost[2 * node + 1 :].ravel())
        bound = frontier_bound(frontier, tables, reading.limit, target, at)
        if bound < target:
            copy_into(branch.structure, survivors.structure[count])
            survivors.bound[count] = bound
            count += 1
        else:
            exclude_like(at, bound, reading.limit, branch.move_cost[slots:], last, kept)
    return count, pair if pair < end else -1
