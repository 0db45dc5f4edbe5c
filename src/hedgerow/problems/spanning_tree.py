"""Connect all nodes of a network."""

__all__ = ["SpanningTree"]

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Self, Unpack

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.checks import integer_between, list_some, unique_names
from hedgerow.errors import InfeasibleProblemError, InputError
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._graph_names import coordinates, edge_name, ends_of, graph_coordinates
from hedgerow.problems._named import Units
from hedgerow.problems._tree_lists import all_spanning_trees
from hedgerow.problems.linear import LinearProblem


class SpanningTree(LinearProblem):
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
    unit, reading_unit
        Unit of the costs, and that of the readings where it is another one.
    sense
        "min" for costs, "max" for gains.
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
        ends = ends_of(tails, heads, nodes, "edge")
        self._nodes, self._tails, self._heads = ends.nodes, ends.tails, ends.heads
        names = ends.names if item_names is None else item_names
        super().__init__(unique_names(names, "item_names", length=len(ends.tails)), **units, sense=sense)
        self._positions = None if positions is None else coordinates(positions, ends.number_of)
        apart = self._apart(np.ones(self.n_items))
        if apart:
            raise InfeasibleProblemError(
                f"the graph is not connected: no edges lead from {self._nodes[0]!r} to {list_some(apart)}. "
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
        pairs = list(combinations(range(1, n_nodes + 1), 2))
        return cls([tail for tail, _ in pairs], [head for _, head in pairs], **units, sense=sense)

    @classmethod
    def from_networkx(
        cls, graph: Any, *, name: str | None = None, sense: Sense = "min", **units: Unpack[Units]
    ) -> Self:
        """Return the spanning trees of a networkx `Graph` or `MultiGraph`, its edges in the graph's order.

        Parameters
        ----------
        graph
            The undirected graph.
        name
            The edge attribute that holds the items' names; `tail-head` is used if None.
        unit, sense
            As in the constructor.

        Examples
        --------
        >>> import networkx as nx
        >>> SpanningTree.from_networkx(nx.cycle_graph(3)).item_names
        ('0-1', '0-2', '1-2')
        """
        import networkx as nx

        if not isinstance(graph, nx.Graph):
            raise InputError(f"graph must be a networkx Graph or MultiGraph; got a {type(graph).__name__}.")
        if graph.is_directed():
            raise InputError(
                f"graph must be undirected; got a {type(graph).__name__}. graph.to_undirected() drops the directions."
            )
        edges = list(graph.edges(data=True))
        return cls(
            [tail for tail, _, _ in edges],
            [head for _, head, _ in edges],
            nodes=graph.nodes,
            item_names=None if name is None else [edge_name(edge, name) for edge in edges],
            **units,
            sense=sense,
            positions=graph_coordinates(graph),
        )

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes."""
        return self._nodes

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The two ends of each edge, by name."""
        ends = zip(self._tails, self._heads, strict=True)
        return tuple((self._nodes[tail], self._nodes[head]) for tail, head in ends)

    @property
    def positions(self) -> FloatArray | None:
        """Coordinates of the nodes, one row (x, y) each, or None if none were given."""
        return self._positions

    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        solutions = np.zeros(cost_vectors.shape)
        n = len(self._nodes)
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
            graph = sp.csr_array((first.astype(np.float64), (pairs // n, pairs % n)), shape=(n, n))
            chosen: IntArray = csgraph.minimum_spanning_tree(graph).data.astype(np.int64)
            solution[order[chosen - 1]] = 1.0
        return solutions

    def _apart(self, used: FloatArray) -> list[str]:
        """Return the nodes that the used edges leave unconnected with the first one."""
        edges = np.flatnonzero(used)
        n = len(self._nodes)
        graph = sp.csr_array((np.ones(len(edges)), (self._tails[edges], self._heads[edges])), shape=(n, n))
        _, component = csgraph.connected_components(graph, directed=False)
        return [self._nodes[node] for node in np.flatnonzero(component != component[0])]

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is no spanning tree, in words, or None if it is one."""
        trouble = self._not_all_or_nothing(solution, "used", "an edge")
        if trouble is not None:
            return trouble
        used = np.rint(solution)
        apart = self._apart(used)
        if apart:
            return f"these nodes are not connected with '{self._nodes[0]}': {list_some(apart)}"
        if int(used.sum()) != len(self._nodes) - 1:
            return f"{int(used.sum())} edges are used, so there is a cycle; a tree has {len(self._nodes) - 1}"
        return None

    def feasible_set(self) -> FeasibleSet:
        """Return X: n − 1 binaries that carry one unit of flow from the first node to each other one.

        The auxiliary columns are the flow along each edge, first in its direction, then against it.
        """
        n, m = len(self._nodes), self.n_items
        edges = np.arange(m)
        leaves = sp.csr_array((np.ones(m), (self._tails, edges)), shape=(n, m))
        enters = sp.csr_array((np.ones(m), (self._heads, edges)), shape=(n, m))
        balance = sp.hstack([sp.csr_array((n, m)), enters - leaves, leaves - enters])
        opened = sp.hstack([-(n - 1.0) * sp.eye_array(m), sp.eye_array(m), sp.eye_array(m)])
        count = sp.hstack([sp.csr_array(np.ones((1, m))), sp.csr_array((1, 2 * m))])
        demand = np.ones(n)
        demand[0] = -(n - 1.0)
        return FeasibleSet(
            sp.csr_array(sp.vstack([balance, opened, count])),
            np.concatenate([demand, np.full(m, -np.inf), [n - 1.0]]),
            np.concatenate([demand, np.zeros(m), [n - 1.0]]),
            np.zeros(3 * m),
            np.concatenate([self._tails != self._heads, np.full(2 * m, n - 1.0)]).astype(np.float64),
            np.arange(3 * m) < m,
        )

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every spanning tree (one per row) if there are at most `limit`, else None."""
        return all_spanning_trees(self._tails, self._heads, len(self._nodes), limit)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        fields = {
            "nodes": list(self._nodes),
            "edges": np.column_stack([self._tails, self._heads]).tolist(),
            "items": list(self.item_names),
            **({} if self._positions is None else {"positions": self._positions.tolist()}),
        }
        return self._described("spanning_tree", fields)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        reading.only_fields(data, {"kind", "nodes", "edges", "items", "positions", "unit", "sense"})
        nodes = reading.texts(data, "nodes")
        edges = reading.wholes(data, "edges", 0, len(nodes) - 1, width=2)
        return cls(
            [nodes[tail] for tail, _ in edges],
            [nodes[head] for _, head in edges],
            nodes=nodes,
            item_names=reading.texts_if_any(data, "items", length=len(edges)),
            positions=reading.positions(data, nodes),
            **reading.units(data),
            sense=reading.sense(data),
        )

    def __repr__(self) -> str:
        return f"SpanningTree({len(self._nodes)} nodes, {self.n_items} edges{self._options_in_words()})"
