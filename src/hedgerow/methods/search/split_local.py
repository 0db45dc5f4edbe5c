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
from hedgerow.geometry.kernels import change_range, single_cost
from hedgerow.geometry.pairs import NOT_LINKED
from hedgerow.methods.search.boxes import (
    Links,
    Node,
    dearest_of_rest,
    interval_cost,
    intervals_of,
    linked_cost,
    links_of,
)
from hedgerow.methods.search.pair_point import pair_point

_ALONE = -1
_UNKNOWN = -2

_FEW_SAMPLES = 12
"""Up to this many samples a linear programme decides where three and more questions share items."""


@kernel
def sweep_local(node: Node, first: int, last: int, values: FloatArray) -> None:
    """Write into `values[s]` what the tree costs if the node asks split s, for the splits first … last − 1.

    With more than a few samples three and more questions that share items count as within reach if every two of them
    are: the cost is then never understated.
    """
    own_loss, rest, reading = _own_losses(node), _rest_of(node), node.reading
    while first < last:
        after = first
        while after < last and reading.item[after] == reading.item[first]:
            after += 1
        _sweep_item(node, own_loss, rest, first, after, values)
        first = after


@kernel
def _own_losses(node: Node) -> FloatArray:
    """Return what each sample without a budget costs where it belongs, on either side of the node; or outside."""
    begin, end, boxes, reading, slot_loss, outside = node
    own_loss = np.empty((2, outside.size))
    middle = (begin + end) // 2
    for row in range(outside.size):
        own_loss[:, row] = outside[row]
        if reading.budgets[row] > 0.0 or outside[row] > -np.inf:
            continue
        for slot in range(begin, end):
            lies_there = boxes.n_asked[slot] >= 0
            for place in range(boxes.n_asked[slot]):
                value = reading.observations[row, boxes.item[slot, place]]
                if not boxes.lower[slot, place] < value <= boxes.upper[slot, place]:
                    lies_there = False
            if lies_there:
                own_loss[0 if slot < middle else 1, row] = slot_loss[slot, row]
    return own_loss


@kernel
def _rest_of(node: Node) -> FloatArray:
    """Return by how much each sample must change each question of each slot's box, least and most, and at what cost."""
    begin, end, boxes, reading, slot_loss, outside = node
    rest = np.zeros((end - begin, boxes.item.shape[1], 3, outside.size))
    for slot in range(begin, end):
        for place in range(boxes.n_asked[slot]):
            asked, out = boxes.item[slot, place], rest[slot - begin, place]
            lower, upper = boxes.lower[slot, place], boxes.upper[slot, place]
            for row in range(outside.size):
                if reading.budgets[row] > 0.0 and slot_loss[slot, row] > outside[row]:
                    least, most = change_range(reading.observations[row, asked], lower, upper, reading.epsilon)
                    out[0, row], out[1, row] = least, most
                    out[2, row] = single_cost(asked, least, most, row, reading.geometry)
    return rest


@kernel
def _beside(item: int, node: Node, links: Links) -> tuple[IntArray, BoolArray]:
    """Return how each question of each slot's box stands to one more, and for which slots that says all.

    It is the number of the pair's list where both share items, `_ALONE` where the other shares items with none, so that
    its cost adds up, and `_UNKNOWN` otherwise.
    """
    begin, end, boxes, geometry = node.begin, node.end, node.boxes, node.reading.geometry
    beside = np.full((end - begin, boxes.item.shape[1]), _UNKNOWN)
    exact = np.ones(end - begin, np.bool_)
    for slot in range(begin, end):
        here, number, n_pairs = slot - begin, 0, 0
        for place in range(boxes.n_asked[slot]):
            other = boxes.item[slot, place]
            if other == item:
                continue
            group, n_together = links.group[here], 0
            for one in range(links.n_asked[here]):
                n_together += group[one] == group[number]
            if not links.linked[here] or n_together == 1:
                beside[here, place] = _ALONE
            elif geometry.pair[item, other] != NOT_LINKED:
                beside[here, place] = geometry.pair[item, other]
                n_pairs += 1
            else:
                exact[here] = False
            number += 1
        exact[here] &= not links.linked[here] or (n_pairs <= 1 and not geometry.limited)
    return beside, exact


