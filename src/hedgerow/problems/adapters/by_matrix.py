"""Models of linopy, gurobipy and MathOpt, and the arguments of SciPy's `milp`, as linear models: they have matrices."""

__all__ = ["gurobipy_model", "linopy_model", "mathopt_model", "scipy_model"]

from typing import Any, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.data.checks import in_short, number_array
from hedgerow.errors import InputError, needed
from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems.adapters.common import Finder, only_linear
from hedgerow.problems.linear import numbered


def linopy_model(source: Any) -> tuple[LinearModel, Finder]:
    """Return the model, and what finds the columns of linopy's variables."""
    with needed("this kind of model needs linopy", "linopy"):
        import linopy
    if not isinstance(source, linopy.Model):
        raise InputError(f"model must be a linopy.Model; got {in_short(source)}.")
    if source.is_quadratic:
        raise only_linear("quadratic terms")
    matrices = source.matrices
    kinds = np.asarray(matrices.vtypes)
    if not np.isin(kinds, ("C", "B", "I")).all():
        raise only_linear("semi-continuous variables")
    if any("sos_type" in source.variables[name].attrs for name in source.variables):
        raise only_linear("special ordered sets")
    labels = np.asarray(matrices.vlabels)
    sense, side = np.asarray(matrices.sense), np.asarray(matrices.b, dtype=np.float64)
    model = LinearModel.create(
        _names(source.variables, labels),
        row_names=_names(source.constraints, np.asarray(matrices.clabels)) if side.size else None,
        cost=np.asarray(matrices.c, dtype=np.float64),
        sense=source.objective.sense,
        lower=np.asarray(matrices.lb, dtype=np.float64),
        upper=np.asarray(matrices.ub, dtype=np.float64),
        integer=kinds != "C",
        matrix=matrices.A if side.size else np.empty((0, labels.size)),
        row_lower=np.where(sense == "<", -np.inf, side),
        row_upper=np.where(sense == ">", np.inf, side),
    )
    column_of = {int(label): column for column, label in enumerate(labels)}

    def find(entry: Any) -> list[int] | None:
        if isinstance(entry, str) and entry in source.variables:
            entry = source.variables[entry]
        elif not isinstance(entry, linopy.Variable):
            return None
        # A masked entry has the label −1: it is no variable.
        wanted = [int(label) for label in np.ravel(entry.labels.values) if label >= 0]
        if any(label not in column_of for label in wanted):
            raise InputError(f"items must be variables of this model; {entry.name!r} belongs to another.")
        return [column_of[label] for label in wanted]

    return model, find


def _names(components: Any, labels: Any) -> list[str]:
    """Return a name for each label: that of the component, with its coordinates where it has any."""
    names = []
    for label in labels:
        name, place = components.get_label_position(int(label))
        names.append(f"{name}[{', '.join(str(at) for at in place.values())}]" if place else str(name))
    return names


_NOT_LINEAR_GUROBIPY: Final = {
    "NumQConstrs": "quadratic constraints",
    "NumSOS": "special ordered sets",
    "NumGenConstrs": "general constraints",
    "IsQP": "a quadratic objective",
    "NumPWLObjVars": "piecewise-linear costs",
}


def gurobipy_model(source: Any) -> tuple[LinearModel, Finder]:
    """Return the model, and what finds the columns of gurobipy's variables."""
    with needed("this kind of model needs gurobipy", "gurobi"):
        import gurobipy
    if not isinstance(source, gurobipy.Model):
        raise InputError(f"model must be a gurobipy.Model; got {in_short(source)}.")
    try:
        source.update()
        for attribute, words in _NOT_LINEAR_GUROBIPY.items():
            if source.getAttr(attribute):
                raise only_linear(words)
        if source.NumObj > 1:
            raise only_linear("more than one objective")
        variables, constraints = source.getVars(), source.getConstrs()
        kinds = source.getAttr("VType", variables)
        if set(kinds) - set("CBI"):
            raise only_linear("semi-continuous variables")
        sense = np.array(source.getAttr("Sense", constraints), dtype="U1")
        side = np.array(source.getAttr("RHS", constraints), dtype=np.float64)
        model = LinearModel.create(
            source.getAttr("VarName", variables),
            row_names=source.getAttr("ConstrName", constraints),
            cost=source.getAttr("Obj", variables),
            offset=source.ObjCon,
            sense="max" if source.ModelSense == gurobipy.GRB.MAXIMIZE else "min",
            lower=source.getAttr("LB", variables),
            upper=source.getAttr("UB", variables),
            integer=[kind != "C" for kind in kinds],
            matrix=source.getA(),
            row_lower=np.where(sense == "<", -np.inf, side),
            row_upper=np.where(sense == ">", np.inf, side),
        )
    except gurobipy.GurobiError as error:
        raise InputError(f"gurobipy can't read the model: {error}.") from error

    def find(entry: Any) -> list[int] | None:
        if isinstance(entry, gurobipy.Var):
            return [_column(entry, variables)]
        if isinstance(entry, gurobipy.MVar):
            return [_column(variable, variables) for variable in entry.reshape(-1).tolist()]
        return None

    return model, find


