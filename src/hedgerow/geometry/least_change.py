"""The least change of readings that brings several linear functions into their intervals: a small compiled LP.

    min Σ_i w_i |x_i|   subject to   least_n ≤ Σ_i a_ni x_i ≤ most_n  for every row n,   |x_i| ≤ u_i

This is solved by the dual simplex method on a dense tableau with as many rows as there are questions on a path. The
columns are the increases of the items, their decreases, and the rows' activities. The first basis consists of the
activities; it is dual feasible since prices are positive.
"""

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray
from hedgerow.tolerances import PIVOT, PIVOT_FEASIBILITY, PRICE_PERTURBATION

_MOST_PIVOTS = 400


@kernel
def least_change(
    matrix: FloatArray, price: FloatArray, limit: FloatArray, least: FloatArray, most: FloatArray, change: FloatArray
) -> float:
    """Return the price of the cheapest change x and write it into `change`; ∞ where no change will do.

    `matrix` holds a (columns beyond the prices are not used), `price` and `limit` are w > 0 and u ≥ 0, perhaps ∞;
    `least <= most` may be infinite.
    """
    used = price.copy()
    feasible = _simplex(matrix, used, limit, least, most, change)
    if feasible < 0:
        # Ties made it cycle; prices that differ by next to nothing have none.
        for item in range(price.size):
            used[item] *= 1.0 + PRICE_PERTURBATION * (1 + item)
        feasible = _simplex(matrix, used, limit, least, most, change)
    if feasible != 1:
        return np.inf
    total = 0.0
    for item in range(price.size):
        total += price[item] * abs(change[item])
    return total


@kernel
def _simplex(
    matrix: FloatArray, price: FloatArray, limit: FloatArray, least: FloatArray, most: FloatArray, change: FloatArray
) -> int:
    """Write the cheapest change; return 1 if there is one, 0 if none is feasible, −1 after too many pivots."""
    n_rows, n_items = matrix.shape[0], price.size
    n_columns = 2 * n_items + n_rows
    tableau = np.zeros((n_rows, n_columns))
    lower, upper = np.zeros(n_columns), np.empty(n_columns)
    reduced, value = np.zeros(n_columns), np.zeros(n_columns)
    basic, is_basic = np.empty(n_rows, np.int64), np.zeros(n_columns, np.bool_)
    tolerance = 0.0
    upper[:n_items] = upper[n_items : 2 * n_items] = limit
    reduced[:n_items] = reduced[n_items : 2 * n_items] = price
    for row in range(n_rows):
        tableau[row, :n_items], tableau[row, n_items : 2 * n_items] = -matrix[row, :n_items], matrix[row, :n_items]
        activity = 2 * n_items + row
        tableau[row, activity] = 1.0
        lower[activity], upper[activity] = least[row], most[row]
        basic[row] = activity
        is_basic[activity] = True
        for end in (least[row], most[row]):
            if abs(end) < np.inf:
                tolerance = max(tolerance, PIVOT_FEASIBILITY * abs(end))
    for _ in range(_MOST_PIVOTS):
        # The basic variables' values, and the row of the one that is farthest outside its bounds.
        worst, leaving, rises = tolerance, -1, False
        for row in range(n_rows):
            total = 0.0
            for column in range(n_columns):
                if not is_basic[column] and value[column] != 0.0:
                    total -= tableau[row, column] * value[column]
            here = basic[row]
            value[here] = total
            if lower[here] - total > worst:
                worst, leaving, rises = lower[here] - total, row, True
            if total - upper[here] > worst:
                worst, leaving, rises = total - upper[here], row, False
        if leaving < 0:
            for item in range(n_items):
                change[item] = value[item] - value[n_items + item]
            return 1
        entering, ratio = -1, np.inf
        for column in range(n_columns):
            if is_basic[column] or lower[column] == upper[column]:
                continue
            slope = tableau[leaving, column] if rises else -tableau[leaving, column]
            at_lower = value[column] == lower[column]
            if (slope < -PIVOT) if at_lower else (slope > PIVOT):
                found = abs(reduced[column] / slope)
                if found < ratio or (found == ratio and abs(slope) > abs(tableau[leaving, entering])):
                    entering, ratio = column, found
        if entering < 0:
            return 0
        out = basic[leaving]
        value[out] = lower[out] if rises else upper[out]
        is_basic[out], is_basic[entering] = False, True
        basic[leaving] = entering
        tableau[leaving] /= tableau[leaving, entering]
        for row in range(n_rows):
            factor = tableau[row, entering]
            if row != leaving and factor != 0.0:
                tableau[row] -= factor * tableau[leaving]
                tableau[row, entering] = 0.0
        reduced -= reduced[entering] * tableau[leaving]
        reduced[entering] = 0.0
    return -1
