"""Bounds for the multiple-choice knapsack from the number of rows that a choice moves.

Compiled code only. The linear relaxation often moves one row in part. Where gains are costs plus or minus about a
constant, that is most of its error, and a bound on the number of moves removes it.
"""

__all__ = ["count_bound", "count_moves", "count_range", "shift_moves"]

import math

import numpy as np

from hedgerow.adversary.knapsack_relaxation import Rows, break_key, mark_hull, relax
from hedgerow.compiled import kernel

TANGENTS = 40
"""The most evaluations in the search for the best bound; it takes about five."""


@kernel
def shift_moves(rows: Rows, shift: float) -> Rows:
    """Return the rows with every move worth `shift` more."""
    worth = rows.worth + shift
    slope = np.empty(worth.size)
    for row in range(rows.start.size - 1):
        worth[rows.start[row]] = rows.worth[rows.start[row]]
        mark_hull(rows.weight, worth, slope, rows.start[row], rows.start[row + 1])
    return Rows(rows.start, rows.column, rows.weight, worth, slope, rows.limit)


@kernel
def _relax_shifted(rows: Rows, shift: float, count: float) -> tuple[float, float]:
    """Return LP(gain + shift per move) − shift·count, and its slope in the shift: the moves beyond the count."""
    shifted = shift_moves(rows, shift)
    multiplier, base, room = relax(shifted)
    value, moved, broken = multiplier * room - shift * count, 0.0, 0.0
    for row in range(base.size):
        value += shifted.worth[base[row]]
        if base[row] > rows.start[row]:
            moved += 1.0
        elif broken == 0.0 and multiplier > 0.0:
            for entry in range(rows.start[row] + 1, rows.start[row + 1]):
                if shifted.slope[entry] == multiplier:
                    broken = min(1.0, room / rows.weight[entry])
    return value, moved + broken - count


@kernel
def count_range(rows: Rows, to_beat: float) -> tuple[float, float]:
    """Return the fewest moves that can be worth `to_beat` in sum, and the most moves that can be afforded."""
    start = rows.start
    worth, weight = np.empty(start.size - 1), np.empty(start.size - 1)
    movable = 0
    for row in range(start.size - 1):
        if start[row + 1] > start[row] + 1:
            worth[movable] = rows.worth[start[row + 1] - 1] - rows.worth[start[row]]
            weight[movable] = rows.weight[start[row] + 1]
            movable += 1
        to_beat -= rows.worth[start[row]]
    worth, weight = worth[:movable], weight[:movable]
    dearest = break_key(worth.copy(), worth.copy(), max(to_beat, 0.0))
    cheapest = -break_key(-weight, weight.copy(), rows.limit)
    least, most, room = 0.0, 0.0, rows.limit
    for at in range(movable):
        if worth[at] > dearest:
            least += 1.0
            to_beat -= worth[at]
        if weight[at] < cheapest:
            most += 1.0
            room -= weight[at]
    # The shares of a move keep rounding errors from making the range too narrow.
    least += max(0.0, math.ceil(to_beat / dearest - 1e-6))
    most += max(0.0, math.floor(room / cheapest + 1e-6))
    return least, most


@kernel
def count_moves(rows: Rows) -> float:
    """Return the number of rows that the linear relaxation moves; the last one may be moved in part."""
    return _relax_shifted(rows, 0.0, 0.0)[1]


@kernel
def count_bound(rows: Rows, count: float, sign: float) -> tuple[float, float]:
    """Bound the value of all choices that move at most `count` rows (sign -1), or at least that many (sign 1).

    Returns the bound and the shift s that gives it: the value is at most LP(gain + s per move) − s·count, for s of the
    given sign. That is a convex function of s, whose lowest point is looked for where tangents meet.
    """
    steepest = 0.0
    for entry in range(rows.slope.size):
        steepest = max(steepest, rows.slope[entry])
    here, there = 0.0, sign * rows.limit * steepest
    value_here, slope_here = _relax_shifted(rows, here, count)
    value_there, slope_there = _relax_shifted(rows, there, count)
    bound, shift = (value_here, here) if value_here <= value_there else (value_there, there)
    for _ in range(TANGENTS):
        if slope_here * slope_there >= 0.0:
            break
        meet = (value_there - value_here + slope_here * here - slope_there * there) / (slope_here - slope_there)
        lowest = value_here + slope_here * (meet - here)
        value, slope = _relax_shifted(rows, meet, count)
        if value < bound:
            bound, shift = value, meet
        if value <= lowest + 1e-13 * abs(lowest) or not min(here, there) < meet < max(here, there):
            break
        if slope * slope_here > 0.0:
            here, value_here, slope_here = meet, value, slope
        else:
            there, value_there, slope_there = meet, value, slope
    return bound, shift
