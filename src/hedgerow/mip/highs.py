"""HiGHS, the solver that comes with Hedgerow."""

__all__ = ["HighsModel"]

import math
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final

import highspy
import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.mip.model import MipModel
from hedgerow.mip.solving import MipStatus, Outcome, Progress, SolveOptions, loosened

# HiGHS's own default, 1e-6, lets a big-M row be violated visibly: a binary at 1e-6 times M = 1000 is a cost of 0.001.
# Still tighter is worse: at 1e-8 and 1e-9 its presolve (1.15.1) was seen to cut off the optimum of a model with
# equations over integers, and to call a far worse solution optimal.
TOLERANCE: Final = 1e-7

_AGGREGATOR: Final = 1 << 12
"""A rule of presolve that is switched off: with it, HiGHS 1.15.1 was seen to cut off optima at any tolerance."""

_STATUS: Final[dict[Any, MipStatus]] = {
    highspy.HighsModelStatus.kOptimal: "optimal",
    highspy.HighsModelStatus.kInfeasible: "infeasible",
    highspy.HighsModelStatus.kUnboundedOrInfeasible: "unbounded",
    highspy.HighsModelStatus.kUnbounded: "unbounded",
    highspy.HighsModelStatus.kObjectiveBound: "cutoff",
    highspy.HighsModelStatus.kTimeLimit: "time_limit",
    highspy.HighsModelStatus.kInterrupt: "interrupted",
}

_Event = highspy.cb.HighsCallbackType
_MIP_EVENTS: Final = (_Event.kCallbackMipInterrupt, _Event.kCallbackMipImprovingSolution, _Event.kCallbackMipLogging)
_LP_EVENTS: Final = (_Event.kCallbackSimplexInterrupt, _Event.kCallbackIpmInterrupt)


