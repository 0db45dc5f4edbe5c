"""A linopy model as a linear model."""

__all__ = ["linopy_model"]

from typing import Any

import numpy as np

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems.adapters.common import Finder, needed, only_linear


def linopy_model(source: Any) -> tuple[LinearModel, Finder]:
    """Return the model, and what finds the columns of linopy's variables."""
    with needed("linopy", "linopy"):
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
