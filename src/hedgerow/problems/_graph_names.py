"""Problems on graphs by the names of their nodes: labels become numbers, and arcs without a name get one."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final, Unpack

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import in_short, list_some, unique_names
from hedgerow.errors import InputError
from hedgerow.problem import Sense
from hedgerow.problems._named import AllOrNothing, Units
from hedgerow.problems.linear import LinearProblem


class GraphProblem(AllOrNothing, LinearProblem):
    """A problem whose items are the arcs or edges of a graph, which are given by the names of their nodes.

    Without a list of nodes, the nodes are the ends in order of appearance.
    """

    def __init__(
        self,
        tails: Iterable[Any],
        heads: Iterable[Any],
        nodes: Iterable[Any] | None,
        item_names: Iterable[Any] | None,
        positions: Any,
        *,
        sense: Sense = "min",
        **units: Unpack[Units],
    ) -> None:
        tail_labels, head_labels = _labels(tails, "tails"), _labels(heads, "heads")
        if len(tail_labels) != len(head_labels) or not tail_labels:
            raise InputError(
                f"tails and heads must name the two ends of each {self._thing.split()[-1]}, of at least one; "
                f"got {len(tail_labels)} tails and {len(head_labels)} heads."
            )
        ends = list(zip(tail_labels, head_labels, strict=True))
        by_appearance = dict.fromkeys(label for pair in ends for label in pair)
        self.nodes: Final = unique_names(by_appearance if nodes is None else _labels(nodes, "nodes"), "nodes")
        self._number_of = {label: number for number, label in enumerate(self.nodes)}
        self._tails, self._heads = self._numbers(tail_labels, "tails"), self._numbers(head_labels, "heads")
        names = distinct_names(ends) if item_names is None else item_names
        super().__init__(unique_names(names, "item_names", length=len(ends)), **units, sense=sense)
        self.positions: Final = None if positions is None else _coordinates(positions, self._number_of)

    def _numbers(self, nodes: Iterable[Any], what: str) -> IntArray:
        """Return the nodes' numbers; unknown ones are refused by name."""
        labels = _labels(nodes, what)
        unknown = [label for label in dict.fromkeys(labels) if label not in self._number_of]
        if unknown:
            raise InputError(f"{what} must be among the nodes {list_some(self.nodes)}; got {list_some(unknown)}.")
        return frozen(np.array([self._number_of[label] for label in labels], dtype=np.int64))

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        return list(zip(self._tails.tolist(), self._heads.tolist(), strict=True))

    def _named_ends(self) -> tuple[tuple[str, str], ...]:
        return tuple((self.nodes[tail], self.nodes[head]) for tail, head in self._ends)


def distinct_names(ends: Iterable[tuple[str, str]]) -> list[str]:
    """Return the name `tail-head` for each arc, with #2, #3, … where that is taken."""
    taken: set[str] = set()
    next_number: Counter[str] = Counter()
    names = []
    for tail, head in ends:
        base = name = f"{tail}-{head}"
        while name in taken:
            next_number[base] += 1
            name = f"{base}#{next_number[base] + 1}"
        taken.add(name)
        names.append(name)
    return names


def _labels(names: Any, what: str) -> list[str]:
    """Return nodes as texts, which identify them."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InputError(f"{what} must be a list of nodes; got {in_short(names)}.")
    labels = []
    for position, name in enumerate(names):
        if name is None or (isinstance(name, float) and math.isnan(name)):
            raise InputError(f"{what} must name a node; got {name} at position {position}.")
        labels.append(str(name))
    return labels


def networkx_graph(graph: Any, name: str | None, *, directed: bool) -> dict[str, Any]:
    """Return a networkx graph as arguments of a `GraphProblem`; the attribute `name` holds the edges' names."""
    import networkx as nx

    kind = type(graph).__name__
    if not isinstance(graph, nx.Graph):
        wanted = "DiGraph or MultiDiGraph" if directed else "Graph or MultiGraph"
        raise InputError(f"graph must be a networkx {wanted}; got a {kind}.")
    if directed and not graph.is_directed():
        raise InputError(
            f"graph must be directed; got an undirected {kind}. "
            "graph.to_directed() turns each edge into two arcs, one each way."
        )
    if graph.is_directed() and not directed:
        raise InputError(f"graph must be undirected; got a {kind}. graph.to_undirected() drops the directions.")
    edges = list(graph.edges(data=True))
    return {
        "tails": [tail for tail, _, _ in edges],
        "heads": [head for _, head, _ in edges],
        "nodes": graph.nodes,
        "item_names": None if name is None else [_edge_name(edge, name) for edge in edges],
        "positions": _graph_coordinates(graph),
    }


def _edge_name(edge: tuple[Any, Any, dict[str, Any]], attribute: str) -> Any:
    tail, head, data = edge
    if attribute not in data:
        raise InputError(
            f"every edge must have the attribute {attribute!r} that names it; the edge from {tail!r} to {head!r} "
            f"has {list_some(sorted(map(str, data))) if data else 'none at all'}."
        )
    return data[attribute]


def _coordinates(positions: Any, number_of: Mapping[str, int]) -> FloatArray:
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


def _graph_coordinates(graph: Any) -> dict[Any, Any] | None:
    """Return the coordinates that the nodes of a networkx graph have as attributes; None if not all have them."""
    shared = set.intersection(*({str(name) for name in data} for _, data in graph.nodes(data=True))) if graph else set()
    found = coordinates_in({name: [data[name] for _, data in graph.nodes(data=True)] for name in sorted(shared)})
    return None if found is None else dict(zip(graph.nodes, found, strict=True))
