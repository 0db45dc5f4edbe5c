"""The second search in the core of a multiple-choice knapsack: lists of states, row by row.

Compiled code only. A sweep goes through the core with a list of the undominated states so far. Where the list grows too
long it is thinned out, and the best bound among what was left out says what the sweep may have missed.
"""

__all__ = ["sweep"]

import numpy as np

from hedgerow.adversary.knapsack_core import Core, Terms, promise, rates_ahead
from hedgerow.adversary.knapsack_relaxation import break_key
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray

PARENT = 2**32
"""A state's history is one number: this times its parent's place, plus its last option's number, plus one.

A list of states, from the most room to the least, is five arrays: histories, room, gains, scores and bounds. All are of
one dimension, since Numba takes long over each type of array that it meets.
"""


@kernel(inline="always")
def _merge(
    rooms: IntArray,
    gains: FloatArray,
    scores: FloatArray,
    count: int,
    core: Core,
    terms: Terms,
    options: IntArray,
    at: int,
    best: float,
    margin: float,
    new_histories: IntArray,
    new_rooms: IntArray,
    new_gains: FloatArray,
    new_scores: FloatArray,
    new_bounds: FloatArray,
) -> tuple[int, float, int]:
    """Add a row with these options to the list; return (new length, best gain, its place if it is new, else -1).

    Left out is any state with neither more room nor more gain than another, and any that can't become what the search
    is after. Of two with equal gains, the one on the better side of the count stays too: the other's count might belong
    to another search, and be left out there in favour of this one's.
    """
    fill, free = core.fill[at + 1], core.free[at + 1]
    # Gains that differ by rounding only count as equal. Over all rows these differences stay below the margin.
    blur = margin / terms.members
    pointer = np.zeros(options.size, np.int64)
    length, best_at = 0, -1
    top, top_shift = -np.inf, 0.0
    while True:
        chosen, room, gain = -1, 0, 0.0
        for which in range(options.size):
            here, option = pointer[which], options[which]
            if here < count:
                its_room, its_gain = rooms[here], gains[here]
                if option >= 0:
                    its_room -= core.weight[option]
                    its_gain += core.gain[option]
                if chosen < 0 or its_room > room or (its_room == room and its_gain > gain):
                    chosen, room, gain = which, its_room, its_gain
        if chosen < 0:
            return length, best, best_at
        here, option = pointer[chosen], options[chosen]
        pointer[chosen] += 1
        score = scores[here] + (core.score[option] if option >= 0 else 0.0)
        if gain > top + blur:
            top, top_shift = gain, score - gain
        elif gain < top - blur or score - gain <= top_shift + 0.5 * abs(terms.shift):
            continue
        improves = room >= 0 and gain > best
        if improves:
            best, best_at = gain, length
        bound = score + room * (fill if room >= 0 else free)
        # The best state is listed even if it leads no further: its history is the solution.
        if bound > best + margin or improves:
            new_histories[length], new_rooms[length] = PARENT * here + option + 1, room
            new_gains[length], new_scores[length], new_bounds[length] = gain, score, bound
            length += 1


@kernel(inline="always")
def _thin_out(
    histories: IntArray,
    rooms: IntArray,
    gains: FloatArray,
    scores: FloatArray,
    bounds: FloatArray,
    length: int,
    width: int,
    keep: int,
    reach: int,
    multiplier: float,
    margin: float,
) -> tuple[int, float, int]:
    """Keep the `width` most promising states and `keep`; return (length, highest bound left out, place of `keep`).

    Promising is a high bound and then room not further from none than one option reaches. Of equals an even sample by
    room is kept: where gains equal costs all bounds are equal, and variety is what finds the optimum.
    """
    score, key, size = np.empty(length), np.empty(length), np.empty(length)
    for place in range(length):
        beyond = max(0, abs(rooms[place]) - reach)
        score[place] = np.rint((bounds[place] - 1e-3 * multiplier * beyond) / margin)
        key[place], size[place] = score[place], 1.0
    threshold = break_key(key, size, length, float(width))
    above, first, last = 0, -1, -1
    for place in range(length):
        if score[place] > threshold:
            above += 1
        elif score[place] == threshold:
            first, last = (place if first < 0 else first), place
    most_room = rooms[first]
    share = (width - above) / (1.0 + (most_room - rooms[last]))
    kept, keep_at = 0, -1
    slot, left_out = -1, -np.inf
    for place in range(length):
        stays = score[place] > threshold or place == keep
        if score[place] == threshold:
            its_slot = int((most_room - rooms[place]) * share)
            stays = stays or its_slot > slot
            slot = its_slot
        if stays:
            if place == keep:
                keep_at = kept
            histories[kept], rooms[kept] = histories[place], rooms[place]
            gains[kept], scores[kept], bounds[kept] = gains[place], scores[place], bounds[place]
            kept += 1
        else:
            left_out = max(left_out, bounds[place])
    return kept, left_out, keep_at


