"""HiGHS, the solver that comes with Hedgerow."""

__all__ = ["HighsModel"]

import math
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final

import highspy
import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.mip.model import MipModel
from hedgerow.mip.solving import MipStatus, Progress, SolveOptions, SolverOutcome, loosened

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

_KINDS: Final = {False: highspy.HighsVarType.kContinuous, True: highspy.HighsVarType.kInteger}
_Event = highspy.cb.HighsCallbackType
_MIP_EVENTS: Final = (_Event.kCallbackMipInterrupt, _Event.kCallbackMipImprovingSolution, _Event.kCallbackMipLogging)
_LP_EVENTS: Final = (_Event.kCallbackSimplexInterrupt, _Event.kCallbackIpmInterrupt)


class HighsModel(MipModel):
    """A model that HiGHS solves."""

    solver: ClassVar[str] = "highs"

    def _prepare(self, options: SolveOptions, progress: Progress) -> Callable[[], SolverOutcome]:
        highs, is_mip = self._loaded(), self.has_integers
        _set(
            highs,
            time_limit=math.inf if options.time_limit is None else options.time_limit,
            objective_bound=math.inf if options.cutoff is None else loosened(options.cutoff),
            mip_rel_gap=options.gap,
        )
        start, whole = options.warm_start if is_mip else None, np.flatnonzero(self.integer)

        def run() -> SolverOutcome:
            if start is not None:
                left = _begin_with(highs, start, whole, options.time_limit, progress)
                # Asked to stop, or without time, HiGHS would still presolve, for a minute if the model is large.
                if progress.stop_requested:
                    return SolverOutcome("interrupted")
                if left <= 0.0:
                    return SolverOutcome("time_limit")
            _listen(highs, _MIP_EVENTS if is_mip else _LP_EVENTS, progress)
            highs.run()
            return _outcome(highs, is_mip)

        return run

    def _loaded(self) -> Any:
        """Return HiGHS with this model in it."""
        highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        # `output_flag` must stay on: without it no callback reports bounds.
        _set(highs, log_to_console=False, threads=1, mip_abs_gap=0.0, mip_feasibility_tolerance=TOLERANCE)
        _set(highs, presolve_rule_off=_AGGREGATOR)
        model, rows = highspy.HighsLp(), self.matrix()
        model.num_col_, model.num_row_ = self.n_columns, self.n_rows
        model.col_cost_, model.col_lower_, model.col_upper_ = self.cost, self.lower, self.upper
        model.row_lower_, model.row_upper_ = self.row_lower, self.row_upper
        if self.has_integers:
            model.integrality_ = [_KINDS[whole] for whole in self.integer.tolist()]
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_ = rows.indptr.astype(np.int32), rows.indices.astype(np.int32)
        model.a_matrix_.value_ = rows.data
        _accepted(highs.passModel(model), "columns and rows")
        return highs


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
    _set(smaller, log_to_console=False, threads=1, time_limit=math.inf if time_limit is None else time_limit)
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


def _outcome(highs: Any, is_mip: bool) -> SolverOutcome:
    """Return the outcome of a HiGHS run."""
    model_status, info = highs.getModelStatus(), highs.getInfo()
    status = _STATUS.get(model_status, "failed")
    message = "" if status != "failed" else f"HiGHS ended with “{highs.modelStatusToString(model_status)}”."
    values = np.array(highs.getSolution().col_value, dtype=np.float64) if _has_solution(highs) else None
    if is_mip:
        return SolverOutcome(status, values, info.mip_dual_bound, message)
    # The simplex method proves nothing before its end.
    return SolverOutcome(status, values, info.objective_function_value if status == "optimal" else -math.inf, message)


def _has_solution(highs: Any) -> bool:
    feasible = int(highspy.SolutionStatus.kSolutionStatusFeasible)
    return bool(highs.getInfo().primal_solution_status == feasible)


def _set(highs: Any, **options: bool | float) -> None:
    for name, value in options.items():
        _accepted(highs.setOptionValue(name, value), f"option {name}")


def _accepted(status: Any, what: str) -> None:
    if status == highspy.HighsStatus.kError:
        raise RuntimeError(f"it does not accept the {what} of this model.")
