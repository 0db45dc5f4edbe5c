"""Names of nodes and arcs: labels become numbers, and arcs without a name get one."""

__all__ = [
    "Ends",
    "coordinates",
    "coordinates_in",
    "distinct_names",
    "edge_name",
    "ends_of",
    "graph_coordinates",
    "labels_of",
    "numbers_of",
]

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.arrays import FloatArray, IntArray, frozen
from hedgerow.checks import in_short, list_some, unique_names
from hedgerow.errors import InputError


@dataclass(frozen=True)
class Ends:
    """The nodes of a graph by name, and the two ends of each arc or edge by number.

    Attributes
    ----------
    nodes
        Names of the nodes.
    number_of
        The number of each node.
    tails, heads
        The nodes that arcs leave and enter; for edges the order means nothing.
    names
        Default names of the arcs.
    """

    nodes: tuple[str, ...]
    number_of: Mapping[str, int]
    tails: IntArray
    heads: IntArray
    names: list[str]


def ends_of(tails: Any, heads: Any, nodes: Any, link: str = "arc") -> Ends:
    """Return the ends of arcs (or edges) that are given by the names of their nodes.

    Without a list of nodes, the nodes are the ends in order of appearance.
    """
    tail_labels, head_labels = labels_of(tails, "tails"), labels_of(heads, "heads")
    if len(tail_labels) != len(head_labels) or not tail_labels:
        raise InputError(
            f"tails and heads must name the two ends of each {link}, of at least one; "
            f"got {len(tail_labels)} tails and {len(head_labels)} heads."
        )
    if nodes is None:
        ends = zip(tail_labels, head_labels, strict=True)
        known = unique_names(dict.fromkeys(label for pair in ends for label in pair), "nodes")
    else:
        known = unique_names(labels_of(nodes, "nodes"), "nodes")
    number_of = {label: number for number, label in enumerate(known)}
    return Ends(
        known,
        number_of,
        frozen(numbers_of(tail_labels, number_of, "tails")),
        frozen(numbers_of(head_labels, number_of, "heads")),
        distinct_names(tail_labels, head_labels),
    )


def distinct_names(tails: list[str], heads: list[str]) -> list[str]:
    """Return the name `tail-head` for each arc, with #2, #3, … where that is taken."""
    taken: set[str] = set()
    next_number: Counter[str] = Counter()
    names = []
    for tail, head in zip(tails, heads, strict=True):
        base = name = f"{tail}-{head}"
        while name in taken:
            next_number[base] += 1
            name = f"{base}#{next_number[base] + 1}"
        taken.add(name)
        names.append(name)
    return names


def labels_of(names: Any, what: str) -> list[str]:
    """Return nodes as texts, which identify them."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InputError(f"{what} must be a list of nodes; got {in_short(names)}.")
    labels = []
    for position, name in enumerate(names):
        if name is None or (isinstance(name, float) and math.isnan(name)):
            raise InputError(f"{what} must name a node; got {name} at position {position}.")
        labels.append(str(name))
    return labels


def numbers_of(labels: list[str], number_of: Mapping[str, int], what: str) -> IntArray:
    """Return the nodes' numbers; unknown ones are refused by name."""
    unknown = [label for label in dict.fromkeys(labels) if label not in number_of]
    if unknown:
        raise InputError(f"{what} must be among the nodes {list_some(list(number_of))}; got {list_some(unknown)}.")
    return np.array([number_of[label] for label in labels], dtype=np.int64)


def edge_name(edge: tuple[Any, Any, dict[str, Any]], attribute: str) -> Any:
    """Return what a networkx edge is called."""
    tail, head, data = edge
    if attribute not in data:
        raise InputError(
            f"every edge must have the attribute {attribute!r} that names it; the edge from {tail!r} to {head!r} "
            f"has {list_some(sorted(map(str, data))) if data else 'none at all'}."
        )
    return data[attribute]


def coordinates(positions: Any, number_of: Mapping[str, int]) -> FloatArray:
    """Return the nodes' coordinates as a matrix, in the order of their numbers.

    They are given as a mapping, or as a DataFrame that has the nodes as its index or in a column `node`.
    """
    if hasattr(positions, "columns"):
        table = positions.set_index("node") if "node" in positions.columns else positions
        places = coordinates_in({str(name): table[name].tolist() for name in table.columns})
        if places is None:
            names = list_some([str(name) for name in table.columns])
            raise InputError(f"positions must have columns x and y, or lon and lat; there are {names}.")
        positions = dict(zip(table.index, places, strict=True))
    if not isinstance(positions, Mapping):
        raise InputError(f"positions must hold (x, y) for every node; got {in_short(positions)}.")
    by_label = {str(node): place for node, place in positions.items()}
    missing = [label for label in number_of if label not in by_label]
    if missing:
        raise InputError(f"positions must hold (x, y) for every node; missing are {list_some(missing)}.")
    try:
        places = np.array([by_label[label] for label in number_of], dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("positions must hold two numbers (x, y) for every node; got something else.") from None
    if places.shape != (len(number_of), 2) or not np.isfinite(places).all():
        raise InputError(f"positions must hold two finite numbers (x, y) for every node; got shape {places.shape}.")
    return frozen(places)


_AXES = (("x", "y"), ("lon", "lat"), ("lng", "lat"), ("longitude", "latitude"))
"""What coordinates are called in tables and graphs; those after the first are in degrees."""


def coordinates_in(columns: Mapping[str, Any]) -> FloatArray | None:
    """Return the coordinates, one row (x, y) each, in columns of a table or attributes of nodes; None without any.

    Either `pos` holds pairs, or `x` and `y`, or `lon` and `lat` hold numbers. Degrees become distances in proportion.

    Examples
    --------
    >>> from hedgerow.problems._graph_names import coordinates_in
    >>> coordinates_in({"X": [0.0, 2.0], "y": [1.0, 1.0]}), coordinates_in({"name": ["a", "b"]})
    (array([[0., 1.],
           [2., 1.]]), None)
    """
    known = {name.lower(): values for name, values in columns.items()}
    try:
        if "pos" in known:
            return np.array([tuple(pair) for pair in known["pos"]], dtype=np.float64).reshape(-1, 2)
        for place, axes in enumerate(_AXES):
            if set(axes) <= set(known):
                x, y = (np.array(known[axis], dtype=np.float64) for axis in axes)
                east: FloatArray = np.cos(np.radians(y.mean())) * x if place else x
                return np.stack([east, y], axis=1)
    except (TypeError, ValueError):
        raise InputError("coordinates must be two numbers for every node; got something else.") from None
    return None


def graph_coordinates(graph: Any) -> dict[Any, Any] | None:
    """Return the coordinates that the nodes of a networkx graph have as attributes; None if not all have them."""
    shared = set.intersection(*({str(name) for name in data} for _, data in graph.nodes(data=True))) if graph else set()
    found = coordinates_in({name: [data[name] for _, data in graph.nodes(data=True)] for name in sorted(shared)})
    return None if found is None else dict(zip(graph.nodes, found, strict=True))
