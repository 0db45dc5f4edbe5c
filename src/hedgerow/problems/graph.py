"""A directed graph as arrays, and its simple paths: the cheapest, all of them, those up to a cost, and as a MIP."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.problem import FeasibleSet, RowBlock

_MOST_STEPS: Final = 2_000_000
"""Beginnings of paths that are looked at before listing is given up, after two seconds."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Arcs from `tails` to `heads` (node numbers), perhaps parallel ones, and the two nodes that paths join."""

    tails: IntArray
    heads: IntArray
    n_nodes: int
    source: int
    target: int

    @cached_property
    def is_acyclic(self) -> bool:
        """Whether no arc lies on a cycle."""
        n_components, _ = csgraph.connected_components(self.matrix(np.ones(len(self.tails))), connection="strong")
        return bool(n_components == self.n_nodes) and not (self.tails == self.heads).any()

    @cached_property
    def arcs_out(self) -> list[list[tuple[int, int]]]:
        """For each node its arcs in order, as pairs (arc, head)."""
        out: list[list[tuple[int, int]]] = [[] for _ in range(self.n_nodes)]
        for arc, (tail, head) in enumerate(zip(self.tails.tolist(), self.heads.tolist(), strict=True)):
            out[tail].append((arc, head))
        return out

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """The arcs ordered by their ends, the first of each pair of ends, and these pairs as rows and columns."""
        order = np.lexsort((self.heads, self.tails))
        key = self.tails[order] * self.n_nodes + self.heads[order]
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        first = order[starts]
        ends = np.searchsorted(self.tails[first], np.arange(self.n_nodes + 1))
        # Older versions of SciPy take indices of 32 bits only.
        return order, starts, self.heads[first].astype(np.int32), ends.astype(np.int32)

    def matrix(self, costs: FloatArray) -> sp.csr_array:
        """Return the costs as a matrix of nodes by nodes, of parallel arcs the least."""
        order, starts, heads, row_ends = self._pairs
        least = np.minimum.reduceat(costs[order], starts)
        return sp.csr_array((least, heads, row_ends), shape=(self.n_nodes, self.n_nodes))

    def distances(self, costs: FloatArray, *, onward: bool = False) -> tuple[FloatArray, IntArray]:
        """Return what it costs at least to get from the source to each node, and the node before it on the way.

        Onward, it is to the target from each node, and the node after it. Where there are cycles, costs must not be
        below zero.
        """
        search: Any = csgraph.dijkstra if (costs >= 0.0).all() else csgraph.bellman_ford
        matrix, start = self.matrix(costs), self.source
        if onward:
            matrix, start = sp.csr_array(matrix.T), self.target
        distance, before = search(matrix, indices=start, return_predecessors=True)
        return distance, before


def cheapest_path(graph: Graph, costs: FloatArray) -> FloatArray:
    """Return the 0/1 vector of a cheapest path; of equally cheap parallel arcs it takes the first."""
    _, before = graph.distances(costs)
    path, node = np.zeros(len(costs)), graph.target
    while node != graph.source:
        tail = int(before[node])
        path[min((costs[arc], arc) for arc, head in graph.arcs_out[tail] if head == node)[1]] = 1.0
        node = tail
    return path


def path_feasible_set(graph: Graph, nodes: Sequence[str], arc_names: Sequence[str]) -> FeasibleSet:
    """Return binaries x per arc that carry one unit from source to target, and with cycles an order of the nodes.

    Flow alone lets cycles float beside the path. So each of the k nodes v has a place u_v in [0, k − 1], and an arc
    that is used leads up: u_v − u_w + k x_vw ≤ k − 1 (Miller, Tucker and Zemlin, doi:10.1145/321043.321046).
    """
    n_arcs, k = len(graph.tails), graph.n_nodes
    arcs, signs = np.arange(n_arcs), np.repeat([1.0, -1.0], n_arcs)
    ends = np.concatenate([graph.tails, graph.heads])
    leaves_less_enters = sp.csr_array((signs, (ends, np.tile(arcs, 2))), shape=(k, n_arcs))
    supply = np.bincount([graph.source], minlength=k) - np.bincount([graph.target], minlength=k)
    balance = [f"what leaves node '{node}' less what enters it" for node in nodes]
    if graph.is_acyclic:
        return FeasibleSet.of(RowBlock(balance, [leaves_less_enters], supply, supply))
    order = [f"the order of nodes at '{arc}' (paths have no cycles)" for arc in arc_names]
    return FeasibleSet.of(
        RowBlock(balance, [leaves_less_enters, sp.csr_array((k, k))], supply, supply),
        RowBlock(order, [k * sp.eye_array(n_arcs), leaves_less_enters.T], -np.inf, k - 1.0),
        most=np.append(np.ones(n_arcs), np.full(k, k - 1.0)),
        n_whole=n_arcs,
    )


def count_paths(graph: Graph) -> float:
    """Return the number of paths in a graph without cycles."""
    arcs = sp.csr_array((np.ones(len(graph.tails)), (graph.tails, graph.heads)), shape=(graph.n_nodes, graph.n_nodes))
    count, onward = 0.0, np.eye(graph.n_nodes)[graph.target]
    while onward.any():  # paths to the target with one more arc each time
        count += onward[graph.source]
        onward = arcs @ onward
    return count


def paths_within(graph: Graph, costs: FloatArray, limit: float, max_count: int) -> FloatArray | None:
    """Return the 0/1 vectors of all simple paths that cost at most `limit`, ordered arc by arc from the source.

    None if there are more than `max_count`, or if many beginnings lead nowhere, as they may where there are cycles.
    """
    onward, cost = graph.distances(costs, onward=True)[0].tolist(), costs.tolist()
    paths: list[list[int]] = []
    # A path so far: where it is, what it cost, its arcs, and the nodes it passed as bits of a whole number.
    stack: list[tuple[int, float, list[int], int]] = [(graph.source, 0.0, [], 1 << graph.source)]
    for _ in range(_MOST_STEPS):
        if not stack or len(paths) > max_count:
            break
        node, spent, arcs, passed = stack.pop()
        if node == graph.target:
            paths.append(arcs)
            continue
        for arc, head in reversed(graph.arcs_out[node]):
            if not passed >> head & 1 and spent + cost[arc] + onward[head] <= limit:
                stack.append((head, spent + cost[arc], [*arcs, arc], passed | 1 << head))
    if stack or len(paths) > max_count:
        return None
    solutions = np.zeros((len(paths), len(cost)))
    for solution, path in zip(solutions, paths, strict=True):
        solution[path] = 1.0
    return solutions
