"""Feasible sets as models for a MIP solver, and their cheapest points.

`SolvedByMip` is for problems without a faster algorithm, `MipOracle` for models, which are asked each question once.
"""

import math
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.errors import InfeasibleProblemError, SolverError, UnboundedProblemError
from hedgerow.mip import MipModel, create_model
from hedgerow.problem import FeasibleSet
from hedgerow.problems.linear import LinearProblem
from hedgerow.tolerances import FEASIBILITY

_LARGEST_COST: Final = 128.0


class Cheapest(NamedTuple):
    """The best point found, and a bound that no point costs less than; +∞ if the point is optimal."""

    point: FloatArray
    bound: float


def model_of(feasible: FeasibleSet, *, relaxed: bool = False) -> MipModel:
    """Return a feasible set as a model without costs; a relaxed one asks no column to be whole.

    A solver's object can't be pickled, and a problem must be: so problems keep the feasible set and make models anew.
    """
    model = create_model()
    columns = model.add_variables(
        feasible.n_columns, lower=feasible.lower, upper=feasible.upper, integer=feasible.integer & (not relaxed)
    )
    if feasible.row_lower.size:
        model.add_rows(feasible.matrix, columns, feasible.row_lower, feasible.row_upper)
    return model


class SolvedByMip(LinearProblem):
    """A linear problem that a MIP solves unless the subclass has a quick oracle, for which it extends `_minimise`."""

    def _start(self, costs: FloatArray) -> FloatArray:
        """Return a point to start from."""
        return np.zeros(costs.size)

    def _cheapest(self, cost_vectors: Iterable[FloatArray], time_limit: float | None = None) -> list[Cheapest]:
        model = model_of(self.feasible_set())
        return [cheapest_point(model, costs, self._start(costs), time_limit) for costs in cost_vectors]

    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        points = [found.point for found in self._cheapest(cost_vectors)]
        return np.array(points).reshape(-1, len(self.variable_names))

    def _minimise_within(self, cost_vector: FloatArray, time_limit: float | None) -> tuple[FloatArray, float]:
        if self.has_quick_oracle:
            return super()._minimise_within(cost_vector, time_limit)
        return self._cheapest([cost_vector], time_limit)[0]

    @property
    def has_quick_oracle(self) -> bool:
        """Whether no MIP solver is needed."""
        return False


def cheapest_point(model: MipModel, costs: FloatArray, start: FloatArray, time_limit: float | None) -> Cheapest:
    """Return the cheapest point of the model, whose costs are replaced; the start if time is up before a better one."""
    # Scaling by a power of two suits a solver's absolute tolerances, and loses no digit.
    largest = float(np.abs(costs).max())
    scale = 2.0 ** math.ceil(math.log2(largest / _LARGEST_COST)) if largest > 0.0 else 1.0
    model.set_costs(np.arange(model.n_columns), costs / scale)
    solved = model.solve(time_limit=time_limit, warm_start=start)
    if solved.status in ("failed", "infeasible", "unbounded"):
        raise SolverError(f"the problem's own MIP could not be solved ({solved.status}). {solved.message}".strip())
    point = start if solved.values is None else solved.values
    return Cheapest(point, math.inf if solved.status == "optimal" else scale * solved.bound)


_REMEMBERED_BYTES: Final = 1 << 26


class MipOracle:
    """Minimises any objective over the solutions of a model.

    Answers that are proven optimal are remembered, since methods ask about the same samples time and again. Solver
    objects live in here and nowhere else: a copy, or one in another process, starts with fresh ones. The names of the
    variables are for errors.
    """

    def __init__(self, feasible: FeasibleSet, names: Sequence[str]) -> None:
        self._feasible = feasible
        self._names = names
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._solvers: dict[bool, MipModel] = {}
        self._remembered: OrderedDict[bytes, FloatArray] = OrderedDict()
        self._last_resort: FloatArray | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"_feasible": self._feasible, "_names": self._names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reset()

    def minimise(self, objective: FloatArray, time_limit: float | None = None) -> Cheapest:
        """Return a solution of least objective; where time runs out, the best one known and what is proven."""
        objective = objective + 0.0  # −0.0 becomes 0.0, which asks the same
        key = objective.tobytes()
        with self._lock:
            known = self._remembered.get(key)
            if known is not None:
                self._remembered.move_to_end(key)
                return Cheapest(known, float(objective @ known))
            solved = self._solver(relaxed=False)
            solved.set_costs(np.arange(objective.size), objective)
            result = solved.solve(time_limit=time_limit)
            if result.status == "infeasible":
                raise InfeasibleProblemError(
                    "the model has no solution: its rows, bounds and integer variables contradict each other."
                )
            if result.status == "unbounded":
                raise self.unbounded(objective)
            if result.values is not None and result.status == "optimal":
                self._remember(key, result.values)
                return Cheapest(result.values, float(objective @ result.values))
            values = result.values if result.values is not None else self._best_known(objective)
            self._last_resort = values
        if values is not None:
            return Cheapest(values, result.bound)
        if result.status == "time_limit":
            within = "the time limit" if time_limit is None or math.isinf(time_limit) else f"{time_limit:.3g} s"
            fix = "allow more time, or give the model tighter bounds"
            raise SolverError(f"no solution of the model was found within {within}; {fix}.")
        raise SolverError(f"the model could not be solved ({result.status}). {result.message}".strip())

    def least(self, objective: FloatArray) -> float:
        """Return a number below every solution's objective: the least of the model without integrality, or −∞."""
        least = self._relaxed_minimum(objective)
        return least - FEASIBILITY * max(1.0, abs(least)) if math.isfinite(least) else least

    def _relaxed_minimum(self, objective: FloatArray) -> float:
        with self._lock:
            solver = self._solver(relaxed=True)
            solver.set_costs(np.arange(objective.size), objective)
            result = solver.solve()
        if result.status == "infeasible":
            raise InfeasibleProblemError("the model has no solution: its rows and bounds contradict each other.")
        if result.status == "unbounded":
            return -math.inf
        if result.status != "optimal":
            raise SolverError(f"the model's relaxation could not be solved ({result.status}). {result.message}".strip())
        return result.bound

    def _solver(self, *, relaxed: bool) -> MipModel:
        if relaxed not in self._solvers:
            self._solvers[relaxed] = model_of(self._feasible, relaxed=relaxed)
        return self._solvers[relaxed]

    def _remember(self, key: bytes, values: FloatArray) -> None:
        self._remembered[key] = values
        while len(self._remembered) * (values.nbytes + len(key)) > _REMEMBERED_BYTES and len(self._remembered) > 1:
            self._remembered.popitem(last=False)

    def _best_known(self, objective: FloatArray) -> FloatArray | None:
        """Return the best of the solutions found for other objectives: better than none at all."""
        known = [*self._remembered.values(), *([] if self._last_resort is None else [self._last_resort])]
        return min(known, key=lambda values: float(objective @ values), default=None)

    def unbounded(self, objective: FloatArray) -> UnboundedProblemError:
        """Return the error for an objective without a least value, with the variables that lack a bound."""
        open_above, open_below = np.isinf(self._feasible.upper), np.isinf(self._feasible.lower)
        gains = (open_above & (objective < 0.0)) | (open_below & (objective > 0.0))
        open_ended = np.flatnonzero(gains if gains.any() else open_above | open_below)
        return UnboundedProblemError(
            "the cost can be improved without end; give the model's variables finite bounds, "
            f"such as {list_some([self._names[column] for column in open_ended.tolist()])}."
        )
