"""A node whose question is open, and its slots as boxes, compiled."""

__all__ = ["Boxes", "Node", "interval_cost", "node_for", "write_boxes"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.tables.reach import Reading
from hedgerow.geometry.kernels import change_range, single_cost


class Boxes(NamedTuple):
    """Per slot the questions on its path, each once, and the interval that is left of their values."""

    # Slots × questions; the interval is `lower < value <= upper`.
    item: IntArray
    lower: FloatArray
    upper: FloatArray
    n_asked: IntArray  # per slot how many there are; −1 where the slot does not exist or its box is empty


class Node(NamedTuple):
    """A node whose question is open, and the slots below it, the lower half of them to its left.

    It is made once for nodes with as many slots, and then filled.
    """

    structure: IntArray
    slot_loss: FloatArray  # what each sample costs at the node's slots
    outside: FloatArray  # what each sample costs at worst, priced, at all other slots
    reading: Reading
    boxes: Boxes  # written by `write_boxes`; they leave the node's question open


def node_for(n_inner: int, n_slots: int, reading: Reading) -> Node:
    """Return a node with this many slots, to be filled, of a structure with this many inner nodes."""
    depth, n_samples = n_inner.bit_length(), len(reading.observations)
    box = (n_slots, depth)
    boxes = Boxes(np.empty(box, dtype=np.int64), np.empty(box), np.empty(box), np.empty(n_slots, dtype=np.int64))
    structure, slot_loss = np.empty(n_inner, dtype=np.int64), np.empty((n_slots, n_samples))
    return Node(structure, slot_loss, np.empty(n_samples), reading, boxes)


@kernel
def write_boxes(number: int, begin: int, node: Node) -> None:
    """Write the boxes of the slots from `begin` on as if node `number` let everything pass, both ways."""
    boxes, reading = node.boxes, node.reading
    for slot in range(boxes.n_asked.size):
        count, child = 0, node.structure.size + begin + slot
        while child > 0 and count >= 0:
            goes_right = child % 2 == 0
            child = (child - 1) // 2
            split = node.structure[child]
            if child == number:
                continue
            if split < 0:
                if goes_right:
                    count = -1
                continue
            item, threshold = reading.item[split], reading.threshold[split]
            lower, upper, place = -np.inf, np.inf, 0
            while place < count and boxes.item[slot, place] != item:
                place += 1
            if place < count:
                lower, upper = boxes.lower[slot, place], boxes.upper[slot, place]
            else:
                count += 1
            if goes_right:
                lower = max(lower, threshold)
            else:
                upper = min(upper, threshold)
            boxes.item[slot, place], boxes.lower[slot, place], boxes.upper[slot, place] = item, lower, upper
            if lower >= upper:
                count = -1
        boxes.n_asked[slot] = count


@kernel(inline="always")
def interval_cost(row: int, item: int, lower: float, upper: float, reading: Reading) -> float:
    """Return what it takes to give one question of a sample a value in an interval."""
    least, most = change_range(reading.observations[row, item], lower, upper, reading.epsilon)
    return single_cost(item, least, most, row, reading.geometry)