@kernel
def _sweep_item(node: Node, own_loss: FloatArray, rest: FloatArray, first: int, last: int, values: FloatArray) -> None:
    begin, end, boxes, reading, slot_loss, outside = node
    n_splits = last - first
    item = reading.item[first]
    middle = (begin + end) // 2
    lower, upper = intervals_of(item, node)
    steps = np.zeros(n_splits + 1)
    thresholds = reading.threshold[first:last]
    links = links_of(item, node)
    geometry = reading.geometry
    epsilon, rate, limited = reading.epsilon, geometry.rate[item], geometry.limited
    rays, corners, first_corner = geometry.rays, geometry.corners, geometry.first_corner
    no_ray, no_corners = np.zeros(2), np.zeros((0, 2))
    beside, exact = _beside(item, node, links)
    turn = np.empty(end - begin, np.int64)
    worth = np.empty(end - begin)
    goes_left = np.empty(end - begin, np.bool_)
    for row in range(outside.size):
        budget, value = reading.budgets[row], reading.observations[row, item]
        if budget == 0.0:
            at = np.searchsorted(thresholds, value)
            if_left, if_right = own_loss[0, row], own_loss[1, row]
            steps[0] += if_left if at == 0 else if_right
            if 0 < at < n_splits:
                steps[at] += if_left - if_right
            continue
        count = 0
        for slot in range(begin, end):
            loss = slot_loss[slot, row]
            if boxes.n_asked[slot] < 0 or loss <= outside[row]:
                continue
            left, here = slot < middle, slot - begin
            low, high = lower[here], upper[here]
            # The others must be within reach alone; what they cost counts where they share no items with the rest.
            dearest, spare = 0.0, budget
            for place in range(boxes.n_asked[slot]):
                if beside[here, place] == _ALONE:
                    spare -= rest[here, place, 2, row]
                elif boxes.item[slot, place] != item:
                    dearest = max(dearest, rest[here, place, 2, row])
            if dearest > spare:
                continue
            if limited and exact[here]:
                at = _turning_point(row, left, low, high, spare, reading, first, last)
            else:
                at = pair_point(
                    value, left, low, high, spare, epsilon, rate, 0.0, 0.0, 0.0, 0, no_ray, no_corners, thresholds
                )
                since, until = (at, n_splits) if left else (0, at)
                for place in range(boxes.n_asked[slot]):
                    which = beside[here, place]
                    if which >= 0 and since < until:
                        at = pair_point(
                            value,
                            left,
                            low,
                            high,
                            spare,
                            epsilon,
                            rate,
                            rest[here, place, 2, row],
                            rest[here, place, 0, row],
                            rest[here, place, 1, row],
                            0 if item < boxes.item[slot, place] else 1,
                            rays[which],
                            corners[first_corner[which] : first_corner[which + 1]],
                            thresholds,
                        )
                        since, until = (max(since, at), until) if left else (since, min(until, at))
                at = since if left else until
                if not exact[here] and since < until and outside.size <= _FEW_SAMPLES:
                    dearest_of_rest(row, slot, boxes, links, item, reading)
                    at = _linked_point(row, here, links, left, low, high, since, until, reading, first)
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
    place: int,
    links: Links,
    left: bool,
    lower: float,
    upper: float,
    since: int,
    until: int,
    reading: Reading,
    first: int,
) -> int:
    """Return the turning point of a slot with several questions that share items, which lies between two splits."""
    budget, at = reading.budgets[row], since if left else until - 1
    while since < until:
        cut = reading.threshold[first + at]
        floor, ceiling = (lower, min(upper, cut)) if left else (max(lower, cut), upper)
        if (linked_cost(row, place, links, floor, ceiling, budget, reading) <= budget) == left:
            until = at
        else:
            since = at + 1
        # What holds for each pair of questions mostly holds for all of them; only then is there more to look at.
        at = (since + until) // 2
    return since


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
