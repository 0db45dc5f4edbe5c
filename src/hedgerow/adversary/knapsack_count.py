"""Bounds for the multiple-choice knapsack from the number of rows that a choice moves.

Compiled code only. The linear relaxation often moves one row in part. Where gains are costs plus or minus about a
constant, that is most of its error, and a bound on the number of moves removes it.
"""

__all__ = ["bounds_by_count", "count_bound", "count_range", "relax_shifted", "shifted_value"]

import numpy as np

from hedgerow.adversary.knapsack_relaxation import Rows, break_key, mark_hull, relax
from hedgerow.compiled import kernel

TANGENTS = 40
"""The most evaluations in the search for the best bound; it takes about five."""


@kernel
def relax_shifted(rows: Rows, limit: float, shift: float, shifted: Rows) -> tuple[float, float]:
    """Relax the rows with every move worth `shift` more; `shifted` shares all but worth, slope and base with them."""
    start = rows.start
    for row in range(start.size - 1):
        shifted.worth[start[row]] = rows.worth[start[row]]
        for entry in range(start[row] + 1, start[row + 1]):
            shifted.worth[entry] = rows.worth[entry] + shift
        mark_hull(shifted, start[row], start[row + 1])
    return relax(shifted, limit)


@kernel
def shifted_value(rows: Rows, limit: float, shift: float, count: float, shifted: Rows) -> tuple[float, float]:
    """Return LP(gain + shift per move) − shift·count, and its slope in the shift: the moves beyond the count."""
    multiplier, room = relax_shifted(rows, limit, shift, shifted)
    start, base = shifted.start, shifted.base
    value, moved, broken = multiplier * room - shift * count, 0.0, 0.0
    for row in range(base.size):
        value += shifted.worth[base[row]]
        if base[row] > start[row]:
            moved += 1.0
        elif broken == 0.0 and multiplier > 0.0:
            for entry in range(start[row] + 1, start[row + 1]):
                if shifted.slope[entry] == multiplier:
                    broken = min(1.0, room / shifted.weight[entry])
    return value, moved + broken - count


@kernel(inline="always")
def count_range(rows: Rows, limit: float, to_beat: float) -> tuple[float, float]:
    """Return the fewest moves that can be worth `to_beat` in sum, and the most moves that can be afforded."""
    start, weight, worth = rows.start, rows.weight, rows.worth
    key, size = rows.key, rows.size
    movable = 0
    for row in range(start.size - 1):
        if start[row + 1] > start[row] + 1:
            key[movable] = size[movable] = worth[start[row + 1] - 1] - worth[start[row]]
            movable += 1
        to_beat -= worth[start[row]]
    dearest = break_key(key, size, movable, max(to_beat, 0.0))
    movable = 0
    for row in range(start.size - 1):
        if start[row + 1] > start[row] + 1:
            size[movable] = weight[start[row] + 1]
            key[movable] = -size[movable]
            movable += 1
    cheapest = -break_key(key, size, movable, limit)
    least, most, room = 0.0, 0.0, limit
    for row in range(start.size - 1):
        if start[row + 1] > start[row] + 1:
            its_worth, its_weight = worth[start[row + 1] - 1] - worth[start[row]], weight[start[row] + 1]
            if its_worth > dearest:
                least += 1.0
                to_beat -= its_worth
            if its_weight < cheapest:
                most += 1.0
                room -= its_weight
    # The shares of a move keep rounding errors from making the range too narrow.
    least += max(0.0, np.ceil(to_beat / dearest - 1e-6))
    most += max(0.0, np.floor(room / cheapest + 1e-6))
    return least, most


@kernel
def count_bound(rows: Rows, limit: float, count: float, sign: float, shifted: Rows) -> tuple[float, float]:
    """Bound the value of all choices that move at most `count` rows (sign -1), or at least that many (sign 1).

    Returns the bound and the shift s that gives it: the value is at most LP(gain + s per move) − s·count, for s of the
    given sign. That is a convex function of s, whose lowest point is looked for where tangents meet.
    """
    steepest = 0.0
    for entry in range(rows.start[rows.base.size]):
        steepest = max(steepest, rows.slope[entry])
    here, there = 0.0, sign * limit * steepest
    value_here, slope_here = shifted_value(rows, limit, here, count, shifted)
    value_there, slope_there = shifted_value(rows, limit, there, count, shifted)
    bound, shift = (value_here, here) if value_here <= value_there else (value_there, there)
    for _ in range(TANGENTS):
        if slope_here * slope_there >= 0.0:
            break
        meet = (value_there - value_here + slope_here * here - slope_there * there) / (slope_here - slope_there)
        lowest = value_here + slope_here * (meet - here)
        value, slope = shifted_value(rows, limit, meet, count, shifted)
        if value < bound:
            bound, shift = value, meet
        if value <= lowest + 1e-13 * abs(lowest) or not min(here, there) < meet < max(here, there):
            break
        if slope * slope_here > 0.0:
            here, value_here, slope_here = meet, value, slope
        else:
            there, value_there, slope_there = meet, value, slope
    return bound, shift


@kernel
def bounds_by_count(
    rows: Rows, limit: float, to_beat: float, shifted: Rows
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Return (bound, shift, count) for the choices with no more moves than the relaxation, and for those with more.

    The bounds are on choices worth `to_beat`; where a count leaves none, −∞.
    """
    least, most = count_range(rows, limit, to_beat)
    moves = np.floor(shifted_value(rows, limit, 0.0, 0.0, shifted)[1])
    fewer, more = min(moves, most), max(moves + 1.0, least)
    bound_fewer, shift_fewer = -np.inf, 0.0
    bound_more, shift_more = -np.inf, 0.0
    if fewer >= least:
        bound_fewer, shift_fewer = count_bound(rows, limit, fewer, -1.0, shifted)
    if more <= most:
        bound_more, shift_more = count_bound(rows, limit, more, 1.0, shifted)
    return (bound_fewer, shift_fewer, fewer), (bound_more, shift_more, more)
