"""An OR-Tools MathOpt model as a linear model."""

__all__ = ["mathopt_model"]

from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems.adapters.common import Finder, needed, only_linear

_NOT_LINEAR: Final = {
    "quadratic_constraints": "quadratic constraints",
    "second_order_cone_constraints": "cone constraints",
    "sos1_constraints": "special ordered sets",
    "sos2_constraints": "special ordered sets",
    "indicator_constraints": "indicator constraints",
    "auxiliary_objectives": "more than one objective",
}


def mathopt_model(source: Any) -> tuple[LinearModel, Finder]:
    """Return the model, and what finds the columns of MathOpt's variables."""
    proto = _proto(source)
    for field, words in _NOT_LINEAR.items():
        if getattr(proto, field, None):
            raise only_linear(words)
    if proto.objective.quadratic_coefficients.row_ids:
        raise only_linear("a quadratic objective")
    variables, rows, entries = proto.variables, proto.linear_constraints, proto.linear_constraint_matrix
    column_of = {int(number): column for column, number in enumerate(variables.ids)}
    row_of = {int(number): row for row, number in enumerate(rows.ids)}
    cost = np.zeros(len(column_of))
    terms = proto.objective.linear_coefficients
    for number, value in zip(terms.ids, terms.values, strict=True):
        cost[column_of[number]] = value
    places = ([row_of[number] for number in entries.row_ids], [column_of[number] for number in entries.column_ids])
    model = LinearModel.create(
        list(variables.names) or [f"variable {number}" for number in variables.ids],
        row_names=rows.names,
        cost=cost,
        offset=proto.objective.offset,
        sense="max" if proto.objective.maximize else "min",
        lower=np.array(variables.lower_bounds, dtype=np.float64),
        upper=np.array(variables.upper_bounds, dtype=np.float64),
        integer=np.array(variables.integers, dtype=np.bool_),
        matrix=sp.csr_array((np.array(entries.coefficients), places), shape=(len(row_of), len(column_of))),
        row_lower=np.array(rows.lower_bounds, dtype=np.float64),
        row_upper=np.array(rows.upper_bounds, dtype=np.float64),
    )

    def find(entry: Any) -> list[int] | None:
        number = getattr(entry, "id", None)
        if not isinstance(number, int) or not hasattr(entry, "lower_bound"):
            return None
        if number not in column_of or model.names[column_of[number]] != (entry.name or f"variable {number}"):
            raise InputError("items must be variables of this model; at least one belongs to another.")
        return [column_of[number]]

    return model, find


def _proto(source: Any) -> Any:
    """Return the model's proto, from the model itself, from the proto, or from its bytes."""
    if hasattr(source, "export_model"):
        return source.export_model()
    if hasattr(source, "linear_constraint_matrix") and hasattr(source, "objective"):
        return source
    if not isinstance(source, bytes):
        raise InputError(f"model must be a MathOpt Model, its proto or the proto's bytes; got {in_short(source)}.")
    with needed("OR-Tools", "ortools"):
        # Not MathOpt itself: its libraries and those of highspy can't be loaded into one process.
        from google.protobuf.message import DecodeError
        from ortools.math_opt import model_pb2
    proto = model_pb2.ModelProto()
    try:
        proto.ParseFromString(source)
    except DecodeError:
        raise InputError("these bytes are no MathOpt model; they must come from SerializeToString.") from None
    return proto
