"""A directed graph as arrays, and what is known of it before any cost: useful arcs, components, levels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.arrays import BoolArray, IntArray


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
        n_components = int(self.component.max()) + 1
        out: list[list[int]] = [[] for _ in range(n_components)]
        waiting = [0] * n_components
        for tail, head in zip(tails, heads, strict=True):
            out[tail].append(head)
            waiting[head] += 1
        levels = [0] * n_components
        ready = [component for component in range(n_components) if waiting[component] == 0]
        while ready:
            tail = ready.pop()
            for head in out[tail]:
                levels[head] = max(levels[head], levels[tail] + 1)
                waiting[head] -= 1
                if waiting[head] == 0:
                    ready.append(head)
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
        return _adjacency(self.tails[self.useful], self.heads[self.useful], self.n_nodes)

    def _reachable(self, tails: IntArray, heads: IntArray, start: int) -> BoolArray:
        reached = np.zeros(self.n_nodes, dtype=np.bool_)
        order = csgraph.breadth_first_order(_adjacency(tails, heads, self.n_nodes), start, return_predecessors=False)
        reached[order] = True
        return reached


def _adjacency(tails: IntArray, heads: IntArray, n_nodes: int) -> sp.csr_array:
    # Parallel arcs add up, to a positive number all the same.
    return sp.csr_array((np.ones(len(tails)), (tails, heads)), shape=(n_nodes, n_nodes))
