"""How a question is linked to those of a node's slots by items that they share, compiled for where some are."""

__all__ = ["Links", "dearest_of_rest", "link", "linked_cost", "links_for"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry.kernels import change_range, link_questions, pair_cost, single_cost
from hedgerow.geometry.path_kernels import path_cost
from hedgerow.methods.search.boxes import Node


class Links(NamedTuple):
    """What one more question has to do with those of each slot's box."""

    node: Node
    # Per slot the interval that is left of the question's values.
    lower: FloatArray
    upper: FloatArray
    linked: BoolArray  # per slot whether it shares items with any of them, so that costs don't add up
    # Slots × places: the other questions of the box and then the one more, and what `link_questions` says of them; per
    # slot how many they are.
    question: IntArray
    group: IntArray
    n_asked: IntArray
    # Working space for the ranges of one sample and slot.
    least: FloatArray
    most: FloatArray


def links_for(node: Node) -> Links:
    """Return the links of a node, to be written by `link` for one item after the other."""
    n_slots, depth = node.boxes.item.shape
    path = (n_slots, depth + 1)
    return Links(
        node,
        np.empty(n_slots),
        np.empty(n_slots),
        np.empty(n_slots, dtype=np.bool_),
        np.empty(path, dtype=np.int64),
        np.empty(path, dtype=np.int64),
        np.empty(n_slots, dtype=np.int64),
        np.empty(depth + 1),
        np.empty(depth + 1),
    )


@kernel
def link(item: int, links: Links) -> None:
    """Write how a question is linked to those of the node's slots, and the intervals that they leave of it."""
    boxes, geometry = links.node.boxes, links.node.reading.geometry
    for slot in range(boxes.n_asked.size):
        question, count = links.question[slot], 0
        links.lower[slot], links.upper[slot] = -np.inf, np.inf
        for place in range(boxes.n_asked[slot]):
            if boxes.item[slot, place] != item:
                question[count] = boxes.item[slot, place]
                count += 1
            else:
                links.lower[slot], links.upper[slot] = boxes.lower[slot, place], boxes.upper[slot, place]
        question[count] = item
        links.n_asked[slot] = count + 1
        links.linked[slot] = link_questions(count + 1, question, geometry, links.group[slot])


@kernel
def dearest_of_rest(row: int, slot: int, item: int, links: Links) -> float:
    """Write the ranges of all questions of a slot's box but one, and return what the dearest of them costs alone."""
    boxes, reading = links.node.boxes, links.node.reading
    count, dearest = 0, 0.0
    for place in range(boxes.n_asked[slot]):
        other = boxes.item[slot, place]
        if other != item:
            least, most = change_range(
                reading.observations[row, other], boxes.lower[slot, place], boxes.upper[slot, place], reading.epsilon
            )
            links.least[count], links.most[count] = least, most
            dearest = max(dearest, single_cost(other, least, most, row, reading.geometry))
            count += 1
    return dearest


@kernel
def linked_cost(row: int, slot: int, lower: float, upper: float, enough: float, links: Links) -> float:
    """Return what it takes to get into a slot's box with the one more question in an interval; costs may share items.

    `link` must have been called for the question, and `dearest_of_rest` for the sample and the slot.
    """
    reading, last = links.node.reading, links.n_asked[slot] - 1
    geometry, question = reading.geometry, links.question[slot]
    item = question[last]
    least, most = change_range(reading.observations[row, item], lower, upper, reading.epsilon)
    links.least[last], links.most[last] = least, most
    # No path costs less than one of its questions, which is far cheaper to compute.
    if single_cost(item, least, most, row, geometry) > enough:
        return np.inf
    if last == 1 and not geometry.limited:
        return pair_cost(question[0], links.least[0], links.most[0], item, least, most, geometry)
    return path_cost(last + 1, question, links.least, links.most, links.group[slot], row, enough, geometry)
