"""Names of nodes and arcs: labels become numbers, and arcs without a name get one."""

__all__ = ["Ends", "coordinates", "distinct_names", "edge_name", "ends_of", "labels_of", "numbers_of"]

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


def coordinates(positions: Mapping[Any, Any], number_of: Mapping[str, int]) -> FloatArray:
    """Return the nodes' coordinates as a matrix, in the order of their numbers."""
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
