"""Graphs of problems, for those who draw them: nodes, arcs, and coordinates of every node."""

__all__ = ["Network", "coordinates_of_nodes", "network_of"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import check_finite, in_short, list_some, number_array
from hedgerow.errors import InputError

_MOST_NODES: Final = 120
"""Largest graph that is laid out by its distances, which takes long."""


@dataclass(frozen=True, eq=False)
class Network:
    """The graph of a problem whose variables are its arcs."""

    nodes: tuple[str, ...]  # names of the nodes
    ends: IntArray  # arcs × 2: numbers of the nodes that each arc connects
    places: FloatArray  # nodes × 2: coordinates, given or laid out
    terminals: tuple[int, ...]  # numbers of the nodes where paths start and end; empty where there are none


def network_of(problem: Any) -> Network | None:
    """Return the graph of a problem on a graph whose variables are the arcs; None for any other.

    Nodes without coordinates are placed by networkx, the same way each time.

    Examples
    --------
    >>> from hedgerow.problems import Selection, ShortestPath
    >>> from hedgerow.problems.drawing import network_of
    >>> network_of(Selection(2, 1)) is None
    True
    >>> network_of(ShortestPath.grid(2)).ends.tolist()
    [[0, 1], [0, 2], [1, 3], [2, 3]]
    """
    nodes, arcs = getattr(problem, "nodes", None), getattr(problem, "arcs", None)
    if not isinstance(nodes, tuple) or not isinstance(arcs, tuple) or len(problem.variable_names) != len(arcs):
        return None
    # A user's own problem may mean something else by these words.
    if not all(len(ends) == 2 and set(ends) <= set(nodes) for ends in arcs):
        return None
    number_of = {name: number for number, name in enumerate(nodes)}
    ends = np.array([(number_of[tail], number_of[head]) for tail, head in arcs], dtype=np.int64)
    terminals = [number_of.get(getattr(problem, end, None)) for end in ("source", "target")]
    positions = np.asarray(getattr(problem, "positions", None))
    places = positions.astype(np.float64) if positions.shape == (len(nodes), 2) else _laid_out(len(nodes), ends)
    return Network(nodes, ends, places, tuple(node for node in terminals if node is not None))


def _laid_out(n_nodes: int, ends: IntArray) -> FloatArray:
    import networkx as nx

    graph = nx.Graph(ends.tolist())
    graph.add_nodes_from(range(n_nodes))
    small = n_nodes <= _MOST_NODES and nx.is_connected(graph)
    places = nx.kamada_kawai_layout(graph) if small else nx.spring_layout(graph, seed=0)
    return np.array([places[node] for node in range(n_nodes)])


def coordinates_of_nodes(positions: Any, nodes: Sequence[str]) -> FloatArray:
    """Return the nodes' coordinates as a matrix, in the order of the nodes.

    They are given as a mapping, or as a matrix in that order.
    """
    if isinstance(positions, Mapping):
        by_label = {str(node): place for node, place in positions.items()}
        missing = [label for label in nodes if label not in by_label]
        if missing:
            raise InputError(f"positions must hold x and y of every node; missing are {list_some(missing)}.")
        positions = [by_label[label] for label in nodes]
    places = number_array(positions, "positions, x and y of every node,")
    if places.shape != (len(nodes), 2):
        raise InputError(f"positions must hold x and y of every node; got {in_short(positions)}.")
    check_finite(places, "positions")
    return frozen(places)
