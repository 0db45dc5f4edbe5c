"""Feasible sets as models for a MIP solver: their cheapest points, bounds on costs, and what a point violates."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.errors import InfeasibleProblemError, SolverError, UnboundedProblemError
from hedgerow.mip import MipModel, MipResult, create_model
from hedgerow.problem import FeasibleSet
from hedgerow.tolerances import FEASIBILITY

if TYPE_CHECKING:
    from hedgerow.problems.base import Problem

_LARGEST_COST: Final = 128.0
_MOST_KNOWN: Final = 10_000
"""Answers that are remembered."""


class Cheapest(NamedTuple):
    """The best point found, without auxiliary columns, and a bound on the cost of every point; +∞ if it is optimal."""

    point: FloatArray
    bound: float


class MipOracle:
    """Minimises any objective over a feasible set.

    Answers that are proven optimal are remembered, since methods ask about the same samples time and again. Where time
    runs out before there is a solution, the one found last has to do. The names of the variables are for errors.
    """

    def __init__(self, feasible: FeasibleSet, names: Sequence[str]) -> None:
        self._feasible, self._names = feasible, names
        self._known: dict[bytes, FloatArray] = {}
        self._last: FloatArray | None = None

    def minimise(self, objective: FloatArray, time_limit: float | None = None) -> Cheapest:
        """Return a solution of least objective; where time runs out, the best one known and what is proven."""
        objective = objective + 0.0  # −0.0 becomes 0.0, which asks the same
        key = objective.tobytes()
        if key not in self._known:
            cheapest = self._cheapest(self._model(), objective, time_limit)
            if cheapest.bound < math.inf:
                return cheapest
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = cheapest.point
        return Cheapest(self._known[key], math.inf)

    def minimise_worst(
        self,
        problem: "Problem",
        samples: FloatArray,
        weights: FloatArray,
        start: FloatArray | None = None,
        time_limit: float | None = None,
    ) -> Cheapest:
        """Return the best solution of a problem whose costs are the worst of several rows.

        Minimise Σ_j w_j u_j with u_j at least every row of sample j; for a problem that maximises, with signs turned.
        """
        model, sign = self._model(), problem.sign
        worst = model.add_variables(len(samples), lower=-np.inf)
        for column, sample in zip(worst, samples, strict=True):
            rows = problem.cost_rows(sample)
            less_cost = np.column_stack([np.ones(len(rows.constants)), -sign * rows.coefficients])
            columns = np.append(column, np.arange(len(self._names)))
            model.add_rows(sp.csr_array(less_cost), columns, sign * rows.constants, np.inf)
        self._last = self._last if start is None else start
        return self._cheapest(model, np.append(np.zeros(self._feasible.n_columns), weights), time_limit)

    def least(self, objective: FloatArray) -> float:
        """Return a number below every solution's objective, from the set without integrality; −∞ if there is none."""
        result, scale = _solved(self._model(relaxed=True), objective)
        if result.status not in ("optimal", "unbounded"):
            raise SolverError(f"the model's relaxation could not be solved ({result.status}). {result.message}".strip())
        least = scale * result.bound
        return least - FEASIBILITY * max(1.0, abs(least))

    def _model(self, *, relaxed: bool = False) -> MipModel:
        """Return the feasible set as a model without costs; a relaxed one asks no column to be whole."""
        feasible, model = self._feasible, create_model()
        columns = model.add_variables(
            feasible.n_columns, lower=feasible.lower, upper=feasible.upper, integer=feasible.integer & (not relaxed)
        )
        model.add_rows(feasible.matrix, columns, feasible.row_lower, feasible.row_upper)
        return model

    def _cheapest(self, model: MipModel, objective: FloatArray, time_limit: float | None) -> Cheapest:
        result, scale = _solved(model, objective, time_limit)
        if result.status == "unbounded":
            raise self.unbounded()
        if result.values is not None:
            self._last = result.values[: len(self._names)]
        elif self._last is None or result.status == "failed":
            fix = "allow more time, or give the model tighter bounds."
            why = fix if result.status == "time_limit" else result.message
            raise SolverError(f"no solution of the model was found ({result.status}); {why}")
        return Cheapest(self._last, math.inf if result.status == "optimal" else scale * result.bound)

    def unbounded(self) -> UnboundedProblemError:
        """Return the error for an objective without a least value, with the variables that lack a bound."""
        is_open = np.isinf(self._feasible.lower) | np.isinf(self._feasible.upper)
        return UnboundedProblemError(
            "the cost can be improved without end; give the model's variables finite bounds, "
            f"such as {list_some([name for name, each in zip(self._names, is_open, strict=False) if each])}."
        )


def _solved(model: MipModel, costs: FloatArray, time_limit: float | None = None) -> tuple[MipResult, float]:
    """Return the result with these costs of the first columns, and the factor of its objective and bound.

    Costs are scaled for the solver's absolute tolerances, by a power of two, which loses no digit.
    """
    largest = float(np.abs(costs).max())
    scale = 2.0 ** math.ceil(math.log2(largest / _LARGEST_COST)) if largest > 0.0 else 1.0
    model.cost[: len(costs)] = costs / scale
    result = model.solve(time_limit=time_limit)
    if result.status == "infeasible":
        raise InfeasibleProblemError(
            "the model has no solution: its rows, bounds and integer variables contradict each other."
        )
    return result, scale


def least_violation(feasible: FeasibleSet, solution: FloatArray) -> FloatArray:
    """Return the solution with values of the auxiliary columns for which the rows are violated least, in sum."""
    n, n_rows = feasible.n_columns, len(feasible.row_lower)
    lower, upper = feasible.lower.copy(), feasible.upper.copy()
    lower[: len(solution)] = upper[: len(solution)] = solution
    model = create_model()
    model.add_variables(n, lower=lower, upper=upper, integer=feasible.integer)
    model.add_variables(2 * n_rows, cost=1.0)
    elastic = sp.csr_array(sp.hstack([feasible.matrix, sp.eye_array(n_rows), -sp.eye_array(n_rows)]))
    model.add_rows(elastic, np.arange(n + 2 * n_rows), feasible.row_lower, feasible.row_upper)
    values = model.solve().values
    if values is None:
        raise SolverError("the solution could not be checked: no values of the auxiliary columns were found.")
    return values[:n]
