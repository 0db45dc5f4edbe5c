"""Every spanning tree of a graph, counted before it is listed."""

__all__ = ["all_spanning_trees"]

import math

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray

_COUNT_TOLERANCE = 1e-6


def all_spanning_trees(tails: IntArray, heads: IntArray, n_nodes: int, limit: int) -> FloatArray | None:
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
