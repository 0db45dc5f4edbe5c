"""Connect all nodes of a network: which links a multicast uses, which roads are gritted first."""

import math
from itertools import combinations

import numpy as np
import scipy.sparse as sp

from hedgerow.errors import InfeasibleProblemError
from hedgerow.problem import FeasibleSet, RowBlock
from hedgerow.problems import LinearProblem
from hedgerow.problems.base import distinct_names


class SpanningTree(LinearProblem):
    """Choose edges that connect all nodes of an undirected graph without cycles; the items are the edges."""

    kind = "spanning_tree"

    def __init__(self, tails, heads, *, sense="min", **units):
        self.tails, self.heads = tuple(map(str, tails)), tuple(map(str, heads))
        self.edges = tuple(zip(self.tails, self.heads, strict=True))
        self.nodes = tuple(dict.fromkeys(node for edge in self.edges for node in edge))
        super().__init__(distinct_names(self.edges), sense=sense, **units)
        if self._minimise(np.zeros(self.n_items)).sum() < len(self.nodes) - 1:
            raise InfeasibleProblemError("the graph is not connected; add edges, or leave nodes out.")

    def _minimise(self, costs):
        """Return the cheapest tree by Kruskal's algorithm: edge by edge, where it joins two parts."""
        tree, part_of = np.zeros(self.n_items), {node: node for node in self.nodes}
        for edge in np.argsort(costs, kind="stable"):
            tail, head = (part_of[node] for node in self.edges[edge])
            if tail != head:
                tree[edge] = 1.0
                part_of = {node: tail if part == head else part for node, part in part_of.items()}
        return tree

    def feasible_set(self):
        """Return X: n − 1 edges that carry one unit from the first node to each other one, in either direction."""
        n, m, number_of = len(self.nodes), self.n_items, {node: number for number, node in enumerate(self.nodes)}
        flow, each = np.zeros((n, m)), sp.eye_array(m)
        for edge, (tail, head) in enumerate(self.edges):
            flow[number_of[tail], edge] -= 1.0
            flow[number_of[head], edge] += 1.0
        demand = np.append(-(n - 1.0), np.ones(n - 1))
        return FeasibleSet.of(
            RowBlock("the number of edges", [np.ones((1, m)), None, None], n - 1, n - 1),
            RowBlock([f"what stays at '{node}'" for node in self.nodes], [None, flow, -flow], demand, demand),
            RowBlock("the flow along an unused edge", [-(n - 1.0) * each, each, each], -np.inf, 0.0),
            most=np.append(np.ones(m), np.full(2 * m, n - 1.0)),
            n_whole=m,
        )

    def all_solutions(self, limit):
        n_edges = len(self.nodes) - 1
        if math.comb(self.n_items, n_edges) > 100 * limit:
            return None
        rows = (np.isin(np.arange(self.n_items), edges) * 1.0 for edges in combinations(range(self.n_items), n_edges))
        trees = [row for row in rows if (self._minimise(-row) == row).all()]  # chosen edges come first
        return np.array(trees) if len(trees) <= limit else None
