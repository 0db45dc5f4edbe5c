"""The core of a multiple-choice knapsack, and the first search in it, depth first.

Compiled code only. All is relative to the base, the relaxation's rounded optimum: an option of a row has an extra
weight and an extra gain against the row's base entry, both above zero or both below, and the search looks for the
options that gain most in sum within the room left. Most rows keep their base in every solution better than the best one
known, so that only a core of the rows takes part (after Pisinger, 1995, doi 10.1016/0377-2217(95)00015-I).

Weights are whole numbers here, multiples of a power of two so fine that nothing is lost: sums don't depend on their
order.
"""

__all__ = ["Core", "best_single", "build_core", "depth_first", "promise", "rates_ahead"]

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hedgerow.adversary.knapsack_relaxation import Relaxation, Rows, whole
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import stable_order

DEPTH_FIRST_NODES = 2_000
"""Depth-first search gives up after this many nodes; lists of states are then faster."""

LARGEST = 2.0**60
"""The core's weights stay below this in sum, so that no sum can overflow."""


class Core(NamedTuple):
    """The rows and options that a solution better than the best one known may use.

    `member[i]` is the row; its options are start[i] to start[i + 1] − 1, and `entry` names each in the reduced rows. A
    unit of `room` is worth at most `multiplier` (λ). Bounds add up `score` instead of gain, from `offset` on: the same
    numbers and 0, unless moves are charged or rewarded (see `count_bound`).
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


@kernel
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


@kernel
def _in_turns(fill: NDArray[np.float64], free: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return an order that takes in turns the row that fills room and the one that frees room at the least loss.

    The rows that come last then have clear-cut bounds, and the states' room stays close to none.
    """
    fill_order, free_order = stable_order(fill), stable_order(free)
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


@kernel
def _score(rows: Rows, row: int, entry: int, here: int, shift: float) -> float:
    """Return the extra gain of an entry over the base, with the shift that a move adds or removes."""
    score = rows.worth[entry] - rows.worth[here]
    if here == rows.start[row]:
        score += shift
    elif entry == rows.start[row]:
        score -= shift
    return float(score)


@kernel
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
    divisor, end = whole(0), 0
    for at in range(members):
        row = member[order[at]]
        order[at] = row
        here = base[row]
        for entry in range(rows.start[row], rows.start[row + 1]):
            its_score = _score(rows, row, entry, here, shift)
            if entry != here and multiplier * (rows.weight[entry] - rows.weight[here]) - its_score < allowed:
                entries[end] = entry
                # Rounded so that what fits here fits in truth.
                weight[end] = np.int64(np.ceil(rows.weight[entry] * unit)) - np.int64(
                    np.floor(rows.weight[here] * unit)
                )
                gain[end] = rows.worth[entry] - rows.worth[here]
                score[end] = its_score
                if divisor != 1:
                    divisor = math.gcd(divisor, abs(weight[end]))
                end += 1
        start[at + 1] = end
    # Room that no sum of weights can fill is no room.
    divisor = max(divisor, whole(1))
    whole_room = int(min(LARGEST, np.floor(room * unit + 1e-6))) // divisor
    for option in range(options):
        weight[option] //= divisor
    return Core(order, start, entries, weight, gain, score, whole_room, multiplier / unit * divisor, shift, offset)


@kernel
def promise(core: Core, option: int) -> float:
    """Return the most that a solution with this option can gain."""
    return float(core.offset + core.score[option] + core.multiplier * (core.room - core.weight[option]))


@kernel
def rates_ahead(core: Core, to_beat: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return, for each row of the core, the best rates at which the rows from it on turn room into gain.

    The first is the highest gain per unit of room filled, the second the lowest loss per unit freed (∞ where none can
    be).
    """
    members = core.start.size - 1
    fill, free = np.empty(members + 1), np.empty(members + 1)
    fill[members], free[members] = 0.0, np.inf
    for at in range(members - 1, -1, -1):
        fill[at], free[at] = fill[at + 1], free[at + 1]
        for option in range(core.start[at], core.start[at + 1]):
            if promise(core, option) > to_beat:
                if core.weight[option] > 0:
                    fill[at] = max(fill[at], core.score[option] / core.weight[option])
                elif core.weight[option] < 0:
                    free[at] = min(free[at], core.score[option] / core.weight[option])
    return fill, free


@kernel
def depth_first(
    core: Core, best: float, margin: float, goal: float, nodes: int, picked: NDArray[np.int64]
) -> tuple[float, float, int]:
    """Search the core in depth, for a while, for a gain above the best one plus a margin; the goal ends it.

    Returns the best gain, an upper bound on the gain of all that was left out, and the nodes left over. If a better
    solution is found, `picked` receives its option for each row of the core, -1 for the base.
    """
    members = core.member.size
    to_beat = best + margin
    fill, free = rates_ahead(core, to_beat)
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
            to_beat = best + margin
            for at in range(members):
                picked[at] = cursor[at] - 1 if at <= depth and cursor[at] > core.start[at] else -1
            if best >= goal:
                return best, np.inf, nodes
        depth_ahead = depth + 1
        bound = new_score + new_room * (fill[depth_ahead] if new_room >= 0 else free[depth_ahead])
        if depth_ahead < members and bound > to_beat:
            depth = depth_ahead
            cursor[depth] = core.start[depth] - 1
            room[depth], gain[depth], score[depth] = new_room, new_gain, new_score
    return best, -np.inf, nodes
