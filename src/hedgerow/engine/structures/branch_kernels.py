"""Branch and bound over structures, compiled: splits listed for a node, placed, and paired at the last two nodes.

Nodes are numbered level by level and get their splits in that order, so that after t of them the open ones are
t, …, 2t.
"""

__all__ = ["Branch", "SplitList", "Survivors", "bound_below", "list_splits", "new_branch", "pair_splits", "place_split"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.moves import no_cheaper
from hedgerow.engine.structures.attacks import (
    Frontier,
    KeptAttacks,
    SetCosts,
    exclude_all,
    exclude_like,
    frontier_bound,
    keep,
    kept_bound,
    new_kept_attacks,
)
from hedgerow.engine.structures.reach import MAX_PATH, Reading, costs_alone, node_path, path_costs
from hedgerow.engine.structures.subsets import MAX_DENSE
from hedgerow.tree.structure import NO_SPLIT

_MOST_COMPARED_BYTES = 1 << 28
"""Room for the move costs of splits that are compared; where more are listed, the others stay."""

_FAILURES = 8
"""After this number of attacks in vain only one of as many splits is attacked anew, and the others by kept attacks."""


class SplitList(NamedTuple):
    """The splits of a node that may still lead to something better.

    Attributes
    ----------
    split, bound
        The splits and their bounds.
    cost
        Where its children are slots: per split, slot and sample what moves cost, as far as there is room and this list
        is the last one that was made.
    counts
        How many splits are listed, and how many attacks failed since one was kept.
    """

    split: IntArray
    bound: FloatArray
    cost: FloatArray
    counts: IntArray


class Branch(NamedTuple):
    """A structure whose first nodes have their splits.

    Attributes
    ----------
    structure
        The splits of the nodes.
    move_cost
        Per node and sample what it takes to move the sample there.
    nominal
        Per node and sample whether the sample gets there by itself, where that is limited.
    alone
        Per answer (left, right), split and sample what it takes to get that answer, where move costs are sums of these;
        else no splits.
    level
        Per node how many questions lead to it.
    limits
        Fewest samples of a leaf, and most leaves; 0 for no limit.
    kept
        Attacks on what is open once a node has its split and all but the path to it is open, by node, and last those on
        the slots.
    """

    structure: IntArray
    move_cost: FloatArray
    nominal: BoolArray
    alone: FloatArray
    level: IntArray
    limits: IntArray
    kept: KeptAttacks


class Survivors(NamedTuple):
    """Room for structures that no bound excludes, and for their bounds."""

    structure: IntArray
    bound: FloatArray


def new_branch(depth: int, reading: Reading, min_samples: int, max_leaves: int) -> tuple[Branch, list[SplitList]]:
    """Return a structure without splits, and room for the list of each node."""
    n_inner, n_splits, n_samples = 2**depth - 1, reading.item.size, reading.observations.shape[0]
    most_compared = min(n_splits + 1, _MOST_COMPARED_BYTES // (16 * n_samples))
    has_sums = n_samples <= MAX_DENSE and not reading.budgets.size
    branch = Branch(
        structure=np.full(n_inner, NO_SPLIT, dtype=np.int64),
        move_cost=np.zeros((2 * n_inner + 1, n_samples)),
        nominal=np.ones((2 * n_inner + 1, n_samples), dtype=np.bool_),
        alone=costs_alone(reading) if has_sums else np.empty((2, 0, n_samples)),
        level=np.repeat(np.arange(depth + 1), 2 ** np.arange(depth + 1)),
        limits=np.array([min_samples, max_leaves]),
        kept=new_kept_attacks(n_inner + 1, n_splits + 1, n_samples),
    )
    nothing, compared = np.empty((0, 2, n_samples)), np.empty((most_compared, 2, n_samples))
    lists = []
    for node in range(n_inner):
        # Only attacks on tables need costs once a list is complete; else all lists share the room.
        cost = nothing if 2 * node + 1 < n_inner else compared.copy() if n_samples <= MAX_DENSE else compared
        split, bound = np.zeros(n_splits + 1, dtype=np.int64), np.empty(n_splits + 1)
        lists.append(SplitList(split, bound, cost, np.zeros(2, dtype=np.int64)))
    return branch, lists


@kernel
def place_split(node: int, split: int, branch: Branch, reading: Reading) -> None:
    """Give a node its split, and its two children their move costs and samples."""
    branch.structure[node] = split
    depth = branch.level[branch.structure.size]
    splits, goes_right = np.empty(MAX_PATH, np.int64), np.empty(MAX_PATH, np.int64)
    for child in range(2 * node + 1, 2 * node + 3):
        count = node_path(child, branch.structure, splits, goes_right)
        path_costs(count, splits, goes_right, reading, depth - count, branch.move_cost[child])
    if branch.limits[0] == 0:
        return
    values, nominal = reading.observations, branch.nominal
    for row in range(values.shape[0]):
        left = split < 0 or values[row, reading.item[split]] <= reading.threshold[split]
        nominal[2 * node + 1, row] = nominal[node, row] and left
        nominal[2 * node + 2, row] = nominal[node, row] and not left


@kernel(inline="always")
def _path_sums(node: int, branch: Branch, reading: Reading, base: FloatArray, on_path: BoolArray) -> bool:
    """Write what the answers above a node cost together, and which questions they are to; False if these are no sums.

    They are sums where no question is asked twice and all nodes ask something; where the node's children will be
    divided further, thresholds must not be crowded.
    """
    structure, alone, step = branch.structure, branch.alone, node
    base[:] = 0.0
    for question in range(on_path.size):
        on_path[question] = 2 * node + 1 < structure.size and reading.crowded[question]
    while step > 0:
        above = (step - 1) // 2
        asked = structure[above]
        if asked < 0 or on_path[reading.item[asked]]:
            return False
        on_path[reading.item[asked]] = True
        costs = alone[(step + 1) % 2, asked]
        for row in range(base.size):
            base[row] += costs[row]
        step = above
    return True


@kernel(inline="always")
def _exists(node: int, structure: IntArray) -> bool:
    while node > 0:
        parent = (node - 1) // 2
        if structure[parent] < 0 and node == 2 * parent + 2:
            return False
        node = parent
    return True


@kernel(inline="always")
def _leaves_too_few(node: int, branch: Branch) -> bool:
    """Return whether a child of the node that exists has fewer samples than it needs."""
    fewest = branch.limits[0]
    if fewest == 0 or not _exists(node, branch.structure):
        return False
    left, right = branch.nominal[2 * node + 1], branch.nominal[2 * node + 2]
    return bool(np.count_nonzero(left) < fewest or (branch.structure[node] >= 0 and np.count_nonzero(right) < fewest))


@kernel(inline="always")
def _path_frontier(node: int, branch: Branch) -> Frontier:
    """Return the node's two children and what hangs off the path to it: the frontier if all else stays open."""
    depth = branch.level[branch.structure.size]
    nodes, levels = np.empty(depth + 1, np.int64), np.empty(depth + 1, np.int64)
    count = 0
    for child in range(2 * node + 1, 2 * node + 3):
        nodes[count] = child
        count += 1
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
    first: int,
    last: int,
    target: float,
    branch: Branch,
    listed: SplitList,
    reading: Reading,
    costs: SetCosts,
) -> None:
    """Go on listing the splits of a node, from `first` up to `last`, that may lead below the target.

    All but the path to the node stays open. Of splits whose children are slots, those are dropped that another one
    dominates: it is nowhere easier to move a sample, so the adversary can only be weaker. A node that does not exist
    asks nothing.
    """
    frontier, exists = _path_frontier(node, branch), _exists(node, branch.structure)
    last_level, with_tables = 2 * node + 1 >= branch.structure.size, costs.tables.shape[1] > 0
    compares = last_level and branch.limits[1] == 0 and not reading.spans
    n_listed, n_failed = listed.counts[0], listed.counts[1]
    at = np.zeros(reading.observations.shape[0], np.int64)
    nodes, move_cost, limit = frontier.nodes, frontier.move_cost, reading.limit
    place, worth = branch.kept.place[node], branch.kept.worth[node]
    children = move_cost[2 * node + 1 : 2 * node + 3]
    base, on_path, alone = np.empty(at.size), np.empty(reading.crowded.size, np.bool_), branch.alone
    has_sums = alone.shape[1] > 0 and branch.limits[0] == 0 and _path_sums(node, branch, reading, base, on_path)
    item = reading.item
    for split in range(first, last if exists else 0):
        if has_sums and split >= 0 and not on_path[item[split]]:
            for side in range(2):
                for row in range(at.size):
                    children[side, row] = base[row] + alone[side, split, row]
        else:
            place_split(node, split, branch, reading)
        if _leaves_too_few(node, branch):
            continue
        bound = -np.inf
        if exists:
            bound = kept_bound(nodes, move_cost, limit, target, place, worth)
        if exists and bound < target:
            thorough = not (last_level and with_tables) or n_failed < _FAILURES or n_failed % _FAILURES == 0
            aim = target if thorough else -np.inf
            bound = frontier_bound(frontier, costs, limit, aim, at)
            n_failed += 1
            if bound >= target and thorough and with_tables:
                keep(at, bound, place, worth)
                n_failed = 0
        if bound >= target:
            continue
        if compares and n_listed < len(listed.cost):
            n_listed = _drop_dominated(children, listed, n_listed)
            if n_listed < 0:
                n_listed = -n_listed - 1
                continue
        if n_listed < len(listed.cost):
            for side in range(2):
                copy_into(children[side], listed.cost[n_listed, side])
        listed.bound[n_listed] = bound
        listed.split[n_listed] = split
        n_listed += 1
    listed.counts[0], listed.counts[1] = n_listed, n_failed


@kernel
def _drop_dominated(fresh: FloatArray, listed: SplitList, count: int) -> int:
    """Drop listed splits that the fresh one dominates; return how many stay, or −1 − count if it is dominated itself.

    `fresh` has a row of move costs for each of its two slots.
    """
    for place in range(count):
        if no_cheaper(listed.cost[place], fresh):
            return -1 - count
    stay = 0
    for place in range(count):
        if not no_cheaper(fresh, listed.cost[place]):
            if stay < place:
                for side in range(2):
                    copy_into(listed.cost[place, side], listed.cost[stay, side])
                listed.split[stay], listed.bound[stay] = listed.split[place], listed.bound[place]
            stay += 1
    return stay


@kernel
def bound_below(
    node: int, split: int, target: float, branch: Branch, reading: Reading, costs: SetCosts, at: IntArray
) -> float:
    """Give a node its split; return a bound on all structures below it, or ∞ if its leaves break a limit.

    All nodes before it have their splits. `at` takes the attack that makes the bound, if tables do.
    """
    place_split(node, split, branch, reading)
    n_leaves = 1
    for place in range(node + 1):
        n_leaves += branch.structure[place] >= 0
    if n_leaves > branch.limits[1] > 0 or _leaves_too_few(node, branch):
        return np.inf
    # Node 1 was attacked when its splits were listed.
    aim = -np.inf if costs.tables.shape[1] > 0 and node == 1 else target
    return frontier_bound(_open_frontier(node, branch), costs, reading.limit, aim, at)


@kernel
def pair_splits(
    start: int,
    target: float,
    branch: Branch,
    left: SplitList,
    right: SplitList,
    reading: Reading,
    costs: SetCosts,
    survivors: Survivors,
) -> tuple[int, int]:
    """Give the last two nodes pairs of their splits, from pair number `start` on, as many as there is room for bounds.

    Returns how many structures no bound excludes, and where to go on. An attack that excludes a split of the last node
    is tried at once on all others of its list.
    """
    node, slots, n_right = branch.structure.size - 1, branch.structure.size, right.counts[0]
    with_tables, last, kept = (
        costs.tables.shape[1] > 0 and n_right <= len(right.cost),
        right.cost[:n_right],
        branch.kept,
    )
    at = np.zeros(reading.observations.shape[0], np.int64)
    count, n_bounds, pair, end, slots_open = 0, 0, start, left.counts[0] * n_right, _open_frontier(node, branch)
    while pair < end and n_bounds < survivors.bound.size:
        first, second = pair // n_right, pair % n_right
        if second == 0:
            n_bounds += 1
            if bound_below(node - 1, left.split[first], target, branch, reading, costs, at) >= target:
                pair += n_right
                continue
            if with_tables:
                exclude_all(slots, reading.limit, target, branch.move_cost[slots:], last, kept)
        pair += 1
        if with_tables and kept.excluded[second]:
            continue
        n_bounds += 1
        bound = -np.inf
        if with_tables and branch.limits[0] == 0 and branch.limits[1] == 0:
            branch.structure[node] = right.split[second]
            for side in range(2):
                copy_into(last[second, side], branch.move_cost[2 * node + 1 + side])
            bound = frontier_bound(slots_open, costs, reading.limit, target, at)
        else:
            bound = bound_below(node, right.split[second], target, branch, reading, costs, at)
        if bound < target:
            copy_into(branch.structure, survivors.structure[count])
            survivors.bound[count] = bound
            count += 1
        elif with_tables and bound < np.inf:
            exclude_like(slots, at, bound, reading.limit, branch.move_cost[slots:], last, kept)
    return count, pair if pair < end else -1
