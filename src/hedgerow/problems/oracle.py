"""A problem known by its oracle alone: any function that returns the best solution for given costs."""

__all__ = ["Oracle"]

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias, Unpack

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import in_short, integer_between, number_array, unique_names
from hedgerow.errors import InputError, SolverError
from hedgerow.problem import Best, CostRows, FeasibleSet, Sense
from hedgerow.problems.base import BaseProblem, Units
from hedgerow.problems.naming import MAX_ITEMS, numbered
from hedgerow.tolerances import FEASIBILITY

_REMEMBERED: Final = 20_000
"""Answers that are kept."""

_COMPARED: Final = 100
"""Solutions returned before that a new one is compared with."""

Solve: TypeAlias = Callable[[FloatArray], Any]
Cost: TypeAlias = Callable[[FloatArray, FloatArray], Any]


class Oracle(BaseProblem):
    """A problem whose solutions come from a function of the user.

    All that is known about the feasible set is what the function returns. Methods that need no more than that work over
    the solutions that the oracle returned so far: all but `scenario_generation`, which needs rows and columns and says
    so. Bounds are those that the oracle proves, so "optimal" is claimed only where they meet the tree's worst case.

    Parameters
    ----------
    solve
        Takes the costs of the items, a vector, and returns the best solution for them: one number per variable.
        It should be deterministic; equal questions are asked once.
    n_items
        Number of items.
    item_names
        Names of the items; x1, x2, … by default.
    unit, reading_unit, sense
        As in `LinearProblem`.
    cost
        `cost(x, c)`, what a solution costs when c is true; c·x by default.
    variable_names
        Names of a solution's entries where they aren't the items; only with a `cost` of one's own.
    proven
        Whether `solve` returns optimal solutions. Say False for a heuristic: no bound is claimed then.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import Oracle
    >>> def cheapest_two(costs):
    ...     chosen = np.zeros(4)
    ...     chosen[np.argsort(costs)[:2]] = 1
    ...     return chosen
    >>> problem = Oracle(cheapest_two, 4, item_names=["oak", "ash", "elm", "yew"])
    >>> best = problem.best_solution(np.array([[3.0, 1.0, 4.0, 1.5]]))
    >>> problem.describe(best.solution), best.value
    ('ash, yew', 2.5)
    """

    oracle_only: Final = True
    """Says to the methods that there is neither a MIP nor a list of solutions."""

    def __init__(
        self,
        solve: Solve,
        n_items: int,
        *,
        item_names: Iterable[Any] | None = None,
        sense: Sense = "min",
        cost: Cost | None = None,
        variable_names: Iterable[Any] | None = None,
        proven: bool = True,
        **units: Unpack[Units],
    ) -> None:
        for what, function in (("solve", solve), ("cost", cost)):
            if function is not None and not callable(function):
                raise InputError(f"{what} must be a function; got {in_short(function)}.")
        if solve is None:
            raise InputError("solve must be a function that takes costs and returns a solution; got None.")
        if variable_names is not None and cost is None:
            raise InputError("variable_names need a cost function: without one the variables are the items.")
        n = integer_between(n_items, "n_items", 1, MAX_ITEMS)
        super().__init__(item_names, default=numbered(n), **units, sense=sense)
        self._variable_names = None if variable_names is None else unique_names(variable_names, "variable_names")
        self._solve, self._cost, self._proven = solve, cost, bool(proven)
        self._answers: OrderedDict[bytes, FloatArray] = OrderedDict()
        self._distinct: OrderedDict[bytes, FloatArray] = OrderedDict()

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries."""
        return self._variable_names or self._item_names

    @property
    def n_calls(self) -> int:
        """How many different questions the oracle has answered and still remembers."""
        return len(self._answers)

    # -- what it costs -------------------------------------------------------------------------------------------

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return what every solution (column) costs on every sample (row)."""
        if self._cost is None:
            product: FloatArray = samples @ solutions.T
            return product
        return np.array([[self._cost_of(solution, sample) for solution in solutions] for sample in samples]).reshape(
            len(samples), len(solutions)
        )

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the best solution for the weighted samples: the oracle's answer to their mean.

        That is the best one where the cost is linear in c. Where it is not, the oracle is asked about every sample
        too, the best of its answers is returned, and the bound is what the samples cost when each gets its own.
        """
        del time_limit  # a function has no time limit
        weights = np.ones(len(samples)) if weights is None else weights
        total = float(weights.sum())
        mean = weights @ samples / total if total > 0.0 else samples.mean(axis=0)
        if self._cost is None:
            solution = self._ask(mean)
            value = float(np.sum(weights * self.costs(solution[np.newaxis], samples)[:, 0]))
            return Best(solution, value, value if self._proven else self._no_bound)
        counting = [sample for sample, weight in zip(samples, weights, strict=True) if weight > 0.0]
        answers = np.array([self._ask(mean), *(self._ask(sample) for sample in counting)])
        costs = self.costs(answers, samples)
        sums = weights @ costs
        chosen = int(np.argmin(sums) if self._sense == "min" else np.argmax(sums))
        each = costs.min(axis=1) if self._sense == "min" else costs.max(axis=1)
        return Best(
            frozen(answers[chosen]), float(sums[chosen]), float(weights @ each) if self._proven else self._no_bound
        )

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, its best cost and ±∞: an oracle doesn't bound how bad a solution may be."""
        best = np.array([self.best_solution(sample[np.newaxis]).bound for sample in samples])
        unknown = np.full(len(samples), np.inf)
        return (best, unknown) if self._sense == "min" else (-unknown, best)

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the one row that a linear cost is."""
        if self._cost is not None:
            raise InputError("this oracle has a cost function of its own, which can't be written as rows of a MIP.")
        return CostRows(np.array(sample, dtype=np.float64, ndmin=2), np.zeros(1))

    @property
    def _no_bound(self) -> float:
        return -np.inf if self._sense == "min" else np.inf

    def _cost_of(self, solution: FloatArray, sample: FloatArray) -> float:
        assert self._cost is not None
        try:
            cost = float(self._cost(solution.copy(), sample.copy()))
        except Exception as error:
            raise SolverError(f"the oracle's cost function failed: {type(error).__name__}: {error}.") from error
        if not np.isfinite(cost):
            raise InputError(f"the oracle's cost function must return finite numbers; got {cost}.")
        return cost

    # -- asking --------------------------------------------------------------------------------------------------

    def _ask(self, costs: FloatArray) -> FloatArray:
        costs = costs + 0.0  # −0.0 becomes 0.0, which asks the same
        key = costs.tobytes()
        if key not in self._answers:
            answer = self._call(costs)
            if not self._answers:
                self._refuse_inconsistent(costs, answer)
            self._refuse_worse(costs, answer)
            self._answers[key] = answer
            self._distinct[answer.tobytes()] = answer
            for kept, most in ((self._answers, _REMEMBERED), (self._distinct, _COMPARED)):
                if len(kept) > most:
                    kept.popitem(last=False)
        return self._answers[key]

    def _call(self, costs: FloatArray) -> FloatArray:
        try:
            answer = self._solve(costs.copy())
        except Exception as error:
            raise SolverError(f"the oracle failed: {type(error).__name__}: {error}.") from error
        try:
            solution = number_array(answer, "what an oracle returns")
        except InputError as error:
            raise InputError(f"{error} It must be one number per variable.") from None
        n = len(self.variable_names)
        if solution.shape != (n,):
            raise InputError(
                f"the oracle must return one number for each of the {n} variables; got {in_short(answer)} "
                f"of shape {solution.shape}."
            )
        if not np.isfinite(solution).all():
            worst = self.variable_names[int(np.argmin(np.isfinite(solution)))]
            raise InputError(f"the oracle must return finite numbers; the one for {worst!r} is not.")
        return frozen(solution + 0.0)

    def _refuse_inconsistent(self, costs: FloatArray, answer: FloatArray) -> None:
        """Ask the first question twice: an oracle that gives two answers of different cost can't be relied upon."""
        first, second = self.costs(np.array([answer, self._call(costs)]), costs[np.newaxis])[0]
        if abs(first - second) > FEASIBILITY * max(1.0, abs(first)):
            raise InputError(
                f"the oracle is not deterministic: asked twice about the same costs, its solutions cost {first:g} and "
                f"{second:g}. Fix its seed, or let it run to the end."
            )

    def _refuse_worse(self, costs: FloatArray, answer: FloatArray) -> None:
        """Refuse an answer that an earlier one beats: bounds built on it would be wrong."""
        if not self._proven or not self._distinct:
            return
        earlier = np.array(list(self._distinct.values()))
        known = self.costs(earlier, costs[np.newaxis])[0]
        mine = self.costs(answer[np.newaxis], costs[np.newaxis])[0, 0]
        best = known.min() if self._sense == "min" else known.max()
        excess = mine - best if self._sense == "min" else best - mine
        if excess > FEASIBILITY * max(1.0, abs(mine)):
            raise InputError(
                f"the oracle is not optimal: for some costs its solution costs {mine:g}, but one that it returned "
                f"before to {best:g}. If it is a heuristic, say proven=False; else check the sense."
            )

    # -- what is allowed -----------------------------------------------------------------------------------------

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution can't be one; what else makes a solution only the oracle knows."""
        return self._misshapen(solution)

    def feasible_set(self) -> FeasibleSet:
        """Raise `InputError`: an oracle knows no rows and columns."""
        raise InputError("this problem is known by its oracle alone; it has no rows and columns for a MIP.")

    def __repr__(self) -> str:
        name = getattr(self._solve, "__name__", type(self._solve).__name__)
        return f"Oracle({name}, {self.n_items}{self._options_in_words()})"
