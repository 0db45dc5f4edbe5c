"""Halves below an interval of root thresholds: one question with two leaves, bounded for all its thresholds in a sweep.

As a child's threshold rises, samples begin to reach the left leaf and stop reaching the right one. Between two such
events nothing changes, and it is enough to look just behind places where a sample stops reaching the right leaf:
moving the threshold down to such a place only takes samples from the left leaf. Two attacks bound a half: all
samples that can go left, and all that can go right.
"""

__all__ = ["Halves", "Side", "bound_halves", "empty_halves", "empty_side", "evaluate_halves", "two_leaves"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import EXACT_MINIMA, copy_into, count_true, smallest
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.moves import sort_by
from hedgerow.engine.samples import Samples


class Halves(NamedTuple):
    """Room for halves: a question each (−1 for none), and the interval in which its threshold lies.

    Attributes
    ----------
    question, low, high
        The threshold is above `low` and below `high`, or both are the threshold.
    value
        Two rows: what the half costs at least with all samples that reach this side of the root, and with those alone
        that don't reach the other side.
    """

    question: IntArray
    low: FloatArray
    high: FloatArray
    value: FloatArray


def empty_halves(samples: Samples) -> Halves:
    """Return room for all halves that there can be."""
    n_questions, n_samples = samples.values.shape
    room = 1 + (samples.points.size if samples.points.size else 2 * n_questions * n_samples)
    return Halves(np.empty(room, dtype=np.int64), np.empty(room), np.empty(room), np.empty((2, room)))


@kernel(fastmath=EXACT_MINIMA)
def _divided(part: FloatArray, whole: FloatArray) -> float:
    """Return what two solutions cost at least: one for the part, one for the rest of the whole."""
    inside, outside = np.inf, np.inf
    for solution in range(part.size):
        inside = min(inside, part[solution])
        outside = min(outside, whole[solution] - part[solution])
    return inside + outside


@kernel
def _shift(row: int, sign: float, regret: FloatArray, forced: bool, sums: FloatArray) -> None:
    for solution in range(regret.shape[1]):
        sums[0, solution] += sign * regret[row, solution]
    if forced:
        for solution in range(regret.shape[1]):
            sums[1, solution] += sign * regret[row, solution]


class Side(NamedTuple):
    """Room for one side of the root.

    Attributes
    ----------
    spent, events
        What `hedgerow.engine.moves.single_events` writes.
    reaches, forced, here
        Per sample whether it reaches this side, whether it reaches no other, and whether it is there as read.
    whole, present, left, right
        Sums of regrets over samples that reach this side, either leaf of the half at hand, its left and its right leaf:
        over all of them, and over the forced ones.
    order_in, order_out, places
        The samples in the order of the events of one question, and the places where its threshold may lie.
    """

    spent: FloatArray
    events: FloatArray
    reaches: BoolArray
    forced: BoolArray
    here: BoolArray
    whole: FloatArray
    present: FloatArray
    left: FloatArray
    right: FloatArray
    order_in: IntArray
    order_out: IntArray
    places: FloatArray


def empty_side(samples: Samples) -> Side:
    """Return room for a side."""
    n_samples, n_solutions = samples.regret.shape
    reaches, forced, here = np.empty((3, n_samples), dtype=np.bool_)
    whole, present, left, right = np.empty((4, 2, n_solutions))
    order_in, order_out = np.empty((2, n_samples), dtype=np.int64)
    places = np.empty(max(2 * n_samples, samples.points.size))
    spent, events = np.empty((2, n_samples)), np.empty((2, *samples.values.shape))
    return Side(spent, events, reaches, forced, here, whole, present, left, right, order_in, order_out, places)


@kernel(inline="always")
def _fill_side(number: int, root: int, low: float, high: float, samples: Samples, side: Side) -> None:
    """Write which samples reach a side, and their sums."""
    for solution in range(side.whole.shape[1]):
        side.whole[0, solution], side.whole[1, solution] = 0.0, 0.0
    for row in range(side.here.size):
        side.reaches[row] = side.spent[number, row] < np.inf
        side.forced[row] = side.reaches[row] and side.spent[1 - number, row] == np.inf
        if side.reaches[row]:
            _shift(row, 1.0, samples.regret, side.forced[row], side.whole)
        side.here[row] = True
        if root >= 0:
            side.here[row] = samples.values[root, row] <= high if number == 0 else samples.values[root, row] > low


@kernel
def bound_halves(
    number: int,
    root: int,
    low: float,
    high: float,
    samples: Samples,
    min_samples: int,
    cut: FloatArray,
    side: Side,
    halves: Halves,
) -> int:
    """Write the halves on one side of the root whose bounds are below both cut-offs; return how many there are.

    The side must have its costs and events. `cut[0]` is for all samples that reach it, `cut[1]` for those that reach
    no other. The first half asks nothing.
    """
    _fill_side(number, root, low, high, samples, side)
    count = 0
    if min_samples == 0 or count_true(side.here) >= min_samples:
        values = smallest(side.whole[0]), smallest(side.whole[1])
        if values[0] < cut[0] and values[1] < cut[1]:
            halves.question[0], halves.low[0], halves.high[0] = -1, 0.0, 0.0
            halves.value[0, 0], halves.value[1, 0] = values
            count = 1
    for question in range(samples.values.shape[0]):
        order = samples.order[question]
        bottom, top = samples.values[question, order[0]], samples.values[question, order[-1]]
        if bottom == top:
            continue
        copy_into(order, side.order_in)
        copy_into(order, side.order_out)
        sort_by(side.events[0, question], side.order_in)
        sort_by(side.events[1, question], side.order_out)
        if question == root and number == 0:
            top = min(top, high)
        elif question == root:
            bottom = max(bottom, np.nextafter(low, np.inf) if samples.points.size else low)
        n_places = _fill_places(question, min_samples, samples, side)
        tiny = 0.0 if samples.points.size else samples.tiny[question]
        while n_places > 0 and side.places[n_places - 1] >= top - tiny:
            n_places -= 1
        count = _sweep(question, n_places, bottom, top, side, samples, min_samples, cut, count, halves)
    return count


@kernel(inline="always")
def _sweep(
    question: int,
    n_places: int,
    bottom: float,
    top: float,
    side: Side,
    samples: Samples,
    min_samples: int,
    cut: FloatArray,
    count: int,
    halves: Halves,
) -> int:
    """Go through the places of one question and write its halves behind the first `count`; return how many there are.

    The sums over the samples that reach either leaf are carried along.
    """
    enters, leaves, order_in, order_out = (
        side.events[0, question],
        side.events[1, question],
        side.order_in,
        side.order_out,
    )
    left, right, present, places = side.left, side.right, side.present, side.places
    n_samples, listed = enters.size, samples.points.size > 0
    tiny = 0.0 if listed else samples.tiny[question]
    order = samples.order[question]
    for row in range(2):
        for solution in range(left.shape[1]):
            left[row, solution] = 0.0
        copy_into(side.whole[row], right[row])
        copy_into(side.whole[row], present[row])
    next_in, next_out, next_value, n_left, n_here = 0, 0, 0, 0, count_true(side.here)
    for number in range(n_places):
        place = places[number]
        while next_in < n_samples and enters[order_in[next_in]] <= place + tiny:
            row = order_in[next_in]
            _shift(row, 1.0, samples.regret, side.forced[row], left)
            if number > 0 and _has_left(leaves[row], places[number - 1], listed):
                _shift(row, 1.0, samples.regret, side.forced[row], present)
            next_in += 1
        while next_out < n_samples and _has_left(leaves[order_out[next_out]], place, listed):
            row = order_out[next_out]
            if side.reaches[row]:
                _shift(row, -1.0, samples.regret, side.forced[row], right)
                if enters[row] > place + tiny:  # for now it reaches neither leaf
                    _shift(row, -1.0, samples.regret, side.forced[row], present)
            next_out += 1
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
        halves.question[count] = question
        halves.low[count] = place if listed else max(place, bottom)
        halves.high[count] = limit
        halves.value[0, count], halves.value[1, count] = value, alone
        count += 1
    return count


@kernel(inline="always")
def _has_left(leaves: float, place: float, listed: bool) -> bool:
    """Return whether a sample reaches the right leaf no more: at a listed threshold, or just behind a place."""
    return leaves < place or (not listed and leaves == place)


@kernel(inline="always")
def _fill_places(question: int, min_samples: int, samples: Samples, side: Side) -> int:
    """Write in increasing order the candidate thresholds, or the places just behind which one may be best."""
    order_out, leaves, places = side.order_out, side.events[1, question], side.places
    first, last = samples.first[question], samples.first[question + 1]
    if samples.points.size:
        for number in range(last - first):
            places[number] = samples.points[first + number]
        return int(last - first)
    count = 0
    order = samples.order[question]
    next_value = 0
    for number in range(order_out.size + 1):
        until = leaves[order_out[number]] if number < order_out.size else np.inf
        while min_samples > 0 and next_value < order.size and samples.values[question, order[next_value]] < until:
            value = samples.values[question, order[next_value]]
            if count == 0 or places[count - 1] < value:
                places[count] = value
                count += 1
            next_value += 1
        if -np.inf < until < np.inf and (count == 0 or places[count - 1] < until):
            places[count] = until
            count += 1
    return count


@kernel
def two_leaves(reach: FloatArray, counts: BoolArray, samples: Samples, cutoff: float) -> float:
    """Return the least worst-case regret of two leaves on the samples that count, or the cut-off if that is less."""
    n_samples, n_solutions = samples.regret.shape
    only = np.zeros((2, n_solutions))
    shared = np.zeros(n_solutions)
    both = np.empty(n_samples, np.int64)
    n_both = 0
    for row in range(n_samples):
        if not counts[row]:
            continue
        on_left, on_right = reach[0, row] == 0.0, reach[1, row] == 0.0
        if on_left and on_right:
            both[n_both] = row
            n_both += 1
            for solution in range(n_solutions):
                shared[solution] += samples.regret[row, solution]
        elif on_left or on_right:
            leaf = 0 if on_left else 1
            for solution in range(n_solutions):
                only[leaf, solution] += samples.regret[row, solution]
    least_right = smallest(only[1])
    best = cutoff
    for x in range(n_solutions):
        if only[0, x] + shared[x] + least_right >= best:
            continue
        for y in range(n_solutions):
            base = only[0, x] + only[1, y]
            if base + max(shared[x], shared[y]) >= best:
                continue
            for number in range(n_both):
                base += max(samples.regret[both[number], x], samples.regret[both[number], y])
            best = min(best, base)
    return best


@kernel
def evaluate_halves(
    side: int, spent: FloatArray, samples: Samples, cut: FloatArray, prune: bool, halves: Halves, reach: FloatArray
) -> int:
    """Evaluate halves whose thresholds are points, drop those at a cut-off or dominated; return how many stay.

    `reach` (halves × 2 × samples) says which leaves samples reach, 0 or ∞. What stays moves to the front of the arrays.
    Halves come with their bounds. Where all samples reach one side only, the best half is enough, and its value becomes
    the cut-off.
    """
    everyone = spent[side] < np.inf
    forced = everyone & (spent[1 - side] == np.inf)
    only_best = prune and count_true(everyone) == count_true(forced)
    kept = 0
    for number in range(halves.question.size):
        is_out = halves.value[0, number] >= cut[0] or halves.value[1, number] >= cut[1]
        if prune and not is_out:
            for other in range(kept):
                if _covers(reach[number], reach[other]):
                    is_out = True
                    break
        if is_out:
            continue
        value = two_leaves(reach[number], everyone, samples, cut[0])
        if value >= cut[0]:
            continue
        alone = value if only_best else two_leaves(reach[number], forced, samples, cut[1])
        if alone >= cut[1]:
            continue
        if only_best:
            cut[0], cut[1], kept = value, value, 0
        for leaf in range(2):
            copy_into(reach[number, leaf], reach[kept, leaf])
        halves.question[kept] = halves.question[number]
        halves.low[kept] = halves.high[kept] = halves.low[number]
        halves.value[0, kept], halves.value[1, kept] = value, alone
        kept += 1
    return kept


@kernel(inline="always")
def _covers(reach: FloatArray, other: FloatArray) -> bool:
    """Return whether a half lets samples reach at least the leaves that another one does, as they are or swapped."""
    straight, swapped = True, True
    for row in range(reach.shape[1]):
        straight = straight and reach[0, row] <= other[0, row] and reach[1, row] <= other[1, row]
        swapped = swapped and reach[0, row] <= other[1, row] and reach[1, row] <= other[0, row]
        if not (straight or swapped):
            return False
    return True
