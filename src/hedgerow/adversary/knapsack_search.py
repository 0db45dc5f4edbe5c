"""The search that closes the gap between the rounded relaxation of a multiple-choice knapsack and its optimum.

Compiled code only. All is told relative to the relaxation's base: an option of a row has an extra weight and an extra gain against the
row's base entry, both above zero or both below, and the search looks for the options that gain most in sum within the room left. Most
rows keep their base in every solution better than the best one known, so that only a core of the rows takes part (after Pisinger, 1995,
doi 10.1016/0377-2217(95)00015-I). Depth-first search comes first; where that takes long, lists of undominated states follow.

Weights are whole numbers here: multiples of a power of two so fine that nothing is lost, and so that sums do not depend on their order.
"""

__all__ = ["Aim", "Core", "best_single", "build_core", "depth_first", "sweep"]

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hedgerow.adversary.knapsack_relaxation import Relaxation, Rows, break_key

DEPTH_FIRST_NODES = 2_000
"""Depth-first search gives up after so many nodes: what takes longer is better done with lists of states."""

LARGEST = 2.0**60
"""The core's weights stay below this in sum, so that no sum can overflow."""


class Core(NamedTuple):
    """The rows and options that a solution better than the best one known may use.

    `member[i]` is the row; its options are start[i] to start[i + 1] − 1, and `entry` names each in the reduced rows. A unit of `room`
    is worth at most `multiplier` (λ). Bounds add up `score` instead of gain, from `offset` on: the same numbers and 0, unless moves are
    charged or rewarded (see `count_bound`).
    """

    member: NDArray[np.int64]
    start: NDArray[np.int64]
    entry: NDArray[np.int64]
    weight: NDArray[np.int64]
    gain: NDArray[np.float64]
    score: NDArray[np.float64]
    room: int
    multiplier: float
    shift: float
    offset: float


class Aim(NamedTuple):
    """What the search is after: a gain above `floor` and above the best one plus `margin`; `goal` ends it."""

    margin: float
    floor: float
    goal: float


@njit(cache=True)
def best_single(rows: Rows, relaxation: Relaxation) -> tuple[float, int, int]:
    """Return the highest gain from a dearer entry of one row in the room left, that row and that entry, or -1."""
    best, best_row, best_entry = 0.0, -1, -1
    base, room = relaxation.base, relaxation.room
    for row in range(base.size):
        here = base[row]
        for entry in range(here + 1, rows.start[row + 1]):
            # The extra covers the rounding of the difference.
            if rows.weight[entry] - rows.weight[here] + 4e-16 * (rows.weight[entry] + room) > room:
                break
            if rows.worth[entry] - rows.worth[here] > best:
                best, best_row, best_entry = rows.worth[entry] - rows.worth[here], row, entry
    return best, best_row, best_entry


