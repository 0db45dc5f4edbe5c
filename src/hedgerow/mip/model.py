"""The interface to MIP solvers, the same for all of them.

A model always minimises. It is built once and extended between solves; scenario generation does so hundreds of times.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray, frozen
from hedgerow.errors import SolverError
from hedgerow.tolerances import ROUNDED_FEASIBILITY

MipStatus: TypeAlias = Literal["optimal", "time_limit", "infeasible", "unbounded", "interrupted", "failed"]
"""How a solve ended."""

# Seconds between two checks of the caller's request to stop, and those that a solver has to end once time is up or it
# was asked to: HiGHS (1.15.1) was seen to presolve for 15 seconds more.
_POLL: Final = 0.05
_PATIENCE: Final = 0.7


@dataclass(frozen=True, slots=True)
class MipResult:
    """The result of a solve."""

    # "optimal" (within the gap asked for), "time_limit", "infeasible", "unbounded", "interrupted" or "failed" (the
    # solver gave up, or its answer did not pass the check).
    status: MipStatus
    # The best solution found, one value per column, integer columns exactly whole; None if there is none.
    values: FloatArray | None = None
    objective: float = math.inf  # its cost, +∞ without a solution
    # No solution costs less than this: a valid lower bound for any status, −∞ if nothing is known; +∞ means that there
    # is no solution.
    bound: float = -math.inf
    message: str = ""  # further information, mostly about failures; often empty


@dataclass
class Solve:
    """What a solver is asked."""

    end: float  # by the monotonic clock; infinite without a limit
    gap: float
    stopped: bool = False  # whether the solver is to end; its callbacks look at this

    @property
    def seconds(self) -> float:
        """The time that is left."""
        return max(0.0, self.end - time.monotonic())


class MipModel(ABC):
    """Minimise `cost @ x` over `row_lower <= matrix @ x <= row_upper`, `lower <= x <= upper`, some of x whole.

    Solving is deterministic: one thread, a fixed seed, nothing kept from earlier solves. Nothing is written to the
    console or to disk. Costs and bounds are arrays that may be changed between solves. A solver file fills in `_run`;
    everything else is the same for all.

    Examples
    --------
    The two most valuable of three things that fit into a bag:

    >>> import numpy as np
    >>> from hedgerow.mip import create_model
    >>> model = create_model()
    >>> take = model.add_variables(3, upper=1.0, cost=[-5.0, -4.0, -3.0], integer=True)
    >>> model.add_row(take, [4.0, 3.0, 2.0], -np.inf, 6.0)
    >>> result = model.solve()
    >>> result.status, result.objective, result.values
    ('optimal', -8.0, array([1., 0., 1.]))
    """

    solver: ClassVar[str]
    """The name under which `create_model` knows the solver."""

    def __init__(self) -> None:
        self.lower: FloatArray = np.empty(0)
        self.upper: FloatArray = np.empty(0)
        self.cost: FloatArray = np.empty(0)
        self.integer: BoolArray = np.empty(0, dtype=np.bool_)
        self.n_rows = 0
        # One entry per call that added rows: their sides, and the rows, columns and coefficients that are not zero.
        self._sides: list[tuple[FloatArray, FloatArray]] = [(np.empty(0), np.empty(0))]
        self._entries: list[tuple[IntArray, IntArray, FloatArray]] = [(np.empty(0, int), np.empty(0, int), np.empty(0))]

    @property
    def n_columns(self) -> int:
        """Number of variables."""
        return self.lower.size

    @property
    def has_integers(self) -> bool:
        """Whether any column must be whole; without one the model is a linear programme."""
        return bool(self.integer.any())

    def rows(self) -> tuple[sp.csr_array, FloatArray, FloatArray]:
        """Return all rows as a sparse matrix over all columns, and their lower and upper sides."""
        lower, upper = map(np.concatenate, zip(*self._sides, strict=True))
        rows, columns, coefficients = map(np.concatenate, zip(*self._entries, strict=True))
        return sp.csr_array((coefficients, (rows, columns)), shape=(self.n_rows, self.n_columns)), lower, upper

    def add_variables(
        self,
        count: int,
        *,
        lower: ArrayLike = 0.0,
        upper: ArrayLike = math.inf,
        cost: ArrayLike = 0.0,
        integer: ArrayLike = False,
    ) -> IntArray:
        """Add variables and return their column indices; options are one value for all of them, or one each."""
        first = self.n_columns
        for name, values in {"lower": lower, "upper": upper, "cost": cost, "integer": integer}.items():
            setattr(self, name, np.append(getattr(self, name), np.broadcast_to(values, (count,))))
        return np.arange(first, first + count, dtype=np.int64)

    def add_rows(self, matrix: Any, columns: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> None:
        """Add constraints `lower <= matrix @ x[columns] <= upper`.

        A side that isn't there is infinite; sides are one value for all rows, or one each.
        """
        block = sp.coo_array(matrix, dtype=np.float64)
        where = np.asarray(columns, dtype=np.int64)
        self._entries.append((self.n_rows + block.row.astype(np.int64), where[block.col], block.data))
        count = int(block.shape[0])
        low, high = (np.broadcast_to(np.asarray(side, dtype=np.float64), (count,)) for side in (lower, upper))
        self._sides.append((low, high))
        self.n_rows += count

    def add_row(self, columns: ArrayLike, coefficients: ArrayLike, lower: float, upper: float) -> None:
        """Add the constraint `lower <= coefficients @ x[columns] <= upper`."""
        self.add_rows(np.atleast_2d(np.asarray(coefficients, dtype=np.float64)), columns, lower, upper)

    def solve(
        self,
        *,
        time_limit: float | None = None,
        gap: float = 0.0,
        should_stop: Callable[[], bool] | None = None,
    ) -> MipResult:
        """Minimise, and return the result; every way in which a solve may end is a status, not an exception.

        The call returns within about a second of the time limit even if the solver does not; the solver is then
        abandoned. A solution within the relative gap counts as optimal. `should_stop` is called about every 50 ms; once
        it returns True the solve ends as "interrupted". What it raises, and KeyboardInterrupt, is raised here after the
        solver was asked to stop.
        """
        end = time.monotonic() + (math.inf if time_limit is None else time_limit)
        if time.monotonic() >= end:
            return MipResult("time_limit", message="No time was left for this solve.")
        should_stop = should_stop or (lambda: False)
        result = self._attempt(Solve(end, gap), should_stop)
        if result.status != "unbounded":
            return result
        # Solvers mix up unbounded and infeasible; without costs only one of the two is left.
        costs, self.cost = self.cost, np.zeros_like(self.cost)
        try:
            without_costs = self._attempt(Solve(end, 0.0), should_stop)
        finally:
            self.cost = costs
        return result if without_costs.values is not None else without_costs

    def _attempt(self, task: Solve, should_stop: Callable[[], bool]) -> MipResult:
        result = self._solved(task, should_stop)
        checked = self._checked(result)
        if checked.values is None and result.values is not None and self.has_integers and result.status != "unbounded":
            values = self._with_whole_integers(result.values, task.end, should_stop)
            checked = self._checked(replace(result, values=values))
        return checked

    def _solved(self, task: Solve, should_stop: Callable[[], bool]) -> MipResult:
        """Return what the solver says, which runs in a thread of its own."""
        executor = ThreadPoolExecutor(1, "hedgerow-mip")
        future = executor.submit(self._run, task)
        executor.shutdown(wait=False)
        try:
            return self._wait(future, task, should_stop)
        finally:
            task.stopped = True

    def _with_whole_integers(self, values: FloatArray, end: float, should_stop: Callable[[], bool]) -> FloatArray:
        """Return the best values with the integers of a solution, rounded; the solution itself if there are none.

        A solver's integers are off by its tolerance, which large coefficients make a violation once they are rounded.
        """
        lower, upper = self.lower.copy(), self.upper.copy()
        self.lower[self.integer] = self.upper[self.integer] = np.rint(values[self.integer])
        try:
            completed = self._solved(Solve(end, 0.0), should_stop).values
        finally:
            self.lower, self.upper = lower, upper
        return values if completed is None else completed

    def _wait(self, future: "Future[MipResult]", task: Solve, should_stop: Callable[[], bool]) -> MipResult:
        """Return the solver's result, or what is known if it did not end in time."""
        give_up = task.end + _PATIENCE
        while not wait([future], _POLL).done:
            if not task.stopped and should_stop():
                task.stopped, give_up = True, time.monotonic() + _PATIENCE
            if time.monotonic() >= give_up:
                status: MipStatus = "interrupted" if task.stopped else "time_limit"
                return MipResult(status, message=f"{self.solver} did not stop in time and was abandoned.")
        try:
            return future.result()
        except SolverError:
            raise
        except Exception as error:  # a solver's interface may raise anything; to callers that is a failed solve
            return MipResult("failed", message=f"{self.solver} failed: {error}")

    def _checked(self, result: MipResult) -> MipResult:
        """Return a solver's result with values that are feasible and a bound that it can have proven."""
        status, message, bound = result.status, result.message, result.bound
        if status == "infeasible":
            return MipResult(status, bound=math.inf, message=message)
        if status in {"unbounded", "failed"} or not bound < math.inf:
            # NaN, or ∞ from a solver that stopped early, which can't have proven that there is no solution.
            bound = -math.inf
        values = None if result.values is None or status == "unbounded" else self._feasible(result.values)
        if values is None and result.values is not None and status != "unbounded":
            message = f"{message} The solver's solution violates the model; it was dropped.".strip()
            status = "failed" if status == "optimal" else status
        if values is None:
            return MipResult(status, bound=bound, message=message)
        objective = float(self.cost @ values)
        return MipResult(status, frozen(values), objective, min(bound, objective), message)

    def _feasible(self, values: FloatArray) -> FloatArray | None:
        """Return the values with integer columns rounded, or None if they violate the model."""
        rounded = np.where(self.integer, np.rint(values), values)
        is_close = np.isfinite(values) & (np.abs(rounded - values) <= ROUNDED_FEASIBILITY)
        if not is_close.all() or outside(rounded, self.lower, self.upper).any():
            return None
        inside = np.where(self.integer, rounded, np.clip(rounded, self.lower, self.upper)) + 0.0  # no −0.0
        matrix, lower, upper = self.rows()
        return None if outside(matrix @ inside, lower, upper).any() else inside

    @abstractmethod
    def _run(self, task: Solve) -> MipResult:
        """Load the model into a new solver, silent and on one thread, and return its result without an objective.

        It runs in a thread of its own and ends once `task.stopped` is True. "unbounded" may also mean infeasible.
        """


def outside(values: FloatArray, lower: FloatArray | float, upper: FloatArray | float) -> BoolArray:
    """Return which values lie outside their sides by more than a solver may be off, relative to those of large size."""
    below = lower - values > ROUNDED_FEASIBILITY * np.maximum(1.0, np.abs(lower))
    above = values - upper > ROUNDED_FEASIBILITY * np.maximum(1.0, np.abs(upper))
    # An infinite side makes its tolerance infinite too, and the comparison ∞ > ∞ false, as it should be.
    return below | above
