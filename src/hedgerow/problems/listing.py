"""All solutions of small feasible sets."""

__all__ = ["whole_solutions"]

from typing import Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.mip.model import outside
from hedgerow.problem import FeasibleSet
from hedgerow.tolerances import FEASIBILITY

_MOST_WORK: Final = 100_000_000
"""Work after which listing is given up: about a second."""

_MOST_AT_ONCE: Final = 20_000_000
"""Most numbers that are held for the beginnings of solutions."""

_MOST_ENTRIES: Final = 1_000_000
"""Most entries of a matrix that is written out."""


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
