"""A directed graph as arrays, what is known of it before any cost, and its simple paths as rows of a MIP."""

from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.problem import FeasibleSet


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
    def component(self) -> IntArray:
        """The strongly connected component of each node."""
        _, labels = csgraph.connected_components(self.useful_adjacency, directed=True, connection="strong")
        return np.asarray(labels, dtype=np.int64)

    @cached_property
    def inner(self) -> BoolArray:
        """Useful arcs inside a strongly connected component: those that lie on a cycle."""
        inner: BoolArray = self.useful & (self.component[self.tails] == self.component[self.heads])
        return inner

    @property
    def is_acyclic(self) -> bool:
        """Whether no useful arc lies on a cycle."""
        return not self.inner.any()

    @cached_property
    def level(self) -> IntArray:
        """How many arcs between components at most lead to each node: every such arc goes up."""
        between = np.flatnonzero(self.useful & ~self.inner)
        tails, heads = self.component[self.tails[between]].tolist(), self.component[self.heads[between]].tolist()
        before: list[set[int]] = [set() for _ in range(int(self.component.max()) + 1)]
        for tail, head in zip(tails, heads, strict=True):
            before[head].add(tail)
        levels = [0] * len(before)
        for component in TopologicalSorter(dict(enumerate(before))).static_order():
            levels[component] = max((levels[tail] + 1 for tail in before[component]), default=0)
        return np.array(levels, dtype=np.int64)[self.component]

    @cached_property
    def useful_out(self) -> list[list[tuple[int, int]]]:
        """For each node its useful arcs in order, as pairs (arc, head)."""
        out: list[list[tuple[int, int]]] = [[] for _ in range(self.n_nodes)]
        for arc in np.flatnonzero(self.useful).tolist():
            out[int(self.tails[arc])].append((arc, int(self.heads[arc])))
        return out

    @cached_property
    def useful_adjacency(self) -> sp.csr_array:
        """The useful arcs as a matrix with an entry for each pair of nodes that they join."""
        return adjacency(self.tails[self.useful], self.heads[self.useful], self.n_nodes)

    def _reachable(self, tails: IntArray, heads: IntArray, start: int) -> BoolArray:
        reached = np.zeros(self.n_nodes, dtype=np.bool_)
        order = csgraph.breadth_first_order(adjacency(tails, heads, self.n_nodes), start, return_predecessors=False)
        reached[order] = True
        return reached


def adjacency(tails: IntArray, heads: IntArray, n_nodes: int, lengths: FloatArray | None = None) -> sp.csr_array:
    """Return arcs as a matrix for SciPy's graph functions; parallel ones add up.

    Older versions of SciPy take indices of 32 bits only.
    """
    values = np.ones(len(tails)) if lengths is None else lengths
    ends = tails.astype(np.int32), heads.astype(np.int32)
    return sp.csr_array((values, ends), shape=(n_nodes, n_nodes))


def path_feasible_set(graph: Graph) -> FeasibleSet:
    """Return binaries x per arc that carry one unit from source to target, and an order of the nodes on cycles."""
    n_arcs = len(graph.tails)
    flow, supply = _flow_rows(graph)
    order, order_limit, last_place = _order_rows(graph)
    return FeasibleSet.of(
        ([flow, sp.csr_array((len(supply), len(last_place)))], supply, supply),
        ([order[:, :n_arcs], order[:, n_arcs:]], -np.inf, order_limit),
        most=np.concatenate([graph.useful, last_place]),
        n_whole=n_arcs,
    )


def _flow_rows(graph: Graph) -> tuple[sp.csr_array, FloatArray]:
    """Return one row per node on a path: what leaves it less what enters it is its supply."""
    arcs = np.flatnonzero(graph.useful)
    tails, heads = graph.tails[arcs], graph.heads[arcs]
    nodes, rows = np.unique(np.concatenate([tails, heads]), return_inverse=True)
    signs = np.repeat([1.0, -1.0], len(arcs))
    matrix = sp.csr_array((signs, (rows, np.tile(arcs, 2))), shape=(len(nodes), len(graph.tails)))
    return matrix, (nodes == graph.source).astype(np.float64) - (nodes == graph.target)


def _order_rows(graph: Graph) -> tuple[sp.csr_array, FloatArray, FloatArray]:
    """Return rows that forbid cycles, their upper limits, and the upper bounds of the columns that they add.

    Flow alone lets cycles float beside the path. So each node v of a component with k > 1 nodes has a place
    u_v in [0, k − 1], and an arc that is used inside the component leads up (Miller, Tucker and Zemlin,
    doi:10.1145/321043.321046), lifted by the opposite arc as Desrochers and Laporte do
    (doi:10.1016/0167-6377(91)90083-2): u_v − u_w + k x_vw + (k − 2) x_wv ≤ k − 1. Parallel arcs share a row.
    """
    arcs, n_arcs, n = np.flatnonzero(graph.inner), len(graph.tails), graph.n_nodes
    nodes = np.unique(graph.tails[arcs])
    place_column = n_arcs + np.searchsorted(nodes, np.arange(n))
    size = np.bincount(graph.component, minlength=n)[graph.component].astype(np.float64)
    pair_of_arc = graph.tails[arcs] * n + graph.heads[arcs]
    pairs: IntArray = np.unique(pair_of_arc)
    tails, heads, rows = pairs // n, pairs % n, np.arange(len(pairs))

    opposite_of_arc = graph.heads[arcs] * n + graph.tails[arcs]
    lifting = np.flatnonzero(np.isin(opposite_of_arc, pairs))
    entries = [
        (rows, place_column[tails], np.ones(len(rows))),
        (rows, place_column[heads], -np.ones(len(rows))),
        (np.searchsorted(pairs, pair_of_arc), arcs, size[graph.tails[arcs]]),
        (
            np.searchsorted(pairs, opposite_of_arc[lifting]),
            arcs[lifting],
            size[graph.tails[arcs[lifting]]] - 2.0,
        ),
    ]
    row, column, value = (np.concatenate(parts) for parts in zip(*entries, strict=True))
    shape = (len(pairs), n_arcs + len(nodes))
    matrix = sp.csr_array((value[value != 0.0], (row[value != 0.0], column[value != 0.0])), shape=shape)
    return matrix, size[tails] - 1.0, size[nodes] - 1.0
