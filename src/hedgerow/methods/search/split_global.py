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
    intervals_of,
    linked_cost,
    links_of,
    rest_cost,
)


@kernel
def price_splits(node: Node, rate: float, splits: IntArray, values: FloatArray) -> None:
    """Write into `values[s]` a number that the tree's cost with split s can't exceed, for each of the sorted splits."""
    reading = node.reading
    first = 0
    while first < splits.size:
        after = first
        while after < splits.size and reading.item[splits[after]] == reading.item[splits[first]]:
            after += 1
        _price_item(node, rate, splits[first:after], values)
        first = after


@kernel
def _price_item(node: Node, rate: float, splits: IntArray, values: FloatArray) -> None:
    begin, end, boxes, reading, slot_loss, outside = node
    item = reading.item[splits[0]]
    middle = (begin + end) // 2
    lower, upper = intervals_of(item, node)
    links = links_of(item, node)
    limit = reading.limit
    totals = np.full(splits.size, rate * limit)
    worst = np.empty(splits.size)
    for row in range(outside.size):
        worst[:] = outside[row]
        observed = reading.observations[row, item]
        for slot in range(begin, end):
            loss = slot_loss[slot, row]
            if boxes.n_asked[slot] < 0 or loss <= outside[row]:
                continue
            low, high = lower[slot - begin], upper[slot - begin]
            if links.linked[slot - begin]:
                if dearest_of_rest(row, slot, boxes, links, item, reading) > limit:
                    continue
                for place in range(splits.size):
                    cut = reading.threshold[splits[place]]
                    floor, ceiling = (low, min(high, cut)) if slot < middle else (max(low, cut), high)
                    enough = limit if rate == 0.0 else min(limit, (loss - worst[place]) / rate)
                    cost = linked_cost(row, slot - begin, links, floor, ceiling, enough, reading)
                    if cost <= enough:
                        worst[place] = max(worst[place], loss - rate * cost)
                continue
            rest = rest_cost(row, slot, boxes, item, reading)
            here = interval_cost(row, item, low, high, reading)
            if rest + here > limit or loss - rate * (rest + here) <= outside[row]:
                continue
            # Not by `interval_cost`, which takes twice as long for the threshold of every sample and slot.
            for place in range(splits.size):
                threshold = reading.threshold[splits[place]]
                if slot < middle:
                    distance = _further_down(observed, low, high, threshold, reading.epsilon)
                else:
                    distance = _further_up(observed, low, high, threshold, reading.epsilon)
                cost = rest + (here if distance < 0.0 else single_cost(item, distance, np.inf, row, reading.geometry))
                if cost <= limit:
                    worst[place] = max(worst[place], loss - rate * cost)
        totals += worst
    for place in range(splits.size):
        values[splits[place]] = totals[place]


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
