"""The options of one solve, checked."""

__all__ = ["SolveOptions"]

import math
import time
from dataclasses import dataclass, replace

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.checks import integer_between, number_at_least
from hedgerow.errors import InputError

_MOMENT = 0.05


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The options of one solve; NaN in the warm start leaves that value to the solver."""

    time_limit: float | None
    cutoff: float | None
    warm_start: FloatArray | None
    gap: float
    seed: int

    @classmethod
    def checked(
        cls,
        n_columns: int,
        time_limit: float | None,
        cutoff: float | None,
        warm_start: FloatArray | None,
        gap: float,
        seed: int,
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
            seed=integer_between(seed, "seed", 0, 2**31 - 1),
        )

    def for_feasibility(self, started: float) -> "SolveOptions":
        """Return the options of a second run that only looks for any solution."""
        return replace(self, time_limit=self._rest(started), cutoff=None, warm_start=None)

    def for_proof(self, started: float) -> "SolveOptions":
        """Return the options of a second run that leaves no gap."""
        return replace(self, time_limit=self._rest(started), gap=0.0)

    def _rest(self, started: float) -> float | None:
        """Return the time that is left, but at least a moment."""
        return None if self.time_limit is None else max(_MOMENT, self.time_limit - (time.monotonic() - started))
