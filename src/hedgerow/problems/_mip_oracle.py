"""Feasible sets as models for a MIP solver: their cheapest points, bounds on costs, and what a point violates."""

import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.errors import InfeasibleProblemError, SolverError, UnboundedProblemError
from hedgerow.mip import MipModel, MipResult, create_model
from hedgerow.problem import FeasibleSet, Problem, sign_of
from hedgerow.tolerances import FEASIBILITY

_LARGEST_COST: Final = 128.0
_REMEMBERED_BYTES: Final = 1 << 26


class Cheapest(NamedTuple):
    """The best point found, without auxiliary columns, and a bound on the cost of every point; +∞ if it is optimal."""

    point: FloatArray
    bound: float


def model_of(feasible: FeasibleSet, *, relaxed: bool = False) -> MipModel:
    """Return a feasible set as a model without costs; a relaxed one asks no column to be whole."""
    model = create_model()
    columns = model.add_variables(
        feasible.n_columns, lower=feasible.lower, upper=feasible.upper, integer=feasible.integer & (not relaxed)
    )
    if feasible.row_lower.size:
        model.add_rows(feasible.matrix, columns, feasible.row_lower, feasible.row_upper)
    return model


class MipOracle:
    """Minimises any objective over a feasible set.

    Answers that are proven optimal are remembered, since methods ask about the same samples time and again. Solver
    objects live in here and nowhere else, and are not pickled. The names of the variables are for errors.
    """

    def __init__(self, feasible: FeasibleSet, names: Sequence[str]) -> None:
        self._feasible, self._names = feasible, names
        self._lock = threading.Lock()
        self._solvers: dict[bool, MipModel] = {}
        self._remembered: OrderedDict[bytes, FloatArray] = OrderedDict()

    def minimise(
        self, objective: FloatArray, time_limit: float | None = None, start: FloatArray | None = None
    ) -> Cheapest:
        """Return a solution of least objective; where time runs out, the best one known and what is proven."""
        objective = objective + 0.0  # −0.0 becomes 0.0, which asks the same
        key = objective.tobytes()
        with self._lock:
            if key in self._remembered:
                self._remembered.move_to_end(key)
                return Cheapest(self._remembered[key], math.inf)
            result, scale = self._solve(objective, False, time_limit, start)
            if result.status == "unbounded":
                raise self.unbounded(objective)
            values = None if result.values is None else result.values[: len(self._names)]
            if values is not None and result.status == "optimal":
                self._remember(key, values)
                return Cheapest(values, math.inf)
            values = self._best_remembered(objective, start) if values is None else values
        if values is not None:
            return Cheapest(values, scale * result.bound)
        if result.status == "time_limit":
            within = "the time limit" if time_limit is None or math.isinf(time_limit) else f"{time_limit:.3g} s"
            fix = "allow more time, or give the model tighter bounds"
            raise SolverError(f"no solution of the model was found within {within}; {fix}.")
        raise _unsolved("the model", result)

    def range_of(self, objective: FloatArray) -> tuple[float, float]:
        """Return a number below and one above every solution's objective, from the set without integrality."""
        return self._least(objective), -self._least(-objective)

    def _least(self, objective: FloatArray) -> float:
        with self._lock:
            result, scale = self._solve(objective, True)
        if result.status == "unbounded":
            return -math.inf
        if result.status != "optimal":
            raise _unsolved("the model's relaxation", result)
        least = scale * result.bound
        return least - FEASIBILITY * max(1.0, abs(least))

    def _solve(
        self, objective: FloatArray, relaxed: bool, time_limit: float | None = None, start: FloatArray | None = None
    ) -> tuple[MipResult, float]:
        """Return the solver's answer, and what its objective and bound are to be multiplied by."""
        if relaxed not in self._solvers:
            self._solvers[relaxed] = model_of(self._feasible, relaxed=relaxed)
        model = self._solvers[relaxed]
        scale = set_scaled_costs(model, objective)
        result = model.solve(time_limit=time_limit, warm_start=padded(start, model.n_columns))
        if result.status == "infeasible":
            raise InfeasibleProblemError(
                "the model has no solution: its rows, bounds and integer variables contradict each other."
            )
        return result, scale

    def _remember(self, key: bytes, values: FloatArray) -> None:
        self._remembered[key] = values
        while len(self._remembered) * (values.nbytes + len(key)) > _REMEMBERED_BYTES and len(self._remembered) > 1:
            self._remembered.popitem(last=False)

    def _best_remembered(self, objective: FloatArray, start: FloatArray | None) -> FloatArray | None:
        """Return the best of the start and the solutions found for other objectives: better than none at all."""
        known = [*([] if start is None else [start]), *self._remembered.values()]
        return min(known, key=lambda point: float(objective @ point), default=None)

    def unbounded(self, objective: FloatArray) -> UnboundedProblemError:
        """Return the error for an objective without a least value, with the variables that lack a bound."""
        n = len(self._names)
        open_above, open_below = np.isinf(self._feasible.upper[:n]), np.isinf(self._feasible.lower[:n])
        gains = (open_above & (objective < 0.0)) | (open_below & (objective > 0.0))
        open_ended = np.flatnonzero(gains if gains.any() else open_above | open_below)
        return UnboundedProblemError(
            "the cost can be improved without end; give the model's variables finite bounds, "
            f"such as {list_some([self._names[column] for column in open_ended.tolist()])}."
        )


