"""What a node's questions cost under a global budget, all else fixed and the budget priced at a rate."""

__all__ = ["price_splits"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.geometry.kernels import just_above, single_cost
from hedgerow.methods.search.boxes import (
    Node,
    dearest_of_rest,
    interval_cost,
    link,
    linked_cost,
    rest_cost,
    write_boxes,
)
from hedgerow.methods.search.rows import add_to, fill


@kernel
def price_splits(number: int, begin: int, node: Node, rate: float, splits: IntArray, values: FloatArray) -> None:
    """Write into `values[s]` a number that the tree's cost with split s can't exceed, for each of the sorted splits.

    They are those of a node by its number, whose slots begin with `begin`.
    """
    write_boxes(number, begin, node)
    item = node.reading.item
    totals, worst = np.empty(splits.size), np.empty(splits.size)
    first = 0
    while first < splits.size:
        after = first
        while after < splits.size and item[splits[after]] == item[splits[first]]:
            after += 1
        _price_item(node, rate, splits[first:after], totals[first:after], worst[first:after])
        first = after
    for place in range(splits.size):
        values[splits[place]] = totals[place]


@kernel
def _price_item(node: Node, rate: float, splits: IntArray, totals: FloatArray, worst: FloatArray) -> None:
    """Write the totals of an item's splits; `worst` is working space."""
    boxes, links, reading = node.boxes, node.links, node.reading
    item, limit = reading.item[splits[0]], reading.limit
    n_slots = boxes.n_asked.size
    link(item, node)
    fill(totals, rate * limit)
    for row in range(node.outside.size):
        outside, observed = node.outside[row], reading.observations[row, item]
        fill(worst, outside)
        for slot in range(n_slots):
            loss, left = node.slot_loss[slot, row], 2 * slot < n_slots
            if boxes.n_asked[slot] < 0 or loss <= outside:
                continue
            low, high = links.lower[slot], links.upper[slot]
            if links.linked[slot]:
                if dearest_of_rest(row, slot, item, node) > limit:
                    continue
                for place in range(splits.size):
                    cut = reading.threshold[splits[place]]
                    floor, ceiling = (low, min(high, cut)) if left else (max(low, cut), high)
                    enough = limit if rate == 0.0 else min(limit, (loss - worst[place]) / rate)
                    cost = linked_cost(row, slot, floor, ceiling, enough, node)
                    if cost <= enough:
                        worst[place] = max(worst[place], loss - rate * cost)
                continue
            rest = rest_cost(row, slot, item, node)
            here = interval_cost(row, item, low, high, reading)
            if rest + here > limit or loss - rate * (rest + here) <= outside:
                continue
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
        add_to(totals, 1.0, worst)


@kernel
def _further_down(observed: float, low: float, high: float, threshold: float, epsilon: float) -> float:
    """Return how far it is into (low, high] if cut off above a threshold; −1 where that changes nothing."""
    if threshold >= high:
        return -1.0
    if threshold <= low or (observed <= low and just_above(low, epsilon) > threshold):
        return np.inf
    return observed - threshold if observed > threshold else -1.0


@kernel
def _further_up(observed: float, low: float, high: float, threshold: float, epsilon: float) -> float:
    """Return how far it is into (low, high] if cut off below a threshold; −1 where that changes nothing."""
    if threshold >= high:
        return np.inf
    if threshold <= low or observed > threshold:
        return -1.0
    entry = just_above(threshold, epsilon)
    return np.inf if entry > high else entry - observed
