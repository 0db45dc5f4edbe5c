"""A mixed-integer linear model of the user's own, in which some or all variables are uncertain items."""

__all__ = ["MixedIntegerProblem"]

import math
from collections.abc import Mapping
from typing import Any, Final, Self, Unpack

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.mip.solving import outside
from hedgerow.problem import Best, CostRows, FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._mip_oracle import MipOracle
from hedgerow.problems._mip_tables import FIELDS, all_solutions, described, fits_a_file, model_described
from hedgerow.problems._model_sources import ModelSources
from hedgerow.problems._named import NamedProblem, Units, amounts
from hedgerow.problems.adapters.common import chosen_columns
from hedgerow.tolerances import FEASIBILITY

_MOST_NAMED: Final = 12


class MixedIntegerProblem(ModelSources, NamedProblem):
    """A linear model over named variables; the samples replace the objective's coefficients of the items.

    The model must be bounded; continuous variables are allowed. Variables that are no items keep the cost that the
    model gives them, and so does the objective's constant: f(c, x) = c·x over the items + cost·x over the
    others + constant. Use `from_file`, or the constructor named after your modelling package.

    Parameters
    ----------
    model
        Rows, bounds, integer variables, objective and names.
    items
        Which variables are uncertain, by name; `"make_*"` stands for all that begin so. All of them if left out.
    unit, reading_unit
        Unit of the costs, and that of the readings where it is another one.
    sense
        "min" or "max" where it should differ from the model's: MPS files often leave it out.

    Examples
    --------
    Make at most four units; a machine must be set up before it makes any:

    >>> import numpy as np
    >>> from hedgerow.problems import MixedIntegerProblem
    >>> problem = MixedIntegerProblem.from_scipy_milp(
    ...     [0, 0, 5],
    ...     ([[1, 1, 0], [1, 0, -3]], [4, -np.inf], [4, 0]),
    ...     [0, 0, 1],
    ...     ([0, 0, 0], [4, 4, 1]),
    ...     variable_names=["machine", "by hand", "set-up"],
    ...     items=["machine", "by hand"],
    ... )
    >>> best = problem.best_solution(np.array([[1.0, 4.0]]))
    >>> problem.describe(best.solution), best.value
    ('3 × machine, by hand, set-up', 12.0)
    """

    def __init__(
        self, model: LinearModel, *, items: Any = None, sense: Sense | None = None, **units: Unpack[Units]
    ) -> None:
        if not isinstance(model, LinearModel):
            raise InputError(
                f"model must be a LinearModel; got {in_short(model)}. For a file or a model of another package there "
                "are MixedIntegerProblem.from_file, from_pyomo, from_linopy, from_gurobipy, from_pulp and from_mathopt."
            )
        chosen = frozen(chosen_columns(items, model.names))
        super().__init__(
            [model.names[column] for column in chosen], **units, sense=model.sense if sense is None else sense
        )
        self.model: Final = model
        self.items_chosen: Final = items is not None
        self._items: IntArray = chosen
        self._fixed_cost = model.cost.copy()
        self._fixed_cost[self._items] = 0.0
        self._oracle = MipOracle(self.feasible_set(), model.names)
        self._listed: tuple[int, FloatArray | None] | None = None

    def with_items(self, items: Any) -> Self:
        """Return the same model with other items; those that are none any more keep the cost of the model.

        Examples
        --------
        >>> from hedgerow.problems import MixedIntegerProblem
        >>> problem = MixedIntegerProblem.from_scipy_milp([1, 7], ([[1, 1]], 1, 1), [1, 1], ([0, 0], [1, 1]))
        >>> problem.with_items(["x1"]).costs(np.array([[0.0, 1.0]]), np.array([[3.0]]))
        array([[7.]])
        """
        return type(self)(self.model, items=items, **self._units, sense=self._sense)

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of all variables."""
        return self.model.names

    # -- what it costs -------------------------------------------------------------------------------------------

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return what every solution (column) costs on every sample (row), the certain part included."""
        certain: FloatArray = solutions @ self._fixed_cost + self.model.offset
        total: FloatArray = samples @ solutions[:, self._items].T + certain
        return total

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the one solution with the best weighted sum of costs over the samples, by MIP."""
        weights = np.ones(len(samples)) if weights is None else weights
        sign = 1.0 if self._sense == "min" else -1.0
        answer = self._oracle.minimise(sign * self._objective(weights @ samples, float(weights.sum())), time_limit)
        value = float(np.sum(weights * self.costs(answer.point[np.newaxis], samples)[:, 0]))
        bound = sign * answer.bound + float(weights.sum()) * self.model.offset
        # Beyond the value only by rounding.
        return Best(answer.point, value, min(value, bound) if sign > 0.0 else max(value, bound))

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, bounds on its cost from the model without integrality.

        The worse one is infinite where the model does not bound it.

        Raises
        ------
        UnboundedProblemError
            If a cost can be improved without end.
        """
        objectives = [self._objective(sample, 1.0) for sample in samples]
        low = np.array([self._oracle.least(objective) for objective in objectives])
        high = np.array([-self._oracle.least(-objective) for objective in objectives])
        sign, better = (1.0, low) if self._sense == "min" else (-1.0, high)
        if np.isinf(better).any():
            raise self._oracle.unbounded(sign * objectives[int(np.argmax(np.isinf(better)))])
        return low + self.model.offset, high + self.model.offset

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the one row that is the cost of a linear model."""
        return CostRows(self._objective(sample, 1.0)[np.newaxis], np.array([self.model.offset]))

    def _objective(self, item_costs: FloatArray, total_weight: float) -> FloatArray:
        objective: FloatArray = total_weight * self._fixed_cost
        objective[self._items] = item_costs
        return objective

    # -- what is allowed -----------------------------------------------------------------------------------------

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return which bound, integer variable or row the solution breaks, in words, or None if it is feasible."""
        misshapen = self._misshapen(solution)
        if misshapen is not None:
            return misshapen
        model = self.model
        broken = model.integer & (np.abs(solution - np.rint(solution)) > FEASIBILITY)
        if broken.any():
            at = int(np.argmax(broken))
            return f"'{model.names[at]}' is {solution[at]:g}; it must be a whole number"
        activity: FloatArray = model.matrix @ solution
        for values, lower, upper, names, what in (
            (solution, model.lower, model.upper, model.names, ""),
            (activity, model.row_lower, model.row_upper, model.row_names, "the row "),
        ):
            broken = outside(values, lower, upper)
            if broken.any():
                at = int(np.argmax(broken))
                return f"{what}'{names[at]}' is {values[at]:g}; {_between(lower[at], upper[at])}"
        return None

    def feasible_set(self) -> FeasibleSet:
        """Return X: the model's own rows and columns."""
        model = self.model
        return FeasibleSet(model.matrix, model.row_lower, model.row_upper, model.lower, model.upper, model.integer)

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every solution (one per row) where all variables are whole and the list is short and quick to make."""
        # A list that was complete answers for every limit, one that was given up for every smaller one.
        if self._listed is None or (self._listed[1] is None and self._listed[0] < limit):
            self._listed = limit, all_solutions(self.model, limit)
        listed = self._listed[1]
        return listed if listed is not None and len(listed) <= limit else None

    # -- for people and files ------------------------------------------------------------------------------------

    def describe(self, solution: FloatArray) -> str:
        """Return what the solution uses, items first, the first dozen by name: "3 × machine, by hand, set-up"."""
        others = np.setdiff1d(np.arange(self.model.n_columns), self._items)
        order = np.concatenate([self._items, others])
        used = amounts([self.model.names[column] for column in order], solution[order])
        more = len(used) - _MOST_NAMED
        return ", ".join(used[:_MOST_NAMED] + ([f"and {more} more"] if more > 0 else [])) or "nothing"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description; the names only where a tree file could not hold or read the whole model."""
        if not fits_a_file(self.model):
            return super().to_dict()
        return self._described("mixed_integer", items=self._items.tolist(), **described(self.model))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        reading.only_fields(data, *FIELDS, "items", "unit", "sense")
        model = model_described(data)
        items = [model.names[place] for place in reading.places(data, "items", model.n_columns - 1)]
        return cls(model, items=items, **reading.units(data))

    def __repr__(self) -> str:
        size = f"{self.model.n_columns} variables, {self.model.n_rows} rows, {self.n_items} items"
        return f"MixedIntegerProblem({size}{self._options_in_words()})"


def _between(lower: float, upper: float) -> str:
    if lower == upper:
        return f"it must be {lower:g}"
    if math.isinf(upper):
        return f"it must be at least {lower:g}"
    return f"it must be at most {upper:g}" if math.isinf(lower) else f"it must lie from {lower:g} to {upper:g}"
