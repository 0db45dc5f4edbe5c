"""The multiple-choice knapsack, compiled: one entry per row, the highest sum of gains within a limit on move costs.

`worst_assignment` is a small depth-first search for few samples, quick to compile into the kernels that call it a
hundred thousand times a second; on large instances it gives up after a number of nodes. The rest are the steps of
`hedgerow.adversary.knapsack.solve_knapsack`: dominance, linear relaxation, core, and a sweep with lists of states.
There weights are whole numbers, held in doubles and with a limit below 2⁵³, so that sums within the limit
are exact and don't depend on their order.
"""

__all__ = [
    "ANY_SUM",
    "LARGEST_SUM",
    "Core",
    "Relaxed",
    "Rows",
    "best_single",
    "build_core",
    "gain_step",
    "reduce_rows",
    "relax",
    "sweep",
    "worst_assignment",
]

import math
from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, integer, stable_order
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.tolerances import GRID_NOISE, ROUNDED_SUM, ROUNDING

LIMIT_BITS = 53
"""Doubles are exact for whole numbers of this many bits."""

LARGEST_EXPONENT = 1000
"""Of the power of two that move costs are multiplied by, so that it stays finite for tiny limits."""

GRID_FINEST = 2e7
"""The most steps of a decimal grid that make 1. Half steps count too: thresholds are midpoints of decimal data."""

FAR = 1e-3
"""Of two states with nearly equal bounds the one further from using up the room comes second, at this share of λ."""

PARENT = 2**32
"""A state's history is one number: this times its parent's place, plus its last option's number, plus one."""


ANY_SUM = integer(0)
LARGEST_SUM = integer(-1)
"""Values of `patience`: whether the search ends with the first sum above the floor, or with the largest."""


class Rows(NamedTuple):
    """The affordable, undominated entries of all rows.

    Row j owns the entries start[j] to start[j + 1] − 1. The first of them weighs nothing, and along them weight (ρ in
    whole units) and worth rise strictly. `slope` leads to an entry from the corner before it on the row's concave hull;
    0 below the hull.
    """

    start: IntArray
    column: IntArray
    weight: FloatArray
    worth: FloatArray
    slope: FloatArray


class Relaxed(NamedTuple):
    """The optimum of the linear relaxation, rounded down.

    `base` is the entry of each row. A unit of the `room` that they leave is worth at most `multiplier` (λ).
    """

    base: IntArray
    multiplier: float
    room: float


class Core(NamedTuple):
    """The rows and options that a choice better than the best one known may use, relative to the base.

    `row[i]` has the options start[i] to start[i + 1] − 1; `entry` names each in the reduced rows, and `weight` and
    `gain` are what it has more than the base, both above zero or both below. For the rows from i on, `fill[i]` is the
    highest gain per unit of room filled, `free[i]` the lowest loss per unit freed (∞ where none can be), and
    `freeable[i]` the most that can be freed.
    """

    row: IntArray
    start: IntArray
    entry: IntArray
    weight: FloatArray
    gain: FloatArray
    fill: FloatArray
    free: FloatArray
    freeable: FloatArray


class States(NamedTuple):
    """Choices in the rows of a core so far, from the most room to the least, with a bound on what becomes of each."""

    history: IntArray
    room: FloatArray
    gain: FloatArray
    bound: FloatArray


@kernel
def _grid(value: FloatArray, move_cost: FloatArray, limit: float) -> tuple[float, float]:
    """Return how many steps make 1 on the decimal grid that the affordable entries' values lie on, 0 if on none.

    The second number is the most, in steps, by which one choice per row can differ from the grid's points in sum.
    """
    steps, finer, error = 1.0, 2.0, 0.0
    for row in range(value.shape[0]):
        for k in range(value.shape[1]):
            if move_cost[row, k] <= limit:
                while abs(value[row, k] * steps - np.rint(value[row, k] * steps)) > GRID_NOISE:
                    steps *= finer
                    finer = 7.0 - finer
                    if steps > GRID_FINEST:
                        return 0.0, 0.0
    for row in range(value.shape[0]):
        worst = 0.0
        for k in range(value.shape[1]):
            if move_cost[row, k] <= limit:
                exact = value[row, k] * steps
                worst = max(worst, abs(exact - np.rint(exact)) + ROUNDING * abs(exact))
        error += worst
    return steps, error


