"""The best solution of any feasible set by MIP, and the lists of small ones: all solutions, or all vertices."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import list_some
from hedgerow.errors import InfeasibleProblemError, SolverError, UnboundedProblemError
from hedgerow.mip import MipModel, MipResult, create_model
from hedgerow.mip.model import outside
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


# -- listing -----------------------------------------------------------------------------------------------------------


_MOST_WORK: Final = 100_000_000
"""Work after which listing is given up: about a second."""

_MOST_AT_ONCE: Final = 20_000_000
"""Most numbers that are held for the beginnings of solutions."""

_MOST_ENTRIES: Final = 1_000_000
"""Most entries of a matrix that is written out."""

_MOST_BASES: Final = 50_000
"""Most sets of tight sides that are tried: less than a second."""

_SINGULAR: Final = 1e-9
_DIGITS: Final = 9


def whole_solutions(feasible: FeasibleSet, limit: int) -> FloatArray | None:
    """Return every solution (one per row) if there are at most `limit` and they are quickly listed, else None.

    The variables get their values one after the other, the largest first, so that the list has a lexicographic order.
    Beginnings that no values of the variables to come can complete are dropped, row by row of the set.
    """
    if not feasible.integer.all() or not (np.isfinite(feasible.lower).all() and np.isfinite(feasible.upper).all()):
        return None
    low, high = np.ceil(feasible.lower - FEASIBILITY), np.floor(feasible.upper + FEASIBILITY)
    matrix = feasible.matrix.toarray().T if feasible.n_rows * feasible.n_columns <= _MOST_ENTRIES else None
    if matrix is None or (high < low).any():
        return None if matrix is None else np.empty((0, feasible.n_columns))
    least = np.minimum(matrix * low[:, None], matrix * high[:, None])
    most = np.maximum(matrix * low[:, None], matrix * high[:, None])
    # What the variables from a place on can add to each row, at least and at most.
    least_to_come = np.vstack([np.cumsum(least[::-1], axis=0)[::-1], np.zeros(feasible.n_rows)])
    most_to_come = np.vstack([np.cumsum(most[::-1], axis=0)[::-1], np.zeros(feasible.n_rows)])
    found, activity, work = np.empty((1, 0)), np.zeros((1, feasible.n_rows)), 0
    for column in range(feasible.n_columns):
        n_values = int(high[column] - low[column]) + 1
        work += len(found) * n_values * (feasible.n_rows + column + 1)
        if n_values > limit or len(found) * n_values * (feasible.n_rows + feasible.n_columns) > _MOST_AT_ONCE:
            return None
        if work > _MOST_WORK:
            return None
        values = np.tile(high[column] - np.arange(n_values), len(found))
        activity = np.repeat(activity, n_values, axis=0) + values[:, None] * matrix[column]
        too_little = outside(activity + most_to_come[column + 1], feasible.row_lower, np.inf)
        too_much = outside(activity + least_to_come[column + 1], -np.inf, feasible.row_upper)
        possible = ~(too_little | too_much).any(axis=1)
        found = np.column_stack([np.repeat(found, n_values, axis=0), values])[possible]
        activity = activity[possible]
    return found if len(found) <= limit else None


def vertices(feasible: FeasibleSet) -> FloatArray | None:
    """Return the vertices (one per row) of a continuous set; None if it isn't one, or has too many sides.

    At a vertex all equations and as many further sides of rows and bounds as there are degrees of freedom left hold
    with equality. All such sets of sides are tried.
    """
    n = feasible.n_columns
    if feasible.integer.any() or n * (n + feasible.n_rows) > _MOST_ENTRIES:
        return None
    rows = np.vstack([feasible.matrix.toarray(), np.eye(n)])
    lower, upper = np.append(feasible.row_lower, feasible.lower), np.append(feasible.row_upper, feasible.upper)
    equations = _independent(np.flatnonzero(lower == upper), rows)
    sides = [
        (row, side[row])
        for row in np.flatnonzero((lower < upper) & rows.any(axis=1)).tolist()
        for side in (lower, upper)
        if np.isfinite(side[row])
    ]
    free = n - len(equations)
    if math.comb(len(sides), free) * n * n > _MOST_BASES * max(n * n, 100):
        return None
    chosen = np.array(list(combinations(range(len(sides)), free)), dtype=np.int64).reshape(-1, free)
    side_row = np.array([row for row, _ in sides], dtype=np.int64)
    side_value = np.array([value for _, value in sides])
    fixed = np.broadcast_to(equations, (len(chosen), len(equations)))
    tight = rows[np.hstack([fixed, side_row[chosen]])]
    right = np.hstack([lower[fixed], side_value[chosen]])
    length = np.linalg.norm(tight, axis=2)
    regular = np.abs(np.linalg.det(tight / length[:, :, np.newaxis])) > _SINGULAR
    points = np.linalg.solve(tight[regular], right[regular][:, :, np.newaxis])[:, :, 0]
    is_inside = ~outside(points @ rows.T, lower, upper).any(axis=1)
    return np.unique(points[is_inside].round(_DIGITS) + 0.0, axis=0)


def _independent(chosen: IntArray, rows: FloatArray) -> IntArray:
    """Return as many of the chosen rows as are linearly independent, by QR with pivots."""
    if not chosen.size:
        return chosen
    triangle, order = scipy.linalg.qr(rows[chosen].T, mode="r", pivoting=True)
    size = np.abs(np.diag(triangle))
    return chosen[np.sort(order[: np.count_nonzero(size > _SINGULAR * max(size.max(), 1.0))])]
