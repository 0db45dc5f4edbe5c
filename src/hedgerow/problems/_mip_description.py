"""Linear models as JSON-ready tables and back; sparse, and without infinities, which JSON lacks."""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.arrays import FloatArray
from hedgerow.checks import in_short
from hedgerow.errors import FileFormatError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems import _reading as reading

_SIDES: Final = ("lower", "upper", "row_lower", "row_upper")

FIELDS: Final = ("variables", "rows", "costs", "offset", *_SIDES, "integer", "entries")
"""The fields of a model's description."""

_MOST_NUMBERS: Final = 500_000


def fits_a_file(model: LinearModel) -> bool:
    """Return whether a tree file may hold the description: a few megabytes, with names that can be read again."""
    if model.matrix.nnz * 3 + model.n_columns * 6 + model.n_rows * 3 > _MOST_NUMBERS:
        return False
    try:
        reading.texts({"names": [*model.names, *model.row_names]}, "names")
    except FileFormatError:
        return False
    return True


def described(model: LinearModel) -> dict[str, Any]:
    """Return the model as a table of fields, its sense left out."""
    entries = sp.coo_array(model.matrix)
    row, column = entries.coords
    return {
        "variables": list(model.names),
        "rows": list(model.row_names),
        "costs": model.cost.tolist(),
        "offset": model.offset,
        **{side: _with_nulls(getattr(model, side)) for side in _SIDES},
        "integer": np.flatnonzero(model.integer).tolist(),
        "entries": {"row": row.tolist(), "column": column.tolist(), "value": entries.data.tolist()},
    }


def model_described(data: Mapping[str, Any]) -> LinearModel:
    """Return the model that a table of fields describes, with every field checked."""
    variables, rows = reading.texts(data, "variables"), reading.texts(data, "rows")
    n, m = len(variables), len(rows)
    integer = np.zeros(n, dtype=np.bool_)
    integer[reading.places(data, "integer", n - 1)] = True
    return LinearModel.create(
        variables,
        row_names=rows,
        sense=reading.sense(data),
        cost=reading.numbers(data, "costs", length=n),
        offset=reading.number(data, "offset", 0.0),
        integer=integer,
        matrix=_matrix(data.get("entries"), m, n),
        **{
            side: reading.numbers(data, side, length=length, missing=missing)
            for side, length, missing in zip(_SIDES, (n, n, m, m), (-math.inf, math.inf) * 2, strict=True)
        },
    )


def _matrix(entries: Any, n_rows: int, n_columns: int) -> sp.csr_array:
    if not isinstance(entries, Mapping):
        raise FileFormatError(f"entries must be a table with row, column and value; got {in_short(entries)}.")
    fields = {**entries, "kind": "mixed_integer"}
    row, column = reading.places(fields, "row", n_rows - 1), reading.places(fields, "column", n_columns - 1)
    if len(row) != len(column):
        raise FileFormatError(f"entries must have as many rows as columns; got {len(row)} and {len(column)}.")
    value = reading.numbers(fields, "value", length=len(row))
    return sp.csr_array((value, (row, column)), shape=(n_rows, n_columns))


def _with_nulls(sides: FloatArray) -> list[float | None]:
    return [None if math.isinf(side) else side for side in sides.tolist()]
