"""Stumps below an interval of root thresholds: a question with two leaves, bounded for all its thresholds in a sweep.

As a child's threshold rises, samples begin to reach the left leaf and stop reaching the right one. Between two such
events nothing changes, and it is enough to look just behind places where a sample stops reaching the right leaf:
moving the threshold down to such a place only takes samples from the left leaf. Two attacks bound a stump: all
samples that can go to this side of the root, and those alone that must.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import EXACT_MINIMA, copy_into, smallest, stable_order
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.moves import fill_events
from hedgerow.engine.samples import Samples


class Stumps(NamedTuple):
    """Stumps on one side of the root: a question each (−1 for none), and the interval in which its threshold lies."""

    # The threshold is above `low` and below `high`, or both are the threshold.
    question: IntArray
    low: FloatArray
    high: FloatArray
    # Two columns: what the stump costs at least with all samples that reach this side of the root, and with those
    # alone that don't reach the other side.
    value: FloatArray


class _Side(NamedTuple):
    """One side of the root."""

    events: FloatArray  # as `hedgerow.engine.moves.fill_events` writes them
    # `reaches`, `forced`, `here`: per sample whether it reaches this side, whether it reaches no other, and whether it
    # is perhaps there as read.
    reaches: BoolArray
    forced: BoolArray
    here: BoolArray
    # `whole`, `present`, `left`, `right`: sums of regrets over samples that reach this side, either leaf of the stump
    # at hand, its left and its right leaf: over all of them, and over the forced ones.
    whole: FloatArray
    present: FloatArray
    left: FloatArray
    right: FloatArray
    places: FloatArray  # where a threshold may lie, in increasing order


@kernel
def _side_of(side: int, root: int, low: float, high: float, samples: Samples) -> _Side:
    n_samples, n_solutions = samples.regret.shape
    spent, events = np.empty((2, n_samples)), np.empty((2, samples.values.shape[0], n_samples))
    fill_events(side, root, low, high, samples, spent, events)
    flags, sums = np.empty((3, n_samples), np.bool_), np.zeros((4, 2, n_solutions))
    for row in range(n_samples):
        flags[0, row] = spent[side, row] < np.inf
        flags[1, row] = flags[0, row] and spent[1 - side, row] == np.inf
        flags[2, row] = True
        if root >= 0:
            value = samples.values[root, row]
            flags[2, row] = value <= high if side == 0 else value > low
        if flags[0, row]:
            _shift(row, 1.0, samples.regret, flags[1, row], sums[0])
    places = np.empty(max(2 * n_samples, samples.points.size))
    return _Side(events, flags[0], flags[1], flags[2], sums[0], sums[1], sums[2], sums[3], places)


@kernel(inline="always")
def _shift(row: int, sign: float, regret: FloatArray, forced: bool, sums: FloatArray) -> None:
    for solution in range(regret.shape[1]):
        sums[0, solution] += sign * regret[row, solution]
    if forced:
        for solution in range(regret.shape[1]):
            sums[1, solution] += sign * regret[row, solution]


@kernel(fastmath=EXACT_MINIMA)
def _divided(part: FloatArray, whole: FloatArray) -> float:
    """Return what two solutions cost at least: one for the part, one for the rest of the whole."""
    inside, outside = np.inf, np.inf
    for solution in range(part.size):
        inside = min(inside, part[solution])
        outside = min(outside, whole[solution] - part[solution])
    return inside + outside


@kernel
def find_stumps(side: int, root: int, low: float, high: float, cut: FloatArray, samples: Samples) -> Stumps:
    """Return the stumps on one side of the root whose bounds are below both cut-offs; the first may ask nothing.

    `cut[0]` is for all samples that reach the side, `cut[1]` for those that reach no other.
    """
    n_questions, n_samples = samples.values.shape
    room = 1 + (samples.points.size if samples.points.size else 2 * n_questions * n_samples)
    stumps = Stumps(np.empty(room, np.int64), np.empty(room), np.empty(room), np.empty((room, 2)))
    here, count, is_empty = _side_of(side, root, low, high, samples), 0, root < 0 and side == 1
    if is_empty or np.count_nonzero(here.here) >= samples.min_samples:
        values = smallest(here.whole[0]), smallest(here.whole[1])
        if values[0] < cut[0] and values[1] < cut[1]:
            stumps.question[0], stumps.low[0], stumps.high[0] = -1, 0.0, 0.0
            stumps.value[0, 0], stumps.value[0, 1] = values
            count = 1
    for question in range(0 if is_empty else n_questions):
        order = samples.order[question]
        bottom, top = samples.values[question, order[0]], samples.values[question, order[-1]]
        if bottom == top:
            continue
        if question == root and side == 0:
            top = min(top, high)
        elif question == root:
            bottom = max(bottom, np.nextafter(low, np.inf) if samples.points.size else low)
        count = _sweep(question, bottom, top, here, samples, cut, count, stumps)
    return Stumps(stumps.question[:count], stumps.low[:count], stumps.high[:count], stumps.value[:count])


@kernel
def _sweep(
    question: int,
    bottom: float,
    top: float,
    side: _Side,
    samples: Samples,
    cut: FloatArray,
    count: int,
    stumps: Stumps,
) -> int:
    """Go through the places of one question and write its stumps behind the first `count`; return how many there are.

    The sums over the samples that reach either leaf are carried along.
    """
    enters, leaves = side.events[0, question], side.events[1, question]
    order_in, order_out, order = stable_order(enters), stable_order(leaves), samples.order[question]
    left, right, present, places = side.left, side.right, side.present, side.places
    n_samples, listed, min_samples = enters.size, samples.points.size > 0, samples.min_samples
    tiny = 0.0 if listed else samples.tiny[question]
    left[:] = 0.0
    for row in range(2):
        copy_into(side.whole[row], right[row])
        copy_into(side.whole[row], present[row])
    n_places = _fill_places(question, leaves, order_out, samples, places)
    while n_places > 0 and places[n_places - 1] >= top - tiny:
        n_places -= 1
    before = -np.inf
    next_in, next_out, next_value, n_left, n_here = 0, 0, 0, 0, np.count_nonzero(side.here)
    for number in range(n_places):
        place = places[number]
        # A sample has left the right leaf at a listed threshold, or just behind a place.
        edge = np.nextafter(place, -np.inf) if listed else place
        while next_in < n_samples and enters[order_in[next_in]] <= place + tiny:
            row = order_in[next_in]
            _shift(row, 1.0, samples.regret, side.forced[row], left)
            if leaves[row] <= before:
                _shift(row, 1.0, samples.regret, side.forced[row], present)
            next_in += 1
        while next_out < n_samples and leaves[order_out[next_out]] <= edge:
            row = order_out[next_out]
            if side.reaches[row]:
                _shift(row, -1.0, samples.regret, side.forced[row], right)
                if enters[row] > place + tiny:  # for now it reaches neither leaf
                    _shift(row, -1.0, samples.regret, side.forced[row], present)
            next_out += 1
        before = edge
        entering = enters[order_in[next_in]] if next_in < n_samples else np.inf
        following = places[number + 1] if number + 1 < n_places else np.inf
        if min_samples > 0:
            while next_value < n_samples and samples.values[question, order[next_value]] <= place + tiny:
                n_left += side.here[order[next_value]]
                next_value += 1
            if n_left < min_samples or n_here - n_left < min_samples:
                continue
        elif following + tiny < entering and following < np.inf:
            continue  # the next place takes samples from the right leaf and adds none to the left one
        limit = place if listed else min(top, entering, following)
        if place < bottom if listed else limit <= max(place, bottom):
            continue
        if smallest(left[0]) >= cut[0] or smallest(left[1]) >= cut[1]:
            break  # from here on it only grows
        value = max(_divided(left[0], present[0]), _divided(right[0], present[0]))
        if value >= cut[0]:
            continue
        alone = max(_divided(left[1], present[1]), _divided(right[1], present[1]))
        if alone >= cut[1]:
            continue
        stumps.question[count] = question
        stumps.low[count] = place if listed else max(place, bottom)
        stumps.high[count] = limit
        stumps.value[count, 0], stumps.value[count, 1] = value, alone
        count += 1
    return count


@kernel(inline="always")
def _fill_places(question: int, leaves: FloatArray, order_out: IntArray, samples: Samples, places: FloatArray) -> int:
    """Write in increasing order the candidate thresholds, or the places just behind which one may be best."""
    first, last = samples.first[question], samples.first[question + 1]
    if samples.points.size:
        copy_into(samples.points[first:last], places)
        return int(last - first)
    count, next_value, order = 0, 0, samples.order[question]
    for number in range(order_out.size + 1):
        until = leaves[order_out[number]] if number < order_out.size else np.inf
        while samples.min_samples > 0 and next_value < order.size:
            value = samples.values[question, order[next_value]]
            if value >= until:
                break
            if count == 0 or places[count - 1] < value:
                places[count] = value
                count += 1
            next_value += 1
        if -np.inf < until < np.inf and (count == 0 or places[count - 1] < until):
            places[count] = until
            count += 1
    return count


@kernel
def bound_sides(
    first: int, root: int, low: float, high: float, target: float, samples: Samples, sides: FloatArray
) -> float:
    """Raise what the sides of a root cost at least, the `first` one and then the other; return what all costs at least.

    `sides[side, 0]` is the cost with all samples that reach this side, `sides[side, 1]` with those alone that reach no
    other. Both hold what is known so far. Once the target is reached, the rest is left as it is.
    """
    cut = np.empty(2)
    for side in (first, 1 - first):
        cut[0], cut[1] = target - sides[1 - side, 1], target - sides[1 - side, 0]
        stumps = find_stumps(side, root, low, high, cut, samples)
        for column in range(2):
            least = cut[column]
            for place in range(stumps.question.size):
                least = min(least, stumps.value[place, column])
            sides[side, column] = max(sides[side, column], least)
        if max(sides[0, 0] + sides[1, 1], sides[0, 1] + sides[1, 0]) >= target:
            break
    return float(max(sides[0, 0] + sides[1, 1], sides[0, 1] + sides[1, 0]))
