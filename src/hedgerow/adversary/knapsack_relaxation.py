"""The multiple-choice knapsack relaxed: rows without useless entries, and the optimum of the linear relaxation.

Compiled code only. The relaxation is Lagrange's at its best multiplier λ, which for this problem is the linear one
(Sinha and Zoltners, 1979, doi 10.1287/opre.27.3.503): dominated entries drop out of each row, steps along the concave
hulls are taken from the steepest on, and λ is the slope at which the limit is used up.
"""

__all__ = ["Rows", "break_key", "empty_rows", "gain_step", "mark_hull", "reduce_rows", "relax"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray

NEGLIGIBLE = 2.0**-80
"""Move costs up to this share of the limit count as zero: 2²⁶ of them together don't change the limit's last bit."""

ROUNDING = 2.0**-52
"""The relative error of one sum or product, doubled."""

GRID_FINEST = 2e7
"""The most steps of a decimal grid that make 1. Half steps count too: thresholds are midpoints of decimal data."""

GRID_NOISE = 1e-7
"""How far off the grid, in steps, a number may lie that was computed from numbers on it."""


class Rows(NamedTuple):
    """The affordable, undominated entries of all rows, and the relaxation's optimum.

    Row j owns the entries start[j] to start[j + 1] − 1. The first of them weighs nothing, and along them weight (ρ,
    perhaps in steps of a grid) and worth rise strictly. `slope` leads to an entry from the corner before it on the
    row's concave hull; 0 below the hull. `base` is each row's entry in the optimum of the relaxation, rounded down.
    """

    start: IntArray
    column: IntArray
    weight: FloatArray
    worth: FloatArray
    slope: FloatArray
    base: IntArray
    key: FloatArray  # with `size` for `break_key`
    size: FloatArray


def empty_rows(n_rows: int, n_columns: int, key: FloatArray | None = None, size: FloatArray | None = None) -> Rows:
    """Return arrays for the rows of a knapsack, not yet filled; `key` and `size` may be used elsewhere afterwards."""
    start, base = np.empty(n_rows + 1, np.int64), np.empty(n_rows, np.int64)
    column = np.empty(n_rows * n_columns, np.int64)
    weight, worth, slope = (np.empty(n_rows * n_columns) for _ in range(3))
    key, size = (np.empty(n_rows * n_columns) if each is None else each for each in (key, size))
    return Rows(start, column, weight, worth, slope, base, key, size)


@kernel
def _grid(value: FloatArray, move_cost: FloatArray, limit: float) -> tuple[float, float]:
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


@kernel(inline="always")
def gain_step(gain: FloatArray, move_cost: FloatArray, limit: float) -> float:
    """Return a number by which any two different values of the knapsack differ at least; 0 if none is known."""
    steps, error = _grid(gain, move_cost, limit)
    return (1.0 - 2.0 * error) / steps if steps > 0.0 and error < 0.25 else 0.0


@kernel(inline="always")
def _sort_in(rows: Rows, first: int, last: int, new_weight: float, new_worth: float, new_column: int) -> None:
    """Add an entry of a row to those from `first` up to `last`: the lightest come first, of equals the worthiest."""
    weight, worth, column = rows.weight, rows.worth, rows.column
    place = last
    while place > first:
        before = place - 1
        if weight[before] < new_weight or (weight[before] == new_weight and worth[before] >= new_worth):
            break
        weight[place], worth[place], column[place] = weight[before], worth[before], column[before]
        place = before
    weight[place], worth[place], column[place] = new_weight, new_worth, new_column


@kernel
def mark_hull(rows: Rows, first: int, end: int) -> None:
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


@kernel(inline="always")
def reduce_rows(gain: FloatArray, move_cost: FloatArray, limit: float, rows: Rows) -> float:
    """Write the entries that an optimum may need; return the limit in their unit.

    Costs on a decimal grid become whole numbers of steps, unless rounding errors could then decide whether some choice
    is affordable. So nothing changes but the speed: equal sums become equal, and the limit rounds down to a sum that
    can occur.
    """
    start, column = rows.start, rows.column
    weight, worth = rows.weight, rows.worth
    steps, error = _grid(move_cost, move_cost, limit)
    error += ROUNDING * limit * steps
    rest = limit * steps - np.floor(limit * steps)
    on_grid = steps > 0.0 and error < rest < 1.0 - error
    end = 0
    start[0] = 0
    for row in range(gain.shape[0]):
        first = end
        stay, nominal = -np.inf, 0
        for k in range(gain.shape[1]):
            if move_cost[row, k] <= NEGLIGIBLE * limit and gain[row, k] > stay:
                stay, nominal = gain[row, k], k
        weight[end], worth[end], column[end] = 0.0, stay, nominal
        end += 1
        for k in range(gain.shape[1]):
            cost = move_cost[row, k]
            if gain[row, k] > stay and cost <= limit and cost < np.inf:
                _sort_in(rows, first, end, np.rint(cost * steps) if on_grid else cost, gain[row, k], k)
                end += 1
        # Left out are entries that are worth no more than a lighter one.
        last, end = end, first + 1
        for entry in range(first + 1, last):
            if worth[entry] > worth[end - 1]:
                weight[end], worth[end], column[end] = weight[entry], worth[entry], column[entry]
                end += 1
        mark_hull(rows, first, end)
        start[row + 1] = end
    return float(np.floor(limit * steps)) if on_grid else limit


@kernel
def break_key(key: FloatArray, size: FloatArray, count: int, capacity: float) -> float:
    """Return the key at which the capacity is used up, the largest keys first; the smallest key if it never is.

    A quickselect with sizes among the first `count` keys, of which there is one at least; reorders both arrays.
    """
    low, high = 0, count
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


@kernel(inline="always")
def _best_multiplier(rows: Rows, limit: float) -> float:
    """Return the slope at which the limit is used up, 0 if it never is."""
    start, weight, slope = rows.start, rows.weight, rows.slope
    key, size = rows.key, rows.size
    high, low = -limit, 0.0
    steps = 0
    for row in range(start.size - 1):
        corner = start[row]
        for entry in range(start[row] + 1, start[row + 1]):
            if slope[entry] > 0.0:
                key[steps] = slope[entry]
                size[steps] = weight[entry] - weight[corner]
                steps += 1
                corner = entry
        high, error = _two_sum(high, weight[corner])
        low += error
    if high + low <= 0.0:
        return 0.0
    # Lowered by all that rounding can add up to: the steps above λ fit for certain, and those at λ are tried exactly
    # later.
    return break_key(key, size, steps, limit * (1.0 - ROUNDING * (steps + 4)))


@kernel
def relax(rows: Rows, limit: float) -> tuple[float, float]:
    """Solve the linear relaxation: write the base, and return λ and the room left, a unit of which is worth up to λ.

    The room is carried in two doubles, so that it is right to the last bit after any number of rows.
    """
    start, base = rows.start, rows.base
    weight, slope = rows.weight, rows.slope
    multiplier = _best_multiplier(rows, limit)
    high, low = limit, 0.0
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
    return multiplier, high + low
