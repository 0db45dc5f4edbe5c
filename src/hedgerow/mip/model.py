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
import scipy.sparse as sp

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.errors import SolverError
from hedgerow.mip.solving import MipResult, MipStatus, Outcome, Progress, SolveOptions, feasible_values, settle
from hedgerow.mip.store import ModelArrays
from hedgerow.mip.watchdog import Ending, supervise


class MipModel(ModelArrays, ABC):
    """A mixed-integer programme that minimises, can be extended between solves, and keeps its time limit.

    Solving is deterministic: one thread, a fixed seed, nothing kept from earlier solves of a model with integers (a
    linear programme goes on from its last basis). Nothing is written to the console or to disk.

    A solver file fills in the methods whose names start with an underscore; everything else is the same for all.

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
        self._forget_solver()

    # ---------------------------------------------------------------------------------------------- solving
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
        abandoned and the model goes on with a new one. Only solutions below the cutoff matter: if there are none, the
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

    def _attempt(self, options: SolveOptions, should_stop: Callable[[], bool] | None) -> Outcome:
        """Run the solver once under the watchdog, and return its outcome or what is known without it."""
        if self.n_columns == 0:
            # Some solvers refuse a model without variables.
            broken = np.any(self.row_lower > 0.0) or np.any(self.row_upper < 0.0)
            return Outcome("infeasible") if broken else Outcome("optimal", values=np.empty(0), bound=0.0)
        progress = Progress()
        start = None if options.warm_start is None else feasible_values(options.warm_start, self)
        if start is not None:
            progress.note_solution(start, float(self.cost @ start))

        self._running = progress
        ending: Ending | None = None
        try:
            try:
                self._tell_solver()
                run = self._prepare(options, progress)
            except SolverError:
                raise
            except Exception as error:  # a solver's interface may raise anything; to callers that is a failed solve
                return self._failure(error)
            ending = supervise(run, progress, time_limit=options.time_limit, should_stop=should_stop)
        finally:
            self._running = None
            if ending is None or ending.error is not None or not ending.finished.is_set():
                self._forget_solver()
        return self._outcome_of(ending, progress)

    def _outcome_of(self, ending: Ending, progress: Progress) -> Outcome:
        """Return the outcome of a run, including one that was stopped or abandoned."""
        if isinstance(ending.error, SolverError):
            raise ending.error
        if ending.error is not None:
            return self._failure(ending.error)
        outcome = ending.outcome
        if outcome is None:
            message = f"{self.solver} did not stop in time and was abandoned."
            outcome = Outcome(ending.reason or "interrupted", message=message)
        elif outcome.status == "interrupted" and ending.reason is not None:
            outcome = replace(outcome, status=ending.reason)
        if outcome.status in {"time_limit", "interrupted"}:
            outcome = self._with_best_known(outcome, progress)
        return outcome

    def _failure(self, error: BaseException) -> Outcome:
        return Outcome("failed", message=f"{self.solver} failed: {error}")

    def _with_best_known(self, outcome: Outcome, progress: Progress) -> Outcome:
        """Return a stopped run's outcome with the best of what it returned and what was seen on the way."""
        values, bound = progress.best()
        if values is not None and outcome.values is not None:
            cost = self.cost
            values = values if cost @ values < cost @ outcome.values else outcome.values
        elif values is None:
            values = outcome.values
        return replace(outcome, values=values, bound=bound if math.isnan(outcome.bound) else max(outcome.bound, bound))

    def _unbounded_or_infeasible(self, options: SolveOptions, should_stop: Callable[[], bool] | None) -> Outcome:
        """Decide between unbounded and infeasible, which solvers mix up, by looking for any solution."""
        costs = self.cost.copy()
        columns = np.arange(self.n_columns)
        self.set_costs(columns, 0.0)
        try:
            outcome = self._attempt(options, should_stop)
        finally:
            self.set_costs(columns, costs)
        if outcome.status == "infeasible":
            return Outcome("infeasible")
        if outcome.values is not None:
            return Outcome("unbounded")
        return Outcome(outcome.status, message=f"The model is unbounded or infeasible. {outcome.message}".strip())

    # ------------------------------------------------------------------------------------ updating the solver
    def _forget_solver(self) -> None:
        """Drop the solver object; the next solve builds a new one from the arrays."""
        self._is_open = False
        self._known_columns = 0
        self._known_rows = 0
        self._new_costs, self._new_bounds = [], []

    def _tell_solver(self) -> None:
        """Pass on what has changed since the last solve."""
        known = self._known_columns
        if not self._is_open:
            self._open()
            self._is_open = True
        if (changed := _known(self._new_costs, known)).size:
            self._change_costs(changed, self.cost[changed])
        if (changed := _known(self._new_bounds, known)).size:
            self._change_bounds(changed, self.lower[changed], self.upper[changed])
        if self.n_columns > known:
            new = slice(known, None)
            self._append_columns(self.lower[new], self.upper[new], self.cost[new], self.integer[new])
        if self.n_rows > self._known_rows:
            new = slice(self._known_rows, None)
            self._append_rows(self.matrix(self._known_rows), self.row_lower[new], self.row_upper[new])
        self._known_columns, self._known_rows = self.n_columns, self.n_rows
        self._new_costs, self._new_bounds = [], []

    @abstractmethod
    def _open(self) -> None:
        """Create an empty solver object, silent and on one thread."""

    @abstractmethod
    def _append_columns(self, lower: FloatArray, upper: FloatArray, cost: FloatArray, integer: BoolArray) -> None:
        """Append variables."""

    @abstractmethod
    def _append_rows(self, matrix: sp.csr_array, lower: FloatArray, upper: FloatArray) -> None:
        """Append constraints over all columns."""

    @abstractmethod
    def _change_costs(self, columns: IntArray, costs: FloatArray) -> None:
        """Replace costs."""

    @abstractmethod
    def _change_bounds(self, columns: IntArray, lower: FloatArray, upper: FloatArray) -> None:
        """Replace bounds."""

    @abstractmethod
    def _prepare(self, options: SolveOptions, progress: Progress) -> Callable[[], Outcome]:
        """Return the function that runs the solver: in another thread, without the GIL, and without `self`."""


def _known(changes: list[IntArray], n_known: int) -> IntArray:
    """Return the changed columns that the solver has already; new ones are added as they are."""
    if not changes:
        return np.empty(0, dtype=np.int64)
    columns = np.unique(np.concatenate(changes))
    return columns[columns < n_known]
