"""The slots of a structure as boxes, with the question of one node left open, compiled."""

__all__ = [
    "Boxes",
    "Links",
    "Node",
    "boxes_without",
    "dearest_of_rest",
    "interval_cost",
    "intervals_of",
    "linked_cost",
    "links_of",
    "rest_cost",
]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.engine.tables.reach import Reading
from hedgerow.geometry.kernels import change_range, link_questions, pair_cost, path_cost, single_cost


class Boxes(NamedTuple):
    """Per slot the questions on its path, each once, and the interval that is left of their values."""

    # Slots × questions; the interval is `lower < value <= upper`.
    item: IntArray
    lower: FloatArray
    upper: FloatArray
    n_asked: IntArray  # per slot how many there are; −1 where the slot does not exist or its box is empty


@kernel
def boxes_without(structure: IntArray, node: int, reading: Reading) -> Boxes:
    """Return the slots' boxes as if `node` asked a question that lets everything pass, both ways; −1 for no node."""
    n_slots = structure.size + 1
    depth = 0
    while (1 << depth) < n_slots:
        depth += 1
    boxes = Boxes(
        np.empty((n_slots, depth), np.int64),
        np.empty((n_slots, depth)),
        np.empty((n_slots, depth)),
        np.zeros(n_slots, np.int64),
    )
    for slot in range(n_slots):
        child = structure.size + slot
        while child > 0:
            parent = (child - 1) // 2
            goes_right = child == 2 * parent + 2
            if parent != node and not _narrow(boxes, slot, structure[parent], goes_right, reading):
                boxes.n_asked[slot] = -1
                break
            child = parent
    return boxes


@kernel
def _narrow(boxes: Boxes, slot: int, split: int, goes_right: bool, reading: Reading) -> bool:
    """Add one question and its answer to a slot's box; return whether anything is left of it."""
    if split < 0:
        return not goes_right
    place = boxes.n_asked[slot]
    for known in range(boxes.n_asked[slot]):
        if boxes.item[slot, known] == reading.item[split]:
            place = known
    if place == boxes.n_asked[slot]:
        boxes.n_asked[slot] += 1
        boxes.item[slot, place] = reading.item[split]
        boxes.lower[slot, place], boxes.upper[slot, place] = -np.inf, np.inf
    if goes_right:
        boxes.lower[slot, place] = max(boxes.lower[slot, place], reading.threshold[split])
    else:
        boxes.upper[slot, place] = min(boxes.upper[slot, place], reading.threshold[split])
    return bool(boxes.lower[slot, place] < boxes.upper[slot, place])


@kernel
def interval_cost(row: int, item: int, lower: float, upper: float, reading: Reading) -> float:
    """Return what it takes to give one question of a sample a value in an interval."""
    least, most = change_range(reading.observations[row, item], lower, upper, reading.epsilon)
    return single_cost(item, least, most, row, reading.geometry)


@kernel
def rest_cost(row: int, slot: int, boxes: Boxes, item: int, reading: Reading) -> float:
    """Return what it takes to give all questions of a slot's box but one the values that they must have."""
    total = 0.0
    for place in range(boxes.n_asked[slot]):
        asked = boxes.item[slot, place]
        if asked != item:
            total += interval_cost(row, asked, boxes.lower[slot, place], boxes.upper[slot, place], reading)
    return total


class Node(NamedTuple):
    """A node whose question is open, and its slots, begin … end − 1, the lower half of them to its left."""

    begin: int
    end: int
    boxes: Boxes  # leave the node's question open
    reading: Reading
    slot_loss: FloatArray
    outside: FloatArray  # what each sample costs at worst, priced, at all other slots


@kernel
def intervals_of(item: int, node: Node) -> tuple[FloatArray, FloatArray]:
    """Return the interval that each of the node's slots leaves of an item."""
    begin, end, boxes = node.begin, node.end, node.boxes
    lower = np.full(end - begin, -np.inf)
    upper = np.full(end - begin, np.inf)
    for slot in range(begin, end):
        for place in range(boxes.n_asked[slot]):
            if boxes.item[slot, place] == item:
                lower[slot - begin], upper[slot - begin] = boxes.lower[slot, place], boxes.upper[slot, place]
    return lower, upper


class Links(NamedTuple):
    """How one more question is linked to those of each slot's box by items that they share."""

    linked: BoolArray  # per slot whether it is linked to any of them, so that costs don't add up
    # Slots × places: the other questions of the box and then the one more, and what `link_questions` says of them; per
    # slot how many they are.
    question: IntArray
    group: IntArray
    n_asked: IntArray
    # Working space for the ranges of one sample and slot.
    least: FloatArray
    most: FloatArray


@kernel
def links_of(item: int, node: Node) -> Links:
    """Return how a question is linked to those of the node's slots."""
    begin, end, boxes, reading = node.begin, node.end, node.boxes, node.reading
    width = boxes.item.shape[1] + 1
    links = Links(
        np.zeros(end - begin, np.bool_),
        np.empty((end - begin, width), np.int64),
        np.empty((end - begin, width), np.int64),
        np.zeros(end - begin, np.int64),
        np.empty(width),
        np.empty(width),
    )
    if reading.geometry.pair.size == 0:
        return links
    for slot in range(begin, end):
        count = 0
        question = links.question[slot - begin]
        for place in range(boxes.n_asked[slot]):
            if boxes.item[slot, place] != item:
                question[count] = boxes.item[slot, place]
                count += 1
        question[count] = item
        links.n_asked[slot - begin] = count + 1
        links.linked[slot - begin] = link_questions(count + 1, question, reading.geometry, links.group[slot - begin])
    return links


@kernel
def dearest_of_rest(row: int, slot: int, boxes: Boxes, links: Links, item: int, reading: Reading) -> float:
    """Write the ranges of all questions of a slot's box but one, and return what the dearest of them costs alone."""
    count, dearest = 0, 0.0
    for place in range(boxes.n_asked[slot]):
        other = boxes.item[slot, place]
        if other != item:
            links.least[count], links.most[count] = change_range(
                reading.observations[row, other], boxes.lower[slot, place], boxes.upper[slot, place], reading.epsilon
            )
            alone = single_cost(other, links.least[count], links.most[count], row, reading.geometry)
            dearest = max(dearest, alone)
            count += 1
    return dearest


@kernel
def linked_cost(
    row: int, place: int, links: Links, lower: float, upper: float, enough: float, reading: Reading
) -> float:
    """Return what it takes to get into a slot's box with the one more question in an interval; costs may share items.

    `dearest_of_rest` must have been called for the sample and the slot, which is number `place` of the node's.
    """
    question, count, geometry = links.question[place], links.n_asked[place], reading.geometry
    last = count - 1
    value = reading.observations[row, question[last]]
    least, most = change_range(value, lower, upper, reading.epsilon)
    links.least[last], links.most[last] = least, most
    # No path costs less than one of its questions, which is far cheaper to compute.
    if single_cost(question[last], least, most, row, geometry) > enough:
        return np.inf
    if count == 2 and not geometry.limited:
        return pair_cost(question[0], links.least[0], links.most[0], question[1], least, most, geometry)
    return path_cost(count, question, links.least, links.most, links.group[place], row, enough, geometry)