class HighsModel(MipModel):
    """A model that HiGHS solves."""

    solver: ClassVar[str] = "highs"

    def _open(self) -> None:
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._set("log_to_console", False)  # `output_flag` must stay on: without it no callback reports bounds
        self._set("threads", 1)
        self._set("mip_abs_gap", 0.0)
        self._set("mip_feasibility_tolerance", TOLERANCE)
        self._set("presolve_rule_off", _AGGREGATOR)

    def _append_columns(self, lower: FloatArray, upper: FloatArray, cost: FloatArray, integer: BoolArray) -> None:
        highs, first, none = self._highs, self._highs.getNumCol(), np.empty(0)
        starts = np.zeros(lower.size, dtype=np.int32)
        _accepted(highs.addCols(lower.size, cost, lower, upper, 0, starts, none.astype(np.int32), none), "columns")
        whole = (np.flatnonzero(integer) + first).astype(np.int32)
        if whole.size:
            kinds = np.full(whole.size, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
            _accepted(highs.changeColsIntegrality(whole.size, whole, kinds), "integer columns")

    def _append_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None:
        starts, indices = matrix.indptr[:-1].astype(np.int32), matrix.indices.astype(np.int32)
        status = self._highs.addRows(lower.size, lower, upper, matrix.nnz, starts, indices, matrix.data)
        _accepted(status, "rows")

    def _change_costs(self, columns: IntArray, costs: FloatArray) -> None:
        _accepted(self._highs.changeColsCost(columns.size, columns.astype(np.int32), costs), "costs")

    def _change_bounds(self, columns: IntArray, lower: FloatArray, upper: FloatArray) -> None:
        _accepted(self._highs.changeColsBounds(columns.size, columns.astype(np.int32), lower, upper), "bounds")

    def _prepare(self, options: SolveOptions, progress: Progress) -> Callable[[], Outcome]:
        highs, is_mip = self._highs, self.has_integers
        if is_mip:
            highs.clearSolver()  # else the last solution would be a hidden warm start
        self._set("time_limit", math.inf if options.time_limit is None else options.time_limit)
        self._set("objective_bound", math.inf if options.cutoff is None else loosened(options.cutoff))
        self._set("mip_rel_gap", options.gap)
        start, whole = options.warm_start if is_mip else None, np.flatnonzero(self.integer)

        def run() -> Outcome:
            if start is not None:
                left = _begin_with(highs, start, whole, options.time_limit, progress)
                # Asked to stop, or without time, HiGHS would still presolve, for a minute if the model is large.
                if progress.stop_requested:
                    return Outcome("interrupted")
                if left <= 0.0:
                    return Outcome("time_limit")
            _listen(highs, _MIP_EVENTS if is_mip else _LP_EVENTS, progress)
            highs.run()
            return _outcome(highs, is_mip)

        return run

    def _set(self, name: str, value: bool | float) -> None:
        _accepted(self._highs.setOptionValue(name, value), f"option {name}")


def _begin_with(highs: Any, start: FloatArray, whole: IntArray, time_limit: float | None, progress: Progress) -> float:
    """Set a solution to start from and return the seconds left; missing integers are filled in first.

    HiGHS would do that itself, but report the bounds of the smaller problem as if they were the model's.
    """
    began = time.monotonic()
    if not np.isfinite(start[whole]).all():
        start = _filled_in(highs, start, whole[np.isfinite(start[whole])].astype(np.int32), time_limit, progress)
    left = math.inf if time_limit is None else max(0.0, time_limit - (time.monotonic() - began))
    highs.setOptionValue("time_limit", left)
    known = np.flatnonzero(np.isfinite(start)).astype(np.int32)
    if known.size:
        highs.setSolution(known.size, known, start[known])
    return left


def _filled_in(highs: Any, start: FloatArray, known: Any, time_limit: float | None, progress: Progress) -> FloatArray:
    """Return the best solution with these columns as in the start; all unknown if there is none."""
    smaller: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    limit = math.inf if time_limit is None else time_limit
    for name, value in (("log_to_console", False), ("threads", 1), ("time_limit", limit)):
        smaller.setOptionValue(name, value)
    smaller.passModel(highs.getModel())
    smaller.changeColsBounds(known.size, known, start[known], start[known])
    _listen(smaller, _MIP_EVENTS, progress, only_to_stop=True)
    smaller.run()
    values = np.array(smaller.getSolution().col_value, dtype=np.float64)
    return values if _has_solution(smaller) else np.full_like(start, np.nan)


def _listen(highs: Any, events: tuple[Any, ...], progress: Progress, *, only_to_stop: bool = False) -> None:
    """Have HiGHS report its solutions and bounds, and ask whether to stop, while it runs."""
    improving = int(_Event.kCallbackMipImprovingSolution)

    def on_event(event: Any, _message: str, news: Any, answer: Any, _data: object) -> None:
        if progress.stop_requested:
            answer.user_interrupt = True
        if events is _MIP_EVENTS and not only_to_stop:
            progress.note_bound(news.mip_dual_bound)
            if int(event) == improving:
                progress.note_solution(np.array(news.mip_solution, dtype=np.float64), news.objective_function_value)

    highs.setCallback(on_event, None)
    for event in events:
        highs.startCallback(event)


def _outcome(highs: Any, is_mip: bool) -> Outcome:
    """Return the outcome of a HiGHS run."""
    model_status, info = highs.getModelStatus(), highs.getInfo()
    status = _STATUS.get(model_status, "failed")
    message = "" if status != "failed" else f"HiGHS ended with “{highs.modelStatusToString(model_status)}”."
    values = np.array(highs.getSolution().col_value, dtype=np.float64) if _has_solution(highs) else None
    if is_mip:
        return Outcome(status, values, info.mip_dual_bound, message)
    # The simplex method proves nothing before its end.
    return Outcome(status, values, info.objective_function_value if status == "optimal" else -math.inf, message)


def _has_solution(highs: Any) -> bool:
    feasible = int(highspy.SolutionStatus.kSolutionStatusFeasible)
    return bool(highs.getInfo().primal_solution_status == feasible)


def _accepted(status: Any, what: str) -> None:
    if status == highspy.HighsStatus.kError:
        raise RuntimeError(f"it does not accept the {what} of this model.")