def _unsolved(what: str, result: MipResult) -> SolverError:
    return SolverError(f"{what} could not be solved ({result.status}). {result.message}".strip())


def set_scaled_costs(model: MipModel, costs: FloatArray) -> float:
    """Set the costs of the first columns, scaled for the solver's absolute tolerances, and return the scale.

    Scaling by a power of two loses no digit.
    """
    largest = float(np.abs(costs).max())
    scale = 2.0 ** math.ceil(math.log2(largest / _LARGEST_COST)) if largest > 0.0 else 1.0
    model.set_costs(np.arange(len(costs)), costs / scale)
    return scale


def padded(point: FloatArray | None, n_columns: int) -> FloatArray | None:
    """Return a point with the auxiliary columns unknown."""
    return None if point is None else np.append(point, np.full(n_columns - point.size, np.nan))


def best_for_rows(
    problem: Problem,
    feasible: FeasibleSet,
    samples: FloatArray,
    weights: FloatArray,
    start: FloatArray | None,
    time_limit: float | None,
) -> Cheapest:
    """Return the best solution of a problem whose costs are the worst of several rows.

    Minimise Σ_j w_j u_j with u_j at least every row of sample j; for a problem that maximises, with signs turned.
    """
    model, sign, n_variables = model_of(feasible), sign_of(problem), len(problem.variable_names)
    worst = model.add_variables(len(samples), lower=-np.inf)
    for column, sample in zip(worst, samples, strict=True):
        rows = problem.cost_rows(sample)
        less_cost = np.column_stack([np.ones(len(rows.constants)), -sign * rows.coefficients])
        model.add_rows(
            sp.csr_array(less_cost), np.append(column, np.arange(n_variables)), sign * rows.constants, np.inf
        )
    scale = set_scaled_costs(model, np.append(np.zeros(feasible.n_columns), weights))
    result = model.solve(time_limit=time_limit, warm_start=padded(start, model.n_columns))
    point = start if result.values is None else result.values[:n_variables]
    if point is None or result.status in ("failed", "infeasible", "unbounded"):
        raise _unsolved("the problem's own MIP", result)
    return Cheapest(point, math.inf if result.status == "optimal" else scale * result.bound)


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
    result = model.solve()
    if result.values is None:
        raise _unsolved("the check of a solution", result)
    return result.values[:n]
