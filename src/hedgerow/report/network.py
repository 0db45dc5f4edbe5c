"""The graph of a network problem, with a place on the page for every node."""

__all__ = ["network_of"]

import math
from typing import Any

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.words import printable

_MOST_ARCS = 3000
"""Larger graphs are not drawn: they would be unreadable."""
_MOST_NODES_KAMADA = 120
_DIGITS = 4


def network_of(problem: Any) -> dict[str, Any] | None:
    """Return nodes, places and arcs of a problem on a graph whose variables are the arcs; None for any other.

    Examples
    --------
    >>> from hedgerow.problems import Selection, ShortestPath
    >>> from hedgerow.report.network import network_of
    >>> network_of(Selection(2, 1)) is None
    True
    >>> network_of(ShortestPath.grid(2))["arcs"]
    [[0, 1, '0-1'], [0, 2, '0-2'], [1, 3, '1-3'], [2, 3, '2-3']]
    """
    nodes, arcs = getattr(problem, "nodes", None), getattr(problem, "arcs", None)
    if not isinstance(nodes, tuple) or not isinstance(arcs, tuple) or len(arcs) > _MOST_ARCS:
        return None
    names = problem.variable_names
    number_of = {name: number for number, name in enumerate(nodes)}
    # A user's own problem may mean something else by these words.
    if len(names) != len(arcs) or not all(len(ends) == 2 and set(ends) <= set(number_of) for ends in arcs):
        return None
    ends = [(number_of[tail], number_of[head]) for tail, head in arcs]
    given = getattr(problem, "positions", None)
    source, target = (number_of.get(getattr(problem, end, None)) for end in ("source", "target"))
    if isinstance(given, np.ndarray) and given.shape == (len(nodes), 2):
        places = given
    else:
        places = _laid_out(len(nodes), ends, source, target)
    return {
        "nodes": [[printable(name), *place] for name, place in zip(nodes, _in_unit_box(places).tolist(), strict=True)],
        "arcs": [[tail, head, printable(name)] for (tail, head), name in zip(ends, names, strict=True)],
        "ends": [node for node in (source, target) if node is not None],
    }


def _laid_out(n_nodes: int, ends: list[tuple[int, int]], source: int | None, target: int | None) -> FloatArray:
    """Return places for nodes that have none, turned so that the way leads from left to right."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(n_nodes))
    graph.add_edges_from(ends)
    if n_nodes <= _MOST_NODES_KAMADA and nx.is_connected(graph):
        found = nx.kamada_kawai_layout(graph)
    else:
        found = nx.spring_layout(graph, seed=0)
    places = np.array([found[node] for node in range(n_nodes)], dtype=np.float64)
    if source is None or target is None:
        return places
    east, north = places[target] - places[source]
    angle = math.atan2(north, east)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    turned: FloatArray = places @ turn
    return turned


def _in_unit_box(places: FloatArray) -> FloatArray:
    """Return the places moved and scaled into the unit square, both directions by the same factor."""
    low = places.min(axis=0)
    # Scaled down before subtracting: places in a file may lie further apart than the largest float.
    size = float(np.max(places / 2.0 - low / 2.0)) * 2.0
    scaled = (places / size - low / size) if 0.0 < size < math.inf else np.zeros_like(places)
    return np.round(scaled, _DIGITS)
