"""Gurobi, for those who have a licence; the one in its package allows 2000 rows and columns."""

import math
import threading
from typing import Any, ClassVar, Final

import gurobipy
import numpy as np
from gurobipy import GRB

from hedgerow.errors import SolverError
from hedgerow.mip.model import MipModel, MipResult, MipStatus, Solve

TOLERANCE: Final = 1e-9
_PARAMETERS: Final = {
    **dict.fromkeys(("FeasibilityTol", "IntFeasTol", "OptimalityTol"), TOLERANCE),
    **{"OutputFlag": 0, "Threads": 1, "MIPGapAbs": 0.0},
}

# Gurobi swaps the process's handler of Ctrl-C around each solve. Solves that overlap would leave its own behind.
_ONE_AT_A_TIME: Final = threading.Lock()

_STATUS: Final[dict[int, MipStatus]] = {
    GRB.OPTIMAL: "optimal",
    GRB.INFEASIBLE: "infeasible",
    GRB.INF_OR_UNBD: "unbounded",
    GRB.UNBOUNDED: "unbounded",
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
        try:
            self._environment = gurobipy.Env(params=_PARAMETERS)
        except gurobipy.GurobiError as error:
            raise SolverError(
                f"Gurobi has no valid licence here: {error}. Install one, or use solver='highs'."
            ) from error

    def _run(self, task: Solve) -> MipResult:
        model, columns = self._loaded()
        model.setParam("TimeLimit", task.seconds)
        model.setParam("MIPGap", task.gap)

        def on_event(news: Any, _where: int) -> None:
            if task.stopped:
                news.terminate()

        try:
            with _ONE_AT_A_TIME:
                model.optimize(on_event)
        except gurobipy.GurobiError as error:
            if error.errno in {GRB.Error.NO_LICENSE, GRB.Error.SIZE_LIMIT_EXCEEDED}:
                raise SolverError(f"Gurobi's licence does not cover this model: {error}.") from error
            raise
        return _result(model, columns, self.has_integers)

    def _loaded(self) -> tuple[Any, Any]:
        model = gurobipy.Model(env=self._environment)
        kinds = np.where(self.integer, GRB.INTEGER, GRB.CONTINUOUS)
        columns = model.addMVar(self.n_columns, lb=self.lower, ub=self.upper, obj=self.cost, vtype=kinds)
        # Gurobi has no two-sided rows without an extra column, so each side becomes a row, and equal ones an equation.
        matrix, lower, upper = self.rows()
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
        return model, columns


def _result(model: Any, columns: Any, is_mip: bool) -> MipResult:
    status = _STATUS.get(model.Status, "failed")
    message = "" if status != "failed" else f"Gurobi ended with status {model.Status}."
    values = np.array(columns.X) if model.SolCount > 0 and status != "unbounded" else None
    # The simplex method proves nothing before its end.
    bound = model.ObjBound if is_mip else model.ObjVal if status == "optimal" else -math.inf
    return MipResult(status, values, bound=bound, message=message)
