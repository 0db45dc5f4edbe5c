"""The multiple-choice knapsack relaxed: rows without useless entries, and the optimum of the linear relaxation.

Compiled code only. The relaxation is Lagrange's at its best multiplier λ, which for this problem is the linear one
(Sinha and Zoltners, 1979, doi 10.1287/opre.27.3.503): dominated entries drop out of each row, steps along the concave
hulls are taken from the steepest on, and λ is the slope at which the limit is used up.
"""

__all__ = ["Relaxation", "Rows", "break_key", "gain_step", "mark_hull", "reduce_rows", "relax", "whole"]

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hedgerow.compiled import kernel

NEGLIGIBLE = 2.0**-80
"""Move costs up to this share of the limit count as zero: 2²⁶ of them together don't change the limit's last bit."""

ROUNDING = 2.0**-52
"""The relative error of one sum or product, doubled."""

GRID_FINEST = 2e7
"""The most steps of a decimal grid that make 1. Half steps count too: thresholds are midpoints of decimal data."""

GRID_NOISE = 1e-7
"""How far off the grid, in steps, a number may lie that was computed from numbers on it."""


class Rows(NamedTuple):
    """The affordable, undominated entries of all rows.

    Row j owns the entries start[j] to start[j + 1] − 1. The first of them weighs nothing, and along them weight (ρ,
    perhaps in steps of a grid) and worth rise strictly. `slope` leads to an entry from the corner before it on the
    row's concave hull; 0 below the hull.
    """

    start: NDArray[np.int64]
    column: NDArray[np.int64]
    weight: NDArray[np.float64]
    worth: NDArray[np.float64]
    slope: NDArray[np.float64]
    limit: float


class Relaxation(NamedTuple):
    """The relaxation's optimum, rounded down: each row's entry, and the room left, worth up to `multiplier` a unit."""

    multiplier: float
    base: NDArray[np.int64]
    room: float


@kernel
def whole(number: int) -> int:
    """Return the number as it is: for a literal, numba would compile all functions that take it once more."""
    return np.int64(number)  # type: ignore[return-value]


@kernel
def _grid(value: NDArray[np.float64], move_cost: NDArray[np.float64], limit: float) -> tuple[float, float]:
    """Return how many steps make 1 on the decimal grid that the affordable entries' values lie on, 0 if on none.

    The second number is the most, in steps, by which one choice per row can differ from the grid's points in sum.
    """
    rows, columns = value.shape
    steps, finer = 1.0, 2.0
    for row in range(rows):
        for k in range(columns):
            if move_cost[row, k] <= limit and move_cost[row, k] < np.inf:
                while abs(value[row, k] * steps - np.rint(value[row, k] * steps)) > GRID_NOISE:
                    steps *= finer
                    finer = 7.0 - finer
                    if steps > GRID_FINEST:
                        return 0.0, 0.0
    error = 0.0
    for row in range(rows):
        worst = 0.0
        for k in range(columns):
            if move_cost[row, k] <= limit and move_cost[row, k] < np.inf:
                exact = value[row, k] * steps
                worst = max(worst, abs(exact - np.rint(exact)) + ROUNDING * abs(exact))
        error += worst
    return steps, error


@kernel
def gain_step(gain: NDArray[np.float64], move_cost: NDArray[np.float64], limit: float) -> float:
    """Return a number by which any two different values of the knapsack differ at least; 0 if none is known."""
    steps, error = _grid(gain, move_cost, limit)
    return (1.0 - 2.0 * error) / steps if steps > 0.0 and error < 0.25 else 0.0


@kernel
def _sort_in(
    weight: NDArray[np.float64], worth: NDArray[np.float64], column: NDArray[np.int64], first: int, last: int
) -> None:
    """Sort entry `last` of a row in among those from `first` on: the lightest first, and of equals the worthiest."""
    new_weight, new_worth, new_column = weight[last], worth[last], column[last]
    place = last
    while place > first:
        before = place - 1
        if weight[before] < new_weight or (weight[before] == new_weight and worth[before] >= new_worth):
            break
        weight[place], worth[place], column[place] = weight[before], worth[before], column[before]
        place = before
    weight[place], worth[place], column[place] = new_weight, new_worth, new_column


