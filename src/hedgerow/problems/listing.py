"""The solutions of small feasible sets: all of a whole one, and the vertices of a continuous one."""

import math
from itertools import combinations
from typing import Final

import numpy as np
import scipy.linalg

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.mip.model import outside
from hedgerow.problem import FeasibleSet
from hedgerow.tolerances import FEASIBILITY

_MOST_WORK: Final = 100_000_000
"""Work after which listing is given up: about a second."""

_MOST_AT_ONCE: Final = 20_000_000
"""Most numbers that are held for the beginnings of solutions."""

_MOST_ENTRIES: Final = 1_000_000
"""Most entries of a matrix that is written out."""

_MOST_BASES: Final = 50_000
"""Most sets of tight sides that are tried: less than a second."""

_SINGULAR: Final = 1e-9
_DIGITS: Final = 9


def whole_solutions(feasible: FeasibleSet, limit: int) -> FloatArray | None:
    """Return every solution (one per row) if there are at most `limit` and they are quickly listed, else None.

    The variables get their values one after the other, the largest first, so that the list has a lexicographic order.
    Beginnings that no values of the variables to come can complete are dropped, row by row of the set.
    """
    if not feasible.integer.all() or not (np.isfinite(feasible.lower).all() and np.isfinite(feasible.upper).all()):
        return None
    low, high = np.ceil(feasible.lower - FEASIBILITY), np.floor(feasible.upper + FEASIBILITY)
    matrix = feasible.matrix.toarray().T if feasible.n_rows * feasible.n_columns <= _MOST_ENTRIES else None
    if matrix is None or (high < low).any():
        return None if matrix is None else np.empty((0, feasible.n_columns))
    least = np.minimum(matrix * low[:, None], matrix * high[:, None])
    most = np.maximum(matrix * low[:, None], matrix * high[:, None])
    # What the variables from a place on can add to each row, at least and at most.
    least_to_come = np.vstack([np.cumsum(least[::-1], axis=0)[::-1], np.zeros(feasible.n_rows)])
    most_to_come = np.vstack([np.cumsum(most[::-1], axis=0)[::-1], np.zeros(feasible.n_rows)])
    found, activity, work = np.empty((1, 0)), np.zeros((1, feasible.n_rows)), 0
    for column in range(feasible.n_columns):
        n_values = int(high[column] - low[column]) + 1
        work += len(found) * n_values * (feasible.n_rows + column + 1)
        if n_values > limit or len(found) * n_values * (feasible.n_rows + feasible.n_columns) > _MOST_AT_ONCE:
            return None
        if work > _MOST_WORK:
            return None
        values = np.tile(high[column] - np.arange(n_values), len(found))
        activity = np.repeat(activity, n_values, axis=0) + values[:, None] * matrix[column]
        too_little = outside(activity + most_to_come[column + 1], feasible.row_lower, np.inf)
        too_much = outside(activity + least_to_come[column + 1], -np.inf, feasible.row_upper)
        possible = ~(too_little | too_much).any(axis=1)
        found = np.column_stack([np.repeat(found, n_values, axis=0), values])[possible]
        activity = activity[possible]
    return found if len(found) <= limit else None


def vertices(feasible: FeasibleSet) -> FloatArray | None:
    """Return the vertices (one per row) of a continuous set; None if it isn't one, or has too many sides.

    At a vertex all equations and as many further sides of rows and bounds as there are degrees of freedom left hold
    with equality. All such sets of sides are tried.
    """
    n = feasible.n_columns
    if feasible.integer.any() or n * (n + feasible.n_rows) > _MOST_ENTRIES:
        return None
    rows = np.vstack([feasible.matrix.toarray(), np.eye(n)])
    lower, upper = np.append(feasible.row_lower, feasible.lower), np.append(feasible.row_upper, feasible.upper)
    equations = _independent(np.flatnonzero(lower == upper), rows)
    sides = [
        (row, side[row])
        for row in np.flatnonzero((lower < upper) & rows.any(axis=1)).tolist()
        for side in (lower, upper)
        if np.isfinite(side[row])
    ]
    free = n - len(equations)
    if math.comb(len(sides), free) * n * n > _MOST_BASES * max(n * n, 100):
        return None
    chosen = np.array(list(combinations(range(len(sides)), free)), dtype=np.int64).reshape(-1, free)
    side_row = np.array([row for row, _ in sides], dtype=np.int64)
    side_value = np.array([value for _, value in sides])
    fixed = np.broadcast_to(equations, (len(chosen), len(equations)))
    tight = rows[np.hstack([fixed, side_row[chosen]])]
    right = np.hstack([lower[fixed], side_value[chosen]])
    length = np.linalg.norm(tight, axis=2)
    regular = np.abs(np.linalg.det(tight / length[:, :, np.newaxis])) > _SINGULAR
    points = np.linalg.solve(tight[regular], right[regular][:, :, np.newaxis])[:, :, 0]
    is_inside = ~outside(points @ rows.T, lower, upper).any(axis=1)
    return np.unique(points[is_inside].round(_DIGITS) + 0.0, axis=0)


def _independent(chosen: IntArray, rows: FloatArray) -> IntArray:
    """Return as many of the chosen rows as are linearly independent, by QR with pivots."""
    if not chosen.size:
        return chosen
    triangle, order = scipy.linalg.qr(rows[chosen].T, mode="r", pivoting=True)
    size = np.abs(np.diag(triangle))
    return chosen[np.sort(order[: np.count_nonzero(size > _SINGULAR * max(size.max(), 1.0))])]
