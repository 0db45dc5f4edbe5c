"""SCIP, through PySCIPOpt."""

__all__ = ["ScipModel"]

import math
from collections.abc import Callable
from typing import Any, ClassVar, Final

import numpy as np
import pyscipopt
import scipy.sparse as sp

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.mip.model import MipModel
from hedgerow.mip.solving import MipStatus, Outcome, Progress, SolveOptions, loosened

TOLERANCE: Final = 1e-7

_STATUS: Final[dict[str, MipStatus]] = {
    "optimal": "optimal",
    "gaplimit": "optimal",
    "infeasible": "infeasible",
    "inforunbd": "unbounded",
    "unbounded": "unbounded",
    "timelimit": "time_limit",
    "userinterrupt": "interrupted",
}


class ScipModel(MipModel):
    """A model that SCIP solves. An abandoned SCIP gives neither solution nor bound."""

    solver: ClassVar[str] = "scip"

    def _open(self) -> None:
        self._scip = pyscipopt.Model()
        self._scip.hideOutput()
        self._scip.setParam("misc/catchctrlc", False)  # Ctrl-C is Python's
        self._scip.setParam("limits/absgap", 0.0)
        self._scip.setParam("numerics/feastol", TOLERANCE)
        self._scip.setParam("numerics/dualfeastol", TOLERANCE)
        self._variables: list[Any] = []

    def _append_columns(self, lower: FloatArray, upper: FloatArray, cost: FloatArray, integer: BoolArray) -> None:
        self._scip.freeTransform()
        for low, high, price, whole in zip(lower, upper, cost, integer, strict=True):
            kind = "I" if whole else "C"
            self._variables.append(self._scip.addVar(lb=_side(low), ub=_side(high), obj=float(price), vtype=kind))

    def _append_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None:
        self._scip.freeTransform()
        for row, (low, high) in enumerate(zip(lower.tolist(), upper.tolist(), strict=True)):
            part = slice(matrix.indptr[row], matrix.indptr[row + 1])
            terms = zip(matrix.indices[part], matrix.data[part], strict=True)
            activity = pyscipopt.quicksum(float(factor) * self._variables[column] for column, factor in terms)
            activity += 0.0 * self._variables[0]  # SCIP knows no row without a variable
            if math.isfinite(high):
                self._scip.addCons(low <= (activity <= high) if math.isfinite(low) else activity <= high)
            elif math.isfinite(low):
                self._scip.addCons(activity >= low)

    def _change_costs(self, columns: IntArray, costs: FloatArray) -> None:
        self._scip.freeTransform()
        priced = zip(self.cost, self._variables, strict=False)  # those that SCIP has
        self._scip.setObjective(pyscipopt.quicksum(float(price) * variable for price, variable in priced if price))

    def _change_bounds(self, columns: IntArray, lower: FloatArray, upper: FloatArray) -> None:
        self._scip.freeTransform()
        for column, low, high in zip(columns, lower, upper, strict=True):
            self._scip.chgVarLb(self._variables[column], _side(low))
            self._scip.chgVarUb(self._variables[column], _side(high))

    def _prepare(self, options: SolveOptions, progress: Progress) -> Callable[[], Outcome]:
        model, variables = self._scip, self._variables
        model.freeTransform()
        model.setParam("limits/time", 1e20 if options.time_limit is None else options.time_limit)
        model.setParam("limits/gap", options.gap)
        model.setObjlimit(model.infinity() if options.cutoff is None else loosened(options.cutoff))
        if options.warm_start is not None:
            start = model.createPartialSol()
            for column in np.flatnonzero(np.isfinite(options.warm_start)):
                model.setSolVal(start, variables[column], float(options.warm_start[column]))
            model.addSol(start)
        progress.on_stop(model.interruptSolve)

        def run() -> Outcome:
            model.optimizeNogil()
            return _outcome(model, variables)

        return run


def _outcome(model: Any, variables: list[Any]) -> Outcome:
    """Return the outcome of a SCIP run."""
    status = _STATUS.get(model.getStatus(), "failed")
    message = "" if status != "failed" else f"SCIP ended with “{model.getStatus()}”."
    values = None
    if model.getNSols() > 0 and status != "unbounded":
        best = model.getBestSol()
        values = np.array([model.getSolVal(best, variable) for variable in variables])
    bound = model.getDualbound()
    return Outcome(status, values, bound if abs(bound) < model.infinity() else math.copysign(math.inf, bound), message)


def _side(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
