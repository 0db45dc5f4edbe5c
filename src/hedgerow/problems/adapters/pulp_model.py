"""A PuLP problem as a linear model."""

__all__ = ["pulp_model"]

from typing import Any

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems.adapters.common import Finder, Rows, needed, only_linear


def pulp_model(problem: Any) -> tuple[LinearModel, Finder]:
    """Return the model, and what finds the columns of PuLP's variables."""
    with needed("PuLP", "pulp"):
        import pulp
    if not isinstance(problem, pulp.LpProblem):
        raise InputError(f"model must be a pulp.LpProblem; got {in_short(problem)}.")
    if problem.objective is None:
        raise InputError("the PuLP problem has no objective; add one, if only a sum of its items.")
    if problem.sos1 or problem.sos2:
        raise only_linear("special ordered sets")
    variables = problem.variables()
    column_of = {variable: column for column, variable in enumerate(variables)}
    rows = Rows()
    # Up to PuLP 3.2 a mapping; from PuLP 4 on a method that returns a list.
    constraints = problem.constraints() if callable(problem.constraints) else problem.constraints.values()
    for constraint in constraints:
        side = -constraint.constant
        rows.add(
            constraint.name,
            ((column_of[variable], value) for variable, value in constraint.items()),
            None if constraint.sense == pulp.LpConstraintLE else side,
            None if constraint.sense == pulp.LpConstraintGE else side,
        )
    model = LinearModel.create(
        [variable.name for variable in variables],
        cost=[float(problem.objective.get(variable, 0.0)) for variable in variables],
        offset=float(problem.objective.constant),
        sense="max" if problem.sense == pulp.LpMaximize else "min",
        lower=[float("-inf") if variable.lowBound is None else variable.lowBound for variable in variables],
        upper=[float("inf") if variable.upBound is None else variable.upBound for variable in variables],
        integer=[variable.cat == pulp.LpInteger for variable in variables],
        **rows.as_arguments(len(variables)),
    )

    def find(entry: Any) -> list[int] | None:
        if not isinstance(entry, pulp.LpVariable):
            return None
        if entry not in column_of:
            raise InputError(f"items must be variables of this problem; {entry.name!r} occurs nowhere in it.")
        return [column_of[entry]]

    return model, find