@kernel(inline="always")
def _useful_options(core: Core, terms: Terms, at: int, to_beat: float) -> IntArray:
    """Return the options of a row of the core that are still of use, after -1 for its base."""
    first, end = core.start[at], core.start[at + 1]
    options = np.empty(end - first + 1, np.int64)
    options[0] = -1
    count = 1
    for option in range(first, end):
        if promise(core, terms, option) > to_beat:
            options[count] = option
            count += 1
    return options[:count]


@kernel(inline="always")
def sweep(
    core: Core, terms: Terms, best: float, margin: float, goal: float, width: int, nodes: int
) -> tuple[float, float, int]:
    """Go through the core once with a list of at most `width` states, fewer where the nodes would not last to the end.

    Returns the best gain, an upper bound on the gain of all that was left out for want of width, and the nodes left
    over. If a better solution is found, `core.picked` receives its options.
    """
    rates_ahead(core, terms, best + margin)
    count, offset, used = 1, 0, 1
    best_state, reach, left_out = -1, 0, -np.inf
    rooms, gains, scores = np.empty(count, np.int64), np.empty(count), np.empty(count)
    rooms[0], gains[0], scores[0] = terms.room, 0.0, terms.offset
    # Of all lists so far; the parents' places are in it.
    history = np.empty(1024, np.int64)
    history[0] = -PARENT
    n_options = core.start[terms.members]
    for option in range(n_options):
        reach = max(reach, abs(core.weight[option]))
    for at in range(terms.members):
        options = _useful_options(core, terms, at, best + margin)
        size = count * options.size
        if options.size == 1:
            continue
        nodes -= size
        histories, new_rooms = np.empty(size, np.int64), np.empty(size, np.int64)
        new_gains, new_scores, bounds = np.empty(size), np.empty(size), np.empty(size)
        length, best, best_at = _merge(
            rooms,
            gains,
            scores,
            count,
            core,
            terms,
            options,
            at,
            best,
            margin,
            histories,
            new_rooms,
            new_gains,
            new_scores,
            bounds,
        )
        rooms, gains, scores = new_rooms, new_gains, new_scores
        ahead = n_options - core.start[at + 1] + terms.members - at
        allowed = max(1, min(width, nodes // ahead))
        # After the last row there is nothing left to lose.
        if length > allowed and at + 1 < terms.members:
            length, bound, best_at = _thin_out(
                histories, rooms, gains, scores, bounds, length, allowed, best_at, reach, terms.multiplier, margin
            )
            left_out = max(left_out, bound)
        if used + length > history.size:
            longer = np.empty(2 * (used + length), np.int64)
            copy_into(history, longer)
            history = longer
        for place in range(length):
            history[used + place] = PARENT * offset + histories[place]
        if best_at >= 0:
            best_state = used + best_at
        offset = used
        used += length
        count = length
        if best >= goal or count == 0:
            break
    if best_state >= 0:
        _trace(core, terms.members, history, best_state)
    return best, left_out, nodes


@kernel(inline="always")
def _trace(core: Core, members: int, history: IntArray, state: int) -> None:
    """Write the options that led to a state."""
    at = members - 1
    for other in range(members):
        core.picked[other] = -1
    while state >= 0:
        option = history[state] % PARENT - 1
        if option >= 0:
            while core.start[at] > option:
                at -= 1
            core.picked[at] = option
        state = history[state] // PARENT
