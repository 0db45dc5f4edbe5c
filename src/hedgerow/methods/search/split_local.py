"""The best question for one node under local budgets, all else fixed: one sweep over all thresholds of an item.

For every sample, each slot below the node is within reach from some threshold on (left of the node) or up to some
threshold (right of it). So what a sample costs is a step function of the threshold with few steps, and the sum of
these functions is one running sum over the sorted thresholds: N log N for all thresholds together.
"""

__all__ = ["Sweep", "alone_point", "sweep_for", "sweep_local", "write_ranges"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import count_below
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.tables.reach import Reading, largest_change
from hedgerow.geometry.kernels import change_range, just_above, single_cost
from hedgerow.methods.search.boxes import Node, write_boxes


class Sweep(NamedTuple):
    """A node, and working space for the sweeps over its questions; see `sweep_for`."""

    node: Node
    own_loss: FloatArray  # left and right × samples: what a sample without a budget costs where it belongs, or outside
    # Slots · questions × samples: what it takes to change each question of a slot's box as it must be, and by how much,
    # where some questions share items.
    alone: FloatArray
    least: FloatArray
    most: FloatArray
    turns: IntArray  # items · slots × samples: turning points, where some questions share items
    # For one sample, the slots where it costs more than outside: where they come into reach, what they cost, the side.
    turn: IntArray
    worth: FloatArray
    goes_left: BoolArray


def sweep_for(node: Node, n_items: int) -> Sweep:
    """Return a node with the working space for sweeps over this many items at once."""
    (n_slots, width), n_samples = node.boxes.item.shape, node.outside.size
    shared = node.reading.geometry.pair.size > 0
    ranges = (n_slots * width if shared else 0, n_samples)
    return Sweep(
        node,
        np.empty((2, n_samples)),
        np.empty((n_slots * width, n_samples)),
        np.empty(ranges),
        np.empty(ranges),
        np.empty((n_items * n_slots if shared else 0, n_samples), dtype=np.int64),
        np.empty(n_slots, dtype=np.int64),
        np.empty(n_slots),
        np.empty(n_slots, dtype=np.bool_),
    )


@kernel
def sweep_local(number: int, begin: int, sweep: Sweep, first: int, last: int, values: FloatArray) -> None:
    """Write into `values[s]` what the tree costs if a node asks split s, for the splits first … last − 1.

    These values are 0 before, and `own_loss` is what samples cost outside. It is the node with this number, whose slots
    begin with `begin`. Where questions share items, `write_turns` must have been called for the same splits.
    """
    item, n_swept = sweep.node.reading.item, 0
    if not sweep.turns.size:
        write_boxes(number, begin, sweep.node)
        write_ranges(sweep)
    while first < last:
        after = first
        while after < last and item[after] == item[first]:
            after += 1
        _sweep_item(sweep, n_swept, first, after, values)
        n_swept += 1
        first = after


@kernel
def write_ranges(sweep: Sweep) -> None:
    """Write what it takes to change each question of each slot's box as it must be, and `own_loss` of those inside."""
    node, own_loss = sweep.node, sweep.own_loss
    boxes, reading = node.boxes, node.reading
    n_slots, width = boxes.item.shape
    for slot in range(n_slots):
        for row in range(node.outside.size if boxes.n_asked[slot] >= 0 else 0):
            loss = node.slot_loss[slot, row]
            if loss <= node.outside[row]:
                continue
            n_outside = 0
            for place in range(boxes.n_asked[slot]):
                asked, lower, upper = boxes.item[slot, place], boxes.lower[slot, place], boxes.upper[slot, place]
                value, out = reading.observations[row, asked], slot * width + place
                if reading.budgets[row] == 0.0:
                    n_outside += not lower < value <= upper
                    continue
                least, most = change_range(value, lower, upper, reading.epsilon)
                sweep.alone[out, row] = single_cost(asked, least, most, row, reading.geometry)
                if sweep.least.size:
                    sweep.least[out, row], sweep.most[out, row] = least, most
            if n_outside == 0:
                own_loss[2 * slot // n_slots, row] = loss


@kernel(inline="always")
def _sweep_item(sweep: Sweep, n_swept: int, first: int, last: int, values: FloatArray) -> None:
    """Write the values of an item's splits; `n_swept` items came before."""
    node, n_splits = sweep.node, last - first
    boxes, reading = node.boxes, node.reading
    item, n_slots = reading.item[first], boxes.n_asked.size
    thresholds = reading.threshold[first:last]
    for row in range(node.outside.size):
        outside = node.outside[row]
        if reading.budgets[row] == 0.0:
            at = count_below(thresholds, reading.observations[row, item])
            if_left, if_right = sweep.own_loss[0, row], sweep.own_loss[1, row]
            values[first] += if_left if at == 0 else if_right
            if 0 < at < n_splits:
                values[first + at] += if_left - if_right
            continue
        count = 0
        for slot in range(n_slots):
            loss, left = node.slot_loss[slot, row], 2 * slot < n_slots
            if boxes.n_asked[slot] < 0 or loss <= outside:
                continue
            if sweep.turns.size:
                at = sweep.turns[n_swept * n_slots + slot, row]
            else:
                at = _turning_point(row, item, slot, left, thresholds, sweep)
            if at != (n_splits if left else 0):
                sweep.turn[count], sweep.worth[count], sweep.goes_left[count] = at, loss, left
                count += 1
        _add_steps(count, outside, first, last, sweep, values)
    total = 0.0
    for split in range(first, last):
        total += values[split]
        values[split] = total


@kernel(inline="always")
def _turning_point(row: int, item: int, slot: int, left: bool, thresholds: FloatArray, sweep: Sweep) -> int:
    """Return from which threshold on (left) or up to which one (right) a sample has the slot within reach."""
    boxes, reading = sweep.node.boxes, sweep.node.reading
    spare, begin = reading.budgets[row], slot * boxes.item.shape[1]
    lower, upper = -np.inf, np.inf
    for place in range(boxes.n_asked[slot]):
        if boxes.item[slot, place] == item:
            lower, upper = boxes.lower[slot, place], boxes.upper[slot, place]
        else:
            spare -= sweep.alone[begin + place, row]
    return alone_point(row, item, left, lower, upper, spare, thresholds, reading)


@kernel
def alone_point(
    row: int,
    item: int,
    left: bool,
    lower: float,
    upper: float,
    budget: float,
    thresholds: FloatArray,
    reading: Reading,
) -> int:
    """Return from which threshold on (left) or up to which one (right) a value can be brought to that side of it.

    Other thresholds leave the interval from `lower` to `upper`. The candidate thresholds are sorted.
    """
    low, high, value = 0, thresholds.size, reading.observations[row, item]
    # Wherever the threshold lies, the slot must be within reach without it.
    if budget < 0.0 or _cost(row, item, value, lower, upper, reading) > budget:
        return high if left else low
    farthest = min(budget / reading.prices[item], largest_change(row, item, reading))
    if left:
        guess = max(value - farthest, just_above(lower, reading.epsilon) if value <= lower else -np.inf)
    else:
        guess = max(min(value + farthest, upper) - reading.epsilon, min(value, upper))
    # Rounding may have moved it: the costs themselves decide, mostly those of its two neighbours.
    at, n_tried = min(count_below(thresholds, guess), high - 1), 0
    while low < high:
        floor, ceiling = lower, upper
        if left:
            ceiling = min(upper, thresholds[at])
        else:
            floor = max(lower, thresholds[at])
        if (_cost(row, item, value, floor, ceiling, reading) <= budget) == left:
            high = at
            at -= 1
        else:
            at += 1
            low = at
        n_tried += 1
        if n_tried > 2:
            at = (low + high) // 2
    return low


@kernel
def _cost(row: int, item: int, value: float, lower: float, upper: float, reading: Reading) -> float:
    """Return what it takes to bring a value into an interval; not by `single_cost` where that takes longer."""
    least, most = change_range(value, lower, upper, reading.epsilon)
    if reading.geometry.limited:
        return single_cost(item, least, most, row, reading.geometry)
    return float(reading.prices[item] * max(0.0, least, -most))


@kernel(inline="always")
def _add_steps(count: int, outside: float, first: int, last: int, sweep: Sweep, values: FloatArray) -> None:
    """Add one sample's cost as a function of the split to the steps of the sum."""
    at, end = 0, last - first
    before = 0.0
    while at < end:
        worst, after = outside, end
        for event in range(count):
            turn = sweep.turn[event]
            if sweep.goes_left[event] == (turn <= at):
                worst = max(worst, sweep.worth[event])
            if at < turn < after:
                after = turn
        values[first + at] += worst - before
        before = worst
        at = after
