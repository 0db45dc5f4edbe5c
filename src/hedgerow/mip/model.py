"""The interface to MIP solvers, the same for all of them.

A model always minimises. It is built once and extended between solves; scenario generation does so hundreds of times.
"""

__all__ = ["MipModel", "MipResult", "MipStatus"]

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.errors import SolverError
from hedgerow.mip.solving import MipResult, MipStatus, Progress, SolveOptions, SolverOutcome, feasible_values, settle
from hedgerow.mip.store import ModelArrays
from hedgerow.mip.watchdog import Ending, supervise


class MipModel(ModelArrays, ABC):
    """A mixed-integer programme that minimises, can be extended between solves, and keeps its time limit.

    Solving is deterministic: one thread, a fixed seed, nothing kept from earlier solves. Nothing is written to the
    console or to disk. A solver file fills in `_prepare`; everything else is the same for all.

    Examples
    --------
    The two most valuable of three things that fit into a bag:

    >>> import numpy as np
    >>> from hedgerow.mip import create_model
    >>> model = create_model()
    >>> take = model.add_variables(3, upper=1.0, cost=[-5.0, -4.0, -3.0], integer=True)
    >>> _ = model.add_row(take, [4.0, 3.0, 2.0], -np.inf, 6.0)
    >>> result = model.solve()
    >>> result.status, result.objective, result.values
    ('optimal', -8.0, array([1., 0., 1.]))
    """

    solver: ClassVar[str]
    """The name under which `create_model` knows the solver."""

    def __init__(self) -> None:
        super().__init__()
        self._running: Progress | None = None

    def solve(
        self,
        *,
        time_limit: float | None = None,
        cutoff: float | None = None,
        warm_start: FloatArray | None = None,
        gap: float = 0.0,
        should_stop: Callable[[], bool] | None = None,
    ) -> MipResult:
        """Minimise, and return the result; every way in which a solve may end is a status, not an exception.

        The call returns within about one second of the time limit even if the solver overruns; the solver is then
        abandoned. Only solutions below the cutoff matter: if there are none, the
        status is "cutoff" and the bound equals the cutoff, also where the model has no solution at all. A warm start
        has one value per variable, NaN where unknown, and need not be feasible; if it is, the result is never worse. A
        solution within the relative gap counts as optimal. `should_stop` is called about every 50 ms; once it returns
        True the solve ends as "interrupted".

        On Ctrl-C, KeyboardInterrupt is raised after the solver was asked to stop. Callers that want to keep the
        incumbent turn the signal into a flag and pass it as `should_stop`.
        """
        if self._running is not None:
            raise SolverError("This model is being solved already; use one model per thread.")
        started = time.monotonic()
        options = SolveOptions.checked(self.n_columns, time_limit, cutoff, warm_start, gap)
        if options.time_limit is not None and options.time_limit <= 0.0:
            return MipResult("time_limit", None, math.inf, -math.inf, "No time was left for this solve.")
        if should_stop is not None and should_stop():
            return MipResult("interrupted", None, math.inf, -math.inf, "The solve was not started.")

        outcome = self._attempt(options, should_stop)
        if outcome.status == "unbounded":
            anything = options.again(started, cutoff=None, warm_start=None)
            outcome = self._unbounded_or_infeasible(anything, should_stop)
        elif options.gap > 0.0 and options.cutoff is not None and outcome.status == "optimal":
            # A solver may be content with a solution above the cutoff while there are others below.
            value = -math.inf if outcome.values is None else float(self.cost @ outcome.values)
            if outcome.bound < options.cutoff <= value:
                outcome = self._attempt(options.again(started, gap=0.0), should_stop)
        return settle(outcome, self, options.cutoff)

    def interrupt(self) -> None:
        """Ask the current solve, if there is one, to stop; may be called from any thread."""
        running = self._running
        if running is not None:
            running.request_stop()

    def _attempt(self, options: SolveOptions, should_stop: Callable[[], bool] | None) -> SolverOutcome:
        """Run the solver once under the watchdog, and return its outcome or what is known without it."""
        if self.n_columns == 0:
            # Some solvers refuse a model without variables.
            broken = np.any(self.row_lower > 0.0) or np.any(self.row_upper < 0.0)
            return SolverOutcome("infeasible") if broken else SolverOutcome("optimal", values=np.empty(0), bound=0.0)
        progress = Progress()
        start = None if options.warm_start is None else feasible_values(options.warm_start, self)
        if start is not None:
            progress.note_solution(start, float(self.cost @ start))

        self._running = progress
        try:
            run = self._prepare(options, progress)
        except SolverError:
            raise
        except Exception as error:  # a solver's interface may raise anything; to callers that is a failed solve
            return self._failure(error)
        else:
            ending = supervise(run, progress, time_limit=options.time_limit, should_stop=should_stop)
        finally:
            self._running = None
        return self._outcome_of(ending, progress)

    def _outcome_of(self, ending: Ending, progress: Progress) -> SolverOutcome:
        """Return the outcome of a run, including one that was stopped or abandoned."""
        if isinstance(ending.error, SolverError):
            raise ending.error
        if ending.error is not None:
            return self._failure(ending.error)
        outcome = ending.outcome
        if outcome is None:
            message = f"{self.solver} did not stop in time and was abandoned."
            outcome = SolverOutcome(ending.reason or "interrupted", message=message)
        elif outcome.status == "interrupted" and ending.reason is not None:
            outcome = replace(outcome, status=ending.reason)
        if outcome.status in {"time_limit", "interrupted"}:
            outcome = self._with_best_known(outcome, progress)
        return outcome

    def _failure(self, error: BaseException) -> SolverOutcome:
        return SolverOutcome("failed", message=f"{self.solver} failed: {error}")

    def _with_best_known(self, outcome: SolverOutcome, progress: Progress) -> SolverOutcome:
        """Return a stopped run's outcome with the best of what it returned and what was seen on the way."""
        values, bound = progress.best()
        if values is not None and outcome.values is not None:
            cost = self.cost
            values = values if cost @ values < cost @ outcome.values else outcome.values
        elif values is None:
            values = outcome.values
        return replace(outcome, values=values, bound=bound if math.isnan(outcome.bound) else max(outcome.bound, bound))

    def _unbounded_or_infeasible(self, options: SolveOptions, should_stop: Callable[[], bool] | None) -> SolverOutcome:
        """Decide between unbounded and infeasible, which solvers mix up, by looking for any solution."""
        costs = self.cost.copy()
        columns = np.arange(self.n_columns)
        self.set_costs(columns, 0.0)
        try:
            outcome = self._attempt(options, should_stop)
        finally:
            self.set_costs(columns, costs)
        if outcome.status == "infeasible":
            return SolverOutcome("infeasible")
        if outcome.values is not None:
            return SolverOutcome("unbounded")
        return SolverOutcome(outcome.status, message=f"The model is unbounded or infeasible. {outcome.message}".strip())

    @abstractmethod
    def _prepare(self, options: SolveOptions, progress: Progress) -> Callable[[], SolverOutcome]:
        """Load the model into a new solver, silent and on one thread; return the function that runs it.

        It runs in another thread, without the GIL, and without `self`.
        """
