"""The best question for one node under local budgets, all else fixed: one sweep over all thresholds of an item.

For every sample, each slot below the node is within reach from some threshold on (left of the node) or up to some
threshold (right of it). So what a sample costs is a step function of the threshold with few steps, and the sum of
these functions is one running sum over the sorted thresholds: N log N for all thresholds together.
"""

__all__ = ["sweep_local"]

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.engine.tables.reach import Reading, largest_change
from hedgerow.methods.search.boxes import (
    Boxes,
    Links,
    interval_cost,
    intervals_of,
    linked_cost,
    links_of,
    rest_cost,
)


@kernel
def sweep_local(
    begin: int,
    end: int,
    boxes: Boxes,
    reading: Reading,
    slot_loss: FloatArray,
    outside: FloatArray,
    first: int,
    last: int,
    values: FloatArray,
) -> None:
    """Write into `values[s]` what the tree costs if the node asks split s, for the splits first … last − 1.

    The node's slots are begin … end − 1, the lower half of them to its left; `boxes` leave its question open, and
    `outside` is what each sample costs at worst at all other slots.
    """
    while first < last:
        after = first
        while after < last and reading.item[after] == reading.item[first]:
            after += 1
        _sweep_item(begin, end, boxes, reading, slot_loss, outside, first, after, values)
        first = after


@kernel
def _sweep_item(
    begin: int,
    end: int,
    boxes: Boxes,
    reading: Reading,
    slot_loss: FloatArray,
    outside: FloatArray,
    first: int,
    last: int,
    values: FloatArray,
) -> None:
    n_splits = last - first
    item = reading.item[first]
    middle = (begin + end) // 2
    lower, upper = intervals_of(item, begin, end, boxes)
    steps = np.zeros(n_splits + 1)
    links = links_of(item, begin, end, boxes, reading)
    turn = np.empty(end - begin, np.int64)
    worth = np.empty(end - begin)
    goes_left = np.empty(end - begin, np.bool_)
    for row in range(outside.size):
        budget = reading.budgets[row]
        count = 0
        for slot in range(begin, end):
            loss = slot_loss[slot, row]
            if boxes.n_asked[slot] < 0 or loss <= outside[row]:
                continue
            left = slot < middle
            low, high = lower[slot - begin], upper[slot - begin]
            if links.linked[slot - begin]:
                at = _linked_point(row, slot, begin, boxes, links, left, low, high, budget, reading, first, last)
            else:
                spare = budget - rest_cost(row, slot, boxes, item, reading)
                if spare < 0.0:
                    continue
                at = _turning_point(row, left, low, high, spare, reading, first, last)
            if at == (n_splits if left else 0):
                continue
            turn[count], worth[count], goes_left[count] = at, loss, left
            count += 1
        _add_steps(count, turn, worth, goes_left, outside[row], n_splits, steps)
    total = 0.0
    for place in range(n_splits):
        total += steps[place]
        values[first + place] = total


@kernel
def _turning_point(
    row: int, left: bool, lower: float, upper: float, spare: float, reading: Reading, first: int, last: int
) -> int:
    """Return from which split on (left) or up to which split (right) a slot is within reach, counted from `first`."""
    item = reading.item[first]
    observed = reading.observations[row, item]
    step = min(spare / reading.prices[item], largest_change(row, item, reading))
    # The place follows from the distance; whether rounding has moved it is then seen from the cost itself.
    if left:
        sought = lower + reading.epsilon if observed <= lower else observed - step
    else:
        sought = min(upper - reading.epsilon, observed + step - reading.epsilon)
        sought = max(sought, min(observed, upper))
    at = first + int(np.searchsorted(reading.threshold[first:last], sought))
    while at < last and _in_reach(row, item, at, left, lower, upper, spare, reading) != left:
        at += 1
    while at > first and _in_reach(row, item, at - 1, left, lower, upper, spare, reading) == left:
        at -= 1
    return at - first


@kernel
def _linked_point(
    row: int,
    slot: int,
    begin: int,
    boxes: Boxes,
    links: Links,
    left: bool,
    lower: float,
    upper: float,
    budget: float,
    reading: Reading,
    first: int,
    last: int,
) -> int:
    """Return the turning point of a slot whose questions share items with this one."""
    item = reading.item[first]
    low, high = first, last
    while low < high:
        middle = (low + high) // 2
        cut = reading.threshold[middle]
        floor, ceiling = (lower, min(upper, cut)) if left else (max(lower, cut), upper)
        cost = linked_cost(row, slot, begin, boxes, links, item, floor, ceiling, budget, reading)
        if (cost <= budget) == left:
            high = middle
        else:
            low = middle + 1
    return low - first


@kernel
def _in_reach(
    row: int, item: int, split: int, left: bool, lower: float, upper: float, spare: float, reading: Reading
) -> bool:
    if left:
        return bool(interval_cost(row, item, lower, min(upper, reading.threshold[split]), reading) <= spare)
    return bool(interval_cost(row, item, max(lower, reading.threshold[split]), upper, reading) <= spare)


@kernel
def _add_steps(
    count: int,
    turn: IntArray,
    worth: FloatArray,
    goes_left: BoolArray,
    outside: float,
    n_splits: int,
    steps: FloatArray,
) -> None:
    """Add one sample's cost as a function of the split to the steps of the sum."""
    at = 0
    before = 0.0
    while at < n_splits:
        worst = outside
        after = n_splits
        for event in range(count):
            if goes_left[event] == (turn[event] <= at):
                worst = max(worst, worth[event])
            if at < turn[event] < after:
                after = turn[event]
        steps[at] += worst - before
        before = worst
        at = after