@kernel
def gain_step(gain: FloatArray, move_cost: FloatArray, limit: float) -> float:
    """Return a number by which any two different values of the knapsack differ at least; 0 if none is known."""
    steps, error = _grid(gain, move_cost, limit)
    return (1.0 - 2.0 * error) / steps if steps > 0.0 and error < 0.25 else 0.0


@kernel
def _cost_grid(move_cost: FloatArray, limit: float) -> float:
    """Return how many steps of a decimal grid make 1, 0 if rounding to it may decide what is affordable."""
    steps, error = _grid(move_cost, move_cost, limit)
    error += ROUNDING * limit * steps
    rest = limit * steps - np.floor(limit * steps)
    return steps if error < rest < 1.0 - error and limit * steps < 2.0**LIMIT_BITS else 0.0


@kernel
def reduce_rows(gain: FloatArray, move_cost: FloatArray, limit: float) -> tuple[Rows, float]:
    """Return the entries that an optimum may need, and the limit in the unit of their weights.

    The unit is the step of a decimal grid where there is one: sums that are equal on paper are then equal here. Else
    costs are rounded up, so that what fits here fits in truth, and the unit is so small that all choices within the
    budget fit, by the tolerance that a limit has beyond it.
    """
    n_rows, n_columns = gain.shape
    start, column = np.zeros(n_rows + 1, np.int64), np.empty(gain.size, np.int64)
    weight, worth, slope = np.empty(gain.size), np.empty(gain.size), np.empty(gain.size)
    rows = Rows(start, column, weight, worth, slope)
    steps = _cost_grid(move_cost, limit)
    units = steps if steps > 0.0 else math.ldexp(1.0, min(LIMIT_BITS - math.frexp(limit)[1], LARGEST_EXPONENT))
    for row in range(n_rows):
        first = start[row]
        end = first
        for k in range(n_columns):
            cost = move_cost[row, k]
            if cost <= limit:
                whole = np.rint(cost * units) if steps > 0.0 else np.ceil(cost * units)
                _sort_in(rows, first, end, whole, gain[row, k], k)
                end += 1
        # Entries that are worth no more than a lighter one are left out.
        last, end = end, first + 1
        for entry in range(first + 1, last):
            if worth[entry] > worth[end - 1]:
                weight[end], worth[end], column[end] = weight[entry], worth[entry], column[entry]
                end += 1
        _mark_hull(rows, first, end)
        start[row + 1] = end
    return rows, float(np.floor(limit * units))


@kernel
def _sort_in(rows: Rows, first: int, end: int, new_weight: float, new_worth: float, new_column: int) -> None:
    """Add an entry of a row to those from `first` on: the lightest come first, of equals the worthiest."""
    weight, worth, column = rows.weight, rows.worth, rows.column
    place = end
    while place > first:
        before = place - 1
        if weight[before] < new_weight or (weight[before] == new_weight and worth[before] >= new_worth):
            break
        weight[place], worth[place], column[place] = weight[before], worth[before], column[before]
        place = before
    weight[place], worth[place], column[place] = new_weight, new_worth, new_column


@kernel
def _mark_hull(rows: Rows, first: int, end: int) -> None:
    """Write the slope that leads to each corner of a row's concave hull, and 0 for the entries below it."""
    weight, worth, slope = rows.weight, rows.worth, rows.slope
    slope[first] = 0.0
    top = first
    for entry in range(first + 1, end):
        steep = (worth[entry] - worth[top]) / (weight[entry] - weight[top])
        while top > first and steep >= slope[top]:
            slope[top] = 0.0
            top -= 1
            while top > first and slope[top] == 0.0:
                top -= 1
            steep = (worth[entry] - worth[top]) / (weight[entry] - weight[top])
        slope[entry] = steep
        top = entry


