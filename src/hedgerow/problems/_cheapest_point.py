"""Feasible sets as models for a MIP solver, and their cheapest points, for problems without a faster algorithm."""

import math
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.errors import SolverError
from hedgerow.mip import MipModel, create_model
from hedgerow.problem import FeasibleSet

_LARGEST_COST: Final = 128.0


class Cheapest(NamedTuple):
    """The best point found, and a bound that no point costs less than; +∞ if the point is optimal."""

    point: FloatArray
    bound: float


def model_of(feasible: FeasibleSet, *, relaxed: bool = False) -> MipModel:
    """Return a feasible set as a model without costs; a relaxed one asks no column to be whole.

    A solver's object can't be pickled, and a problem must be: so problems keep the feasible set and make models anew.
    """
    model = create_model()
    columns = model.add_variables(
        feasible.n_columns, lower=feasible.lower, upper=feasible.upper, integer=feasible.integer & (not relaxed)
    )
    if feasible.row_lower.size:
        model.add_rows(feasible.matrix, columns, feasible.row_lower, feasible.row_upper)
    return model


def cheapest_points(
    feasible: FeasibleSet,
    cost_vectors: Iterable[FloatArray],
    start: Callable[[FloatArray], FloatArray],
    time_limit: float | None = None,
) -> list[Cheapest]:
    """Return the cheapest point of a feasible set for each of some costs; `start` finds a point to start from."""
    model = model_of(feasible)
    return [cheapest_point(model, costs, start(costs), time_limit) for costs in cost_vectors]


def cheapest_point(model: MipModel, costs: FloatArray, start: FloatArray, time_limit: float | None) -> Cheapest:
    """Return the cheapest point of the model, whose costs are replaced; the start if time is up before a better one."""
    # Scaling by a power of two suits a solver's absolute tolerances, and loses no digit.
    largest = float(np.abs(costs).max())
    scale = 2.0 ** math.ceil(math.log2(largest / _LARGEST_COST)) if largest > 0.0 else 1.0
    model.set_costs(np.arange(model.n_columns), costs / scale)
    solved = model.solve(time_limit=time_limit, warm_start=start)
    if solved.status in ("failed", "infeasible", "unbounded"):
        raise SolverError(f"the problem's own MIP could not be solved ({solved.status}). {solved.message}".strip())
    point = start if solved.values is None else solved.values
    return Cheapest(point, math.inf if solved.status == "optimal" else scale * solved.bound)