@njit(cache=True)
def _order(key: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the order that sorts the keys, equal ones as they come. A merge sort; numpy's takes seconds to compile."""
    order, other = np.empty(key.size, np.int64), np.empty(key.size, np.int64)
    for place in range(key.size):
        order[place] = place
    width = 1
    while width < key.size:
        for low in range(0, key.size, 2 * width):
            middle, high = min(low + width, key.size), min(low + 2 * width, key.size)
            left, right = low, middle
            for place in range(low, high):
                if right == high or (left < middle and key[order[left]] <= key[order[right]]):
                    other[place] = order[left]
                    left += 1
                else:
                    other[place] = order[right]
                    right += 1
        order, other = other, order
        width *= 2
    return order


@njit(cache=True)
def _in_turns(fill: NDArray[np.float64], free: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return an order that takes in turns the row that fills room, and the one that frees room, at the least loss per unit.

    The rows that come last then have clear-cut bounds, and the states' room stays close to none.
    """
    fill_order, free_order = _order(fill), _order(free)
    taken = np.zeros(fill.size, np.bool_)
    order = np.empty(fill.size, np.int64)
    next_fill, next_free = 0, 0
    for at in range(order.size):
        while taken[fill_order[next_fill]]:
            next_fill += 1
        while taken[free_order[next_free]]:
            next_free += 1
        filler, freer = fill_order[next_fill], free_order[next_free]
        fills = free[freer] == np.inf or (at % 2 == 0 and fill[filler] < np.inf)
        order[at] = filler if fills else freer
        taken[order[at]] = True
    return order


@njit(cache=True)
def _score(rows: Rows, row: int, entry: int, here: int, shift: float) -> float:
    """Return the extra gain of an entry over the base, with the shift that comes or goes with a move."""
    score = rows.worth[entry] - rows.worth[here]
    if here == rows.start[row]:
        score += shift
    elif entry == rows.start[row]:
        score -= shift
    return score  # type: ignore[no-any-return]


@njit(cache=True)
def build_core(rows: Rows, relaxation: Relaxation, shift: float, offset: float, to_beat: float) -> Core:
    """Return the core for a search of solutions that gain more than `to_beat`.

    An option's loss, λ·(extra weight) − score, is what it takes off the relaxation's bound for certain.
    """
    multiplier, base, room = relaxation
    allowed = offset + multiplier * room - to_beat
    member = np.empty(base.size, np.int64)
    fill, free = np.empty(base.size + 1), np.empty(base.size + 1)
    members, options, total = 0, 0, 0.0
    for row in range(base.size):
        here, found = base[row], 0
        fill[members], free[members] = np.inf, np.inf
        for entry in range(rows.start[row], rows.start[row + 1]):
            extra = rows.weight[entry] - rows.weight[here]
            loss = multiplier * extra - _score(rows, row, entry, here, shift)
            if entry != here and loss < allowed:
                found += 1
                if extra > 0.0:
                    fill[members] = min(fill[members], loss / extra)
                else:
                    free[members] = min(free[members], loss / -extra)
        if found > 0:
            member[members] = row
            members += 1
            options += found
            total += rows.weight[rows.start[row + 1] - 1]
    order = _in_turns(fill[:members], free[:members])

    unit = math.ldexp(1.0, min(60 - math.frexp(total)[1], 1000))
    start = np.empty(members + 1, np.int64)
    entries, weight = np.empty(options, np.int64), np.empty(options, np.int64)
    gain, score = np.empty(options), np.empty(options)
    start[0] = 0
    divisor, end = np.int64(0), 0
    for at in range(members):
        row = member[order[at]]
        order[at] = row
        here = base[row]
        for entry in range(rows.start[row], rows.start[row + 1]):
            its_score = _score(rows, row, entry, here, shift)
            if entry != here and multiplier * (rows.weight[entry] - rows.weight[here]) - its_score < allowed:
                entries[end] = entry
                # Rounded so that what fits here fits in truth.
                weight[end] = np.int64(np.ceil(rows.weight[entry] * unit)) - np.int64(np.floor(rows.weight[here] * unit))
                gain[end] = rows.worth[entry] - rows.worth[here]
                score[end] = its_score
                if divisor != 1:
                    divisor = math.gcd(divisor, abs(weight[end]))
                end += 1
        start[at + 1] = end
    # Room that no sum of weights can fill is no room.
    divisor = max(divisor, np.int64(1))
    whole_room = np.int64(min(LARGEST, np.floor(room * unit + 1e-6))) // divisor
    for option in range(options):
        weight[option] //= divisor
    return Core(order, start, entries, weight, gain, score, whole_room, multiplier / unit * divisor, shift, offset)


@njit(cache=True)
def _promise(core: Core, option: int) -> float:
    """Return the most that a solution with this option can gain."""
    return core.offset + core.score[option] + core.multiplier * (core.room - core.weight[option])  # type: ignore[no-any-return]


@njit(cache=True)
def _rates_ahead(core: Core, to_beat: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return, for each row of the core, the best rates at which the rows from it on turn room into gain.

    The first is the highest gain per unit of room filled, the second the lowest loss per unit freed (∞ where none can be).
    """
    members = core.start.size - 1
    fill, free = np.empty(members + 1), np.empty(members + 1)
    fill[members], free[members] = 0.0, np.inf
    for at in range(members - 1, -1, -1):
        fill[at], free[at] = fill[at + 1], free[at + 1]
        for option in range(core.start[at], core.start[at + 1]):
            if _promise(core, option) > to_beat:
                if core.weight[option] > 0:
                    fill[at] = max(fill[at], core.score[option] / core.weight[option])
                elif core.weight[option] < 0:
                    free[at] = min(free[at], core.score[option] / core.weight[option])
    return fill, free


@njit(cache=True)
def depth_first(
    core: Core, best: float, aim: Aim, nodes: int, picked: NDArray[np.int64]
) -> tuple[float, float, int]:
    """Search the core in depth, for a while.

    Returns the best gain, an upper bound on the gain of all that was left out, and the nodes left over. If a better solution is found,
    `picked` receives its option for each row of the core, -1 for the base.
    """
    members = core.member.size
    to_beat = max(best + aim.margin, aim.floor)
    fill, free = _rates_ahead(core, to_beat)
    cursor = np.empty(members + 1, np.int64)
    room = np.empty(members + 1, np.int64)
    gain, score = np.empty(members + 1), np.empty(members + 1)
    cursor[0], room[0], gain[0], score[0] = core.start[0] - 1, core.room, 0.0, core.offset
    depth = 0
    reserve = max(0, nodes - DEPTH_FIRST_NODES)
    while depth >= 0:
        option = cursor[depth]
        if option == core.start[depth + 1]:
            depth -= 1
            continue
        if nodes == reserve:
            return best, np.inf, nodes
        nodes -= 1
        cursor[depth] += 1
        new_room, new_gain, new_score = room[depth], gain[depth], score[depth]
        if option >= core.start[depth]:
            new_room -= core.weight[option]
            new_gain += core.gain[option]
            new_score += core.score[option]
        if new_room >= 0 and new_gain > best:
            best = new_gain
            to_beat = max(best + aim.margin, aim.floor)
            for at in range(members):
                picked[at] = cursor[at] - 1 if at <= depth and cursor[at] > core.start[at] else -1
            if best >= aim.goal:
                return best, np.inf, nodes
        depth_ahead = depth + 1
        bound = new_score + new_room * (fill[depth_ahead] if new_room >= 0 else free[depth_ahead])
        if depth_ahead < members and bound > to_beat:
            depth = depth_ahead
            cursor[depth] = core.start[depth] - 1
            room[depth], gain[depth], score[depth] = new_room, new_gain, new_score
    return best, -np.inf, nodes


class _States(NamedTuple):
    """A list of states, from the most room to the least."""

    room: NDArray[np.int64]
    gain: NDArray[np.float64]
    score: NDArray[np.float64]
    bound: NDArray[np.float64]
    parent: NDArray[np.int32]
    option: NDArray[np.int32]


@njit(cache=True)
def _merge(
    states: _States, count: int, core: Core, options: NDArray[np.int32], rates: tuple[float, float], best: float, aim: Aim, new: _States
) -> tuple[int, float, int]:
    """Add a row with these options to the list; return (length of the new list, best gain, place of the best if it is new, or -1).

    Left out is any state with neither more room nor more gain than another, and any that can't become what the search is after. Of
    two with equal gains, the one on the better side of the count stays too: the other's count might belong to another search, and be left
    out there in favour of this one's.
    """
    fill, free = rates
    # Gains that differ by rounding only count as equal. Over all rows these differences stay below the margin.
    blur = aim.margin / core.member.size
    to_beat = max(best + aim.margin, aim.floor)
    pointer = np.zeros(options.size, np.int64)
    length, best_at, top, top_shift = 0, -1, -np.inf, 0.0
    while True:
        chosen, room, gain = -1, np.int64(0), 0.0
        for which in range(options.size):
            if pointer[which] < count:
                its_room, its_gain = states.room[pointer[which]], states.gain[pointer[which]]
                if options[which] >= 0:
                    its_room -= core.weight[options[which]]
                    its_gain += core.gain[options[which]]
                if chosen < 0 or its_room > room or (its_room == room and its_gain > gain):
                    chosen, room, gain = which, its_room, its_gain
        if chosen < 0:
            return length, best, best_at
        pointer[chosen] += 1
        score = states.score[pointer[chosen] - 1] + (core.score[options[chosen]] if options[chosen] >= 0 else 0.0)
        if gain > top + blur:
            top, top_shift = gain, score - gain
        elif gain < top - blur or score - gain <= top_shift + 0.5 * abs(core.shift):
            continue
        improves = room >= 0 and gain > best
        if improves:
            best, best_at = gain, length
            to_beat = max(best + aim.margin, aim.floor)
        bound = score + room * (fill if room >= 0 else free)
        # The best state is listed even if it leads no further: its history is the solution.
        if bound > to_beat or improves:
            new.room[length], new.gain[length], new.score[length], new.bound[length] = room, gain, score, bound
            new.parent[length], new.option[length] = pointer[chosen] - 1, options[chosen]
            length += 1


@njit(cache=True)
def _thin_out(
    new: _States, length: int, width: int, keep: int, reach: int, multiplier: float, margin: float
) -> tuple[int, float, int]:
    """Keep at most the `width` most promising states, and `keep`; return (length, highest bound left out, new place of `keep`).

    Promising is a high bound and then room not further from none than one option reaches. Of equals an even sample by room is kept:
    where gains equal costs all bounds are equal, and variety is what finds the optimum.
    """
    score = np.empty(length)
    for place in range(length):
        beyond = max(0, abs(new.room[place]) - reach)
        score[place] = np.rint((new.bound[place] - 1e-3 * multiplier * beyond) / margin)
    key, size = np.empty(length), np.empty(length)
    for place in range(length):
        key[place], size[place] = score[place], 1.0
    threshold = break_key(key, size, float(width))
    above, first, last = 0, -1, -1
    for place in range(length):
        if score[place] > threshold:
            above += 1
        elif score[place] == threshold:
            first, last = (place if first < 0 else first), place
    share = (width - above) / (1.0 + (new.room[first] - new.room[last]))
    kept, keep_at, slot, left_out = 0, -1, -1, -np.inf
    most_room = new.room[first]
    for place in range(length):
        stays = score[place] > threshold or place == keep
        if score[place] == threshold:
            its_slot = int((most_room - new.room[place]) * share)
            stays = stays or its_slot > slot
            slot = its_slot
        if stays:
            if place == keep:
                keep_at = kept
            new.room[kept], new.gain[kept], new.score[kept] = new.room[place], new.gain[place], new.score[place]
            new.bound[kept], new.parent[kept], new.option[kept] = new.bound[place], new.parent[place], new.option[place]
            kept += 1
        else:
            left_out = max(left_out, new.bound[place])
    return kept, left_out, keep_at


@njit(cache=True)
def _useful_options(core: Core, at: int, to_beat: float) -> NDArray[np.int32]:
    """Return the options of a row of the core that are still of use, after -1 for its base."""
    options = np.empty(core.start[at + 1] - core.start[at] + 1, np.int32)
    options[0] = -1
    count = 1
    for option in range(core.start[at], core.start[at + 1]):
        if _promise(core, option) > to_beat:
            options[count] = option
            count += 1
    return options[:count]


@njit(cache=True)
def sweep(
    core: Core, best: float, aim: Aim, width: int, nodes: int, picked: NDArray[np.int64]
) -> tuple[float, float, int]:
    """Go through the core once with a list of at most `width` states, fewer where the nodes would not last to the end.

    Returns the best gain, an upper bound on the gain of all that was left out for want of width, and the nodes left over. If a better
    solution is found, `picked` receives its option for each row of the core, -1 for the base.
    """
    fill, free = _rates_ahead(core, max(best + aim.margin, aim.floor))
    # Typed, because literals would have the functions below compiled twice.
    count, offset, used, best_state, reach = np.int64(1), np.int64(0), np.int64(1), np.int64(-1), np.int64(0)
    states = _new_states(count)
    states.room[0], states.gain[0], states.score[0] = core.room, 0.0, core.offset
    parent, option = np.empty(1024, np.int32), np.empty(1024, np.int32)
    parent[0], option[0] = -1, -1
    left_out = -np.inf
    for which in range(core.weight.size):
        reach = max(reach, abs(core.weight[which]))
    for at in range(core.member.size):
        options = _useful_options(core, at, max(best + aim.margin, aim.floor))
        if options.size == 1:
            continue
        new = _new_states(count * options.size)
        nodes -= count * options.size
        length, best, best_at = _merge(states, count, core, options, (fill[at + 1], free[at + 1]), best, aim, new)
        ahead = core.entry.size - core.start[at + 1] + core.member.size - at
        allowed = max(1, min(width, nodes // ahead))
        # After the last row there is nothing left to lose.
        if length > allowed and at + 1 < core.member.size:
            length, bound, best_at = _thin_out(new, length, allowed, best_at, reach, core.multiplier, aim.margin)
            left_out = max(left_out, bound)
        if used + length > parent.size:
            parent, option = _longer(parent, used + length), _longer(option, used + length)
        for place in range(length):
            parent[used + place] = offset + new.parent[place]
            option[used + place] = new.option[place]
        if best_at >= 0:
            best_state = used + best_at
        offset = used
        used += length
        states, count = new, length
        if best >= aim.goal or count == 0:
            break
    if best_state >= 0:
        _trace(core, parent, option, best_state, picked)
    return best, left_out, nodes


@njit(cache=True)
def _longer(history: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """Return a copy with twice as much room as is needed."""
    longer = np.empty(2 * size, np.int32)
    for state in range(history.size):
        longer[state] = history[state]
    return longer


@njit(cache=True)
def _new_states(size: int) -> _States:
    """Return room for a list of states."""
    return _States(
        np.empty(size, np.int64),
        np.empty(size),
        np.empty(size),
        np.empty(size),
        np.empty(size, np.int32),
        np.empty(size, np.int32),
    )


@njit(cache=True)
def _trace(
    core: Core, parent: NDArray[np.int32], option: NDArray[np.int32], state: int, picked: NDArray[np.int64]
) -> None:
    """Write the options that led to a state."""
    at = picked.size - 1
    for other in range(picked.size):
        picked[other] = -1
    while state >= 0:
        if option[state] >= 0:
            while core.start[at] > option[state]:
                at -= 1
            picked[at] = option[state]
        state = parent[state]
