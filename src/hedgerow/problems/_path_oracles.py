"""Cheapest paths for many cost vectors: dynamic programming where there is no cycle, Dijkstra where there is one."""

from typing import Final, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.problems._graph import Graph

_FEW: Final = 16
"""For up to as many cost vectors plain Python is quicker than arrays level by level."""

_BLOCK: Final = 256
"""As many cost vectors at a time fit into the processor's cache."""


class _Level(NamedTuple):
    """The arcs into the nodes of one level, grouped by node."""

    arcs: IntArray
    tails: IntArray
    nodes: IntArray
    starts: IntArray
    group: IntArray


class AcyclicOracle:
    """Dynamic programming along the levels of a graph without cycles; costs may have any sign.

    Of equally cheap ways into a node the one by the arc with the lowest number wins.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        useful = np.flatnonzero(graph.useful)
        level_of = graph.level[graph.heads]
        # By the head's level, then by head: when an arc is looked at, its tail is settled.
        arcs = useful[np.lexsort((useful, graph.heads[useful], level_of[useful]))]
        self._steps = list(zip(arcs.tolist(), graph.tails[arcs].tolist(), graph.heads[arcs].tolist(), strict=True))
        cuts = np.flatnonzero(np.diff(level_of[arcs])) + 1
        self._levels = [self._grouped(part) for part in np.split(arcs, cuts)]

    def _grouped(self, arcs: IntArray) -> _Level:
        nodes, starts, group = np.unique(self._graph.heads[arcs], return_index=True, return_inverse=True)
        return _Level(arcs, self._graph.tails[arcs], nodes, starts, group)

    def cheapest(self, costs: FloatArray) -> FloatArray:
        """Return the 0/1 vector of a cheapest path for each row of costs."""
        if len(costs) <= _FEW:
            return self._few(costs)
        return np.concatenate([self._many(costs[start : start + _BLOCK]) for start in range(0, len(costs), _BLOCK)])

    def _few(self, costs: FloatArray) -> FloatArray:
        graph = self._graph
        solutions = np.zeros(costs.shape)
        for solution, cost in zip(solutions, costs.tolist(), strict=True):
            distance = [np.inf] * graph.n_nodes
            distance[graph.source] = 0.0
            way_in = [(-1, -1)] * graph.n_nodes
            for arc, tail, head in self._steps:
                length = distance[tail] + cost[arc]
                if length < distance[head]:
                    distance[head] = length
                    way_in[head] = (arc, tail)
            if not distance[graph.target] < np.inf:
                raise InputError(
                    "the costs of a path must add up to a finite number; these are too large, or no numbers."
                )
            node, path = graph.target, []
            while node != graph.source:
                arc, node = way_in[node]
                path.append(arc)
            solution[path] = 1.0
        return solutions

    def _many(self, costs: FloatArray) -> FloatArray:
        graph, (n_vectors, n_arcs) = self._graph, costs.shape
        by_arc = np.ascontiguousarray(costs.T)
        distance = np.zeros((graph.n_nodes, n_vectors))
        way_in = np.zeros((graph.n_nodes, n_vectors), dtype=np.int64)
        for level in self._levels:
            lengths = distance[level.tails] + by_arc[level.arcs]
            shortest = np.minimum.reduceat(lengths, level.starts, axis=0)
            attained = np.where(lengths == shortest[level.group], level.arcs[:, np.newaxis], n_arcs)
            distance[level.nodes] = shortest
            way_in[level.nodes] = np.minimum.reduceat(attained, level.starts, axis=0)
        solutions = np.zeros(costs.shape)
        rows, nodes = np.arange(n_vectors), np.full(n_vectors, graph.target)
        while rows.size:
            arcs = way_in[nodes, rows]
            solutions[rows, arcs] = 1.0
            nodes = graph.tails[arcs]
            rows, nodes = rows[nodes != graph.source], nodes[nodes != graph.source]
        return solutions


class CyclicOracle:
    """Dijkstra's algorithm, with parallel arcs reduced to their cheapest; arcs on cycles cost zero or more."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        useful = np.flatnonzero(graph.useful)
        arcs = useful[np.lexsort((useful, graph.heads[useful], graph.tails[useful]))]
        tails, heads = graph.tails[arcs], graph.heads[arcs]
        new_pair = np.concatenate([[True], (np.diff(tails) != 0) | (np.diff(heads) != 0)])
        self._arcs = arcs
        self._starts = np.flatnonzero(new_pair)
        ends = np.append(self._starts[1:], len(arcs)).tolist()
        pairs = zip(tails[self._starts].tolist(), heads[self._starts].tolist(), strict=True)
        self._parallel = dict(zip(pairs, zip(self._starts.tolist(), ends, strict=True), strict=True))
        self._columns = heads[self._starts].astype(np.int32)
        self._row_ends = np.searchsorted(tails[self._starts], np.arange(graph.n_nodes + 1)).astype(np.int32)
        self._rise = (graph.level[heads] - graph.level[tails]).astype(np.float64)

    def cheapest(self, costs: FloatArray) -> FloatArray:
        """Return the 0/1 vector of a cheapest path for each row of costs."""
        graph = self._graph
        lengths = self._lifted(costs[:, self._arcs])
        by_pair = np.minimum.reduceat(lengths, self._starts, axis=1)
        solutions = np.zeros(costs.shape)
        # Built from its three arrays, so that an arc of cost zero stays an arc.
        shape = (graph.n_nodes, graph.n_nodes)
        network = sp.csr_array((np.empty(len(self._starts)), self._columns, self._row_ends), shape=shape)
        for number in range(len(costs)):
            network.data = by_pair[number]
            _, before = csgraph.dijkstra(network, indices=[graph.source], return_predecessors=True)
            solutions[number, self._path(before[0].tolist(), lengths[number])] = 1.0
        return solutions

    def _path(self, before: list[int], lengths: FloatArray) -> list[int]:
        node, path = self._graph.target, []
        while node != self._graph.source:
            tail = before[node]
            start, end = self._parallel[tail, node]
            path.append(int(self._arcs[start + np.argmin(lengths[start:end])]))
            node = tail
        return path

    def _lifted(self, costs: FloatArray) -> FloatArray:
        """Return costs without negative ones: arcs between components are lifted, by as much on every path."""
        lift = -np.minimum(costs.min(axis=1, initial=0.0), 0.0)
        if not lift.any():
            return costs
        # Rounding may leave a hair below zero, which Dijkstra would complain about.
        lifted: FloatArray = np.maximum(costs + lift[:, np.newaxis] * self._rise, 0.0)
        return lifted
