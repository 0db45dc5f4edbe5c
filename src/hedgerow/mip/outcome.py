"""The result of a solve, and the checks that a solver's answer has to pass."""

__all__ = ["MipResult", "MipStatus", "Outcome", "feasible_values", "loosened", "settle"]

import math
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from hedgerow.arrays import FloatArray, frozen
from hedgerow.mip.store import ModelArrays
from hedgerow.tolerances import ROUNDED_FEASIBILITY

MipStatus: TypeAlias = Literal["optimal", "time_limit", "cutoff", "infeasible", "unbounded", "interrupted", "failed"]
"""How a solve ended."""

# How far above the cutoff a solver may prune at the earliest, relative to the cutoff's size.
_CUTOFF_MARGIN: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Outcome:
    """A solver's own account of a run, before it is checked. "unbounded" may yet turn out to be infeasible."""

    status: MipStatus
    values: FloatArray | None = None
    bound: float = -math.inf
    message: str = ""


@dataclass(frozen=True, slots=True)
class MipResult:
    """The checked result of a solve."""

    # "optimal" (within the gap asked for), "time_limit", "cutoff" (no solution is below the cutoff), "infeasible",
    # "unbounded", "interrupted" or "failed" (the solver gave up, or its answer did not pass the check).
    status: MipStatus
    # The best solution found, one value per column, integer columns exactly whole; None if there is none.
    values: FloatArray | None
    objective: float  # its cost, +∞ without a solution
    # No solution costs less than this: a valid lower bound for any status, −∞ if nothing is known. With a cutoff it
    # never exceeds it; +∞ means that there is no solution.
    bound: float
    message: str = ""  # further information, mostly about failures; often empty


def loosened(cutoff: float) -> float:
    """Return the cutoff for a solver: a little higher, so that its tolerances lose no solution just below."""
    return cutoff + _CUTOFF_MARGIN * max(1.0, abs(cutoff))


def settle(outcome: Outcome, arrays: ModelArrays, cutoff: float | None) -> MipResult:
    """Return the result for a solver's outcome, with its values checked.

    Solvers treat a cutoff differently: some report "infeasible", some keep a solution above it. Here solutions at or
    above the cutoff are dropped, and the bound never exceeds it.
    """
    status, message = outcome.status, outcome.message
    values, objective = None, math.inf
    if outcome.values is not None and status != "unbounded":
        values = feasible_values(outcome.values, arrays)
        if values is None:
            message = f"{message} The solver's solution violates the model; it was dropped.".strip()
            status = "failed" if status == "optimal" else status
        else:
            objective = float(arrays.cost @ values)
    bound = _bound(outcome, objective)

    if cutoff is not None:
        bound = min(bound, cutoff)
        if objective >= cutoff:
            values, objective = None, math.inf
            if status in {"optimal", "infeasible", "cutoff"}:
                status, bound = "cutoff", cutoff
    return MipResult(status, None if values is None else frozen(values), objective, bound, message)


def feasible_values(values: FloatArray, arrays: ModelArrays) -> FloatArray | None:
    """Return the values with integer columns rounded, or None if they violate the model."""
    if not np.isfinite(values).all():
        return None
    rounded = np.where(arrays.integer, np.rint(values), values)
    if np.any(np.abs(rounded - values) > ROUNDED_FEASIBILITY):
        return None
    if not _within(rounded, arrays.lower, arrays.upper):
        return None
    rounded = np.where(arrays.integer, rounded, np.clip(rounded, arrays.lower, arrays.upper)) + 0.0  # no −0.0
    if arrays.n_rows and not _within(arrays.matrix() @ rounded, arrays.row_lower, arrays.row_upper):
        return None
    return rounded


def _within(values: FloatArray, lower: FloatArray, upper: FloatArray) -> bool:
    """Whether the values lie between their sides, up to a tolerance relative to those of large size."""
    below = lower - values > ROUNDED_FEASIBILITY * np.maximum(1.0, np.abs(lower))
    above = values - upper > ROUNDED_FEASIBILITY * np.maximum(1.0, np.abs(upper))
    # An infinite side makes its tolerance infinite too, and the comparison ∞ > ∞ false, as it should be.
    return not bool(below.any() or above.any())


def _bound(outcome: Outcome, objective: float) -> float:
    if outcome.status == "infeasible":
        return math.inf
    if outcome.status in {"unbounded", "failed"} or math.isnan(outcome.bound):
        return -math.inf
    if outcome.bound == math.inf:  # no solver that stopped early has proven that there is no solution
        return -math.inf
    return float(min(outcome.bound, objective))
