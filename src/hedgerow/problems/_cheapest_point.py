"""The cheapest point of a feasible set by MIP, for problems without a faster algorithm."""

__all__ = ["Cheapest", "cheapest_point"]

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.errors import SolverError
from hedgerow.mip import MipModel

_LARGEST_COST: Final = 128.0


@dataclass(frozen=True)
class Cheapest:
    """The best point found and what is proven about it.

    Attributes
    ----------
    point
        One value per column of the model.
    bound
        No point costs less; +∞ if the point is optimal.
    """

    point: FloatArray
    bound: float


def cheapest_point(model: MipModel, costs: FloatArray, start: FloatArray, time_limit: float | None) -> Cheapest:
    """Return the cheapest point of the model.

    Parameters
    ----------
    model
        The feasible set; its costs are replaced.
    costs
        Per column its cost.
    start
        A point to start from; it is returned if time is up before a better one is found.
    time_limit
        Seconds; None for no limit.
    """
    # Scaling by a power of two suits a solver's absolute tolerances, and loses no digit.
    largest = float(np.abs(costs).max())
    scale = 2.0 ** math.ceil(math.log2(largest / _LARGEST_COST)) if largest > 0.0 else 1.0
    model.set_costs(np.arange(model.n_columns), costs / scale)
    solved = model.solve(time_limit=time_limit, warm_start=start)
    if solved.status in ("failed", "infeasible", "unbounded"):
        raise SolverError(f"the problem's own MIP could not be solved ({solved.status}). {solved.message}".strip())
    point = start if solved.values is None else solved.values
    return Cheapest(point, math.inf if solved.status == "optimal" else scale * solved.bound)
