"""Problems whose cost is c·x: what they all share, so that a new one is little more than its oracle."""

__all__ = ["LinearProblem", "amounts", "numbered"]

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hedgerow.arrays import FloatArray, frozen
from hedgerow.checks import finite_matrix, in_short, unique_names
from hedgerow.errors import InputError
from hedgerow.problem import Best, CostRows, FeasibleSet, Sense
from hedgerow.tolerances import FEASIBILITY

_CUSTOM = "custom"


class LinearProblem(ABC):
    """A problem with f(c, x) = c·x, in which every variable is an item.

    A subclass calls `super().__init__` with its items' names and writes three methods: `_minimise`, `infeasibility`
    and `feasible_set`. `all_solutions`, `describe` and `to_dict` may be refined. Objects are values: nothing in them
    changes after construction.

    Parameters
    ----------
    item_names
        Names of the items, which are also those of the variables.
    unit
        Unit of the costs, such as "min" or "EUR".
    sense
        "min" if costs are to be small, "max" if the samples hold gains.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import Selection
    >>> problem = Selection(3, 2, unit="EUR")
    >>> best = problem.best_solution(np.array([[1.0, 2.0, 5.0], [1.0, 4.0, 2.0]]))
    >>> problem.describe(best.solution), best.value
    ('x1, x2', 8.0)
    """

    def __init__(self, item_names: Iterable[Any], *, unit: str = "", sense: Sense = "min") -> None:
        self._item_names = unique_names(item_names, "item_names")
        if not self._item_names:
            raise InputError("item_names must name at least one item; got none.")
        if not isinstance(unit, str):
            raise InputError(f'unit must be a text such as "min" or "EUR"; got {in_short(unit)}.')
        if sense not in ("min", "max"):
            raise InputError(f'sense must be "min" or "max"; got {in_short(sense)}.')
        self._unit = unit
        self._sense: Sense = sense

    @property
    def item_names(self) -> tuple[str, ...]:
        """Names of the uncertain items."""
        return self._item_names

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries: the items."""
        return self._item_names

    @property
    def sense(self) -> Sense:
        """Whether smaller ("min") or larger ("max") costs are better."""
        return self._sense

    @property
    def unit(self) -> str:
        """Unit of the costs; empty if there is none."""
        return self._unit

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self._item_names)

    # What a subclass must tell.

    @abstractmethod
    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        """Return, for each row of costs, a solution (a row) of least cost; costs already have the sign of "min"."""

    @abstractmethod
    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is not feasible, in words, or None if it is."""

    @abstractmethod
    def feasible_set(self) -> FeasibleSet:
        """Return X as rows and columns of a MIP."""

    # What follows from it.

    def check_samples(self, samples: FloatArray) -> None:
        """Raise `InputError` if the samples are not a finite matrix with one column per item."""
        finite_matrix(samples, "costs", n_columns=self.n_items, column_names=self.item_names)

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return c_j·x_k for every sample j (rows) and solution k (columns)."""
        product: FloatArray = samples @ solutions.T
        return product

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the one solution with the best weighted sum of costs: the oracle's answer to the summed samples.

        The time limit is not needed: the oracles of these problems are quick.
        """
        del time_limit
        if weights is None:
            weights = np.ones(len(samples))
        summed: FloatArray = weights @ samples
        solution = frozen(self._minimise(self._signed(summed[np.newaxis]))[0])
        # The value is what the solution costs, not what the oracle added up: the two may differ in the last digit.
        value = float(np.sum(weights * self.costs(solution[np.newaxis], samples)[:, 0]))
        return Best(solution, value, value)

    def best_solutions(self, samples: FloatArray) -> FloatArray:
        """Return the best solution of each sample on its own, one per row."""
        return self._minimise(self._signed(samples))

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest c_j·x over all solutions, for each sample."""
        return _row_products(samples, self._minimise(samples)), _row_products(samples, self._minimise(-samples))

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the one row that is the cost of a linear problem."""
        return CostRows(np.array(sample, dtype=np.float64, ndmin=2), np.zeros(1))

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every solution (one per row) if there are at most `limit`; here None, for "not known"."""
        del limit
        return None

    def describe(self, solution: FloatArray) -> str:
        """Return the items that the solution uses, such as "a, 2 × b"."""
        return ", ".join(amounts(self.variable_names, solution)) or "nothing"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description.

        This one tells names, unit and sense only; a subclass that can be rebuilt says how, under a kind of its own.
        """
        return {
            "kind": _CUSTOM,
            "class": type(self).__name__,
            "items": list(self.item_names),
            "unit": self.unit,
            "sense": self.sense,
        }

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, LinearProblem)
        description = self.to_dict()
        # The custom description leaves out what makes the problem, so it can't prove two problems equal.
        return description["kind"] != _CUSTOM and description == other.to_dict()

    def __hash__(self) -> int:
        return hash((type(self), self.item_names, self.unit, self.sense))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n_items} items{self._options_in_words()})"

    # Helpers for subclasses.

    def _options_in_words(self) -> str:
        """Return unit and sense as they are typed, where they differ from the default."""
        unit = f", unit={self.unit!r}" if self.unit else ""
        return unit if self.sense == "min" else f"{unit}, sense={self.sense!r}"

    def _misshapen(self, solution: FloatArray) -> str | None:
        """Return in words why `solution` is no vector of finite numbers, one per item, or None if it is."""
        if np.shape(solution) != (self.n_items,):
            shape = np.shape(solution)
            return f"a solution has one value for each of the {self.n_items} items; this one has shape {shape}"
        if not np.isfinite(solution).all():
            item = int(np.argmin(np.isfinite(solution)))
            return f"the value of '{self.item_names[item]}' is {solution[item]}; values are finite numbers"
        return None

    def _signed(self, costs: FloatArray) -> FloatArray:
        return costs if self.sense == "min" else -costs


def numbered(n_items: int, letter: str = "x") -> tuple[str, ...]:
    """Return the names x1, x2, … for items that nobody has named."""
    return tuple(f"{letter}{number}" for number in range(1, n_items + 1))


def amounts(names: Sequence[str], values: FloatArray) -> list[str]:
    """Return what is used, and how much of it where that is not 1: "a", "2 × b"."""
    return [
        name if _amount(value) == "1" else f"{_amount(value)} × {name}"
        for name, value in zip(names, values.tolist(), strict=True)
        if abs(value) > FEASIBILITY
    ]


def _row_products(samples: FloatArray, solutions: FloatArray) -> FloatArray:
    products: FloatArray = np.einsum("ji,ji->j", samples, solutions)
    return products


def _amount(value: float) -> str:
    whole = round(value)
    return str(whole) if abs(value - whole) <= FEASIBILITY else f"{value:.6g}"
