"""Graphs of problems, for those who draw them: nodes, arcs, and coordinates of every node."""

__all__ = ["Network", "coordinates_of_nodes", "network_of"]

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import in_short, list_some
from hedgerow.errors import InputError

_MOST_NODES_KAMADA: Final = 120


@dataclass(frozen=True, eq=False)
class Network:
    """The graph of a problem whose variables are its arcs."""

    nodes: tuple[str, ...]  # names of the nodes
    ends: IntArray  # arcs × 2: numbers of the nodes that each arc connects
    places: FloatArray  # nodes × 2: coordinates, given or laid out
    terminals: tuple[int, ...]  # numbers of the nodes where paths start and end; empty where there are none
    directed: bool = True  # whether arcs lead one way


def network_of(problem: Any) -> Network | None:
    """Return the graph of a problem on a graph whose variables are the arcs; None for any other.

    Nodes without coordinates are placed by networkx, the same way each time, the start on the left and the target on
    the right.

    Examples
    --------
    >>> from hedgerow.problems import Selection, ShortestPath
    >>> from hedgerow.problems.drawing import network_of
    >>> network_of(Selection(2, 1)) is None
    True
    >>> network_of(ShortestPath.grid(2)).ends.tolist()
    [[0, 1], [0, 2], [1, 3], [2, 3]]
    """
    nodes, directed = getattr(problem, "nodes", None), hasattr(problem, "arcs")
    arcs = getattr(problem, "arcs" if directed else "edges", None)
    if not isinstance(nodes, tuple) or not isinstance(arcs, tuple) or len(problem.variable_names) != len(arcs):
        return None
    number_of = {name: number for number, name in enumerate(nodes)}
    # A user's own problem may mean something else by these words.
    if not all(len(ends) == 2 and set(ends) <= set(number_of) for ends in arcs):
        return None
    ends = np.array([(number_of[tail], number_of[head]) for tail, head in arcs], dtype=np.int64).reshape(-1, 2)
    found = (number_of.get(getattr(problem, end, None)) for end in ("source", "target"))
    terminals = tuple(node for node in found if node is not None)
    given = getattr(problem, "positions", None)
    has_places = given is not None and np.shape(given) == (len(nodes), 2)
    places = np.asarray(given, dtype=np.float64) if has_places else _laid_out(len(nodes), ends, terminals)
    return Network(nodes, ends, places, terminals, directed)


def _laid_out(n_nodes: int, ends: IntArray, terminals: tuple[int, ...]) -> FloatArray:
    """Return places for nodes that have none, turned so that the way leads from left to right."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(n_nodes))
    graph.add_edges_from((tail, head) for tail, head in ends.tolist() if tail != head)
    if n_nodes <= _MOST_NODES_KAMADA and nx.is_connected(graph):
        found = nx.kamada_kawai_layout(graph)
    else:
        found = nx.spring_layout(graph, seed=0)
    places: FloatArray = np.array([found[node] for node in range(n_nodes)], dtype=np.float64)
    if len(terminals) < 2:
        return places
    east, north = places[terminals[1]] - places[terminals[0]]
    angle = math.atan2(north, east)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    turned: FloatArray = places @ turn
    return turned


def coordinates_of_nodes(positions: Any, nodes: Sequence[str]) -> FloatArray:
    """Return the nodes' coordinates as a matrix, in the order of the nodes.

    They are given as a mapping, or as a matrix in that order.
    """
    if isinstance(positions, list | np.ndarray) and len(positions) == len(nodes):
        positions = dict(zip(nodes, positions, strict=True))
    rule = "positions must hold two finite numbers (x, y) for every node"
    if not isinstance(positions, Mapping):
        raise InputError(f"{rule}; got {in_short(positions)}.")
    by_label = {str(node): place for node, place in positions.items()}
    missing = [label for label in nodes if label not in by_label]
    if missing:
        raise InputError(f"{rule}; missing are {list_some(missing)}.")
    try:
        places = np.array([by_label[label] for label in nodes], dtype=np.float64).reshape(len(nodes), 2)
    except (TypeError, ValueError):
        raise InputError(f"{rule}; got {in_short(positions)}.") from None
    if not np.isfinite(places).all():
        raise InputError(f"{rule}; got {in_short(positions)}.")
    return frozen(places)
