"""The second search in the core of a multiple-choice knapsack: lists of states, row by row.

Compiled code only. A sweep goes through the core with a list of the undominated states so far. Where the list grows too
long it is thinned out, and the best bound among what was left out says what the sweep may have missed.
"""

__all__ = ["sweep"]

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hedgerow.adversary.knapsack_core import Core, promise, rates_ahead
from hedgerow.adversary.knapsack_relaxation import break_key, whole
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into


class _States(NamedTuple):
    """A list of states, from the most room to the least."""

    room: NDArray[np.int64]
    gain: NDArray[np.float64]
    score: NDArray[np.float64]
    bound: NDArray[np.float64]
    parent: NDArray[np.int32]
    option: NDArray[np.int32]


@kernel
def _merge(
    states: _States,
    count: int,
    core: Core,
    options: NDArray[np.int32],
    rates: tuple[float, float],
    best: float,
    margin: float,
    new: _States,
) -> tuple[int, float, int]:
    """Add a row with these options to the list; return (new length, best gain, its place if it is new, else -1).

    Left out is any state with neither more room nor more gain than another, and any that can't become what the search
    is after. Of two with equal gains, the one on the better side of the count stays too: the other's count might belong
    to another search, and be left out there in favour of this one's.
    """
    fill, free = rates
    # Gains that differ by rounding only count as equal. Over all rows these differences stay below the margin.
    blur = margin / core.member.size
    to_beat = best + margin
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
            to_beat = best + margin
        bound = score + room * (fill if room >= 0 else free)
        # The best state is listed even if it leads no further: its history is the solution.
        if bound > to_beat or improves:
            new.room[length], new.gain[length], new.score[length], new.bound[length] = room, gain, score, bound
            new.parent[length], new.option[length] = pointer[chosen] - 1, options[chosen]
            length += 1


@kernel
def _thin_out(
    new: _States, length: int, width: int, keep: int, reach: int, multiplier: float, margin: float
) -> tuple[int, float, int]:
    """Keep the `width` most promising states and `keep`; return (length, highest bound left out, place of `keep`).

    Promising is a high bound and then room not further from none than one option reaches. Of equals an even sample by
    room is kept: where gains equal costs all bounds are equal, and variety is what finds the optimum.
    """
    score = np.empty(length)
    for place in range(length):
        beyond = max(0, abs(new.room[place]) - reach)
        score[place] = np.rint((new.bound[place] - 1e-3 * multiplier * beyond) / margin)
    threshold = break_key(score.copy(), np.ones(length), float(width))
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


@kernel
def _useful_options(core: Core, at: int, to_beat: float) -> NDArray[np.int32]:
    """Return the options of a row of the core that are still of use, after -1 for its base."""
    options = np.empty(core.start[at + 1] - core.start[at] + 1, np.int32)
    options[0] = -1
    count = 1
    for option in range(core.start[at], core.start[at + 1]):
        if promise(core, option) > to_beat:
            options[count] = option
            count += 1
    return options[:count]


@kernel
def sweep(
    core: Core, best: float, margin: float, goal: float, width: int, nodes: int, picked: NDArray[np.int64]
) -> tuple[float, float, int]:
    """Go through the core once with a list of at most `width` states, fewer where the nodes would not last to the end.

    Returns the best gain, an upper bound on the gain of all that was left out for want of width, and the nodes left
    over. If a better solution is found, `picked` receives its option for each row of the core, -1 for the base.
    """
    fill, free = rates_ahead(core, best + margin)
    count, offset, used, best_state, reach = whole(1), whole(0), whole(1), whole(-1), whole(0)
    states = _new_states(count)
    states.room[0], states.gain[0], states.score[0] = core.room, 0.0, core.offset
    parent, option = np.empty(1024, np.int32), np.empty(1024, np.int32)
    parent[0], option[0] = -1, -1
    left_out = -np.inf
    for which in range(core.weight.size):
        reach = max(reach, abs(core.weight[which]))
    for at in range(core.member.size):
        options = _useful_options(core, at, best + margin)
        if options.size == 1:
            continue
        new = _new_states(count * options.size)
        nodes -= count * options.size
        length, best, best_at = _merge(states, count, core, options, (fill[at + 1], free[at + 1]), best, margin, new)
        ahead = core.entry.size - core.start[at + 1] + core.member.size - at
        allowed = max(1, min(width, nodes // ahead))
        # After the last row there is nothing left to lose.
        if length > allowed and at + 1 < core.member.size:
            length, bound, best_at = _thin_out(new, length, allowed, best_at, reach, core.multiplier, margin)
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
        if best >= goal or count == 0:
            break
    if best_state >= 0:
        _trace(core, parent, option, best_state, picked)
    return best, left_out, nodes


@kernel
def _longer(history: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """Return a copy with twice as much room as is needed."""
    longer = np.empty(2 * size, np.int32)
    copy_into(history, longer)
    return longer


@kernel
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


@kernel
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
