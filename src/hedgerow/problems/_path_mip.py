"""The simple paths of a graph as rows and columns of a MIP."""

import numpy as np
import scipy.sparse as sp

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.problem import FeasibleSet
from hedgerow.problems._graph import Graph


def path_feasible_set(graph: Graph) -> FeasibleSet:
    """Return binaries x per arc that carry one unit from source to target, and an order of the nodes on cycles."""
    n_arcs = len(graph.tails)
    flow, supply = _flow_rows(graph)
    order, order_limit, last_place = _order_rows(graph)
    matrix = sp.vstack([sp.hstack([flow, sp.csr_array((len(supply), len(last_place)))]), order])
    return FeasibleSet(
        sp.csr_array(matrix),
        np.concatenate([supply, np.full(len(order_limit), -np.inf)]),
        np.concatenate([supply, order_limit]),
        np.zeros(n_arcs + len(last_place)),
        np.concatenate([graph.useful.astype(np.float64), last_place]),
        np.arange(n_arcs + len(last_place)) < n_arcs,
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
