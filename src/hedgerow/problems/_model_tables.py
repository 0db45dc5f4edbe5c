"""Linear models as JSON-ready tables and back, sparse and without infinities, which JSON lacks."""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.data.checks import finite_vector, in_short, integer_between
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import LinearModel

_SIDES: Final = ("lower", "upper", "row_lower", "row_upper")

FIELDS: Final = ("variables", "rows", "costs", *_SIDES, "integer", "entries")
"""The fields that a model's description must have."""

_MOST_NUMBERS: Final = 500_000


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
