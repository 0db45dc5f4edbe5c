"""A directed graph as arrays, and its simple paths: the cheapest, all of them, those up to a cost, and as a MIP."""

__all__ = ["Graph", "all_paths", "cheapest_paths", "path_feasible_set", "path_vectors", "paths_within"]

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.problem import FeasibleSet, RowBlock

_BLOCK: Final = 256
"""As many cost vectors at a time fit into the processor's cache."""

_MOST_STEPS: Final = 2_000_000
"""Beginnings of paths that are looked at before listing is given up, after two seconds."""


class _Step(NamedTuple):
    """The arcs into the nodes of one level, grouped by node."""

    arcs: IntArray
    nodes: IntArray
    starts: IntArray
    group: IntArray


@dataclass(frozen=True, eq=False)
class Graph:
    """Arcs from `tails` to `heads` (node numbers), and the two nodes that paths join.

    Arcs may be parallel. `useful` ones can lie on a simple path from source to target as far as reachability shows;
    everything below uses these alone, so that cycles off all paths don't count.
    """

    tails: IntArray
    heads: IntArray
    n_nodes: int
    source: int
    target: int

    @cached_property
    def useful(self) -> BoolArray:
        """Arcs that no path is kept from by loops, by reachability, or by passing source or target on the way."""
        candidate = (self.tails != self.heads) & (self.heads != self.source) & (self.tails != self.target)
        tails, heads = self.tails[candidate], self.heads[candidate]
        from_source = self._reachable(tails, heads, self.source)
        to_target = self._reachable(heads, tails, self.target)
        useful: BoolArray = candidate & from_source[self.tails] & to_target[self.heads]
        return useful

    @cached_property
    def is_acyclic(self) -> bool:
        """Whether no useful arc lies on a cycle."""
        useful = self._adjacency(self.tails[self.useful], self.heads[self.useful])
        n_components, _ = csgraph.connected_components(useful, connection="strong")
        return bool(n_components == self.n_nodes)

    @cached_property
    def level(self) -> IntArray:
        """How many useful arcs at most lead to each node; 0 everywhere if there is a cycle."""
        tails, heads = self.tails[self.useful], self.heads[self.useful]
        level, before = np.zeros(self.n_nodes, dtype=np.int64), np.array([-1])
        while self.is_acyclic and not np.array_equal(level, before):
            before = level.copy()
            np.maximum.at(level, heads, before[tails] + 1)
        return level

    @cached_property
    def steps(self) -> list[_Step]:
        """The useful arcs level by level: when those into a level are looked at, all tails below it are settled."""
        arcs = np.flatnonzero(self.useful)
        arcs = arcs[np.lexsort((arcs, self.heads[arcs], self.level[self.heads[arcs]]))]
        parts = np.split(arcs, np.flatnonzero(np.diff(self.level[self.heads[arcs]])) + 1)
        return [_Step(part, *np.unique(self.heads[part], return_index=True, return_inverse=True)) for part in parts]

    @cached_property
    def useful_out(self) -> list[list[tuple[int, int]]]:
        """For each node its useful arcs in order, as pairs (arc, head)."""
        out: list[list[tuple[int, int]]] = [[] for _ in range(self.n_nodes)]
        for arc in np.flatnonzero(self.useful).tolist():
            out[int(self.tails[arc])].append((arc, int(self.heads[arc])))
        return out

    def _reachable(self, tails: IntArray, heads: IntArray, start: int) -> BoolArray:
        reached = np.zeros(self.n_nodes, dtype=np.bool_)
        reached[csgraph.breadth_first_order(self._adjacency(tails, heads), start, return_predecessors=False)] = True
        return reached

    def _adjacency(self, tails: IntArray, heads: IntArray) -> sp.csr_array:
        # Older versions of SciPy take indices of 32 bits only.
        ends = tails.astype(np.int32), heads.astype(np.int32)
        return sp.csr_array((np.ones(len(tails)), ends), shape=(self.n_nodes, self.n_nodes))


def cheapest_paths(graph: Graph, costs: FloatArray) -> FloatArray:
    """Return the 0/1 vector of a cheapest path for each row of costs; with cycles these must be zero or more.

    Of equally cheap ways into a node the one by the arc with the lowest number wins, where there is no cycle.
    """
    parts = [_cheapest(graph, costs[start : start + _BLOCK]) for start in range(0, len(costs), _BLOCK)]
    return np.concatenate(parts) if parts else np.empty(costs.shape)


def _cheapest(graph: Graph, costs: FloatArray) -> FloatArray:
    """Bellman's equations for all rows at once: level by level, or where there are cycles until nothing changes."""
    (n_vectors, n_arcs), by_arc = costs.shape, np.ascontiguousarray(costs.T)
    distance = np.full((graph.n_nodes, n_vectors), np.inf)
    distance[graph.source] = 0.0
    way_in = np.full((graph.n_nodes, n_vectors), -1, dtype=np.int64)
    for step in graph.steps:
        cost, tails = by_arc[step.arcs], graph.tails[step.arcs]
        while True:
            lengths = distance[tails] + cost
            shortest = np.minimum.reduceat(lengths, step.starts, axis=0)
            # Only what is strictly shorter counts, so that no way leads round a cycle of cost zero.
            shorter = shortest < distance[step.nodes]
            attained = np.where(lengths == shortest[step.group], step.arcs[:, np.newaxis], n_arcs)
            first = np.minimum.reduceat(attained, step.starts, axis=0)
            way_in[step.nodes] = np.where(shorter, first, way_in[step.nodes])
            distance[step.nodes] = np.where(shorter, shortest, distance[step.nodes])
            if graph.is_acyclic or not shorter.any():
                break
    if not (distance[graph.target] < np.inf).all():
        raise InputError("the costs of a path must add up to a finite number; these are too large, or no numbers.")
    return _retraced(graph, way_in, n_arcs)


