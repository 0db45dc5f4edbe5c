"""A problem's network as the page draws it: enlarged so that the plans fill the picture."""

__all__ = ["drawn_network"]

import math
from typing import Any

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.problems.drawing import network_of
from hedgerow.words import printable

_MOST_ARCS = 3000
"""More are not drawn: they would be unreadable."""
_AROUND = 0.3
"""How far around the plans the rest of the network is shown, as a share of their extent."""
_DIGITS = 4


def drawn_network(problem: Any, used: IntArray) -> dict[str, Any] | None:
    """Return nodes, places and arcs around the arcs that plans use; None for a problem that is on no graph.

    >>> import numpy as np
    >>> from hedgerow.problems import Selection, ShortestPath
    >>> drawn_network(Selection(2, 1), np.array([0])) is None
    True
    >>> drawn_network(ShortestPath.grid(2), np.array([0, 2]))["arcs"]
    [[0, 1, 0, '0-1'], [0, 2, 1, '0-2'], [1, 3, 2, '1-3'], [2, 3, 3, '2-3']]
    """
    network = network_of(problem)
    if network is None:
        return None
    on_plans = np.unique([*network.ends[used].ravel().tolist(), *network.terminals]).astype(np.int64)
    places = _in_unit_box(network.places, on_plans)
    extent = places[on_plans].max(axis=0, initial=0.0)
    near = (np.abs(places - extent / 2.0) <= extent / 2.0 + _AROUND).all(axis=1)
    near[on_plans] = True
    arcs = np.flatnonzero(near[network.ends].all(axis=1)).tolist()
    if len(arcs) > _MOST_ARCS:
        return None
    number = np.cumsum(near) - 1
    names = problem.variable_names
    return {
        "nodes": [[printable(network.nodes[node]), *places[node].tolist()] for node in np.flatnonzero(near).tolist()],
        "arcs": [[*number[network.ends[arc]].tolist(), arc, printable(names[arc])] for arc in arcs],
        "ends": [int(number[node]) for node in network.terminals],
        "extent": extent.tolist(),
        "directed": network.directed,
    }


def _in_unit_box(places: FloatArray, chosen: IntArray) -> FloatArray:
    """Return the places moved and scaled so that the chosen ones fill the unit square, in true proportion."""
    low = places[chosen].min(axis=0)
    # Scaled down before subtracting: places in a file may lie further apart than the largest float.
    size = float(np.max(places[chosen] / 2.0 - low / 2.0)) * 2.0
    scaled = (places / size - low / size) if 0.0 < size < math.inf else np.zeros_like(places)
    return np.round(scaled, _DIGITS)
