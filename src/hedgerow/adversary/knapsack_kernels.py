"""The compiled parts of the multiple-choice knapsack: a search for few samples, and what takes longest with many.

`worst_assignment` is a small depth-first search, quick to compile into the kernels that call it a hundred thousand
times a second; on large instances it gives up after a number of nodes. The others are steps of
`hedgerow.adversary.knapsack.solve_knapsack`.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import integer, stable_order
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.tolerances import ROUNDED_SUM

ANY_SUM = integer(0)
LARGEST_SUM = integer(-1)
"""Values of `patience`: whether the search ends with the first sum above the floor, or with the largest."""


class Options(NamedTuple):
    """The affordable entries of all rows that are worth more than each lighter one, row by row.

    Row j owns the options start[j] to start[j + 1] − 1, along which weight and worth rise strictly. `slope` leads to an
    option from the corner before it on the row's concave hull; 0 below the hull.
    """

    start: IntArray
    row: IntArray
    column: IntArray
    weight: FloatArray
    worth: FloatArray
    slope: FloatArray


@kernel
def find_options(gain: FloatArray, move_cost: FloatArray, limit: float) -> Options:
    """Return the options of knapsacks with these entries; each row has one that weighs nothing."""
    n_rows, n_columns = gain.shape
    start, end = np.zeros(n_rows + 1, np.int64), 0
    row_of, column = np.empty(gain.size, np.int64), np.empty(gain.size, np.int64)
    weight, worth, slope = np.empty(gain.size), np.empty(gain.size), np.empty(gain.size)
    for row in range(n_rows):
        first = end
        for entry in range(n_columns):
            cost, value = move_cost[row, entry], gain[row, entry]
            if cost <= limit:
                place = end
                while place > first and (
                    weight[place - 1] > cost or (weight[place - 1] == cost and worth[place - 1] < value)
                ):
                    column[place], weight[place], worth[place] = column[place - 1], weight[place - 1], worth[place - 1]
                    place -= 1
                column[place], weight[place], worth[place] = entry, cost, value
                end += 1
        last, end = end, first + 1
        for option in range(first + 1, last):
            if worth[option] > worth[end - 1]:
                column[end], weight[end], worth[end] = column[option], weight[option], worth[option]
                end += 1
        slope[first], top = 0.0, first
        for option in range(first + 1, end):
            steep = (worth[option] - worth[top]) / (weight[option] - weight[top])
            while top > first and steep >= slope[top]:
                slope[top] = 0.0
                top -= 1
                while top > first and slope[top] == 0.0:
                    top -= 1
                steep = (worth[option] - worth[top]) / (weight[option] - weight[top])
            slope[option], top = steep, option
        row_of[first:end] = row
        start[row + 1] = end
    return Options(start, row_of[:end], column[:end], weight[:end], worth[:end], slope[:end])


class States(NamedTuple):
    """Choices in the rows of a core so far, from the most room to the least, with a bound on what becomes of each.

    `origin` is a state's place among all pairs of an option and a state before.
    """

    origin: IntArray
    room: FloatArray
    gain: FloatArray
    bound: FloatArray


@kernel
def extend_states(
    states: States,
    weight: FloatArray,
    more: FloatArray,
    ahead: tuple[float, float, float],
    best: float,
    margin: float,
    blur: float,
) -> tuple[States, float, int]:
    """Add a row of the core to the list; return the new list, the best gain, and its origin if it is new, else −1.

    The row's options weigh `weight` and gain `more`; the first is its base. `ahead` are `fill`, `free` and `freeable`
    of the rows that follow. Left out is any state with neither more room nor more gain than another, by `blur`, and any
    that can't become better than the best one by the margin.
    """
    count, n_ways, size = states.room.size, weight.size, states.room.size * weight.size
    pointer = np.zeros(n_ways, np.int64)  # the place in the list that each option comes to next
    new = States(np.empty(size, np.int64), np.empty(size), np.empty(size), np.empty(size))
    length, top, best_origin = 0, -np.inf, -1
    while True:
        chosen, room, gain = -1, 0.0, 0.0
        for way in range(n_ways):
            here = pointer[way]
            if here < count:
                its_room, its_gain = states.room[here] - weight[way], states.gain[here] + more[way]
                if chosen < 0 or its_room > room or (its_room == room and its_gain > gain):
                    chosen, room, gain = way, its_room, its_gain
        if chosen < 0 or room < -ahead[2]:
            kept = slice(0, length)
            return States(new.origin[kept], new.room[kept], new.gain[kept], new.bound[kept]), best, best_origin
        origin = chosen * count + pointer[chosen]
        pointer[chosen] += 1
        if gain <= top + blur:
            continue
        top = gain
        if room >= 0.0 and gain > best:
            best, best_origin = gain, origin
        bound = gain + room * (ahead[0] if room >= 0.0 else ahead[1])
        if bound > best + margin:
            new.origin[length], new.room[length], new.gain[length], new.bound[length] = origin, room, gain, bound
            length += 1


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
    n_samples = len(gain)
    start, _, column, costs, gains, slope = find_options(gain, move_cost, limit)
    n_steps = 0
    step_row, step_cost, step_gain = np.empty(gain.size, np.int64), np.empty(gain.size), np.empty(gain.size)
    for row in range(n_samples):
        corner = start[row]
        for option in range(start[row] + 1, start[row + 1]):
            if slope[option] > 0.0:
                step_row[n_steps] = row
                step_cost[n_steps], step_gain[n_steps] = costs[option] - costs[corner], gains[option] - gains[corner]
                n_steps += 1
                corner = option
    loss_rate = np.empty(n_steps)
    for step in range(n_steps):
        loss_rate[step] = -(step_gain[step] / step_cost[step])
    order = stable_order(loss_rate)

    position = np.empty(n_samples, np.int64)
    left, total = np.empty(n_samples + 1), np.empty(n_samples + 1)
    left[0], total[0] = limit, 0.0
    for row in range(n_samples):
        position[row] = -1
        total[0] += gains[start[row]]
    best = -np.inf
    level = 0
    while level >= 0:
        if level == n_samples:
            if total[level] > max(best, floor):
                best = total[level]
                if patience >= 0:
                    nodes = patience
                for row in range(n_samples):
                    choice[row] = column[start[row] + position[row]]
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
            n_options = start[level + 1] - start[level]
            position[level] = n_options if bound > max(best, floor) + ROUNDED_SUM * max(1.0, abs(bound)) else 0
        position[level] -= 1
        option = start[level] + position[level]
        if position[level] < 0:
            level -= 1
        elif costs[option] <= left[level]:
            left[level + 1] = left[level] - costs[option]
            total[level + 1] = total[level] + gains[option] - gains[start[level]]
            level += 1
    return best
