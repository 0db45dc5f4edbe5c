"""Gurobi, for those who have a licence; the one in its package allows 2000 rows and columns."""

__all__ = ["GurobiModel"]

import math
import threading
from collections.abc import Callable
from typing import Any, ClassVar, Final

import gurobipy
import numpy as np
from gurobipy import GRB

from hedgerow.errors import SolverError
from hedgerow.mip.model import MipModel
from hedgerow.mip.solving import MipStatus, Progress, SolveOptions, SolverOutcome, loosened

TOLERANCE: Final = 1e-9

# Gurobi swaps the process's handler of Ctrl-C around each solve. Solves that overlap would leave its own behind.
_ONE_AT_A_TIME: Final = threading.Lock()

_STATUS: Final[dict[int, MipStatus]] = {
    GRB.OPTIMAL: "optimal",
    GRB.INFEASIBLE: "infeasible",
    GRB.INF_OR_UNBD: "unbounded",
    GRB.UNBOUNDED: "unbounded",
    GRB.CUTOFF: "cutoff",
    GRB.TIME_LIMIT: "time_limit",
    GRB.INTERRUPTED: "interrupted",
}


class GurobiModel(MipModel):
    """A model that Gurobi solves."""

    solver: ClassVar[str] = "gurobi"

    def __init__(self) -> None:
        super().__init__()
        # One environment per model: Gurobi's must not be shared between threads. Made here, so that a missing
        # licence shows before the model is filled.
        self._environment = _quiet_environment()

    def _prepare(self, options: SolveOptions, progress: Progress) -> Callable[[], SolverOutcome]:
        (model, variables), is_mip = self._loaded(), self.has_integers
        model.setParam("TimeLimit", math.inf if options.time_limit is None else options.time_limit)
        model.setParam("Cutoff", math.inf if options.cutoff is None else loosened(options.cutoff))
        model.setParam("MIPGap", options.gap)
        if is_mip and options.warm_start is not None:
            start = np.where(np.isfinite(options.warm_start), options.warm_start, GRB.UNDEFINED)
            model.setAttr("Start", variables, start.tolist())
        progress.on_stop(model.terminate)

        def on_event(news: Any, where: int) -> None:
            if where == GRB.Callback.MIP:
                progress.note_bound(news.cbGet(GRB.Callback.MIP_OBJBND))
            elif where == GRB.Callback.MIPSOL:
                progress.note_solution(np.array(news.cbGetSolution(variables)), news.cbGet(GRB.Callback.MIPSOL_OBJ))

        def run() -> SolverOutcome:
            try:
                with _ONE_AT_A_TIME:
                    model.optimize(on_event if is_mip else None)
            except gurobipy.GurobiError as error:
                if error.errno in {GRB.Error.NO_LICENSE, GRB.Error.SIZE_LIMIT_EXCEEDED}:
                    raise SolverError(f"Gurobi's licence does not cover this model: {error}.") from error
                raise
            return _outcome(model, variables, is_mip)

        return run

    def _loaded(self) -> tuple[Any, list[Any]]:
        """Return Gurobi's model and its variables."""
        model = gurobipy.Model(env=self._environment)
        for name in ("FeasibilityTol", "IntFeasTol", "OptimalityTol"):
            model.setParam(name, TOLERANCE)
        model.setParam("Threads", 1)
        model.setParam("MIPGapAbs", 0.0)
        kinds = np.where(self.integer, GRB.INTEGER, GRB.CONTINUOUS)
        columns = model.addMVar(self.n_columns, lb=self.lower, ub=self.upper, obj=self.cost, vtype=kinds)
        # Gurobi has no two-sided rows without an extra column, so each side becomes a row, and equal ones an equation.
        matrix, lower, upper = self.matrix(), self.row_lower, self.row_upper
        equal = lower == upper
        sides = (
            (equal, "=", upper),
            (~equal & np.isfinite(upper), "<", upper),
            (~equal & np.isfinite(lower), ">", lower),
        )
        for chosen, sense, side in sides:
            if chosen.any():
                model.addMConstr(matrix[chosen], columns, sense, side[chosen])
        model.update()
        return model, columns.tolist()


def _outcome(model: Any, variables: list[Any], is_mip: bool) -> SolverOutcome:
    """Return the outcome of a Gurobi run."""
    status = _STATUS.get(model.Status, "failed")
    message = "" if status != "failed" else f"Gurobi ended with status {model.Status}."
    values = np.array(model.getAttr("X", variables)) if model.SolCount > 0 and status != "unbounded" else None
    if is_mip:
        return SolverOutcome(status, values, model.ObjBound, message)
    # The simplex method proves nothing before its end.
    return SolverOutcome(status, values, model.ObjVal if status == "optimal" else -math.inf, message)


def _quiet_environment() -> Any:
    try:
        environment = gurobipy.Env(empty=True)
        environment.setParam("OutputFlag", 0)
        environment.start()
    except gurobipy.GurobiError as error:
        raise SolverError(f"Gurobi has no valid licence here: {error}. Install one, or use solver='highs'.") from error
    return environment