def _column(variable: Any, variables: list[Any]) -> int:
    index = int(variable.index)
    if not 0 <= index < len(variables) or not variables[index].sameAs(variable):
        raise InputError("items must be variables of this model; at least one belongs to another, or was removed.")
    return index


_NOT_LINEAR_MATHOPT: Final = {
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
    for field, words in _NOT_LINEAR_MATHOPT.items():
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
    with needed("this kind of model needs OR-Tools", "ortools"):
        # Not MathOpt itself: its libraries and those of highspy can't be loaded into one process.
        from google.protobuf.message import DecodeError
        from ortools.math_opt import model_pb2
    proto = model_pb2.ModelProto()
    try:
        proto.ParseFromString(source)
    except DecodeError:
        raise InputError("these bytes are no MathOpt model; they must come from SerializeToString.") from None
    return proto


def scipy_model(
    c: Any, constraints: Any, integrality: Any, bounds: Any, names: Any = None, sense: str = "min"
) -> LinearModel:
    """Return the model that `scipy.optimize.milp` would solve with these arguments."""
    cost = number_array(c, "c")
    if cost.ndim != 1 or not cost.size:
        raise InputError(f"c must be a vector with one coefficient per variable; got shape {cost.shape}.")
    n = cost.size
    lower, upper = _bounds(bounds)
    blocks = [_block(constraint, n) for constraint in _listed(constraints)]
    matrix = sp.vstack([block[0] for block in blocks]) if blocks else sp.csr_array((0, n))
    return LinearModel.create(
        numbered(n) if names is None else names,
        cost=cost,
        sense=sense,
        integer=_integer(integrality, n),
        lower=lower,
        upper=upper,
        matrix=matrix,
        row_lower=np.concatenate([np.empty(0), *(block[1] for block in blocks)]),
        row_upper=np.concatenate([np.empty(0), *(block[2] for block in blocks)]),
    )


def _bounds(bounds: Any) -> tuple[Any, Any]:
    if bounds is None:
        return 0.0, np.inf
    if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
        return np.array(bounds.lb), np.array(bounds.ub)  # copies: SciPy keeps broadcast views
    try:
        lower, upper = bounds
    except (TypeError, ValueError):
        raise InputError(f"bounds must be scipy's Bounds or a pair (lower, upper); got {in_short(bounds)}.") from None
    return lower, upper


def _integer(integrality: Any, n: int) -> Any:
    kinds = number_array(0 if integrality is None else integrality, "integrality")
    if kinds.shape not in {(), (n,)} or not np.isin(kinds, (0, 1)).all():
        raise InputError(
            f"integrality must be 0 (continuous) or 1 (integer) for each of the {n} variables; semi-continuous "
            "variables (2 and 3) can't be used."
        )
    return np.broadcast_to(kinds == 1, (n,))


def _listed(constraints: Any) -> list[Any]:
    if constraints is None:
        return []
    if hasattr(constraints, "A") and hasattr(constraints, "lb"):
        return [constraints]
    entries = list(constraints)
    # A triple (A, lb, ub) is one constraint; a list of such triples or objects is several.
    if len(entries) == 3 and not any(hasattr(entry, "lb") for entry in entries) and np.ndim(entries[2]) < 2:
        return [tuple(entries)]
    return entries


def _block(constraint: Any, n: int) -> tuple[sp.csr_array, Any, Any]:
    try:
        matrix, low, high = (
            (constraint.A, constraint.lb, constraint.ub) if hasattr(constraint, "A") else tuple(constraint)
        )
    except (TypeError, ValueError):
        raise InputError(
            f"constraints must be scipy's LinearConstraint or triples (A, lb, ub); got {in_short(constraint)}."
        ) from None
    dense_or_sparse: Any = matrix if sp.issparse(matrix) else np.atleast_2d(number_array(matrix, "A"))
    rows = sp.csr_array(dense_or_sparse)
    if rows.shape[1] != n:
        raise InputError(f"A must have one column for each of the {n} variables; got {rows.shape[1]}.")
    lower, upper = (np.broadcast_to(number_array(side, "lb and ub"), (rows.shape[0],)) for side in (low, high))
    return rows, lower, upper
