"""The core of a multiple-choice knapsack, and the first search in it, depth first.

Compiled code only. All is relative to the base, the relaxation's rounded optimum: an option of a row has an extra
weight and an extra gain against the row's base entry, both above zero or both below, and the search looks for the
options that gain most in sum within the room left. Most rows keep their base in every solution better than the best one
known, so that only a core of the rows takes part (after Pisinger, 1995, doi 10.1016/0377-2217(95)00015-I).

Weights are whole numbers here, multiples of a power of two so fine that nothing is lost: sums don't depend on their
order.
"""

__all__ = ["Core", "Terms", "best_single", "build_core", "depth_first", "empty_core", "promise", "rates_ahead"]

import math
from typing import NamedTuple

import numpy as np

from hedgerow.adversary.knapsack_relaxation import Rows
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import stable_order
from hedgerow.data.arrays import FloatArray, IntArray

DEPTH_FIRST_NODES = 2_000
"""Depth-first search gives up after this many nodes; lists of states are then faster."""

LARGEST = 2.0**60
"""The core's weights stay below this in sum, so that no sum can overflow."""


class Core(NamedTuple):
    """The rows and options that a solution better than the best one known may use.

    `member[i]` is the row; its options are start[i] to start[i + 1] − 1, and `entry` names each in the reduced rows.
    Bounds add up `score` instead of gain: the same numbers unless moves are charged or rewarded (see `count_bound`).
    """

    member: IntArray
    start: IntArray
    entry: IntArray
    weight: IntArray
    gain: FloatArray
    score: FloatArray
    picked: IntArray  # what a search has found: the option of each member, -1 for the base
    fill: FloatArray  # the rates ahead, see `rates_ahead`
    free: FloatArray
    cursor: IntArray  # by depth: where the search in depth is in each member's options,
    room_at: IntArray  # and what it has on the way to it
    gain_at: FloatArray
    score_at: FloatArray


class Terms(NamedTuple):
    """The numbers of a core: how many rows it has, and what bounds are made of.

    A unit of `room` is worth at most `multiplier` (λ). Scores are added up from `offset` on; a move has `shift` more
    score than gain.
    """

    members: int
    room: int
    multiplier: float
    shift: float
    offset: float


def empty_core(n_rows: int, n_columns: int) -> Core:
    """Return arrays for the core of a knapsack, not yet filled."""

    def whole(size: int) -> IntArray:
        return np.empty(size, np.int64)

    rows, options = n_rows + 1, n_rows * n_columns
    return Core(
        member=whole(rows),
        start=whole(rows),
        entry=whole(options),
        weight=whole(options),
        gain=np.empty(options),
        score=np.empty(options),
        picked=whole(rows),
        fill=np.empty(rows),
        free=np.empty(rows),
        cursor=whole(rows),
        room_at=whole(rows),
        gain_at=np.empty(rows),
        score_at=np.empty(rows),
    )


@kernel(inline="always")
def best_single(rows: Rows, room: float) -> tuple[float, int, int]:
    """Return the highest gain from a dearer entry of one row in the room left, that row and that entry, or -1."""
    best, best_row, best_entry = 0.0, -1, -1
    start, base = rows.start, rows.base
    weight, worth = rows.weight, rows.worth
    for row in range(base.size):
        here = base[row]
        for entry in range(here + 1, start[row + 1]):
            # The extra covers the rounding of the difference.
            if weight[entry] - weight[here] + 4e-16 * (weight[entry] + room) > room:
                break
            if worth[entry] - worth[here] > best:
                best, best_row, best_entry = worth[entry] - worth[here], row, entry
    return best, best_row, best_entry


@kernel(inline="always")
def _in_turns(core: Core, members: int) -> IntArray:
    """Return an order that takes in turns the row that fills room and the one that frees room at the least loss.

    The rows that come last then have clear-cut bounds, and the states' room stays close to none.
    """
    fill, free, taken = core.fill, core.free, core.cursor
    by_fill, by_free = stable_order(fill[:members]), stable_order(free[:members])
    order = np.empty(members, np.int64)
    next_fill, next_free = 0, 0
    for at in range(members):
        taken[at] = 0
    for at in range(members):
        while taken[by_fill[next_fill]]:
            next_fill += 1
        while taken[by_free[next_free]]:
            next_free += 1
        filler, freer = by_fill[next_fill], by_free[next_free]
        fills = free[freer] == np.inf or (at % 2 == 0 and fill[filler] < np.inf)
        order[at] = filler if fills else freer
        taken[order[at]] = 1
    return order


@kernel
def _score(rows: Rows, row: int, entry: int, shift: float) -> float:
    """Return the extra gain of an entry over the base, with the shift that a move adds or removes."""
    here, first = rows.base[row], rows.start[row]
    score = rows.worth[entry] - rows.worth[here]
    if here == first:
        score += shift
    elif entry == first:
        score -= shift
    return float(score)


