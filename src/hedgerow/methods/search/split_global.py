"""What a node's questions cost under a global budget, all else fixed and the budget priced at a rate."""

__all__ = ["price_splits"]

import numpy as np
from numba import njit

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.methods.search.boxes import Boxes, interval_cost, intervals_of, rest_cost
from hedgerow.methods.tables.reach import Reading


@njit(cache=True)
def price_splits(
    begin: int,
    end: int,
    boxes: Boxes,
    reading: Reading,
    slot_loss: FloatArray,
    outside: FloatArray,
    rate: float,
    splits: IntArray,
    values: FloatArray,
) -> None:
    """Write into `values[s]` a number that the tree's cost with split s can't exceed, for each of the splits.

    These are sorted. The node's slots are begin … end − 1, the lower half of them to its left; `boxes` leave its
    question open, and `outside` is the worst priced loss of each sample at all other slots.
    """
    first = 0
    while first < splits.size:
        after = first
        while after < splits.size and reading.item[splits[after]] == reading.item[splits[first]]:
            after += 1
        _price_item(begin, end, boxes, reading, slot_loss, outside, rate, splits[first:after], values)
        first = after


@njit(cache=True)
def _price_item(
    begin: int,
    end: int,
    boxes: Boxes,
    reading: Reading,
    slot_loss: FloatArray,
    outside: FloatArray,
    rate: float,
    splits: IntArray,
    values: FloatArray,
) -> None:
    item = reading.item[splits[0]]
    middle = (begin + end) // 2
    lower, upper = intervals_of(item, begin, end, boxes)
    totals = np.full(splits.size, rate * reading.limit)
    worst = np.empty(splits.size)
    for row in range(outside.size):
        worst[:] = outside[row]
        for slot in range(begin, end):
            if boxes.n_asked[slot] < 0 or slot_loss[slot, row] <= outside[row]:
                continue
            rest = rest_cost(row, slot, boxes, item, reading)
            if rest > reading.limit or slot_loss[slot, row] - rate * rest <= outside[row]:
                continue
            low, high = lower[slot - begin], upper[slot - begin]
            for place in range(splits.size):
                threshold = reading.threshold[splits[place]]
                if slot < middle:
                    cost = rest + interval_cost(row, item, low, min(high, threshold), reading)
                else:
                    cost = rest + interval_cost(row, item, max(low, threshold), high, reading)
                if cost <= reading.limit:
                    worst[place] = max(worst[place], slot_loss[slot, row] - rate * cost)
        totals += worst
    for place in range(splits.size):
        values[splits[place]] = totals[place]
