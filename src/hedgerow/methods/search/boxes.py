"""A node whose question is open: its slots as boxes, and what one more question has to do with theirs, compiled."""

__all__ = [
    "Boxes",
    "Links",
    "Node",
    "dearest_of_rest",
    "interval_cost",
    "link",
    "linked_cost",
    "node_for",
    "rest_cost",
    "write_boxes",
]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel, record
from hedgerow.engine.tables.reach import Reading
from hedgerow.geometry.kernels import change_range, link_questions, pair_cost, path_cost, single_cost


@record
class Boxes(NamedTuple):
    """Per slot the questions on its path, each once, and the interval that is left of their values."""

    # Slots × questions; the interval is `lower < value <= upper`.
    item: IntArray
    lower: FloatArray
    upper: FloatArray
    n_asked: IntArray  # per slot how many there are; −1 where the slot does not exist or its box is empty


@record
class Links(NamedTuple):
    """What one more question has to do with those of each slot's box, written by `link`."""

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


@record
class Node(NamedTuple):
    """A node whose question is open, and the slots below it, the lower half of them to its left.

    It is made once for nodes with as many slots, and then filled.
    """

    structure: IntArray
    slot_loss: FloatArray  # what each sample costs at the node's slots
    outside: FloatArray  # what each sample costs at worst, priced, at all other slots
    reading: Reading
    boxes: Boxes  # written by `write_boxes`; they leave the node's question open
    links: Links  # of the question that is looked at


def node_for(n_inner: int, n_slots: int, reading: Reading) -> Node:
    """Return a node with this many slots, to be filled, of a structure with this many inner nodes."""
    depth, n_samples = n_inner.bit_length(), len(reading.observations)
    box, path = (n_slots, depth), (n_slots, depth + 1)
    boxes = Boxes(np.empty(box, dtype=np.int64), np.empty(box), np.empty(box), np.empty(n_slots, dtype=np.int64))
    links = Links(
        np.empty(n_slots),
        np.empty(n_slots),
        np.empty(n_slots, dtype=np.bool_),
        np.empty(path, dtype=np.int64),
        np.empty(path, dtype=np.int64),
        np.empty(n_slots, dtype=np.int64),
        np.empty(depth + 1),
        np.empty(depth + 1),
    )
    structure, slot_loss = np.empty(n_inner, dtype=np.int64), np.empty((n_slots, n_samples))
    return Node(structure, slot_loss, np.empty(n_samples), reading, boxes, links)


@kernel
def write_boxes(number: int, begin: int, node: Node) -> None:
    """Write the boxes of the slots from `begin` on as if node `number` let everything pass, both ways."""
    boxes, reading = node.boxes, node.reading
    for slot in range(boxes.n_asked.size):
        boxes.n_asked[slot] = 0
        child = node.structure.size + begin + slot
        while child > 0:
            parent = (child - 1) // 2
            if parent != number and not _narrow(slot, node.structure[parent], child == 2 * parent + 2, boxes, reading):
                boxes.n_asked[slot] = -1
                break
            child = parent


@kernel
def _narrow(slot: int, split: int, goes_right: bool, boxes: Boxes, reading: Reading) -> bool:
    """Add one question and its answer to a slot's box; return whether anything is left of it."""
    if split < 0:
        return not goes_right
    place = 0
    while place < boxes.n_asked[slot] and boxes.item[slot, place] != reading.item[split]:
        place += 1
    lower, upper = -np.inf, np.inf
    if place < boxes.n_asked[slot]:
        lower, upper = boxes.lower[slot, place], boxes.upper[slot, place]
    else:
        boxes.n_asked[slot] += 1
        boxes.item[slot, place] = reading.item[split]
    if goes_right:
        lower = max(lower, reading.threshold[split])
    else:
        upper = min(upper, reading.threshold[split])
    boxes.lower[slot, place], boxes.upper[slot, place] = lower, upper
    return lower < upper


@kernel
def interval_cost(row: int, item: int, lower: float, upper: float, reading: Reading) -> float:
    """Return what it takes to give one question of a sample a value in an interval."""
    least, most = change_range(reading.observations[row, item], lower, upper, reading.epsilon)
    return single_cost(item, least, most, row, reading.geometry)


@kernel
def rest_cost(row: int, slot: int, item: int, node: Node) -> float:
    """Return what it takes to give all questions of a slot's box but one the values that they must have."""
    boxes, total = node.boxes, 0.0
    for place in range(boxes.n_asked[slot]):
        asked = boxes.item[slot, place]
        if asked != item:
            total += interval_cost(row, asked, boxes.lower[slot, place], boxes.upper[slot, place], node.reading)
    return total


@kernel
def link(item: int, node: Node) -> None:
    """Write what a question has to do with those of the node's slots into `node.links`."""
    boxes, links, geometry = node.boxes, node.links, node.reading.geometry
    for slot in range(boxes.n_asked.size):
        links.linked[slot] = False
        links.lower[slot], links.upper[slot] = -np.inf, np.inf
        count = 0
        for place in range(boxes.n_asked[slot]):
            if boxes.item[slot, place] != item:
                links.question[slot, count] = boxes.item[slot, place]
                count += 1
            else:
                links.lower[slot], links.upper[slot] = boxes.lower[slot, place], boxes.upper[slot, place]
        links.question[slot, count] = item
        links.n_asked[slot] = count + 1
        if geometry.pair.size:
            links.linked[slot] = link_questions(count + 1, links.question[slot], geometry, links.group[slot])


@kernel
def dearest_of_rest(row: int, slot: int, item: int, node: Node) -> float:
    """Write the ranges of all questions of a slot's box but one, and return what the dearest of them costs alone."""
    boxes, links, reading = node.boxes, node.links, node.reading
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
def linked_cost(row: int, slot: int, lower: float, upper: float, enough: float, node: Node) -> float:
    """Return what it takes to get into a slot's box with the one more question in an interval; costs may share items.

    `link` must have been called for the question, and `dearest_of_rest` for the sample and the slot.
    """
    links, reading = node.links, node.reading
    geometry, last = reading.geometry, links.n_asked[slot] - 1
    item = links.question[slot, last]
    least, most = change_range(reading.observations[row, item], lower, upper, reading.epsilon)
    links.least[last], links.most[last] = least, most
    # No path costs less than one of its questions, which is far cheaper to compute.
    if single_cost(item, least, most, row, geometry) > enough:
        return np.inf
    if last == 1 and not geometry.limited:
        return pair_cost(links.question[slot, 0], links.least[0], links.most[0], item, least, most, geometry)
    return path_cost(last + 1, links.question[slot], links.least, links.most, links.group[slot], row, enough, geometry)
