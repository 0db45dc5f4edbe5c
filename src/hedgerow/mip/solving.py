"""One solve: its options, its state while it runs, its result, and the checks that a solver's answer has to pass."""

__all__ = [
    "MipResult",
    "MipStatus",
    "Progress",
    "SolveOptions",
    "SolverOutcome",
    "feasible_values",
    "loosened",
    "outside",
    "settle",
]

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, frozen
from hedgerow.data.checks import number_at_least
from hedgerow.errors import InputError
from hedgerow.mip.store import ModelArrays
from hedgerow.tolerances import ROUNDED_FEASIBILITY

_MOMENT: Final = 0.05

MipStatus: TypeAlias = Literal["optimal", "time_limit", "cutoff", "infeasible", "unbounded", "interrupted", "failed"]
"""How a solve ended."""

# How far above the cutoff a solver may prune at the earliest, relative to the cutoff's size.
_CUTOFF_MARGIN: Final = 1e-6


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The options of one solve; NaN in the warm start leaves that value to the solver."""

    time_limit: float | None
    cutoff: float | None
    warm_start: FloatArray | None
    gap: float

    @classmethod
    def checked(
        cls,
        n_columns: int,
        time_limit: float | None,
        cutoff: float | None,
        warm_start: FloatArray | None,
        gap: float,
    ) -> "SolveOptions":
        """Return the options, checked for a model with this many columns; infinite limits become None."""
        for name, value in (("time_limit", time_limit), ("cutoff", cutoff)):
            if value is not None and math.isnan(value):
                raise InputError(f"{name} must be a number or None; got nan.")
        if warm_start is not None:
            warm_start = np.array(warm_start, dtype=np.float64)
            if warm_start.shape != (n_columns,):
                raise InputError(
                    f"warm_start must hold one value for each of the {n_columns} variables (NaN where unknown); "
                    f"got shape {warm_start.shape}."
                )
        return cls(
            time_limit=None if time_limit == math.inf else time_limit,
            cutoff=None if cutoff == math.inf else cutoff,
            warm_start=warm_start,
            gap=number_at_least(gap, "gap"),
        )

    def again(self, started: float, **changes: Any) -> "SolveOptions":
        """Return the options of a second run, in the time that is left, but at least a moment."""
        rest = None if self.time_limit is None else max(_MOMENT, self.time_limit - (time.monotonic() - started))
        return replace(self, time_limit=rest, **changes)


class Progress:
    """The best solution and dual bound seen so far, and whether the solver has been asked to stop.

    Each solve has its own, so that an abandoned solver can't change what a later solve finds.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: FloatArray | None = None
        self._objective = math.inf
        self._bound = -math.inf
        self._stop_solver: Callable[[], object] | None = None
        self.stop_requested = False

    def note_solution(self, values: FloatArray, objective: float) -> None:
        """Keep a solution if it is the best so far."""
        with self._lock:
            if objective < self._objective:
                self._values, self._objective = values, objective

    def note_bound(self, bound: float) -> None:
        """Keep a dual bound if it is the best so far."""
        if bound > self._bound:  # without the lock: most calls bring nothing new
            with self._lock:
                self._bound = max(self._bound, bound)

    def best(self) -> tuple[FloatArray | None, float]:
        """Return the best solution and the best dual bound so far."""
        with self._lock:
            return self._values, self._bound

    def on_stop(self, stop_solver: Callable[[], object]) -> None:
        """Set the function that stops the solver, for solvers that don't check `stop_requested` in a callback."""
        self._stop_solver = stop_solver

    def request_stop(self) -> None:
        """Ask the solver to stop; asking again is harmless, and reaches one that has just started."""
        self.stop_requested = True
        if self._stop_solver is not None:
            self._stop_solver()


@dataclass(frozen=True, slots=True)
class SolverOutcome:
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


def settle(outcome: SolverOutcome, arrays: ModelArrays, cutoff: float | None) -> MipResult:
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
    if outside(rounded, arrays.lower, arrays.upper).any():
        return None
    rounded = np.where(arrays.integer, rounded, np.clip(rounded, arrays.lower, arrays.upper)) + 0.0  # no −0.0
    if arrays.n_rows and outside(arrays.matrix() @ rounded, arrays.row_lower, arrays.row_upper).any():
        return None
    return rounded


def outside(values: FloatArray, lower: FloatArray, upper: FloatArray) -> BoolArray:
    """Return which values lie outside their sides by more than a solver may be off, relative to those of large size."""
    below = lower - values > ROUNDED_FEASIBILITY * np.maximum(1.0, np.abs(lower))
    above = values - upper > ROUNDED_FEASIBILITY * np.maximum(1.0, np.abs(upper))
    # An infinite side makes its tolerance infinite too, and the comparison ∞ > ∞ false, as it should be.
    return below | above


def _bound(outcome: SolverOutcome, objective: float) -> float:
    if outcome.status == "infeasible":
        return math.inf
    if outcome.status in {"unbounded", "failed"} or math.isnan(outcome.bound):
        return -math.inf
    if outcome.bound == math.inf:  # no solver that stopped early has proven that there is no solution
        return -math.inf
    return float(min(outcome.bound, objective))
