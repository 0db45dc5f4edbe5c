"""The slots of a structure as boxes, with the question of one node left open, compiled."""

__all__ = ["Boxes", "boxes_without", "interval_cost", "intervals_of", "just_above", "rest_cost"]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.methods.tables.reach import Reading, largest_change


class Boxes(NamedTuple):
    """Per slot the items that its path asks about, each once, and the interval that is left of them.

    Attributes
    ----------
    item, lower, upper
        Slots × questions; the interval is `lower < value <= upper`.
    n_asked
        Per slot how many items there are; −1 where the slot does not exist or its box is empty.
    """

    item: IntArray
    lower: FloatArray
    upper: FloatArray
    n_asked: IntArray


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
def just_above(threshold: float, epsilon: float) -> float:
    """Return the least reading that counts as larger than a threshold."""
    above = threshold + epsilon
    # Beside a huge threshold ε vanishes, and the next number takes its place.
    return above if above > threshold else float(np.nextafter(threshold, np.inf))


@kernel
def interval_cost(row: int, item: int, lower: float, upper: float, reading: Reading) -> float:
    """Return what it takes to read one item of a sample as a value in an interval."""
    observed = reading.observations[row, item]
    if lower >= upper:
        return np.inf
    if observed > upper:
        distance = observed - upper
    elif observed <= lower:
        entry = just_above(lower, reading.epsilon)
        if entry > upper:
            return np.inf
        distance = entry - observed
    else:
        return 0.0
    if distance > largest_change(row, item, reading):
        return np.inf
    return float(reading.prices[item] * distance)


@kernel
def rest_cost(row: int, slot: int, boxes: Boxes, item: int, reading: Reading) -> float:
    """Return what it takes to read all items of a slot's box but one as they must be."""
    total = 0.0
    for place in range(boxes.n_asked[slot]):
        asked = boxes.item[slot, place]
        if asked != item:
            total += interval_cost(row, asked, boxes.lower[slot, place], boxes.upper[slot, place], reading)
    return total


@kernel
def intervals_of(item: int, begin: int, end: int, boxes: Boxes) -> tuple[FloatArray, FloatArray]:
    """Return the interval that each of the slots begin … end − 1 leaves of an item."""
    lower = np.full(end - begin, -np.inf)
    upper = np.full(end - begin, np.inf)
    for slot in range(begin, end):
        for place in range(boxes.n_asked[slot]):
            if boxes.item[slot, place] == item:
                lower[slot - begin], upper[slot - begin] = boxes.lower[slot, place], boxes.upper[slot, place]
    return lower, upper