def _retraced(graph: Graph, way_in: IntArray, n_arcs: int) -> FloatArray:
    """Return the paths that end with the arcs into the target, as 0/1 vectors."""
    solutions = np.zeros((way_in.shape[1], n_arcs))
    rows, nodes = np.arange(len(solutions)), np.full(len(solutions), graph.target)
    while rows.size:
        arcs = way_in[nodes, rows]
        solutions[rows, arcs] = 1.0
        nodes = graph.tails[arcs]
        rows, nodes = rows[nodes != graph.source], nodes[nodes != graph.source]
    return solutions


def path_feasible_set(graph: Graph, nodes: Sequence[str], arc_names: Sequence[str]) -> FeasibleSet:
    """Return binaries x per arc that carry one unit from source to target, and with cycles an order of the nodes.

    Flow alone lets cycles float beside the path. So each of the k nodes v has a place u_v in [0, k − 1], and an arc
    that is used leads up: u_v − u_w + k x_vw ≤ k − 1 (Miller, Tucker and Zemlin, doi:10.1145/321043.321046).
    """
    arcs, k = np.flatnonzero(graph.useful), graph.n_nodes
    ends = np.concatenate([graph.tails[arcs], graph.heads[arcs]])
    on_paths, rows = np.unique(ends, return_inverse=True)
    signs = np.repeat([1.0, -1.0], len(arcs))
    flow = sp.csr_array((signs, (rows, np.tile(arcs, 2))), shape=(len(on_paths), len(graph.tails)))
    supply = (on_paths == graph.source).astype(np.float64) - (on_paths == graph.target)
    balance = [f"what leaves node '{nodes[node]}' less what enters it" for node in on_paths.tolist()]
    if graph.is_acyclic:
        return FeasibleSet.of(RowBlock(balance, [flow], supply, supply), most=graph.useful)
    rows = np.arange(len(arcs))
    up = sp.csr_array((signs, (np.tile(rows, 2), ends)), shape=(len(arcs), k))
    used = sp.csr_array((np.full(len(arcs), float(k)), (rows, arcs)), shape=(len(arcs), len(graph.tails)))
    order = [f"the order of nodes at '{arc_names[arc]}' (paths have no cycles)" for arc in arcs.tolist()]
    return FeasibleSet.of(
        RowBlock(balance, [flow, sp.csr_array((len(supply), k))], supply, supply),
        RowBlock(order, [used, up], -np.inf, k - 1.0),
        most=np.append(graph.useful, np.full(k, k - 1.0)),
        n_whole=len(graph.tails),
    )


def all_paths(graph: Graph, limit: int) -> FloatArray | None:
    """Return the 0/1 vectors of all simple paths, ordered arc by arc from the source.

    None if there are more than `limit`, or if cycles make it long to find out.
    """
    if graph.is_acyclic and _count(graph) > limit:
        return None
    paths = paths_within(graph, np.zeros(len(graph.tails)), np.inf, limit)
    return None if paths is None else path_vectors(paths, len(graph.tails))


def _count(graph: Graph) -> int:
    """Return the number of paths in a graph without cycles."""
    # Python's integers, since the number of paths can be huge.
    counts = [0] * graph.n_nodes
    counts[graph.target] = 1
    for node in np.argsort(graph.level, kind="stable")[::-1].tolist():
        if node != graph.target:
            counts[node] = sum(counts[head] for _, head in graph.useful_out[node])
    return counts[graph.source]


def paths_within(graph: Graph, costs: FloatArray, limit: float, max_count: int) -> list[tuple[int, ...]] | None:
    """Return the arcs of every simple path that costs at most `limit`, ordered arc by arc.

    None if there are more than `max_count`, or if many beginnings lead nowhere, as they may where there are cycles.
    """
    onward = _cost_onward(graph, costs).tolist()
    cost = costs.tolist()
    found: list[tuple[int, ...]] = []
    # A path so far: where it is, what it cost, its arcs, and the nodes it passed as bits of a whole number.
    stack: list[tuple[int, float, tuple[int, ...], int]] = [(graph.source, 0.0, (), 1 << graph.source)]
    for _ in range(_MOST_STEPS):
        if not stack:
            return found
        node, spent, arcs, passed = stack.pop()
        if node == graph.target:
            found.append(arcs)
            if len(found) > max_count:
                return None
            continue
        for arc, head in reversed(graph.useful_out[node]):
            if not passed >> head & 1 and spent + cost[arc] + onward[head] <= limit:
                stack.append((head, spent + cost[arc], (*arcs, arc), passed | 1 << head))
    return None


def path_vectors(paths: Sequence[Sequence[int]], n_arcs: int) -> FloatArray:
    """Return paths, given by their arcs, as 0/1 vectors, one per row."""
    solutions = np.zeros((len(paths), n_arcs))
    for solution, path in zip(solutions, paths, strict=True):
        solution[list(path)] = 1.0
    return solutions


def _cost_onward(graph: Graph, costs: FloatArray) -> FloatArray:
    """Return what it costs at least to get from each node to the target (Bellman and Ford, all arcs at once)."""
    arcs = np.flatnonzero(graph.useful)
    tails, heads, cost = graph.tails[arcs], graph.heads[arcs], costs[arcs]
    onward = np.full(graph.n_nodes, np.inf)
    onward[graph.target] = 0.0
    for _ in range(graph.n_nodes):
        nearer = onward.copy()
        np.minimum.at(nearer, tails, cost + onward[heads])
        if np.array_equal(nearer, onward):
            break
        onward = nearer
    return onward
