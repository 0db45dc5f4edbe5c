"""A problem known by its oracle alone: any function that returns the best solution for given costs."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias, Unpack

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import finite_vector, in_short, integer_between
from hedgerow.errors import InputError, SolverError
from hedgerow.problem import Best, FeasibleSet, Sense
from hedgerow.problems.base import MAX_ITEMS, LinearProblem, Units, numbered
from hedgerow.tolerances import FEASIBILITY

_COMPARED: Final = 100
"""Answers given before that a new one is compared with."""

Solve: TypeAlias = Callable[[FloatArray], Any]


class Oracle(LinearProblem):
    """A problem whose solutions come from a function of the user.

    All that is known about the feasible set is what the function returns. Methods that need no more than that work over
    the solutions that the oracle returned so far: all but `scenario_generation`, which needs rows and columns and says
    so. Bounds are those that the oracle proves, so "optimal" is claimed only where they meet the tree's worst case.

    Parameters
    ----------
    solve
        Takes the costs of the items, a vector, and returns the best solution for them: one number per item.
        It should be deterministic; equal questions are asked once.
    n_items
        Number of items.
    item_names
        Names of the items; x1, x2, … by default.
    unit, reading_unit, sense
        As in `LinearProblem`.
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

    oracle_only = True

    def __init__(
        self,
        solve: Solve,
        n_items: int,
        *,
        item_names: Iterable[Any] | None = None,
        sense: Sense = "min",
        proven: bool = True,
        **units: Unpack[Units],
    ) -> None:
        if not callable(solve):
            raise InputError(
                f"solve must be a function that takes costs and returns a solution; got {in_short(solve)}."
            )
        super().__init__(
            item_names, default=numbered(integer_between(n_items, "n_items", 1, MAX_ITEMS)), **units, sense=sense
        )
        self._solve, self._proven = solve, bool(proven)
        self._answers: dict[bytes, FloatArray] = {}

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the best solution for the weighted samples: the oracle's answer to their mean."""
        del time_limit  # a function has no time limit
        weights = np.ones(len(samples)) if weights is None else weights
        total = float(weights.sum())
        mean = weights @ samples / total if total > 0.0 else samples.mean(axis=0)
        return self._best(self._ask(mean), np.inf if self._proven else -np.inf, samples, weights)

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, its best cost and ±∞: an oracle doesn't bound how bad a solution may be."""
        best = np.array([self.best_solution(sample[np.newaxis]).bound for sample in samples])
        unknown = np.full(len(samples), np.inf)
        return (best, unknown) if self.sense == "min" else (-unknown, best)

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution can't be one; what else makes a solution only the oracle knows."""
        return self._misshapen(solution)

    def feasible_set(self) -> FeasibleSet:
        """Raise `InputError`: an oracle knows no rows and columns."""
        raise InputError("this problem is known by its oracle alone; it has no rows and columns for a MIP.")

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return None: the solutions are not known."""
        del limit
        return None

    # -- asking --------------------------------------------------------------------------------------------------

    def _minimise(self, costs: FloatArray) -> FloatArray:
        return self._ask(costs * self.sign)

    def _ask(self, costs: FloatArray) -> FloatArray:
        costs = costs + 0.0  # −0.0 becomes 0.0, which asks the same
        key = costs.tobytes()
        if key not in self._answers:
            answer = self._call(costs)
            self._refuse_worse(costs, answer)
            self._answers[key] = answer
        return self._answers[key]

    def _call(self, costs: FloatArray) -> FloatArray:
        try:
            answer = self._solve(costs.copy())
        except Exception as error:
            raise SolverError(f"the oracle failed: {type(error).__name__}: {error}.") from error
        return frozen(finite_vector(answer, "what an oracle returns", length=self.n_items, per="items") + 0.0)

    def _refuse_worse(self, costs: FloatArray, answer: FloatArray) -> None:
        """Refuse an answer that an earlier one beats: bounds built on it would be wrong."""
        if not self._proven or not self._answers:
            return
        sign, own = self.sign, float(costs @ answer)
        known = np.array(list(self._answers.values())[-_COMPARED:])
        best = sign * float((sign * (known @ costs)).min())
        if sign * (own - best) > FEASIBILITY * max(1.0, abs(own)):
            raise InputError(
                f"the oracle is not optimal: for some costs its solution costs {own:g}, but one that it returned "
                f"before costs {best:g}. If it is a heuristic, say proven=False; else check the sense and its seed."
            )
