"""Models of Pyomo and PuLP as linear models, row by row."""

__all__ = ["pulp_model", "pyomo_model"]

import math
from typing import Any, Final, TypeAlias

import numpy as np
import scipy.sparse as sp

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError, needed
from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems.adapters.common import Finder, only_linear

_NOT_LINEAR: Final = {
    "SOSConstraint": "special ordered sets",
    "Disjunction": "disjunctions",
    "LogicalConstraint": "logical constraints",
    "Complementarity": "complementarity conditions",
}


_Row: TypeAlias = tuple[str, dict[int, float], float | None, float | None]
"""A constraint: name, coefficients by column, lower and upper side; None is a side that isn't there."""


def _as_arguments(rows: list[_Row], n_columns: int) -> dict[str, Any]:
    """Return constraints as arguments of `LinearModel.create`."""
    entries = [
        (row, column, float(value)) for row, (_, terms, _, _) in enumerate(rows) for column, value in terms.items()
    ]
    row, column, value = np.array(entries).reshape(-1, 3).T
    places = row.astype(int), column.astype(int)
    return {
        "matrix": sp.csr_array((value, places), shape=(len(rows), n_columns)),
        "row_lower": [-math.inf if lower is None else float(lower) for _, _, lower, _ in rows],
        "row_upper": [math.inf if upper is None else float(upper) for _, _, _, upper in rows],
        "row_names": [name for name, _, _, _ in rows],
    }


def pyomo_model(source: Any) -> tuple[LinearModel, Finder]:
    """Return the model, and what finds the columns of Pyomo's variables and components."""
    with needed("this kind of model needs Pyomo", "pyomo"):
        from pyomo.environ import Constraint, Objective, Var, maximize
    _refuse_unusable(source)
    goals = list(source.component_data_objects(Objective, active=True))
    if len(goals) != 1:
        raise InputError(f"a Pyomo model must have exactly one active objective; this one has {len(goals)}.")
    columns = _Columns(source.component_data_objects(Var, active=True, descend_into=True))
    cost, offset = columns.linear(goals[0].expr, goals[0].name)
    rows: list[_Row] = []
    for constraint in source.component_data_objects(Constraint, active=True, descend_into=True):
        terms, constant = columns.linear(constraint.body, constraint.name)
        sides = (None if side is None else side - constant for side in (constraint.lb, constraint.ub))
        rows.append((constraint.name, terms, *sides))
    variables = columns.variables
    model = LinearModel.create(
        [variable.name for variable in variables],
        cost=[cost.get(column, 0.0) for column in range(len(variables))],
        offset=offset,
        sense="max" if goals[0].sense == maximize else "min",
        lower=[_bound(variable, variable.lb, -math.inf) for variable in variables],
        upper=[_bound(variable, variable.ub, math.inf) for variable in variables],
        integer=[not variable.is_continuous() for variable in variables],
        **_as_arguments(rows, len(variables)),
    )

    def find(entry: Any) -> list[int] | None:
        if isinstance(entry, str):
            component = source.find_component(entry)
            return None if component is None or component.ctype is not Var else columns.of(component)
        return columns.of(entry) if getattr(entry, "ctype", None) is Var else None

    return model, find


class _Columns:
    """The variables of a model in the order of their columns."""

    def __init__(self, variables: Any) -> None:
        self.variables: list[Any] = []
        self._column: dict[int, int] = {}
        for variable in variables:
            self._place(variable)

    def _place(self, variable: Any) -> int:
        if id(variable) not in self._column:
            self._column[id(variable)] = len(self.variables)
            self.variables.append(variable)
        return self._column[id(variable)]

    def linear(self, expression: Any, name: str) -> tuple[dict[int, float], float]:
        """Return an expression's coefficients by column, and its constant; fixed variables are part of the latter."""
        from pyomo.repn import generate_standard_repn

        if expression is None:
            raise InputError(f"the Pyomo component {name!r} has no expression.")
        linear = generate_standard_repn(expression, compute_values=True)
        if not linear.is_linear():
            raise only_linear(f"other than linear terms in {name!r}")
        terms: dict[int, float] = {}
        for value, variable in zip(linear.linear_coefs, linear.linear_vars, strict=True):
            column = self._place(variable)
            terms[column] = terms.get(column, 0.0) + float(value)
        return terms, float(linear.constant or 0.0)

    def of(self, component: Any) -> list[int]:
        """Return the columns of a variable, or of all entries of an indexed one."""
        entries = list(component.values()) if component.is_indexed() else [component]
        for entry in entries:
            if id(entry) not in self._column:
                raise InputError(f"items must be variables of this model; {entry.name!r} belongs to another.")
            if entry.fixed:
                raise InputError(f"an item must be free to vary; {entry.name!r} is fixed at {entry.value}. Unfix it.")
        return [self._column[id(entry)] for entry in entries]


def _refuse_unusable(source: Any) -> None:
    if not hasattr(source, "component_data_objects"):
        raise InputError(f"model must be a Pyomo model; got {in_short(source)}.")
    if not source.is_constructed():
        raise InputError("the Pyomo model is abstract; make a concrete one of it with create_instance first.")
    for component in source.component_objects(active=True, descend_into=True):
        words = _NOT_LINEAR.get(getattr(component.ctype, "__name__", ""))
        if words is not None:
            raise only_linear(words)


def _bound(variable: Any, bound: Any, missing: float) -> float:
    if variable.fixed:
        return float(variable.value)
    return missing if bound is None else float(bound)


def pulp_model(problem: Any) -> tuple[LinearModel, Finder]:
    """Return the model, and what finds the columns of PuLP's variables."""
    with needed("this kind of model needs PuLP", "pulp"):
        import pulp
    if not isinstance(problem, pulp.LpProblem):
        raise InputError(f"model must be a pulp.LpProblem; got {in_short(problem)}.")
    if problem.objective is None:
        raise InputError("the PuLP problem has no objective; add one, if only a sum of its items.")
    if problem.sos1 or problem.sos2:
        raise only_linear("special ordered sets")
    variables = problem.variables()
    column_of = {variable: column for column, variable in enumerate(variables)}
    rows: list[_Row] = []
    # Up to PuLP 3.2 a mapping; from PuLP 4 on a method that returns a list.
    constraints = problem.constraints() if callable(problem.constraints) else problem.constraints.values()
    for constraint in constraints:
        side = -constraint.constant
        terms = {column_of[variable]: value for variable, value in constraint.items()}
        lower = None if constraint.sense == pulp.LpConstraintLE else side
        upper = None if constraint.sense == pulp.LpConstraintGE else side
        rows.append((constraint.name, terms, lower, upper))
    model = LinearModel.create(
        [variable.name for variable in variables],
        cost=[float(problem.objective.get(variable, 0.0)) for variable in variables],
        offset=float(problem.objective.constant),
        sense="max" if problem.sense == pulp.LpMaximize else "min",
        lower=[float("-inf") if variable.lowBound is None else variable.lowBound for variable in variables],
        upper=[float("inf") if variable.upBound is None else variable.upBound for variable in variables],
        integer=[variable.cat == pulp.LpInteger for variable in variables],
        **_as_arguments(rows, len(variables)),
    )

    def find(entry: Any) -> list[int] | None:
        if not isinstance(entry, pulp.LpVariable):
            return None
        if entry not in column_of:
            raise InputError(f"items must be variables of this problem; {entry.name!r} occurs nowhere in it.")
        return [column_of[entry]]

    return model, find
