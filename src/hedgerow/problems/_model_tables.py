"""Linear models as JSON-ready tables and back, sparse and without infinities, which JSON lacks; and their solutions.

All solutions of a small integer model are enumerated with pruning.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import finite_vector, in_short, integer_between
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.tolerances import FEASIBILITY

_SIDES: Final = ("lower", "upper", "row_lower", "row_upper")

FIELDS: Final = ("variables", "rows", "costs", *_SIDES, "integer", "entries")
"""The fields that a model's description must have."""

_MOST_NUMBERS: Final = 500_000

_MOST_WORK: Final = 100_000_000
"""Work after which listing is given up: about a second."""

_MOST_AT_ONCE: Final = 10_000_000


def fits_a_file(model: LinearModel) -> bool:
    """Return whether a tree file may hold the description: a few megabytes."""
    return bool(model.matrix.nnz * 3 + model.n_columns * 6 + model.n_rows * 3 <= _MOST_NUMBERS)


def described(model: LinearModel) -> dict[str, Any]:
    """Return the model as a table of fields, its sense left out."""
    entries = sp.coo_array(model.matrix)
    row, column = entries.row, entries.col
    return {
        "variables": list(model.names),
        "rows": list(model.row_names),
        "costs": model.cost.tolist(),
        "offset": model.offset,
        **{side: [None if math.isinf(at) else at for at in getattr(model, side).tolist()] for side in _SIDES},
        "integer": np.flatnonzero(model.integer).tolist(),
        "entries": {"row": row.tolist(), "column": column.tolist(), "value": entries.data.tolist()},
    }


def model_described(data: Mapping[str, Any]) -> LinearModel:
    """Return the model that a table of fields describes, with every field checked."""
    n = len(_entries(data, "variables"))
    integer = np.zeros(n, dtype=np.bool_)
    integer[_places(data, "integer", n)] = True
    entries = data["entries"]
    if not isinstance(entries, Mapping) or set(entries) != {"row", "column", "value"}:
        raise InputError(f"entries must be a table with row, column and value; got {in_short(entries)}.")
    row, column = _places(entries, "row", len(_entries(data, "rows"))), _places(entries, "column", n)
    value = finite_vector(_entries(entries, "value"), "value", length=len(row), per="rows of entries")
    if len(column) != len(row):
        raise InputError(f"entries must have as many rows as columns; got {len(row)} and {len(column)}.")
    return LinearModel.create(
        data["variables"],
        row_names=data["rows"],
        sense=data.get("sense", "min"),
        cost=_entries(data, "costs"),
        offset=data.get("offset", 0.0),
        integer=integer,
        matrix=sp.csr_array((value, (row, column)), shape=(len(data["rows"]), n)),
        **{
            side: [missing if number is None else number for number in _entries(data, side)]
            for side, missing in zip(_SIDES, (-math.inf, math.inf) * 2, strict=True)
        },
    )


def _entries(data: Mapping[str, Any], field: str) -> list[Any]:
    if not isinstance(data[field], list):
        raise InputError(f"{field} must be a list; got {in_short(data[field])}.")
    entries: list[Any] = data[field]
    return entries


def _places(data: Mapping[str, Any], field: str, count: int) -> list[int]:
    """Return a field that lists numbers of rows or variables, counted from 0."""
    return [integer_between(place, field, 0, count - 1) for place in _entries(data, field)]


def all_solutions(model: LinearModel, limit: int) -> FloatArray | None:
    """Return every solution (one per row) if there are at most `limit` and they are quickly listed, else None.

    The variables get their values one after the other, in the order of the model. Beginnings that no values of the
    variables to come can complete are dropped, row by row of the model.
    """
    if not model.integer.all() or not (np.isfinite(model.lower).all() and np.isfinite(model.upper).all()):
        return None
    low, high = np.ceil(model.lower - FEASIBILITY), np.floor(model.upper + FEASIBILITY)
    matrix = model.matrix.toarray().T if model.n_rows * model.n_columns <= _MOST_AT_ONCE else None
    if matrix is None or (high < low).any():
        return None if matrix is None else np.empty((0, model.n_columns))
    least = np.minimum(matrix * low[:, None], matrix * high[:, None])
    most = np.maximum(matrix * low[:, None], matrix * high[:, None])
    # What the variables from a place on can add to each row, at least and at most.
    least_to_come = np.vstack([np.cumsum(least[::-1], axis=0)[::-1], np.zeros(model.n_rows)])
    most_to_come = np.vstack([np.cumsum(most[::-1], axis=0)[::-1], np.zeros(model.n_rows)])
    slack_low = FEASIBILITY * np.maximum(1.0, np.abs(np.nan_to_num(model.row_lower, neginf=0.0)))
    slack_high = FEASIBILITY * np.maximum(1.0, np.abs(np.nan_to_num(model.row_upper, posinf=0.0)))
    found, activity, work = np.empty((1, 0)), np.zeros((1, model.n_rows)), 0
    for column in range(model.n_columns):
        n_values = int(high[column] - low[column]) + 1
        work += len(found) * n_values * (model.n_rows + column + 1)
        if n_values > limit or len(found) * n_values * (model.n_rows + model.n_columns) > _MOST_AT_ONCE:
            return None
        if work > _MOST_WORK:
            return None
        values = np.tile(low[column] + np.arange(n_values), len(found))
        activity = np.repeat(activity, n_values, axis=0) + values[:, None] * matrix[column]
        possible = (activity + most_to_come[column + 1] >= model.row_lower - slack_low).all(axis=1)
        possible &= (activity + least_to_come[column + 1] <= model.row_upper + slack_high).all(axis=1)
        found = np.column_stack([np.repeat(found, n_values, axis=0), values])[possible]
        activity = activity[possible]
    return found if len(found) <= limit else None
