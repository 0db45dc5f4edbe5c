"""Connect all nodes of a network."""

__all__ = ["SpanningTree"]

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Self, Unpack

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.data.checks import integer_between, list_some
from hedgerow.errors import InfeasibleProblemError
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._graph import adjacency
from hedgerow.problems._graph_names import GraphProblem, networkx_graph
from hedgerow.problems._named import Units

_COUNT_TOLERANCE = 1e-6


class SpanningTree(GraphProblem):
    """Choose edges that connect all nodes of an undirected graph without cycles.

    Examples: which links a multicast uses, which roads are gritted first, which lines stay open while others are
    serviced. The items are the edges. Costs may be negative, edges parallel.

    Parameters
    ----------
    tails, heads
        The two ends of each edge, in any order. Nodes are named by texts or numbers, and two names that print alike
        are the same node.
    nodes
        All nodes, if their order matters; by default those of the edges, in order of appearance.
    item_names
        Names of the edges; `tail-head` by default, and `tail-head#2`, … for edges parallel to an earlier one.
    unit, reading_unit, sense
        As in `LinearProblem`.
    positions
        As in `ShortestPath`.

    Raises
    ------
    InfeasibleProblemError
        If the graph is not connected.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import SpanningTree
    >>> problem = SpanningTree(["a", "b", "a"], ["b", "c", "c"], unit="km")
    >>> best = problem.best_solution(np.array([[4.0, 1.0, 2.0]]))
    >>> problem.describe(best.solution), best.value
    ('b-c, a-c', 3.0)
    """

    _thing = "an edge"

    def __init__(
        self,
        tails: Iterable[Any],
        heads: Iterable[Any],
        *,
        nodes: Iterable[Any] | None = None,
        item_names: Iterable[Any] | None = None,
        sense: Sense = "min",
        positions: Any = None,
        **units: Unpack[Units],
    ) -> None:
        super().__init__(tails, heads, nodes, item_names, positions, **units, sense=sense)
        apart = self._apart(np.ones(self.n_items))
        if apart:
            raise InfeasibleProblemError(
                f"the graph is not connected: no edges lead from {self.nodes[0]!r} to {list_some(apart)}. "
                "Add edges, or leave these nodes out."
            )

    @classmethod
    def complete(cls, n_nodes: int, *, sense: Sense = "min", **units: Unpack[Units]) -> Self:
        """Return the spanning trees of the complete graph with this many nodes.

        Examples
        --------
        >>> SpanningTree.complete(3).item_names
        ('1-2', '1-3', '2-3')
        """
        n_nodes = integer_between(n_nodes, "n_nodes", 2)
        tails, heads = zip(*combinations(range(1, n_nodes + 1), 2), strict=True)
        return cls(tails, heads, **units, sense=sense)

    @classmethod
    def from_networkx(
        cls, graph: Any, *, name: str | None = None, sense: Sense = "min", **units: Unpack[Units]
    ) -> Self:
        """Return the spanning trees of a networkx `Graph` or `MultiGraph`, its edges in the graph's order.

        The edge attribute `name` holds the items' names; `tail-head` is used if None. Other options are as in the
        constructor.

        Examples
        --------
        >>> import networkx as nx
        >>> SpanningTree.from_networkx(nx.cycle_graph(3)).item_names
        ('0-1', '0-2', '1-2')
        """
        return cls(**networkx_graph(graph, name, directed=False), **units, sense=sense)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The two ends of each edge, by name."""
        return self._named_ends()

    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        solutions = np.zeros(cost_vectors.shape)
        n = len(self.nodes)
        pair = np.minimum(self._tails, self._heads) * n + np.maximum(self._tails, self._heads)
        pairs, pair_of_edge = np.unique(pair, return_inverse=True)
        for solution, costs in zip(solutions, cost_vectors, strict=True):
            # Which tree is cheapest depends on the edges' order alone. Places in it, counted from 1, stand for costs:
            # SciPy would take a cost of 0 for no edge, and add up parallel edges.
            order = np.argsort(costs, kind="stable")
            place = np.empty(self.n_items, dtype=np.int64)
            place[order] = np.arange(1, self.n_items + 1)
            first = np.full(len(pairs), self.n_items + 1)
            np.minimum.at(first, pair_of_edge, place)
            graph = adjacency(pairs // n, pairs % n, n, first.astype(np.float64))
            chosen: IntArray = csgraph.minimum_spanning_tree(graph).data.astype(np.int64)
            solution[order[chosen - 1]] = 1.0
        return solutions

    def _apart(self, used: FloatArray) -> list[str]:
        """Return the nodes that the used edges leave unconnected with the first one."""
        edges = np.flatnonzero(used)
        n = len(self.nodes)
        graph = adjacency(self._tails[edges], self._heads[edges], n)
        _, component = csgraph.connected_components(graph, directed=False)
        return [self.nodes[node] for node in np.flatnonzero(component != component[0])]

    def _fault(self, chosen: FloatArray) -> str | None:
        apart, count = self._apart(chosen), int(chosen.sum())
        if apart:
            return f"these nodes are not connected with '{self.nodes[0]}': {list_some(apart)}"
        if count != len(self.nodes) - 1:
            return f"{count} edges are used, so there is a cycle; a tree has {len(self.nodes) - 1}"
        return None

    def feasible_set(self) -> FeasibleSet:
        """Return X: n − 1 binaries that carry one unit of flow from the first node to each other one.

        The auxiliary columns are the flow along each edge, first in its direction, then against it.
        """
        n, m = len(self.nodes), self.n_items
        edges = np.arange(m)
        leaves = sp.csr_array((np.ones(m), (self._tails, edges)), shape=(n, m))
        enters = sp.csr_array((np.ones(m), (self._heads, edges)), shape=(n, m))
        each, count = sp.eye_array(m), sp.csr_array(np.ones((1, m)))
        demand = np.ones(n)
        demand[0] = -(n - 1.0)
        return FeasibleSet.of(
            ([None, enters - leaves, leaves - enters], demand, demand),
            ([-(n - 1.0) * each, each, each], -np.inf, 0.0),
            ([count, None, None], n - 1.0, n - 1.0),
            most=np.concatenate([self._tails != self._heads, np.full(2 * m, n - 1.0)]),
            n_whole=m,
        )

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every spanning tree (one per row) if there are at most `limit`, else None."""
        return _all_spanning_trees(self._tails, self._heads, len(self.nodes), limit)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        return self._described(
            "spanning_tree",
            nodes=list(self.nodes),
            edges=[list(ends) for ends in self._ends],
            items=list(self.item_names),
            positions=None if self.positions is None else self.positions.tolist(),
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        options = reading.options(data, "nodes", "edges", "items", "positions")
        return cls(**reading.named_ends(data, "edges"), **options)

    def __repr__(self) -> str:
        return f"SpanningTree({len(self.nodes)} nodes, {self.n_items} edges{self._options_in_words()})"


def _all_spanning_trees(tails: IntArray, heads: IntArray, n_nodes: int, limit: int) -> FloatArray | None:
    """Return the 0/1 vectors of all spanning trees of a connected graph, or None if there are more than `limit`."""
    if _count(tails, heads, n_nodes) > limit * (1.0 + _COUNT_TOLERANCE) + 0.5:
        return None
    forests = np.zeros((1, len(tails)))
    group = np.arange(n_nodes)[np.newaxis]  # per forest (row) the group of each node that its edges join
    for edge, (tail, head) in enumerate(zip(tails.tolist(), heads.tolist(), strict=True)):
        joins = group[:, tail] != group[:, head]
        dispensable = _connected(group, tails[edge + 1 :], heads[edge + 1 :])
        # A forest goes on without the edge where later edges can do its work, and with it where it joins something.
        with_edge = forests[joins]
        with_edge[:, edge] = 1.0
        forests = np.concatenate([with_edge, forests[dispensable]])
        group = np.concatenate([_joined(group[joins], tail, head), group[dispensable]])
    return forests


def _count(tails: IntArray, heads: IntArray, n_nodes: int) -> float:
    """Return the number of spanning trees, up to rounding: a minor of the Laplacian (Kirchhoff)."""
    laplacian = np.zeros((n_nodes, n_nodes))
    for ends, others in ((tails, heads), (heads, tails)):
        np.add.at(laplacian, (ends, ends), 1.0)
        np.add.at(laplacian, (ends, others), -1.0)
    logarithm = float(np.linalg.slogdet(laplacian[1:, 1:])[1])
    return math.exp(logarithm) if logarithm < 700.0 else math.inf


def _connected(group: IntArray, tails: IntArray, heads: IntArray) -> BoolArray:
    """Return for which rows the groups become one if all these edges are added."""
    for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
        group = _joined(group, tail, head)
    connected: BoolArray = (group == group[:, :1]).all(axis=1)
    return connected


def _joined(group: IntArray, tail: int, head: int) -> IntArray:
    """Return the groups after those of the two nodes have become one."""
    return np.where(group == group[:, [head]], group[:, [tail]], group)
