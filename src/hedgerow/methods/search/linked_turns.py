"""Turning points for `sweep_local` where questions share items, compiled by themselves."""

__all__ = ["Beside", "beside_for", "write_turns"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry.pairs import NOT_LINKED
from hedgerow.methods.search.boxes import write_boxes
from hedgerow.methods.search.links import Links, dearest_of_rest, link, linked_cost, links_for
from hedgerow.methods.search.pair_point import ALONE, pair_point
from hedgerow.methods.search.split_local import Sweep, alone_point, write_ranges

_ADDS_UP = -1
_UNKNOWN = -2

_FEW_SAMPLES = 12
"""Up to this many samples a linear programme decides where three and more questions share items."""


class Beside(NamedTuple):
    """How the questions of each slot's box stand to one more, and for which slots that says all.

    It is the number of the pair's list where both share items, `_ADDS_UP` where the other shares items with none, so
    that its cost adds up, and `_UNKNOWN` otherwise.
    """

    sweep: Sweep
    links: Links
    which: IntArray  # slots × questions
    exact: BoolArray


def beside_for(sweep: Sweep) -> Beside:
    """Return the working space that `write_turns` needs for a sweep."""
    shape = sweep.node.boxes.item.shape
    return Beside(sweep, links_for(sweep.node), np.empty(shape, dtype=np.int64), np.empty(shape[0], dtype=np.bool_))


@kernel
def write_turns(number: int, begin: int, beside: Beside, first: int, last: int) -> None:
    """Write the turning points of all samples and slots into the sweep, for the splits first … last − 1.

    The node and its slots are given as to `sweep_local`. With more than a few samples three and more questions that
    share items count as within reach if every two of them are: the cost is then never understated.
    """
    sweep, item, n_swept = beside.sweep, beside.sweep.node.reading.item, 0
    write_boxes(number, begin, sweep.node)
    write_ranges(sweep)
    while first < last:
        after = first
        while after < last and item[after] == item[first]:
            after += 1
        _write_turns_of(beside, n_swept, first, after)
        n_swept += 1
        first = after


@kernel(inline="always")
def _write_turns_of(beside: Beside, n_swept: int, first: int, last: int) -> None:
    """Write the turning points of one item; `n_swept` items came before."""
    node, turns = beside.sweep.node, beside.sweep.turns
    boxes, reading = node.boxes, node.reading
    item, n_slots, thresholds = reading.item[first], boxes.n_asked.size, reading.threshold[first:last]
    link(item, beside.links)
    _write_beside(item, beside)
    for slot in range(n_slots):
        for row in range(node.outside.size if boxes.n_asked[slot] >= 0 else 0):
            if reading.budgets[row] > 0.0 and node.slot_loss[slot, row] > node.outside[row]:
                turn = _turning_point(row, item, slot, 2 * slot < n_slots, thresholds, beside)
                turns[n_swept * n_slots + slot, row] = turn


@kernel(inline="always")
def _write_beside(item: int, beside: Beside) -> None:
    """Write how each question of each slot's box stands to one more."""
    links = beside.links
    boxes, geometry = links.node.boxes, links.node.reading.geometry
    for slot in range(boxes.n_asked.size):
        group, linked = links.group[slot], links.linked[slot]
        number, n_pairs, n_unknown = 0, 0, 0
        for place in range(boxes.n_asked[slot]):
            other, found = boxes.item[slot, place], _UNKNOWN
            if other != item:
                n_together = 0
                for one in range(links.n_asked[slot]):
                    n_together += group[one] == group[number]
                number += 1
                if n_together == 1:
                    found = _ADDS_UP
                elif geometry.pair[item, other] != NOT_LINKED:
                    found = geometry.pair[item, other]
                    n_pairs += 1
                else:
                    n_unknown += 1
            beside.which[slot, place] = found
        beside.exact[slot] = not linked or (n_unknown == 0 and n_pairs <= 1 and not geometry.limited)


@kernel(inline="always")
def _turning_point(row: int, item: int, slot: int, left: bool, thresholds: FloatArray, beside: Beside) -> int:
    """Return from which threshold on (left) or up to which one (right) a sample has the slot within reach."""
    sweep, links = beside.sweep, beside.links
    node = sweep.node
    boxes, reading = node.boxes, node.reading
    geometry, exact, value = reading.geometry, beside.exact[slot], reading.observations[row, item]
    lower, upper, begin = links.lower[slot], links.upper[slot], slot * boxes.item.shape[1]
    since, until = 0, thresholds.size
    # The others must be within reach alone; what they cost counts where they share no items with the rest.
    dearest, spare = 0.0, reading.budgets[row]
    for place in range(boxes.n_asked[slot]):
        if beside.which[slot, place] == _ADDS_UP:
            spare -= sweep.alone[begin + place, row]
        elif boxes.item[slot, place] != item:
            dearest = max(dearest, sweep.alone[begin + place, row])
    if dearest > spare:
        return until if left else since
    if geometry.limited and exact:
        return alone_point(row, item, left, lower, upper, spare, thresholds, reading)
    # Alone first, and then together with each question that it shares items with.
    for place in range(-1, boxes.n_asked[slot]):
        which, own, other = ALONE, 0, 0
        alone, least, most = 0.0, 0.0, 0.0
        if place >= 0:
            which, other = beside.which[slot, place], begin + place
            if which < 0 or since >= until:
                continue
            own = 0 if item < boxes.item[slot, place] else 1
            alone, least, most = sweep.alone[other, row], sweep.least[other, row], sweep.most[other, row]
        at = pair_point(item, left, value, lower, upper, spare, which, own, alone, least, most, thresholds, geometry)
        if left:
            since = max(since, at)
        else:
            until = min(until, at)
    if not exact and since < until and node.outside.size <= _FEW_SAMPLES:
        dearest_of_rest(row, slot, item, links)
        return _linked_point(row, slot, left, since, until, thresholds, links)
    return since if left else until


@kernel(inline="always")
def _linked_point(row: int, slot: int, left: bool, since: int, until: int, thresholds: FloatArray, links: Links) -> int:
    """Return the turning point of a slot with several questions that share items, which lies between two splits."""
    budget = links.node.reading.budgets[row]
    at = since if left else until - 1
    while since < until:
        lower, upper = links.lower[slot], links.upper[slot]
        if left:
            upper = min(upper, thresholds[at])
        else:
            lower = max(lower, thresholds[at])
        if (linked_cost(row, slot, lower, upper, budget, links) <= budget) == left:
            until = at
        else:
            since = at + 1
        # What holds for each pair of questions mostly holds for all of them; only then is there more to look at.
        at = (since + until) // 2
    return since