@kernel
def mark_hull(
    weight: NDArray[np.float64], worth: NDArray[np.float64], slope: NDArray[np.float64], first: int, end: int
) -> None:
    """Write the slope that leads to each corner of a row's concave hull, and 0 for the entries below it."""
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
def reduce_rows(gain: NDArray[np.float64], move_cost: NDArray[np.float64], limit: float) -> Rows:
    """Return the entries that an optimum may need.

    Costs on a decimal grid become whole numbers of steps, unless rounding errors could then decide whether some choice
    is affordable. So nothing changes but the speed: equal sums become equal, and the limit rounds down to a sum that
    can occur.
    """
    rows, columns = gain.shape
    start = np.empty(rows + 1, np.int64)
    column = np.empty(rows * columns, np.int64)
    weight = np.empty(rows * columns)
    worth = np.empty(rows * columns)
    slope = np.empty(rows * columns)
    steps, error = _grid(move_cost, move_cost, limit)
    error += ROUNDING * limit * steps
    rest = limit * steps - np.floor(limit * steps)
    on_grid = steps > 0.0 and error < rest < 1.0 - error
    negligible = NEGLIGIBLE * limit
    end = whole(0)
    start[0] = 0
    for row in range(rows):
        first = end
        stay, nominal = -np.inf, 0
        for k in range(columns):
            if move_cost[row, k] <= negligible and gain[row, k] > stay:
                stay, nominal = gain[row, k], k
        weight[end], worth[end], column[end] = 0.0, stay, nominal
        end += 1
        for k in range(columns):
            if gain[row, k] > stay and move_cost[row, k] <= limit and move_cost[row, k] < np.inf:
                weight[end] = np.rint(move_cost[row, k] * steps) if on_grid else move_cost[row, k]
                worth[end] = gain[row, k]
                column[end] = k
                _sort_in(weight, worth, column, first, end)
                end += 1
        # Left out are entries that are worth no more than a lighter one.
        last, end = end, first + 1
        for entry in range(first + 1, last):
            if worth[entry] > worth[end - 1]:
                weight[end], worth[end], column[end] = weight[entry], worth[entry], column[entry]
                end += 1
        mark_hull(weight, worth, slope, first, end)
        start[row + 1] = end
    return Rows(
        start, column[:end], weight[:end], worth[:end], slope[:end], np.floor(limit * steps) if on_grid else limit
    )


@kernel
def break_key(key: NDArray[np.float64], size: NDArray[np.float64], capacity: float) -> float:
    """Return the key at which the capacity is used up, the largest keys first; the smallest key if it never is.

    A quickselect with sizes; reorders both arrays.
    """
    low, high = 0, key.size
    state = np.uint64(88172645463325252)
    while high - low > 1:
        # A pivot by xorshift: no order of the data is bad for it, and the same data give the same steps.
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        pivot = key[low + np.int64((state >> np.uint64(1)) % np.uint64(high - low))]
        above, seen, below = low, low, high
        size_above, size_equal = 0.0, 0.0
        while seen < below:
            here = key[seen]
            if here > pivot:
                size_above += size[seen]
                key[seen], key[above] = key[above], here
                size[seen], size[above] = size[above], size[seen]
                above += 1
                seen += 1
            elif here == pivot:
                size_equal += size[seen]
                seen += 1
            else:
                below -= 1
                key[seen], key[below] = key[below], here
                size[seen], size[below] = size[below], size[seen]
        if size_above > capacity:
            high = above
        elif size_above + size_equal > capacity or below == high:
            return float(pivot)
        else:
            capacity -= size_above + size_equal
            low = below
    return float(key[low])


@kernel
def _two_sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b as rounded, and the rounding error, exactly."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@kernel
def _best_multiplier(rows: Rows) -> float:
    """Return the slope at which the limit is used up, 0 if it never is."""
    start, weight, slope = rows.start, rows.weight, rows.slope
    high, low = -rows.limit, 0.0
    steps = 0
    for row in range(start.size - 1):
        corner = start[row]
        for entry in range(start[row] + 1, start[row + 1]):
            if slope[entry] > 0.0:
                steps += 1
                corner = entry
        high, error = _two_sum(high, weight[corner])
        low += error
    if high + low <= 0.0:
        return 0.0
    key = np.empty(steps)
    size = np.empty(steps)
    step = 0
    for row in range(start.size - 1):
        corner = start[row]
        for entry in range(start[row] + 1, start[row + 1]):
            if slope[entry] > 0.0:
                key[step] = slope[entry]
                size[step] = weight[entry] - weight[corner]
                corner = entry
                step += 1
    # Lowered by all that rounding can add up to: the steps above λ fit for certain, and those at λ are tried exactly
    # later.
    return break_key(key, size, rows.limit * (1.0 - ROUNDING * (steps + 4)))


@kernel
def relax(rows: Rows) -> Relaxation:
    """Solve the linear relaxation.

    The room is carried in two doubles, so that it is right to the last bit after any number of rows.
    """
    start, weight, slope = rows.start, rows.weight, rows.slope
    multiplier = _best_multiplier(rows)
    base = np.empty(start.size - 1, np.int64)
    high, low = rows.limit, 0.0
    for row in range(base.size):
        corner = start[row]
        for entry in range(start[row] + 1, start[row + 1]):
            if slope[entry] > multiplier:
                corner = entry
        base[row] = corner
        high, error = _two_sum(high, -weight[corner])
        low += error
    for row in range(base.size):
        if high + low <= 0.0 or multiplier == 0.0:
            break
        for entry in range(base[row] + 1, start[row + 1]):
            if slope[entry] == multiplier:
                back, error_back = _two_sum(high, weight[base[row]])
                forth, error_forth = _two_sum(back, -weight[entry])
                error = low + error_back + error_forth
                if forth + error >= 0.0:
                    high, low = forth, error
                    base[row] = entry
                break
    return Relaxation(multiplier, base, high + low)
