"""HiGHS, the solver that comes with Hedgerow."""

import math
from typing import Any, ClassVar, Final

import highspy
import numpy as np

from hedgerow.mip.model import MipModel, MipResult, MipStatus, Solve

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
    highspy.HighsModelStatus.kTimeLimit: "time_limit",
    highspy.HighsModelStatus.kInterrupt: "interrupted",
}

_KINDS: Final = {False: highspy.HighsVarType.kContinuous, True: highspy.HighsVarType.kInteger}
_Event = highspy.cb.HighsCallbackType
_EVENTS: Final = (_Event.kCallbackMipInterrupt, _Event.kCallbackSimplexInterrupt, _Event.kCallbackIpmInterrupt)


class HighsModel(MipModel):
    """A model that HiGHS solves."""

    solver: ClassVar[str] = "highs"

    def _run(self, task: Solve) -> MipResult:
        highs = self._loaded()
        _set(highs, mip_rel_gap=task.gap)

        def on_event(_event: Any, _message: str, _news: Any, answer: Any, _data: object) -> None:
            answer.user_interrupt = task.stopped

        highs.setCallback(on_event, None)
        for event in _EVENTS:
            highs.startCallback(event)
        _set(highs, time_limit=task.seconds)
        highs.run()
        return self._result(highs)

    def _loaded(self) -> Any:
        """Return HiGHS with this model in it."""
        highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        _set(highs, log_to_console=False, threads=1, mip_abs_gap=0.0, mip_feasibility_tolerance=TOLERANCE)
        _set(highs, presolve_rule_off=_AGGREGATOR)
        model = highspy.HighsLp()
        rows, row_lower, row_upper = self.rows()
        model.num_col_, model.num_row_ = self.n_columns, self.n_rows
        model.col_cost_, model.col_lower_, model.col_upper_ = self.cost, self.lower, self.upper
        model.row_lower_, model.row_upper_ = row_lower, row_upper
        if self.has_integers:
            model.integrality_ = [_KINDS[whole] for whole in self.integer.tolist()]
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_ = rows.indptr.astype(np.int32), rows.indices.astype(np.int32)
        model.a_matrix_.value_ = rows.data
        _accepted(highs.passModel(model), "columns and rows")
        return highs

    def _result(self, highs: Any) -> MipResult:
        model_status, info = highs.getModelStatus(), highs.getInfo()
        status = _STATUS.get(model_status, "failed")
        message = "" if status != "failed" else f"HiGHS ended with “{highs.modelStatusToString(model_status)}”."
        has_solution = info.primal_solution_status == int(highspy.SolutionStatus.kSolutionStatusFeasible)
        values = np.array(highs.getSolution().col_value, dtype=np.float64) if has_solution else None
        if self.has_integers:
            bound = info.mip_dual_bound
        else:  # the simplex method proves nothing before its end
            bound = info.objective_function_value if status == "optimal" else -math.inf
        return MipResult(status, values, bound=bound, message=message)


def _set(highs: Any, **options: bool | float) -> None:
    for name, value in options.items():
        _accepted(highs.setOptionValue(name, value), f"option {name}")


def _accepted(status: Any, what: str) -> None:
    if status == highspy.HighsStatus.kError:
        raise RuntimeError(f"it does not accept the {what} of this model.")
