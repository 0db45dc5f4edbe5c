"""What a node's questions cost under a global budget, all else fixed and the budget priced at a rate."""

__all__ = ["price_splits"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.compiled import kernel
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
        for slot in range(begin, end):
            loss = slot_loss[slot, row]
            if boxes.n_asked[slot] < 0 or loss <= outside[row]:
                continue
            low, high, rest = lower[slot - begin], upper[slot - begin], 0.0
            linked = links.linked[slot - begin]
            if linked:
                if dearest_of_rest(row, slot, boxes, links, item, reading) > limit:
                    continue
            else:
                rest = rest_cost(row, slot, boxes, item, reading)
                least = rest + interval_cost(row, item, low, high, reading)
                if least > limit or loss - rate * least <= outside[row]:
                    continue
            for place in range(splits.size):
                cut = reading.threshold[splits[place]]
                floor, ceiling = (low, min(high, cut)) if slot < middle else (max(low, cut), high)
                enough = limit
                if linked:
                    enough = limit if rate == 0.0 else min(limit, (loss - worst[place]) / rate)
                    cost = linked_cost(row, slot - begin, links, floor, ceiling, enough, reading)
                else:
                    cost = rest + interval_cost(row, item, floor, ceiling, reading)
                if cost <= enough:
                    worst[place] = max(worst[place], loss - rate * cost)
        totals += worst
    for place in range(splits.size):
        values[splits[place]] = totals[place]
