"""A gurobipy model as a linear model."""

__all__ = ["gurobipy_model"]

from typing import Any, Final

import numpy as np

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems.adapters.common import Finder, needed, only_linear

_NOT_LINEAR: Final = {
    "NumQConstrs": "quadratic constraints",
    "NumSOS": "special ordered sets",
    "NumGenConstrs": "general constraints",
    "IsQP": "a quadratic objective",
    "NumPWLObjVars": "piecewise-linear costs",
}


def gurobipy_model(source: Any) -> tuple[LinearModel, Finder]:
    """Return the model, and what finds the columns of gurobipy's variables."""
    with needed("gurobipy", "gurobi"):
        import gurobipy
    if not isinstance(source, gurobipy.Model):
        raise InputError(f"model must be a gurobipy.Model; got {in_short(source)}.")
    try:
        source.update()
        _refuse_more_than_linear(source)
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


def _refuse_more_than_linear(source: Any) -> None:
    for attribute, words in _NOT_LINEAR.items():
        if source.getAttr(attribute):
            raise only_linear(words)
    if source.NumObj > 1:
        raise only_linear("more than one objective")


def _column(variable: Any, variables: list[Any]) -> int:
    index = int(variable.index)
    if not 0 <= index < len(variables) or not variables[index].sameAs(variable):
        raise InputError("items must be variables of this model; at least one belongs to another, or was removed.")
    return index
