"""The best question for one node under local budgets, all else fixed: one sweep over all thresholds of an item.

For every sample, each slot below the node is within reach from some threshold on (left of the node) or up to some
threshold (right of it). So what a sample costs is a step function of the threshold with few steps, and the sum of
these functions is one running sum over the sorted thresholds: N log N for all thresholds together.
"""

__all__ = ["Sweep", "sweep_for", "sweep_local"]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel, record
from hedgerow.compiled.array_kernels import count_below
from hedgerow.engine.tables.reach import largest_change
from hedgerow.geometry.kernels import change_range, single_cost
from hedgerow.geometry.pairs import NOT_LINKED
from hedgerow.methods.search.boxes import Node, dearest_of_rest, link, linked_cost, write_boxes
from hedgerow.methods.search.pair_point import ALONE, LIMITED, pair_point

_ADDS_UP = -1
_UNKNOWN = -2

_FEW_SAMPLES = 12
"""Up to this many samples a linear programme decides where three and more questions share items."""


@record
class Sweep(NamedTuple):
    """A node, and working space for the sweeps over its questions."""

    node: Node
    own_loss: FloatArray  # left and right × samples: see `_write_own_losses`
    # Slots · questions × samples: by how much each sample must change each question of a slot's box, and at what cost.
    # The first two are empty where no questions share items.
    least: FloatArray
    most: FloatArray
    alone: FloatArray
    beside: IntArray  # slots × questions: see `_write_beside`
    exact: BoolArray
    # For one sample, the slots where it costs more than outside: where they come into reach, what they cost, the side.
    turn: IntArray
    worth: FloatArray
    goes_left: BoolArray


def sweep_for(node: Node) -> Sweep:
    """Return a node with the working space that `sweep_local` needs."""
    (n_slots, width), n_samples = node.boxes.item.shape, node.outside.size
    n_linked = n_slots * width if node.reading.geometry.pair.size else 0
    return Sweep(
        node,
        np.empty((2, n_samples)),
        np.empty((n_linked, n_samples)),
        np.empty((n_linked, n_samples)),
        np.empty((n_slots * width, n_samples)),
        np.empty((n_slots, width), dtype=np.int64),
        np.empty(n_slots, dtype=np.bool_),
        np.empty(n_slots, dtype=np.int64),
        np.empty(n_slots),
        np.empty(n_slots, dtype=np.bool_),
    )


@kernel
def sweep_local(number: int, begin: int, sweep: Sweep, first: int, last: int, values: FloatArray) -> None:
    """Write into `values[s]` what the tree costs if a node asks split s, for the splits first … last − 1.

    It is the node with this number, whose slots begin with `begin`. With more than a few samples three and more
    questions that share items count as within reach if every two of them are: the cost is then never understated.
    """
    write_boxes(number, begin, sweep.node)
    _write_own_losses(sweep)
    _write_ranges(sweep)
    item = sweep.node.reading.item
    while first < last:
        after = first
        while after < last and item[after] == item[first]:
            after += 1
        _sweep_item(sweep, first, after, values)
        first = after


