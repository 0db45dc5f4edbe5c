"""What a node's questions cost under a global budget where questions share items, compiled by itself."""

__all__ = ["price_linked"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import add_to, fill
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.methods.search.boxes import write_boxes
from hedgerow.methods.search.links import Links, dearest_of_rest, link, linked_cost
from hedgerow.methods.search.split_global import price_slot


@kernel
def price_linked(number: int, begin: int, links: Links, rate: float, splits: IntArray, values: FloatArray) -> None:
    """Do as `price_splits`, whether or not questions share items."""
    item = links.node.reading.item
    totals, worst = np.empty(splits.size), np.empty(splits.size)
    write_boxes(number, begin, links.node)
    first = 0
    while first < splits.size:
        after = first
        while after < splits.size and item[splits[after]] == item[splits[first]]:
            after += 1
        _price_item(links, rate, splits[first:after], totals[first:after], worst[first:after])
        first = after
    for place in range(splits.size):
        values[splits[place]] = totals[place]


@kernel(inline="always")
def _price_item(links: Links, rate: float, splits: IntArray, totals: FloatArray, worst: FloatArray) -> None:
    """Write the totals of an item's splits; `worst` is working space."""
    node = links.node
    link(node.reading.item[splits[0]], links)
    fill(totals, rate * node.reading.limit)
    for row in range(node.outside.size):
        fill(worst, node.outside[row])
        for slot in range(node.boxes.n_asked.size):
            if node.boxes.n_asked[slot] < 0 or node.slot_loss[slot, row] <= node.outside[row]:
                continue
            if links.linked[slot]:
                _price_linked_slot(row, slot, rate, splits, links, worst)
            else:
                price_slot(row, slot, rate, splits, node, worst)
        add_to(totals, 1.0, worst)


@kernel(inline="always")
def _price_linked_slot(row: int, slot: int, rate: float, splits: IntArray, links: Links, worst: FloatArray) -> None:
    """Do as `price_slot` where the item's question shares items with those of the slot's box."""
    node = links.node
    reading, loss, left = node.reading, node.slot_loss[slot, row], 2 * slot < node.slot_loss.shape[0]
    limit = reading.limit
    if dearest_of_rest(row, slot, reading.item[splits[0]], links) > limit:
        return
    for place in range(splits.size):
        lower, upper, cut = links.lower[slot], links.upper[slot], reading.threshold[splits[place]]
        if left:
            upper = min(upper, cut)
        else:
            lower = max(lower, cut)
        enough = limit if rate == 0.0 else min(limit, (loss - worst[place]) / rate)
        cost = linked_cost(row, slot, lower, upper, enough, links)
        if cost <= enough:
            worst[place] = max(worst[place], loss - rate * cost)
