"""What a node's questions cost under a global budget, all else fixed and the budget priced at a rate."""

__all__ = ["price_slot", "price_splits"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import add_to, fill
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.geometry.kernels import just_above, single_cost
from hedgerow.methods.search.boxes import Node, interval_cost, write_boxes


@kernel
def price_splits(number: int, begin: int, node: Node, rate: float, splits: IntArray, values: FloatArray) -> None:
    """Write into `values[s]` a number that the tree's cost with split s can't exceed, for each of the sorted splits.

    They are those of a node by its number, whose slots begin with `begin`. No two questions share items.
    """
    item = node.reading.item
    totals, worst = np.empty(splits.size), np.empty(splits.size)
    write_boxes(number, begin, node)
    first = 0
    while first < splits.size:
        after = first
        while after < splits.size and item[splits[after]] == item[splits[first]]:
            after += 1
        _price_item(node, rate, splits[first:after], totals[first:after], worst[first:after])
        first = after
    for place in range(splits.size):
        values[splits[place]] = totals[place]


@kernel(inline="always")
def _price_item(node: Node, rate: float, splits: IntArray, totals: FloatArray, worst: FloatArray) -> None:
    """Write the totals of an item's splits; `worst` is working space."""
    fill(totals, rate * node.reading.limit)
    for row in range(node.outside.size):
        fill(worst, node.outside[row])
        for slot in range(node.boxes.n_asked.size):
            if node.boxes.n_asked[slot] >= 0 and node.slot_loss[slot, row] > node.outside[row]:
                price_slot(row, slot, rate, splits, node, worst)
        add_to(totals, 1.0, worst)


@kernel
def price_slot(row: int, slot: int, rate: float, splits: IntArray, node: Node, worst: FloatArray) -> None:
    """Raise what a sample costs at worst with each of an item's splits to what it costs at a slot, priced."""
    boxes, reading = node.boxes, node.reading
    item, limit, loss = reading.item[splits[0]], reading.limit, node.slot_loss[slot, row]
    # What the other questions of the slot's box cost, and the interval that it leaves of the item.
    rest, low, high = 0.0, -np.inf, np.inf
    for place in range(boxes.n_asked[slot]):
        asked, lower, upper = boxes.item[slot, place], boxes.lower[slot, place], boxes.upper[slot, place]
        if asked == item:
            low, high = lower, upper
        else:
            rest += interval_cost(row, asked, lower, upper, reading)
    observed, here = reading.observations[row, item], interval_cost(row, item, low, high, reading)
    if rest + here > limit or loss - rate * (rest + here) <= node.outside[row]:
        return
    left = 2 * slot < node.slot_loss.shape[0]
    # Not by `interval_cost`, which takes twice as long for the threshold of every sample and slot.
    for place in range(splits.size):
        threshold = reading.threshold[splits[place]]
        if left:
            distance = _further_down(observed, low, high, threshold, reading.epsilon)
        else:
            distance = _further_up(observed, low, high, threshold, reading.epsilon)
        cost = rest + (here if distance < 0.0 else single_cost(item, distance, np.inf, row, reading.geometry))
        if cost <= limit:
            worst[place] = max(worst[place], loss - rate * cost)


@kernel(inline="always")
def _further_down(observed: float, low: float, high: float, threshold: float, epsilon: float) -> float:
    """Return how far it is into (low, high] if cut off above a threshold; −1 where that changes nothing."""
    if threshold >= high:
        return -1.0
    if threshold <= low or (observed <= low and just_above(low, epsilon) > threshold):
        return np.inf
    return observed - threshold if observed > threshold else -1.0


@kernel(inline="always")
def _further_up(observed: float, low: float, high: float, threshold: float, epsilon: float) -> float:
    """Return how far it is into (low, high] if cut off below a threshold; −1 where that changes nothing."""
    if threshold >= high:
        return np.inf
    if threshold <= low or observed > threshold:
        return -1.0
    entry = just_above(threshold, epsilon)
    return np.inf if entry > high else entry - observed
