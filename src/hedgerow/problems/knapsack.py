"""Choose items that fit into a knapsack."""

from collections.abc import Iterable
from typing import Any, Final, Unpack

import numpy as np

from hedgerow.data.arrays import frozen
from hedgerow.data.checks import finite_vector, in_short, number_array, number_at_least
from hedgerow.errors import InputError
from hedgerow.problem import FeasibleSet, RowBlock, Sense
from hedgerow.problems.base import LinearProblem, Units, numbered
from hedgerow.tolerances import FEASIBILITY


class Knapsack(LinearProblem):
    """Choose items whose weights together do not exceed a capacity.

    For spending a budget: which projects to fund, which orders to take into a day's
    production, which parcels to load. The samples hold what the items bring in; an item may bring in less than nothing
    on some days, and is then left out.

    Parameters
    ----------
    weights
        What each item weighs, zero or more.
    capacity
        What all chosen items may weigh together, zero or more.
    item_names
        Names of the items; x1, x2, … by default.
    unit, reading_unit
        Unit of the gains, and that of the readings where it is another one.
    sense
        "max" for gains, "min" for costs (of which only negative ones are worth choosing).

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import Knapsack
    >>> problem = Knapsack([4, 3, 2], 6, item_names=["tent", "stove", "rope"])
    >>> best = problem.best_solution(np.array([[5.0, 4.0, 3.0]]))
    >>> problem.describe(best.solution), best.value
    ('tent, rope', 8.0)
    """

    kind = "knapsack"

    def __init__(
        self,
        weights: Any,
        capacity: float,
        *,
        item_names: Iterable[Any] | None = None,
        sense: Sense = "max",
        **units: Unpack[Units],
    ) -> None:
        numbers = number_array(weights, "weights")
        if numbers.ndim != 1 or not numbers.size:
            raise InputError(f"weights must be a list with one number for each item; got {in_short(weights)}.")
        super().__init__(item_names, default=numbered(numbers.size), **units, sense=sense)
        self.weights: Final = frozen(finite_vector(numbers, "weights", length=numbers.size, per="items") + 0.0)
        if (self.weights < 0.0).any():
            item = int(np.argmax(self.weights < 0.0))
            raise InputError(f"weights must be zero or more; got {self.weights[item]:g} for '{self.item_names[item]}'.")
        self.capacity: Final = number_at_least(capacity, "capacity")

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries whose weights sum to at most the capacity; items too heavy by themselves are fixed."""
        total = RowBlock("the weight of the chosen items", [self.weights[np.newaxis]], -np.inf, self.capacity)
        # Weights such as 0.1 and 0.2 must fit where the capacity is 0.3, however their sum is rounded.
        return FeasibleSet.of(total, most=self.weights <= self.capacity + FEASIBILITY * max(1.0, self.capacity))
