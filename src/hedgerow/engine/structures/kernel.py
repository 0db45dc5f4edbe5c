"""Branch and bound over structures, compiled: one root at a time, node by node, pruned by attacks on what is open.

Nodes are numbered level by level and get their splits in that order, so that after t of them the open ones are
t, …, 2t. Work stops when the buffer of survivors is full or the allowance of bounds is used up, also while a node's
splits are being listed, and is resumed with the same state.
"""

__all__ = ["RootState", "continue_root", "new_state", "place_split", "root_bounds", "start_root"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, count_true, integer, stable_order
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.structures.frontier import SetPrices, frontier_bound
from hedgerow.engine.structures.kept_attacks import (
    KeptAttacks,
    LastNode,
    exclude_all,
    exclude_like,
    keep,
    kept_bound,
    new_attacks,
    new_last_node,
)
from hedgerow.engine.tables.dominance import drop_dominated
from hedgerow.engine.tables.reach import Reading, costs_alone, node_path, path_costs
from hedgerow.engine.tables.subsets import MAX_DENSE
from hedgerow.tree.structure import NO_SPLIT

_MAX_PATH = 64
_ROOT = integer(0)

_COMPARED_PER_BOUND = 16
"""Splits whose moves are compared in about the time of a bound; most comparisons end after a few samples."""

_MOST_COMPARED_BYTES = 1 << 28
"""Room for the move costs of splits that are compared; where more are listed, the others stay."""

_FAILURES = 8
"""After this number of attacks in vain only one of as many splits is attacked anew, and the others by kept attacks."""


class RootState(NamedTuple):
    """Where the search below one root stands.

    Attributes
    ----------
    structure
        Splits of the nodes settled so far.
    candidates, n_candidates, position
        Per node the splits that may still lead to something better, how many there are, and which comes next.
    move_cost
        Per node and sample what it takes to move the sample there.
    nominal
        Per node and sample whether the sample gets there by itself.
    alone
        Per answer (left, right), split and sample what it takes to get that answer, where move costs are sums of these;
        else no splits.
    level
        `level[0]` is the node that gets its split next; −1 when the root is settled.
    kept
        Attacks, by kind: per node first those on it and what hangs off the path to it, then those on all that is open
        once it has its split.
    last
        The last node's splits.
    filling
        The node whose splits are being listed, −1 if there is none; the split that comes next; how many are listed;
        and how many attacks failed since one was kept.
    listed_bounds, listed_costs
        Of the splits listed so far their bounds and, where their children are slots, the move costs to these, as far
        as there is room.
    """

    structure: IntArray
    candidates: IntArray
    n_candidates: IntArray
    position: IntArray
    move_cost: FloatArray
    nominal: BoolArray
    alone: FloatArray
    level: IntArray
    kept: KeptAttacks
    last: LastNode
    filling: IntArray
    listed_bounds: FloatArray
    listed_costs: FloatArray


def new_state(depth: int, reading: Reading) -> RootState:
    """Return an empty state for structures of the given depth."""
    n_inner, n_splits, n_samples = 2**depth - 1, reading.item.size, reading.observations.shape[0]
    most_compared = min(n_splits + 1, _MOST_COMPARED_BYTES // (16 * n_samples))
    has_sums = n_samples <= MAX_DENSE and not reading.budgets.size
    return RootState(
        structure=np.full(n_inner, NO_SPLIT, dtype=np.int64),
        candidates=np.zeros((n_inner, n_splits + 1), dtype=np.int64),
        n_candidates=np.zeros(n_inner, dtype=np.int64),
        position=np.zeros(n_inner, dtype=np.int64),
        move_cost=np.zeros((2 * n_inner + 1, n_samples)),
        nominal=np.ones((2 * n_inner + 1, n_samples), dtype=np.bool_),
        alone=costs_alone(reading) if has_sums else np.empty((2, 0, n_samples)),
        level=np.full(1, -1, dtype=np.int64),
        kept=new_attacks(2 * n_inner, n_samples),
        last=new_last_node(n_splits, n_samples),
        filling=np.full(4, -1, dtype=np.int64),
        listed_bounds=np.empty(n_splits + 1),
        listed_costs=np.empty((most_compared, 2, n_samples)),
    )


@kernel
def _level_of(node: int) -> int:
    level = 0
    while node > 0:
        node = (node - 1) // 2
        level += 1
    return level


@kernel
def place_split(node: int, split: int, state: RootState, reading: Reading) -> None:
    """Give a node its split, and its two children their move costs and samples."""
    state.structure[node] = split
    if not _add_costs(node, state, reading):
        depth = _level_of(state.structure.size)
        splits, goes_right = np.empty(_MAX_PATH, np.int64), np.empty(_MAX_PATH, np.int64)
        for child in range(2 * node + 1, 2 * node + 3):
            count = node_path(child, state.structure, splits, goes_right)
            path_costs(count, splits, goes_right, reading, depth - count, state.move_cost[child])
    for row in range(reading.observations.shape[0]):
        left = split < 0 or reading.observations[row, reading.item[split]] <= reading.threshold[split]
        state.nominal[2 * node + 1, row] = state.nominal[node, row] and left
        state.nominal[2 * node + 2, row] = state.nominal[node, row] and not left


@kernel(inline="always")
def _add_costs(node: int, state: RootState, reading: Reading) -> bool:
    """Write the children's move costs as sums over the path, where that is what they are; else return False."""
    structure, alone = state.structure, state.alone
    if alone.shape[1] == 0:
        return False
    is_divided = 2 * node + 1 < structure.size
    step = node
    while step >= 0:
        asked = structure[step]
        if asked < 0 or (is_divided and reading.crowded[reading.item[asked]]):
            return False
        above = step
        while above > 0:
            above = (above - 1) // 2
            if reading.item[structure[above]] == reading.item[asked]:
                return False
        step = (step - 1) // 2 if step > 0 else -1
    for side in range(2):
        out = state.move_cost[2 * node + 1 + side]
        copy_into(alone[side, structure[node]], out)
        step = node
        while step > 0:
            above = (step - 1) // 2
            costs = alone[(step + 1) % 2, structure[above]]
            for row in range(out.size):
                out[row] += costs[row]
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
def _path_frontier(node: int, depth: int, nodes: IntArray, levels: IntArray) -> int:
    """Write the node's two children and what hangs off the path to it: the frontier if all else stays open."""
    count = 0
    for child in range(2 * node + 1, 2 * node + 3):
        nodes[count] = child
        levels[count] = depth - _level_of(child)
        count += 1
    while node > 0:
        nodes[count] = node + 1 if node % 2 else node - 1
        levels[count] = depth - _level_of(node)
        count += 1
        node = (node - 1) // 2
    return count


@kernel(inline="always")
def _start_filling(node: int, state: RootState, first: int) -> None:
    """Begin to list the splits of a node; `first` is NO_SPLIT where it may also ask nothing."""
    state.filling[0], state.filling[1], state.filling[2], state.filling[3] = node, first, 0, 0


@kernel(inline="always")
def _next_to_fill(node: int, state: RootState, first: int) -> None:
    """Go on with the node's sibling, or after that with the node after their parent, which gets its split next."""
    if node % 2:
        _start_filling(node + 1, state, first)
    else:
        state.filling[0] = -1
        state.level[0] = node // 2
        state.position[node // 2] = 0


@kernel(inline="always")
def _fill_candidates(
    depth: int,
    state: RootState,
    reading: Reading,
    prices: SetPrices,
    target: float,
    min_samples: int,
    max_leaves: int,
    allowance: int,
) -> int:
    """Go on listing the splits of a node that may lead below the target if all but the path to it stays open.

    Of splits whose children are slots, those are dropped that another one dominates: it is nowhere easier to move a
    sample, so the adversary can only be weaker. Returns the number of bounds computed, or as many as take the time of
    what else was done; with the allowance used up, the node stays the one that is being filled.
    """
    node, n_splits = state.filling[0], reading.item.size
    listed = state.candidates[node]
    if (min_samples > 0 or max_leaves > 0) and not _exists(node, state.structure):
        listed[0] = NO_SPLIT
        state.n_candidates[node] = 1
        _next_to_fill(node, state, NO_SPLIT)
        return 0
    n_inner = state.structure.size
    nodes = np.empty(depth + 1, np.int64)
    levels = np.empty(depth + 1, np.int64)
    count = _path_frontier(node, depth, nodes, levels)
    last_level = 2 * node + 1 >= n_inner
    kept, kept_bounds = state.listed_costs, state.listed_bounds
    n_listed, n_failed, work = state.filling[2], state.filling[3], 0
    at, with_tables = np.zeros(reading.observations.shape[0], np.int64), prices.tables.shape[1] > 0
    while state.filling[1] < n_splits and work < allowance:
        split = state.filling[1]
        state.filling[1] += 1
        work += 1
        place_split(node, split, state, reading)
        if _leaves_too_few(node, state, min_samples):
            continue
        bound = kept_bound(node, nodes, state.move_cost, reading.limit, target, state.kept)
        if bound < target:
            thorough = not (last_level and with_tables) or n_failed < _FAILURES or n_failed % _FAILURES == 0
            aim = target if thorough else -np.inf
            bound = frontier_bound(nodes, levels, count, state.move_cost, prices, reading.limit, aim, at)
            n_failed += 1
            if bound >= target and thorough and with_tables:
                keep(node, at, bound, state.kept)
                n_failed = 0
        if bound >= target:
            continue
        if last_level and max_leaves == 0 and not reading.spans and n_listed < len(kept):
            children = state.move_cost[2 * node + 1 : 2 * node + 3]
            mirrored = prices.fixed.shape[0] == 0
            work += n_listed // _COMPARED_PER_BOUND
            n_listed = drop_dominated(children, kept, listed, kept_bounds, n_listed, mirrored)
            if n_listed < 0:
                n_listed = -n_listed - 1
                continue
            for side in range(2):
                copy_into(children[side], kept[n_listed, side])
        kept_bounds[n_listed] = bound
        listed[n_listed] = split
        n_listed += 1
    state.filling[2], state.filling[3] = n_listed, n_failed
    if state.filling[1] >= n_splits:
        _finish_filling(node, state, reading, with_tables)
        _next_to_fill(node, state, NO_SPLIT if min_samples > 0 or max_leaves > 0 else 0)
    state.structure[node] = NO_SPLIT
    return work


@kernel(inline="always")
def _finish_filling(node: int, state: RootState, reading: Reading, with_tables: bool) -> None:
    """Put the listed splits into order, the most promising first; keep the last node's move costs."""
    n_listed, listed = state.filling[2], state.candidates[node]
    copy_into(listed[stable_order(state.listed_bounds[:n_listed])], listed)
    state.n_candidates[node] = n_listed
    if node == state.structure.size - 1 and with_tables:
        state.last.sizes[0] = n_listed
        state.last.known[:] = False
        for place in range(n_listed):
            place_split(node, listed[place], state, reading)
            for side in range(2):
                copy_into(state.move_cost[2 * node + 1 + side], state.last.move_cost[place, side])


@kernel(inline="always")
def _bound_roots(depth: int, state: RootState, reading: Reading, prices: SetPrices, out: FloatArray) -> None:
    nodes = np.array([1, 2])
    levels = np.array([depth - 1, depth - 1])
    at = np.empty(reading.observations.shape[0], np.int64)
    for root in range(out.size):
        place_split(_ROOT, root if root < reading.item.size else NO_SPLIT, state, reading)
        out[root] = frontier_bound(nodes, levels, nodes.size, state.move_cost, prices, reading.limit, np.inf, at)


def start_root(root: int, state: RootState) -> None:
    """Set the state to the beginning of the search below a root."""
    state.candidates[0, 0] = root
    state.n_candidates[0] = 1
    state.position[0] = 0
    state.level[0] = 0
    state.filling[0] = -1
    state.kept.worth[:] = -np.inf


@kernel(inline="always")
def _leaves_too_few(node: int, state: RootState, min_samples: int) -> bool:
    """Return whether a child of the node that exists has fewer samples than it needs."""
    left, right = state.nominal[2 * node + 1], state.nominal[2 * node + 2]
    if min_samples == 0:
        return False
    return count_true(left) < min_samples or (state.structure[node] >= 0 and count_true(right) < min_samples)


def root_bounds(depth: int, state: RootState, reading: Reading, prices: SetPrices, out: FloatArray) -> None:
    """Write for every root split (and last for none) a bound on all structures below it."""
    continue_root(depth, state, reading, prices, np.inf, 0, 0, 0, np.empty((0, 0), dtype=np.int64), out)


@kernel
def continue_root(
    depth: int,
    state: RootState,
    reading: Reading,
    prices: SetPrices,
    target: float,
    min_samples: int,
    max_leaves: int,
    allowance: int,
    survivors: IntArray,
    survivor_bounds: FloatArray,
) -> tuple[int, int]:
    """Go on below the root; return how many survivors were written and how many bounds were computed.

    Without room for survivors it writes bounds for `root_bounds`: most of the code is the same, and compiled once.
    """
    if survivors.shape[0] == 0:
        _bound_roots(depth, state, reading, prices, survivor_bounds)
        return 0, 0
    n_inner = state.structure.size
    n_survivors = 0
    n_bounds = 0
    nodes = np.empty(n_inner + 1, np.int64)
    levels = np.empty(n_inner + 1, np.int64)
    at, with_tables = np.zeros(reading.observations.shape[0], np.int64), prices.tables.shape[1] > 0
    while state.level[0] >= 0:
        if n_survivors == survivor_bounds.size or n_bounds >= allowance:
            return n_survivors, n_bounds
        node = state.level[0]
        if state.filling[0] >= 0:
            left = allowance - n_bounds
            n_bounds += _fill_candidates(depth, state, reading, prices, target, min_samples, max_leaves, left)
            continue
        if state.position[node] >= state.n_candidates[node]:
            state.structure[node] = NO_SPLIT
            state.level[0] -= 1
            continue
        is_last = with_tables and node == n_inner - 1
        if is_last and node > 0:
            if state.position[node] == 0:
                exclude_all(n_inner + node, reading.limit, target, state.move_cost[n_inner:], state.kept, state.last)
            if state.last.excluded[state.position[node]]:
                state.position[node] += 1
                continue
        split = state.candidates[node, state.position[node]]
        state.position[node] += 1
        place_split(node, split, state, reading)
        n_leaves = 1
        for place in range(node + 1):
            n_leaves += state.structure[place] >= 0
        if (node == 0 and _leaves_too_few(node, state, min_samples)) or n_leaves > max_leaves > 0:
            continue
        for place in range(node + 2):
            nodes[place] = node + 1 + place
            levels[place] = depth - _level_of(node + 1 + place)
        kind, bound = n_inner + node, -np.inf
        if not is_last:
            bound = kept_bound(kind, nodes, state.move_cost, reading.limit, target, state.kept)
        if bound < target:
            aim = -np.inf if with_tables and node == 1 else target  # node 1 was attacked when its splits were listed
            bound = frontier_bound(nodes, levels, node + 2, state.move_cost, prices, reading.limit, aim, at)
            if bound >= target and is_last and node > 0:
                exclude_like(kind, at, bound, reading.limit, state.move_cost[n_inner:], state.kept, state.last)
            elif bound >= target and with_tables:
                keep(kind, at, bound, state.kept)
        n_bounds += 1
        if bound >= target:
            continue
        if node == n_inner - 1:
            copy_into(state.structure, survivors[n_survivors])
            survivor_bounds[n_survivors] = bound
            n_survivors += 1
            continue
        if 2 * node + 2 < n_inner:
            _start_filling(2 * node + 1, state, NO_SPLIT if min_samples > 0 or max_leaves > 0 else 0)
            continue
        state.position[node + 1] = 0
        state.level[0] = node + 1
    return n_survivors, n_bounds
