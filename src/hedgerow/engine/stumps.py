"""Stumps below an interval of root thresholds: one question with two leaves, bounded for all its thresholds in a sweep.

As a stump's threshold rises, samples begin to reach the left leaf and stop reaching the right one. Between two such
events nothing changes, and it is enough to look just behind places where a sample stops reaching the right leaf:
moving the threshold down to such a place only takes samples from the left leaf. Two attacks bound a stump: all
samples that can go left, and all that can go right.
"""

__all__ = ["Workspace", "best_leaf_pair", "best_stump", "bound_stumps", "covers", "new_workspace", "sort_by"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import EXACT_MINIMA, smallest
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.readings import Readings, Root

REACHES, FORCED, HERE, ON_LEFT, ON_RIGHT = range(5)
"""Flags of samples: whether one reaches this side of the root, and no other; whether it counts as here; whether it
reaches the left and the right leaf of the stump at hand."""

WHOLE, PRESENT, LEFT, ONLY_LEFT = range(4)
"""Sums of regrets over samples that reach this side, either leaf of the stump at hand, its left leaf, and no other."""


class Workspace(NamedTuple):
    """Arrays that the bounds on the sides of a root write; few, since each one costs time at every call.

    Attributes
    ----------
    spent, events, far_events
        What `hedgerow.engine.readings.turns_of_all` writes; the events at the other end of a root's interval.
    flags, sums
        Flags of the samples; sums of regrets, over all samples that they name and over the forced ones.
    orders, places
        The samples in the order of the two events of a question, and the places where its threshold may lie.
    question, low, high
        Per side of the root what stumps ask, −1 for nothing; their thresholds are above `low` and below `high`, or
        both are the threshold.
    value
        Per side two rows: what a stump costs at least with all samples that reach this side of the root, and with those
        alone that don't reach the other side.
    """

    spent: FloatArray
    events: FloatArray
    far_events: FloatArray
    flags: BoolArray
    sums: FloatArray
    orders: IntArray
    places: FloatArray
    question: IntArray
    low: FloatArray
    high: FloatArray
    value: FloatArray


def new_workspace(readings: Readings) -> Workspace:
    """Return arrays for all stumps that there can be."""
    n_samples, n_solutions = readings.regret.shape
    n_questions, n_points = len(readings.values), readings.points.size
    most = 1 + (n_points if readings.listed else 2 * n_questions * n_samples)
    return Workspace(
        spent=np.empty((2, n_samples)),
        events=np.empty((2, n_questions, n_samples)),
        far_events=np.empty((2, n_questions, n_samples)),
        flags=np.empty((5, n_samples), dtype=np.bool_),
        sums=np.empty((4, 2, n_solutions)),
        orders=np.empty((2, n_samples), dtype=np.int64),
        places=np.empty(max(2 * n_samples, n_points)),
        question=np.empty((2, most), dtype=np.int64),
        low=np.empty((2, most)),
        high=np.empty((2, most)),
        value=np.empty((2, 2, most)),
    )


@kernel
def sort_by(keys: FloatArray, order: IntArray) -> None:
    """Sort the indices in `order` by their keys, in place; quick where they are nearly sorted."""
    gap = 1
    while 3 * gap < order.size:
        gap = 3 * gap + 1
    while gap > 0:
        for place in range(gap, order.size):
            index = order[place]
            key = keys[index]
            at = place
            while at >= gap and keys[order[at - gap]] > key:
                order[at] = order[at - gap]
                at -= gap
            order[at] = index
        gap //= 3


@kernel
def bound_stumps(side: int, root: Root, readings: Readings, min_samples: int, cut: FloatArray, space: Workspace) -> int:
    """Write the stumps on one side of a root whose bounds are below both cut-offs; return how many there are.

    The workspace must have the side's costs and events. `cut[0]` is for all samples that reach the side, `cut[1]` for
    those that reach no other. The first stump asks nothing.
    """
    count, n_here, order = 0, 0, readings.order
    n_rows = _fill_side(side, root, readings, space)
    for row in range(space.spent.shape[1]):
        n_here += space.flags[HERE, row]
    if n_here >= min_samples:
        value = _least(space.sums, WHOLE, 0)
        alone = _least(space.sums, WHOLE, 1) if n_rows == 2 else value
        if value < cut[0] and alone < cut[1]:
            space.question[side, 0], space.low[side, 0], space.high[side, 0] = -1, 0.0, 0.0
            space.value[side, 0, 0], space.value[side, 1, 0] = value, alone
            count = 1
    for question in range(readings.values.shape[0]):
        bottom, top = readings.values[question, order[question, 0]], readings.values[question, order[question, -1]]
        if min_samples > 0:  # samples that count may have been moved away
            bottom, top = readings.as_read[question].min(), readings.as_read[question].max()
        if bottom == top:
            continue
        if question == root.question and side == 0:
            top = min(top, root.high)
        elif question == root.question:
            bottom = max(bottom, np.nextafter(root.low, np.inf) if readings.listed else root.low)
        limits = min_samples, n_here, n_rows
        count = _sweep(question, (bottom, top), limits, (side, count), readings, cut, space)
    return count


@kernel
def _fill_side(side: int, root: Root, readings: Readings, space: Workspace) -> int:
    """Write the flags and sums of a side; return 1 if all its samples are forced, so that one row of sums is enough."""
    spent, flags, sums, as_read, regret = space.spent, space.flags, space.sums, readings.as_read, readings.regret
    n_rows = 1
    for row in range(spent.shape[1]):
        flags[REACHES, row] = spent[side, row] < np.inf
        flags[FORCED, row] = flags[REACHES, row] and spent[1 - side, row] == np.inf
        if flags[REACHES, row] and not flags[FORCED, row]:
            n_rows = 2
        flags[HERE, row] = readings.counts[row]
        if root.question >= 0 and side == 0:
            flags[HERE, row] &= as_read[root.question, row] <= root.high
        elif root.question >= 0:
            flags[HERE, row] &= as_read[root.question, row] > root.low
    for number in range(n_rows):
        for solution in range(regret.shape[1]):
            sums[WHOLE, number, solution] = 0.0
    for row in range(spent.shape[1]):
        if flags[REACHES, row]:
            _shift(row, 1.0, regret, n_rows == 2 and flags[FORCED, row], sums, WHOLE)
    return n_rows


@kernel
def _shift(row: int, sign: float, regret: FloatArray, forced: bool, sums: FloatArray, which: int) -> None:
    """Add a sample's regrets to one of the sums, or take them off; to the second row as well if it is forced."""
    for solution in range(regret.shape[1]):
        sums[which, 0, solution] += sign * regret[row, solution]
    if forced:
        for solution in range(regret.shape[1]):
            sums[which, 1, solution] += sign * regret[row, solution]


@kernel(fastmath=EXACT_MINIMA)
def _least(sums: FloatArray, which: int, number: int) -> float:
    """Return the smallest entry of a row of sums."""
    found = sums[which, number, 0]
    for solution in range(1, sums.shape[2]):
        found = min(found, sums[which, number, solution])
    return float(found)


@kernel(fastmath=EXACT_MINIMA)
def _least_without(sums: FloatArray, which: int, number: int) -> float:
    """Return the smallest entry of what is present less one of the sums."""
    found = sums[PRESENT, number, 0] - sums[which, number, 0]
    for solution in range(1, sums.shape[2]):
        found = min(found, sums[PRESENT, number, solution] - sums[which, number, solution])
    return float(found)


@kernel
def _sweep(
    question: int,
    span: tuple[float, float],
    limits: tuple[int, int, int],
    place_of: tuple[int, int],
    readings: Readings,
    cut: FloatArray,
    space: Workspace,
) -> int:
    """Go through the places of one question and write its stumps behind those before; return how many there are.

    The sums over the samples that reach either leaf are carried along. `limits` are the least number of samples per
    leaf, how many samples are here, and how many rows of sums are needed; `place_of` is the side and the number of
    stumps so far.
    """
    events, orders, flags, sums, regret = space.events, space.orders, space.flags, space.sums, readings.regret
    (min_samples, n_here, n_rows), (side, count), (bottom, top) = limits, place_of, span
    listed = readings.listed
    tiny = 0.0 if listed else readings.tiny[question]
    n_reach = _start_sweep(question, n_rows, readings.order, events, orders, flags, sums)
    if listed:
        start, n_places, places = readings.first[question], readings.first[question + 1], readings.points
    else:
        places, start = space.places, 0
        n_places = _fill_places(question, n_reach, min_samples, readings, orders, events, places)
    while n_places > start and places[n_places - 1] >= top - tiny:
        n_places -= 1
    next_in, next_out, n_both = 0, 0, 0
    for number in range(start, n_places):
        place = places[number]
        while next_in < n_reach and events[0, question, orders[0, next_in]] <= place + tiny:
            row = orders[0, next_in]
            forced = n_rows == 2 and flags[FORCED, row]
            flags[ON_LEFT, row] = True
            _shift(row, 1.0, regret, forced, sums, LEFT)
            if flags[ON_RIGHT, row]:
                n_both += 1
            else:
                _shift(row, 1.0, regret, forced, sums, PRESENT)
                _shift(row, 1.0, regret, forced, sums, ONLY_LEFT)
            next_in += 1
        while next_out < n_reach and _has_left(events[1, question, orders[1, next_out]], place, listed):
            row = orders[1, next_out]
            forced = n_rows == 2 and flags[FORCED, row]
            flags[ON_RIGHT, row] = False
            if not flags[ON_LEFT, row]:  # for now it reaches neither leaf
                _shift(row, -1.0, regret, forced, sums, PRESENT)
            else:
                n_both -= 1
                _shift(row, 1.0, regret, forced, sums, ONLY_LEFT)
            next_out += 1
        entering = events[0, question, orders[0, next_in]] if next_in < n_reach else np.inf
        following = places[number + 1] if number + 1 < n_places else np.inf
        if min_samples > 0:
            n_left = _count_left(question, place + tiny, readings.as_read, flags)
            if n_left < min_samples or n_here - n_left < min_samples:
                continue
        elif following + tiny < entering and following < np.inf:
            continue  # the next place takes samples from the right leaf and adds none to the left one
        limit = place if listed else min(top, entering, following)
        if place < bottom if listed else limit <= max(place, bottom):
            continue
        inside = _least(sums, LEFT, 0)
        inside_alone = _least(sums, LEFT, 1) if n_rows == 2 else inside
        if inside >= cut[0] or inside_alone >= cut[1]:
            break  # from here on it only grows
        value = _two_attacks(inside, n_both, sums, 0)
        alone = _two_attacks(inside_alone, n_both, sums, 1) if n_rows == 2 and value < cut[0] else value
        if value < cut[0] and alone < cut[1]:
            space.question[side, count] = question
            space.low[side, count] = place if listed else max(place, bottom)
            space.high[side, count] = limit
            space.value[side, 0, count], space.value[side, 1, count] = value, alone
            count += 1
    return count


@kernel
def _start_sweep(
    question: int,
    n_rows: int,
    order: IntArray,
    events: FloatArray,
    orders: IntArray,
    flags: BoolArray,
    sums: FloatArray,
) -> int:
    """Sort the samples that reach the side by a question's events, all on the right; return how many there are."""
    count = 0
    for place in range(order.shape[1]):
        row = order[question, place]
        flags[ON_LEFT, row], flags[ON_RIGHT, row] = False, flags[REACHES, row]
        if flags[REACHES, row]:
            orders[0, count] = orders[1, count] = row
            count += 1
    for number in range(2):
        sort_by(events[number, question], orders[number, :count])
    for number in range(n_rows):
        for solution in range(sums.shape[2]):
            sums[PRESENT, number, solution] = sums[WHOLE, number, solution]
            sums[LEFT, number, solution] = sums[ONLY_LEFT, number, solution] = 0.0
    return count


@kernel
def _two_attacks(inside: float, n_both: int, sums: FloatArray, number: int) -> float:
    """Return the larger bound of two attacks: all samples that can go left go there, or all that can go right.

    `inside` is the smallest of the sums on the left.
    """
    value = inside + _least_without(sums, LEFT, number)
    if n_both > 0:
        value = max(value, _least_without(sums, ONLY_LEFT, number) + _least(sums, ONLY_LEFT, number))
    return float(value)


@kernel
def _count_left(question: int, place: float, as_read: FloatArray, flags: BoolArray) -> int:
    """Return how many of the samples that count here have a value of at most `place` as they are read."""
    count = 0
    for row in range(flags.shape[1]):
        if flags[HERE, row] and as_read[question, row] <= place:
            count += 1
    return count


@kernel
def _has_left(leaves: float, place: float, listed: bool) -> bool:
    """Return whether a sample reaches the right leaf no more: at a listed threshold, or just behind a place."""
    return leaves < place or (not listed and leaves == place)


@kernel
def _fill_places(
    question: int,
    n_reach: int,
    min_samples: int,
    readings: Readings,
    orders: IntArray,
    events: FloatArray,
    places: FloatArray,
) -> int:
    """Write in increasing order the places just behind which a threshold may be best; return how many there are."""
    count, next_value = 0, 0
    order, values = readings.order[question], readings.values[question]
    for number in range(n_reach + 1):
        until = events[1, question, orders[1, number]] if number < n_reach else np.inf
        while min_samples > 0 and next_value < order.size and values[order[next_value]] < until:
            value = values[order[next_value]]
            if count == 0 or places[count - 1] < value:
                places[count] = value
                count += 1
            next_value += 1
        if -np.inf < until < np.inf and (count == 0 or places[count - 1] < until):
            places[count] = until
            count += 1
    return count


@kernel(fastmath=EXACT_MINIMA)
def best_stump(side: int, root: Root, readings: Readings, cutoff: float, space: Workspace) -> float:
    """Write the best stump on one side of a root where nothing moves; return its value, or the cut-off if that is less.

    Leaves hold at least one sample each.
    """
    order, values, regret, points = readings.order, readings.values, readings.regret, readings.points
    flags, sums, best = space.flags, space.sums, cutoff
    sums[PRESENT, 0], space.question[side, 0] = 0.0, -1
    for row in range(values.shape[1]):
        flags[REACHES, row] = root.question < 0 or (values[root.question, row] <= root.low) == (side == 0)
        if flags[REACHES, row]:
            _shift(row, 1.0, regret, False, sums, PRESENT)
    best = min(best, _least(sums, PRESENT, 0))
    for question in range(values.shape[0]):
        sums[LEFT, 0] = 0.0
        place, last, before, inside = readings.first[question], readings.first[question + 1], np.inf, 0.0
        for number in range(values.shape[1]):
            row = order[question, number]
            if not flags[REACHES, row]:
                continue
            while place < last and points[place] < before < np.inf:
                place += 1
            if place < last and before <= points[place] < values[question, row]:
                value = inside + _least_without(sums, LEFT, 0)
                if value < best:
                    best, space.question[side, 0], space.low[side, 0] = value, question, points[place]
            inside, before = np.inf, values[question, row]
            for solution in range(regret.shape[1]):
                sums[LEFT, 0, solution] += regret[row, solution]
                inside = min(inside, sums[LEFT, 0, solution])
            if inside >= best:
                break  # from here on it only grows
    return best


@kernel
def best_leaf_pair(reach: BoolArray, counts: BoolArray, regret: FloatArray, cutoff: float) -> float:
    """Return the least worst-case regret of two leaves on the samples that count, or the cut-off if that is less.

    `reach` says which samples (columns) can be sent to the left and right leaf (rows).
    """
    n_samples, n_solutions = regret.shape
    only = np.zeros((2, n_solutions))
    shared = np.zeros(n_solutions)
    both = np.empty(n_samples, np.int64)
    n_both = 0
    for row in range(n_samples):
        if not counts[row]:
            continue
        if reach[0, row] and reach[1, row]:
            both[n_both] = row
            n_both += 1
            for solution in range(n_solutions):
                shared[solution] += regret[row, solution]
        elif reach[0, row] or reach[1, row]:
            leaf = 0 if reach[0, row] else 1
            for solution in range(n_solutions):
                only[leaf, solution] += regret[row, solution]
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
                base += max(regret[both[number], x], regret[both[number], y])
            best = min(best, base)
    return best


@kernel
def covers(reach: BoolArray, other: BoolArray) -> bool:
    """Return whether a stump lets samples reach at least the leaves that another one does, as they are or swapped."""
    straight, swapped = True, True
    for row in range(reach.shape[1]):
        straight = straight and reach[0, row] >= other[0, row] and reach[1, row] >= other[1, row]
        swapped = swapped and reach[0, row] >= other[1, row] and reach[1, row] >= other[0, row]
        if not (straight or swapped):
            return False
    return True
