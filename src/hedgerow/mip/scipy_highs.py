"""SciPy's HiGHS, for processes in which another package keeps highspy from being loaded."""

__all__ = ["ScipyHighsModel"]

import math
from collections.abc import Callable
from typing import Any, ClassVar, Final

import numpy as np
import scipy.sparse as sp

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.mip.model import MipModel
from hedgerow.mip.solving import MipStatus, Outcome, Progress, SolveOptions

_STATUS: Final[dict[int, MipStatus]] = {0: "optimal", 1: "time_limit", 2: "infeasible", 3: "unbounded"}


class ScipyHighsModel(MipModel):
    """A model that SciPy's `milp` solves, from scratch each time, without warm starts. Only its time limit stops it."""

    solver: ClassVar[str] = "highs"

    # Nothing is kept between solves: each one passes all arrays of the model.
    def _open(self) -> None: ...

    def _append_columns(self, lower: FloatArray, upper: FloatArray, cost: FloatArray, integer: BoolArray) -> None: ...

    def _append_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None: ...

    def _change_costs(self, columns: IntArray, costs: FloatArray) -> None: ...

    def _change_bounds(self, columns: IntArray, lower: FloatArray, upper: FloatArray) -> None: ...

    def _prepare(self, options: SolveOptions, progress: Progress) -> Callable[[], Outcome]:
        from scipy.optimize import Bounds, LinearConstraint, milp

        # Copies, since an abandoned run must not see later changes.
        cost, integer = self.cost.copy(), self.integer.astype(np.int8)
        bounds = Bounds(self.lower.copy(), self.upper.copy())
        rows = [LinearConstraint(_short(self.matrix()), self.row_lower, self.row_upper)] if self.n_rows else []
        limits: Any = {} if options.time_limit is None else {"time_limit": options.time_limit}

        def run() -> Outcome:
            answer = milp(
                cost,
                integrality=integer,
                bounds=bounds,
                constraints=rows,
                # The presolve of SciPy before 1.17 can lose the optimum.
                options={"mip_rel_gap": options.gap, "presolve": False} | limits,
            )
            # "Unbounded or infeasible" has no code of its own; the base class finds out which of the two it is.
            either = "unbounded" in answer.message.lower()
            status = "unbounded" if either else _STATUS.get(answer.status, "failed")
            values = None if answer.x is None else np.asarray(answer.x, dtype=np.float64)
            proven = answer.mip_dual_bound if integer.any() else answer.fun if status == "optimal" else None
            message = "" if status != "failed" else f"SciPy's HiGHS ended with “{answer.message}”."
            return Outcome(status, values, -math.inf if proven is None else float(proven), message)

        return run


def _short(matrix: sp.csr_array) -> sp.csc_array:
    """Return the matrix with indices of 32 bits: older versions of SciPy pass no others on to HiGHS."""
    columns = sp.csc_array(matrix)
    columns.indices, columns.indptr = columns.indices.astype(np.int32), columns.indptr.astype(np.int32)
    return columns
