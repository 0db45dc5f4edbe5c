"""All simple paths of a graph, counted before they are listed where possible, and all up to a given cost."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.problems._graph import Graph


def all_paths(graph: Graph, limit: int) -> FloatArray | None:
    """Return the 0/1 vectors of all simple paths, ordered arc by arc from the source, or None if above `limit`."""
    # The paths of any acyclic part are among them, so a large graph is often seen to exceed the limit at once.
    order = np.argsort(graph.level, kind="stable") if graph.is_acyclic else _forward_order(graph)
    return None if _count(graph, order) > limit else _searched(graph, limit)


def _count(graph: Graph, order: IntArray) -> int:
    """Return the number of paths by useful arcs that go forward in `order`."""
    place = np.empty(graph.n_nodes, dtype=np.int64)
    place[order] = np.arange(graph.n_nodes)
    places = place.tolist()
    counts = [0] * graph.n_nodes
    counts[graph.target] = 1
    # Python's integers, since the number of paths can be huge.
    for node in reversed(order.tolist()):
        if node != graph.target:
            counts[node] = sum(counts[head] for _, head in graph.useful_out[node] if places[head] > places[node])
    return counts[graph.source]


def _forward_order(graph: Graph) -> IntArray:
    """Return the nodes roughly from source to target, so that many arcs go forward."""
    adjacency = graph.useful_adjacency
    from_source = csgraph.dijkstra(adjacency, indices=[graph.source], unweighted=True)[0]
    to_target = csgraph.dijkstra(adjacency.T.tocsr(), indices=[graph.target], unweighted=True)[0]
    # Nodes off every path are infinitely far both ways; they have no useful arcs, so that any place is fine.
    progress = np.where(np.isfinite(from_source) & np.isfinite(to_target), from_source, 0.0)
    progress -= np.where(np.isfinite(to_target), to_target, 0.0)
    return np.argsort(progress, kind="stable")


def _searched(graph: Graph, limit: int) -> FloatArray | None:
    """Return all simple paths by growing their beginnings arc by arc.

    A beginning is kept only if it leads on to the target, so each stands for at least one path: there are too many
    paths as soon as there are too many beginnings.
    """
    arcs = np.flatnonzero(graph.useful)
    arcs = arcs[np.argsort(graph.tails[arcs], kind="stable")]
    first_out = np.searchsorted(graph.tails[arcs], np.arange(graph.n_nodes + 1))

    complete: list[IntArray] = []
    walks = np.empty((1, 0), dtype=np.int64)
    last = np.array([graph.source])
    visited = np.zeros((graph.n_nodes, 1), dtype=np.bool_)
    visited[graph.source] = True
    while len(walks):
        n_out = first_out[last + 1] - first_out[last]
        parent = np.repeat(np.arange(len(last)), n_out)
        nth_out = np.arange(len(parent)) - np.repeat(np.cumsum(n_out) - n_out, n_out)
        arc = arcs[first_out[last[parent]] + nth_out]
        if not graph.is_acyclic:
            leads_on = _reaching_target(graph, visited)[graph.heads[arc], parent]
            parent, arc = parent[leads_on], arc[leads_on]
        if sum(map(len, complete)) + len(arc) > limit:
            return None
        walks, last = np.column_stack([walks[parent], arc]), graph.heads[arc]
        ended = last == graph.target
        complete.append(walks[ended])
        walks, last = walks[~ended], last[~ended]
        visited = visited[:, parent[~ended]]
        visited[last, np.arange(len(last))] = True
    return _in_order(complete, len(graph.tails))


def _reaching_target(graph: Graph, visited: BoolArray) -> BoolArray:
    """Return, for each column of visited nodes, the nodes from which the target can be reached without these."""
    tails, heads = graph.useful_adjacency.nonzero()
    nodes, starts = np.unique(tails, return_index=True)
    # Sixty-four columns to a word: with many of them this is what takes the time.
    free = ~_packed(visited[nodes])
    reaching = np.zeros((graph.n_nodes, free.shape[1]), dtype=np.uint64)
    reaching[graph.target] = ~np.uint64(0)
    while True:
        further = np.bitwise_or.reduceat(reaching[heads], starts, axis=0) & free
        if np.array_equal(further, reaching[nodes]):
            return np.unpackbits(reaching.view(np.uint8), axis=1, count=visited.shape[1]).view(np.bool_)
        reaching[nodes] = further


def _packed(flags: BoolArray) -> NDArray[np.uint64]:
    bits = np.packbits(flags, axis=1)
    padding = -bits.shape[1] % 8
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, padding)))).view(np.uint64)


def _in_order(walks: list[IntArray], n_arcs: int) -> FloatArray:
    """Return the walks of every length as 0/1 rows, sorted by their first arc, then their second, and so on."""
    n_walks = sum(map(len, walks))
    padded = np.full((n_walks, len(walks)), -1)
    done = 0
    for part in walks:
        padded[done : done + len(part), : part.shape[1]] = part
        done += len(part)
    padded = padded[np.lexsort(padded.T[::-1])]
    solutions = np.zeros((n_walks, n_arcs))
    rows, places = np.nonzero(padded >= 0)
    solutions[rows, padded[rows, places]] = 1.0
    return solutions


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
