"""All simple paths up to a given cost, found by walking only where the target is still near enough."""

__all__ = ["paths_within"]

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.problems._graph import Graph


def paths_within(graph: Graph, costs: FloatArray, limit: float, max_count: int) -> list[tuple[int, ...]] | None:
    """Return the arcs of every simple path that costs at most `limit`, or None if there are more than `max_count`."""
    onward = _cost_onward(graph, costs).tolist()
    cost = costs.tolist()
    found: list[tuple[int, ...]] = []
    # A path so far: where it is, what it cost, its arcs, and the nodes it passed as bits of a whole number.
    stack: list[tuple[int, float, tuple[int, ...], int]] = [(graph.source, 0.0, (), 1 << graph.source)]
    while stack:
        node, spent, arcs, passed = stack.pop()
        if node == graph.target:
            found.append(arcs)
            if len(found) > max_count:
                return None
            continue
        for arc, head in graph.useful_out[node]:
            if not passed >> head & 1 and spent + cost[arc] + onward[head] <= limit:
                stack.append((head, spent + cost[arc], (*arcs, arc), passed | 1 << head))
    return found


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