@kernel(inline="always")
def build_core(
    rows: Rows, multiplier: float, room: float, shift: float, offset: float, to_beat: float, core: Core
) -> Terms:
    """Write the core for a search of solutions that gain more than `to_beat` into `core`.

    An option's loss, λ·(extra weight) − score, is what it takes off the relaxation's bound for certain.
    """
    first, base, heavy = rows.start, rows.base, rows.weight
    member, fill, free = core.picked, core.fill, core.free
    allowed = offset + multiplier * room - to_beat
    members, total = 0, 0.0
    for row in range(base.size):
        here, found = base[row], False
        fill[members], free[members] = np.inf, np.inf
        for entry in range(first[row], first[row + 1]):
            extra = heavy[entry] - heavy[here]
            loss = multiplier * extra - _score(rows, row, entry, shift)
            if entry != here and loss < allowed:
                found = True
                if extra > 0.0:
                    fill[members] = min(fill[members], loss / extra)
                else:
                    free[members] = min(free[members], loss / -extra)
        if found:
            member[members] = row
            members += 1
            total += heavy[first[row + 1] - 1]
    order = _in_turns(core, members)

    unit = math.ldexp(1.0, min(60 - math.frexp(total)[1], 1000))
    start, weight = core.start, core.weight
    divisor, end = 0, 0
    start[0] = 0
    for at in range(members):
        row = member[order[at]]
        core.member[at] = row
        here = base[row]
        for entry in range(first[row], first[row + 1]):
            score = _score(rows, row, entry, shift)
            if entry != here and multiplier * (heavy[entry] - heavy[here]) - score < allowed:
                # Rounded so that what fits here fits in truth.
                weight[end] = np.int64(np.ceil(heavy[entry] * unit)) - np.int64(np.floor(heavy[here] * unit))
                if divisor != 1:
                    divisor = math.gcd(divisor, abs(weight[end]))
                core.entry[end], core.score[end] = entry, score
                core.gain[end] = rows.worth[entry] - rows.worth[here]
                end += 1
        start[at + 1] = end
    # Room that no sum of weights can fill is no room.
    divisor = max(divisor, 1)
    for option in range(end):
        weight[option] //= divisor
    whole_room = int(min(LARGEST, np.floor(room * unit + 1e-6))) // divisor
    return Terms(members, whole_room, multiplier / unit * divisor, shift, offset)


@kernel
def promise(core: Core, terms: Terms, option: int) -> float:
    """Return the most that a solution with this option can gain."""
    return float(terms.offset + core.score[option] + terms.multiplier * (terms.room - core.weight[option]))


@kernel
def rates_ahead(core: Core, terms: Terms, to_beat: float) -> None:
    """Write, for each row of the core, the best rates at which the rows from it on turn room into gain.

    `fill` is the highest gain per unit of room filled, `free` the lowest loss per unit freed (∞ where none can be).
    """
    best_fill, best_free = 0.0, np.inf
    core.fill[terms.members], core.free[terms.members] = best_fill, best_free
    for at in range(terms.members - 1, -1, -1):
        for option in range(core.start[at], core.start[at + 1]):
            if promise(core, terms, option) > to_beat:
                weight = core.weight[option]
                if weight > 0:
                    best_fill = max(best_fill, core.score[option] / weight)
                elif weight < 0:
                    best_free = min(best_free, core.score[option] / weight)
        core.fill[at], core.free[at] = best_fill, best_free


@kernel(inline="always")
def depth_first(
    core: Core, terms: Terms, best: float, margin: float, goal: float, nodes: int
) -> tuple[float, float, int]:
    """Search the core in depth, for a while, for a gain above the best one plus a margin; the goal ends it.

    Returns the best gain, an upper bound on the gain of all that was left out, and the nodes left over. If a better
    solution is found, `core.picked` receives its options.
    """
    rates_ahead(core, terms, best + margin)
    start, cursor = core.start, core.cursor
    room, gain, score = core.room_at, core.gain_at, core.score_at
    cursor[0], room[0] = -1, terms.room
    gain[0], score[0] = 0.0, terms.offset
    depth = 0
    reserve = max(0, nodes - DEPTH_FIRST_NODES)
    while depth >= 0:
        option = cursor[depth]
        if option == start[depth + 1]:
            depth -= 1
            continue
        if nodes == reserve:
            return best, np.inf, nodes
        nodes -= 1
        cursor[depth] += 1
        new_room, new_gain, new_score = room[depth], gain[depth], score[depth]
        if option >= start[depth]:
            new_room -= core.weight[option]
            new_gain += core.gain[option]
            new_score += core.score[option]
        if new_room >= 0 and new_gain > best:
            best = new_gain
            for at in range(terms.members):
                core.picked[at] = cursor[at] - 1 if at <= depth and cursor[at] > start[at] else -1
            if best >= goal:
                return best, np.inf, nodes
        ahead = depth + 1
        bound = new_score + new_room * (core.fill[ahead] if new_room >= 0 else core.free[ahead])
        if ahead < terms.members and bound > best + margin:
            depth = ahead
            cursor[depth] = start[depth] - 1
            room[depth], gain[depth], score[depth] = new_room, new_gain, new_score
    return best, -np.inf, nodes