@kernel
def _write_own_losses(sweep: Sweep) -> None:
    """Write what each sample without a budget costs where it belongs, on either side of the node; or outside."""
    node, own_loss = sweep.node, sweep.own_loss
    boxes, reading, n_slots = node.boxes, node.reading, node.boxes.n_asked.size
    for row in range(node.outside.size):
        outside = node.outside[row]
        own_loss[0, row] = own_loss[1, row] = outside
        if reading.budgets[row] > 0.0 or outside > -np.inf:
            continue
        for slot in range(n_slots):
            lies_there = boxes.n_asked[slot] >= 0
            for place in range(boxes.n_asked[slot]):
                value = reading.observations[row, boxes.item[slot, place]]
                if not boxes.lower[slot, place] < value <= boxes.upper[slot, place]:
                    lies_there = False
            if lies_there:
                own_loss[2 * slot // n_slots, row] = node.slot_loss[slot, row]


@kernel
def _write_ranges(sweep: Sweep) -> None:
    """Write by how much each sample must change each question of each slot's box, least and most, and at what cost."""
    node = sweep.node
    boxes, reading = node.boxes, node.reading
    width = boxes.item.shape[1]
    for slot in range(boxes.n_asked.size):
        for place in range(boxes.n_asked[slot]):
            asked, out = boxes.item[slot, place], slot * width + place
            lower, upper = boxes.lower[slot, place], boxes.upper[slot, place]
            for row in range(node.outside.size):
                if reading.budgets[row] > 0.0 and node.slot_loss[slot, row] > node.outside[row]:
                    least, most = change_range(reading.observations[row, asked], lower, upper, reading.epsilon)
                    sweep.alone[out, row] = single_cost(asked, least, most, row, reading.geometry)
                    if sweep.least.size:
                        sweep.least[out, row], sweep.most[out, row] = least, most


@kernel
def _write_beside(item: int, sweep: Sweep) -> None:
    """Write how each question of each slot's box stands to one more, and for which slots that says all.

    It is the number of the pair's list where both share items, `_ADDS_UP` where the other shares items with none, so
    that its cost adds up, and `_UNKNOWN` otherwise.
    """
    boxes, links, geometry = sweep.node.boxes, sweep.node.links, sweep.node.reading.geometry
    for slot in range(boxes.n_asked.size):
        linked, number, n_pairs, n_unknown = links.linked[slot], 0, 0, 0
        for place in range(boxes.n_asked[slot]):
            other, found = boxes.item[slot, place], _UNKNOWN
            if other != item:
                n_together = 0
                for one in range(links.n_asked[slot] if linked else 0):
                    n_together += links.group[slot, one] == links.group[slot, number]
                number += 1
                if n_together <= 1:
                    found = _ADDS_UP
                elif geometry.pair[item, other] != NOT_LINKED:
                    found = geometry.pair[item, other]
                    n_pairs += 1
                else:
                    n_unknown += 1
            sweep.beside[slot, place] = found
        sweep.exact[slot] = not linked or (n_unknown == 0 and n_pairs <= 1 and not geometry.limited)


@kernel
def _sweep_item(sweep: Sweep, first: int, last: int, values: FloatArray) -> None:
    node, n_splits = sweep.node, last - first
    boxes, reading = node.boxes, node.reading
    item, n_slots = reading.item[first], boxes.n_asked.size
    thresholds = reading.threshold[first:last]
    link(item, node)
    _write_beside(item, sweep)
    for split in range(first, last):
        values[split] = 0.0
    for row in range(node.outside.size):
        budget, outside = reading.budgets[row], node.outside[row]
        if budget == 0.0:
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
            at = _turning_point(row, item, slot, left, thresholds, sweep)
            if at != (n_splits if left else 0):
                sweep.turn[count], sweep.worth[count], sweep.goes_left[count] = at, loss, left
                count += 1
        _add_steps(count, outside, first, last, sweep, values)
    total = 0.0
    for split in range(first, last):
        total += values[split]
        values[split] = total


@kernel
def _turning_point(row: int, item: int, slot: int, left: bool, thresholds: FloatArray, sweep: Sweep) -> int:
    """Return from which threshold on (left) or up to which one (right) a sample has the slot within reach."""
    node, n_splits = sweep.node, thresholds.size
    boxes, links, reading = node.boxes, node.links, node.reading
    geometry, exact, value = reading.geometry, sweep.exact[slot], reading.observations[row, item]
    low, high = links.lower[slot], links.upper[slot]
    begin = slot * boxes.item.shape[1]
    # The others must be within reach alone; what they cost counts where they share no items with the rest.
    dearest, spare = 0.0, reading.budgets[row]
    for place in range(boxes.n_asked[slot]):
        if sweep.beside[slot, place] == _ADDS_UP:
            spare -= sweep.alone[begin + place, row]
        elif boxes.item[slot, place] != item:
            dearest = max(dearest, sweep.alone[begin + place, row])
    if dearest > spare:
        return n_splits if left else 0
    since, until = 0, n_splits
    which, own, alone, least, most = ALONE, 0, 0.0, 0.0, 0.0
    farthest = spare / geometry.rate[item]
    if geometry.limited and exact:
        farthest, which = min(farthest, largest_change(row, item, reading)), LIMITED
    # Alone first, and then together with each question that it shares items with.
    for place in range(-1, boxes.n_asked[slot]):
        if place >= 0:
            which = sweep.beside[slot, place]
            if which < 0 or since >= until:
                continue
            own, other = 0 if item < boxes.item[slot, place] else 1, begin + place
            alone, least, most = sweep.alone[other, row], sweep.least[other, row], sweep.most[other, row]
        at = pair_point(
            row, item, left, value, low, high, spare, farthest, which, own, alone, least, most, thresholds, geometry
        )
        since, until = (max(since, at), until) if left else (since, min(until, at))
    if not exact and since < until and node.outside.size <= _FEW_SAMPLES:
        dearest_of_rest(row, slot, item, node)
        return _linked_point(row, slot, left, since, until, thresholds, node)
    return since if left else until


@kernel
def _linked_point(row: int, slot: int, left: bool, since: int, until: int, thresholds: FloatArray, node: Node) -> int:
    """Return the turning point of a slot with several questions that share items, which lies between two splits."""
    lower, upper, budget = node.links.lower[slot], node.links.upper[slot], node.reading.budgets[row]
    at = since if left else until - 1
    while since < until:
        cut = thresholds[at]
        floor, ceiling = (lower, min(upper, cut)) if left else (max(lower, cut), upper)
        if (linked_cost(row, slot, floor, ceiling, budget, node) <= budget) == left:
            until = at
        else:
            since = at + 1
        # What holds for each pair of questions mostly holds for all of them; only then is there more to look at.
        at = (since + until) // 2
    return since


@kernel
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