@kernel
def _break_slope(slope: FloatArray, size: FloatArray, limit: float) -> float:
    """Return the slope at which steps of these sizes, the steepest first, use up the limit; 0 if they never do."""
    while slope.size > 0:
        middle = np.partition(slope, slope.size // 2)[slope.size // 2]
        above, equal = 0.0, 0.0
        for step in range(slope.size):
            if slope[step] > middle:
                above += size[step]
            elif slope[step] == middle:
                equal += size[step]
        if above <= limit < above + equal:
            return float(middle)
        rest = slope > middle if above > limit else slope < middle
        limit -= 0.0 if above > limit else above + equal
        slope, size = slope[rest], size[rest]
    return 0.0


@kernel
def relax(rows: Rows, limit: float) -> Relaxed:
    """Solve the linear relaxation: steps along the concave hulls, from the steepest on.

    That is Lagrange's relaxation at its best multiplier (Sinha and Zoltners, 1979, doi 10.1287/opre.27.3.503).
    """
    start, weight, slope = rows.start, rows.weight, rows.slope
    n_rows = start.size - 1
    slopes, sizes, n_steps = np.empty(start[n_rows]), np.empty(start[n_rows]), 0
    for row in range(n_rows):
        corner = start[row]
        for entry in range(start[row] + 1, start[row + 1]):
            if slope[entry] > 0.0:
                slopes[n_steps], sizes[n_steps] = slope[entry], weight[entry] - weight[corner]
                n_steps += 1
                corner = entry
    multiplier = _break_slope(slopes[:n_steps], sizes[:n_steps], limit)
    base, room = np.empty(n_rows, np.int64), limit
    for row in range(n_rows):
        base[row] = start[row]
        for entry in range(start[row] + 1, start[row + 1]):
            if slope[entry] > multiplier:
                base[row] = entry
        room -= weight[base[row]]
    for row in range(n_rows):
        for entry in range(base[row] + 1, start[row + 1]):
            if slope[entry] == multiplier and slope[entry] > 0.0 and weight[entry] - weight[base[row]] <= room:
                room -= weight[entry] - weight[base[row]]
                base[row] = entry
                break
    return Relaxed(base, multiplier, room)


@kernel
def best_single(rows: Rows, relaxed: Relaxed) -> tuple[float, int, int]:
    """Return the highest gain from a heavier entry of one row in the room left, that row and that entry, or -1."""
    best, best_row, best_entry = 0.0, -1, -1
    for row in range(relaxed.base.size):
        here = relaxed.base[row]
        for entry in range(here + 1, rows.start[row + 1]):
            if rows.weight[entry] - rows.weight[here] > relaxed.room:
                break
            if rows.worth[entry] - rows.worth[here] > best:
                best, best_row, best_entry = rows.worth[entry] - rows.worth[here], row, entry
    return best, best_row, best_entry


@kernel
def build_core(rows: Rows, relaxed: Relaxed, to_beat: float) -> Core:
    """Return the core for a search of choices that gain more than `to_beat` over the base.

    An option's loss, λ·(extra weight) − gain, is what it takes off the relaxation's bound for certain. Most rows keep
    their base in every choice that is better (after Pisinger, 1995, doi 10.1016/0377-2217(95)00015-I).
    """
    allowed = relaxed.multiplier * relaxed.room - to_beat
    n_rows, n_members, n_options = relaxed.base.size, 0, 0
    member, fill, free = np.empty(n_rows, np.int64), np.full(n_rows, np.inf), np.full(n_rows, np.inf)
    for row in range(n_rows):
        here, before = relaxed.base[row], n_options
        for entry in range(rows.start[row], rows.start[row + 1]):
            extra = rows.weight[entry] - rows.weight[here]
            loss = relaxed.multiplier * extra - (rows.worth[entry] - rows.worth[here])
            if entry != here and loss < allowed:
                if extra > 0.0:
                    fill[n_members] = min(fill[n_members], loss / extra)
                else:
                    free[n_members] = min(free[n_members], loss / -extra)
                n_options += 1
        if n_options > before:
            member[n_members] = row
            n_members += 1
    row_of = member[_in_turns(fill[:n_members], free[:n_members])]

    start, entry_of = np.zeros(n_members + 1, np.int64), np.empty(n_options, np.int64)
    weight, gain, end = np.empty(n_options), np.empty(n_options), 0
    for at in range(n_members):
        row = row_of[at]
        here = relaxed.base[row]
        for entry in range(rows.start[row], rows.start[row + 1]):
            extra, more = rows.weight[entry] - rows.weight[here], rows.worth[entry] - rows.worth[here]
            if entry != here and relaxed.multiplier * extra - more < allowed:
                entry_of[end], weight[end], gain[end] = entry, extra, more
                end += 1
        start[at + 1] = end
    ahead = _rates_ahead(start, weight, gain)
    return Core(row_of, start, entry_of, weight, gain, ahead[0], ahead[1], ahead[2])


@kernel
def _in_turns(fill: FloatArray, free: FloatArray) -> IntArray:
    """Return an order that takes in turns the row that fills room and the one that frees room at the least loss.

    The rows that come last then have clear-cut bounds, and the states' room stays close to none.
    """
    by_fill, by_free = stable_order(fill), stable_order(free)
    order, is_in = np.empty(fill.size, np.int64), np.zeros(fill.size, np.bool_)
    next_fill, next_free = 0, 0
    for at in range(fill.size):
        while is_in[by_fill[next_fill]]:
            next_fill += 1
        while is_in[by_free[next_free]]:
            next_free += 1
        filler, freer = by_fill[next_fill], by_free[next_free]
        fills = free[freer] == np.inf or (at % 2 == 0 and fill[filler] < np.inf)
        order[at] = filler if fills else freer
        is_in[order[at]] = True
    return order


@kernel
def _rates_ahead(start: IntArray, weight: FloatArray, gain: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return `fill`, `free` and `freeable` of a core."""
    n_members = start.size - 1
    fill, free, freeable = np.zeros(n_members + 1), np.full(n_members + 1, np.inf), np.zeros(n_members + 1)
    for at in range(n_members - 1, -1, -1):
        fill[at], free[at], most = fill[at + 1], free[at + 1], 0.0
        for option in range(start[at], start[at + 1]):
            if weight[option] > 0.0:
                fill[at] = max(fill[at], gain[option] / weight[option])
            else:
                free[at] = min(free[at], gain[option] / weight[option])
                most = max(most, -weight[option])
        freeable[at] = freeable[at + 1] + most
    return fill, free, freeable


@kernel
def sweep(
    core: Core, room: float, best: float, margin: float, width: int, nodes: int
) -> tuple[float, float, int, IntArray]:
    """Go through the core once with a list of at most `width` states, fewer where the nodes would not last to the end.

    Returns the best gain over the base, an upper bound on the gain of all that was left out for want of width, the
    nodes left over, and the options of a choice better than `best`; none if there is no such choice by the margin.
    """
    n_members, n_options = core.row.size, core.entry.size
    states = States(np.zeros(1, np.int64), np.full(1, room), np.zeros(1), np.zeros(1))
    # The histories of all lists so far; the parents' places are in it.
    trail, used, offset = np.full(1024, -PARENT, np.int64), 1, 0
    best_history, left_out, reach = -PARENT, -np.inf, 0.0
    for option in range(n_options):
        reach = max(reach, abs(core.weight[option]))
    for at in range(n_members):
        nodes -= states.room.size * (core.start[at + 1] - core.start[at] + 1)
        states, best, history = _merge(states, core, at, offset, best, margin)
        best_history = history if history >= 0 else best_history
        ahead = n_options - core.start[at + 1] + n_members - at
        allowed = max(1, min(width, nodes // ahead))
        # After the last row there is nothing left to lose.
        if states.room.size > allowed and at + 1 < n_members:
            states, bound = _thin_out(states, allowed, margin, reach, core.fill[0])
            left_out = max(left_out, bound)
        length = states.room.size
        if used + length > trail.size:
            longer = np.empty(2 * (used + length), np.int64)
            copy_into(trail[:used], longer)
            trail = longer
        copy_into(states.history, trail[used:])
        offset, used = used, used + length
        if length == 0:
            break
    return best, left_out, nodes, _options_of(trail, best_history)


@kernel
def _merge(states: States, core: Core, at: int, offset: int, best: float, margin: float) -> tuple[States, float, int]:
    """Add a row of the core to the list; return the new list, the best gain, and its history if it is new, else -1.

    Left out is any state with neither more room nor more gain than another, and any that can't become better than the
    best one by the margin. The parents' histories begin at `offset`.
    """
    count, first, ahead = states.room.size, core.start[at], at + 1
    # The place in the list that each option comes to next; the last is for the base.
    n_ways = core.start[ahead] - first + 1
    pointer, size = np.zeros(n_ways, np.int64), count * n_ways
    new = States(np.empty(size, np.int64), np.empty(size), np.empty(size), np.empty(size))
    # Gains that differ by rounding only count as equal. Over all rows these differences stay below the margin.
    blur = margin / core.row.size
    length, top, best_history = 0, -np.inf, -1
    while True:
        chosen, room, gain = -1, 0.0, 0.0
        for way in range(n_ways):
            here = pointer[way]
            if here < count:
                its_room, its_gain = states.room[here], states.gain[here]
                if way < n_ways - 1:
                    its_room -= core.weight[first + way]
                    its_gain += core.gain[first + way]
                if chosen < 0 or its_room > room or (its_room == room and its_gain > gain):
                    chosen, room, gain = way, its_room, its_gain
        if chosen < 0 or room < -core.freeable[ahead]:
            kept = slice(0, length)
            return States(new.history[kept], new.room[kept], new.gain[kept], new.bound[kept]), best, best_history
        option = first + chosen if chosen < n_ways - 1 else -1
        history = PARENT * (offset + pointer[chosen]) + option + 1
        pointer[chosen] += 1
        if gain <= top + blur:
            continue
        top = gain
        if room >= 0.0 and gain > best:
            best, best_history = gain, history
        bound = gain + room * (core.fill[ahead] if room >= 0.0 else core.free[ahead])
        if bound > best + margin:
            new.history[length], new.room[length], new.gain[length], new.bound[length] = history, room, gain, bound
            length += 1


@kernel
def _thin_out(states: States, width: int, margin: float, reach: float, rate: float) -> tuple[States, float]:
    """Return the `width` most promising states, and the highest bound left out.

    Promising is a high bound, and then room not further from none than one option reaches. Of equals an even sample by
    room is kept: where gains equal costs all bounds are equal, and variety is what finds the optimum.
    """
    beyond = np.maximum(np.abs(states.room) - reach, 0.0)
    score = np.rint((states.bound - FAR * rate * beyond) / margin)
    last = score.size - width
    threshold = np.partition(score, last)[last]
    equal = np.flatnonzero(score == threshold)
    above = np.sum(score > threshold)
    most_room = states.room[equal[0]]
    share = (width - above) / (1.0 + (most_room - states.room[equal[-1]]))
    keep, slot, left_out = score > threshold, -1.0, -np.inf
    for place in equal:
        its_slot = np.floor((most_room - states.room[place]) * share)
        keep[place] = its_slot > slot
        slot = its_slot
    for state in range(keep.size):
        if not keep[state]:
            left_out = max(left_out, states.bound[state])
    return States(states.history[keep], states.room[keep], states.gain[keep], states.bound[keep]), left_out


@kernel
def _options_of(trail: IntArray, history: int) -> IntArray:
    """Return the options that led to a state with this history."""
    options, count = np.empty(trail.size, np.int64), 0
    while history >= 0:
        option = history % PARENT - 1
        if option >= 0:
            options[count] = option
            count += 1
        history = trail[history // PARENT]
    return options[:count]


@kernel
def worst_assignment(
    gain: FloatArray, move_cost: FloatArray, limit: float, floor: float, nodes: int, patience: int, choice: IntArray
) -> float:
    """Return the largest sum of gains, one slot per sample (row), whose move costs stay within the limit.

    Writes the slots into `choice`. Only sums above `floor` count: −∞ is returned if there are none, NaN if `nodes`
    nodes did not settle it. With `patience`, any sum above the floor is good enough: the search then ends that many
    nodes after its last success, with what it has by then; if negative, it goes on to the largest. Depth-first over the
    samples with the linear relaxation as bound: the steps of each sample's concave hull, most gain per cost first.
    """
    n_samples, n_slots = gain.shape
    # The options of sample j lie from place j · n_slots on.
    n_options, slots = np.empty(n_samples, np.int64), np.empty(gain.size, np.int64)
    costs, gains = np.empty(gain.size), np.empty(gain.size)
    _find_options(gain, move_cost, limit, n_options, slots, costs, gains)
    n_steps = 0
    step_row, step_cost, step_gain = np.empty(gain.size, np.int64), np.empty(gain.size), np.empty(gain.size)
    for row in range(n_samples):
        at, end = row * n_slots, row * n_slots + n_options[row]
        while at < end - 1:
            steepest, best = at + 1, -np.inf
            for option in range(at + 1, end):
                slope = (gains[option] - gains[at]) / (costs[option] - costs[at])
                if slope >= best:
                    steepest, best = option, slope
            step_row[n_steps] = row
            step_cost[n_steps], step_gain[n_steps] = costs[steepest] - costs[at], gains[steepest] - gains[at]
            n_steps += 1
            at = steepest
    loss_rate = np.empty(n_steps)
    for step in range(n_steps):
        loss_rate[step] = -(step_gain[step] / step_cost[step])
    order = stable_order(loss_rate)

    position = np.empty(n_samples, np.int64)
    left, total = np.empty(n_samples + 1), np.empty(n_samples + 1)
    left[0], total[0] = limit, 0.0
    for row in range(n_samples):
        position[row] = -1
        total[0] += gains[row * n_slots]
    best = -np.inf
    level = 0
    while level >= 0:
        if level == n_samples:
            if total[level] > max(best, floor):
                best = total[level]
                if patience >= 0:
                    nodes = patience
                for row in range(n_samples):
                    choice[row] = slots[row * n_slots + position[row]]
            level -= 1
            continue
        if position[level] == -1:
            nodes -= 1
            if nodes < 0:
                return best if patience >= 0 and best > floor else np.nan
            # The costliest option that fits comes first: it is where good attacks are found early.
            room, added = left[level], 0.0
            for step in order:
                if step_row[step] < level:
                    continue
                if step_cost[step] >= room:
                    added += step_gain[step] * room / step_cost[step]
                    break
                room -= step_cost[step]
                added += step_gain[step]
            bound = added + total[level]
            position[level] = n_options[level] if bound > max(best, floor) + ROUNDED_SUM * max(1.0, abs(bound)) else 0
        position[level] -= 1
        option = level * n_slots + position[level]
        if position[level] < 0:
            level -= 1
        elif costs[option] <= left[level]:
            left[level + 1] = left[level] - costs[option]
            total[level + 1] = total[level] + gains[option] - gains[level * n_slots]
            level += 1
    return best


@kernel(inline="always")
def _find_options(
    gain: FloatArray,
    move_cost: FloatArray,
    limit: float,
    n_options: IntArray,
    slots: IntArray,
    costs: FloatArray,
    gains: FloatArray,
) -> None:
    """Write each sample's useful slots, sorted by cost: each costs more than the one before, and is worth more."""
    n_samples, n_slots = gain.shape
    for row in range(n_samples):
        first = row * n_slots
        end = first
        for slot in range(n_slots):
            cost = move_cost[row, slot]
            if cost > limit:
                continue
            place = end
            while place > first and costs[place - 1] > cost:
                slots[place], costs[place] = slots[place - 1], costs[place - 1]
                place -= 1
            slots[place], costs[place] = slot, cost
            end += 1
        count = first
        for option in range(first, end):
            slot, cost = slots[option], costs[option]
            worth = gain[row, slot]
            if count == first or worth > gains[count - 1]:
                if count > first and cost <= costs[count - 1]:
                    count -= 1
                slots[count], costs[count], gains[count] = slot, cost, worth
                count += 1
        n_options[row] = count - first
