"""The uncertainty sets: no budget, one per sample, or one for all samples together."""

import inspect
from typing import Any, ClassVar, Self

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, number_at_least
from hedgerow.errors import FileFormatError, InputError
from hedgerow.geometry import reach_limit
from hedgerow.uncertainty.uncertainty_set import (
    MeasuredErrors,
    SampleBudgets,
    Uncertainty,
    Worst,
    is_single,
)


class Nominal(Uncertainty):
    """No uncertainty: every observation is read as it is.

    Examples
    --------
    >>> from hedgerow import Nominal
    >>> Nominal()
    Nominal()
    """

    kind: ClassVar[str] = "nominal"

    def __init__(self) -> None:
        super().__init__(0.0)


class LocalBudget(Uncertainty):
    """Each sample on its own: Σ_i w_i |ξ_ji| ≤ Γ_j.

    Parameters
    ----------
    budget
        Γ: one number for all samples, or a list with one per sample (the set then belongs to these samples).
    fraction, limits, prices, epsilon
        See the attributes.

    Examples
    --------
    >>> from hedgerow import LocalBudget
    >>> LocalBudget(1.5)
    LocalBudget(1.5)
    >>> LocalBudget(fraction=0.05, prices="range")
    LocalBudget(fraction=0.05, prices='range')
    """

    kind: ClassVar[str] = "local"

    @classmethod
    def from_errors(
        cls,
        readings: Any,
        truth: Any,
        quantile: float = 0.9,
        *,
        depth: int | None = 2,
    ) -> Self:
        """Return the set that holds the errors that a tree can meet in a new reading with probability `quantile`.

        A tree of depth D asks D questions on the way to a leaf, so the D largest errors count. The promise is for pairs
        like the ones given (exchangeable with them). Most errors never reach a tree: a reading that is wrong but leads
        to the same leaf does no harm. `RobustTree.fit` therefore lowers the budget to the same quantile of what it
        takes to get from the truth to the leaf that the reading reaches, in a greedy tree, or less where that does harm
        on these pairs; `uncertainty_` holds the budget that was used. The promise is about the set returned here, not
        about a budget lowered by a fit.

        Parameters
        ----------
        readings, truth
            What was read, such as forecasts, and what turned out to be true: in pairs, m × items.
        quantile
            The share of new readings that the set shall hold, between 0 and 1.
        depth
            D: how many of the largest errors count; None for all of them.

        Examples
        --------
        >>> from hedgerow import LocalBudget
        >>> forecasts = [[10.0], [12.0], [9.0], [11.0]]
        >>> outcomes = [[11.0], [12.0], [12.0], [10.5]]
        >>> LocalBudget.from_errors(forecasts, outcomes, quantile=0.6)
        LocalBudget(1.0)
        """
        from hedgerow.uncertainty.calibration import budget_from_errors

        found = cls(budget_from_errors(readings, truth, quantile, depth))
        object.__setattr__(found, "errors", MeasuredErrors(readings, truth, quantile))
        return found


class GlobalBudget(Uncertainty):
    """All samples together: Σ_j Σ_i w_i |ξ_ji| ≤ Γ.

    Parameters
    ----------
    budget
        Γ: one number.
    fraction, limits, prices, epsilon
        See the attributes. `fraction` means N times the local budget.

    Examples
    --------
    >>> from hedgerow import GlobalBudget
    >>> GlobalBudget(9.0, limits=2.5)
    GlobalBudget(9.0, limits=2.5)
    """

    kind: ClassVar[str] = "global"
    whose: ClassVar[str] = "all samples together"
    is_separable: ClassVar[bool] = False

    def _checked_budget(self, budget: Any) -> float:
        if not is_single(budget):
            raise InputError(
                f"a global budget is one number for all samples together; got {in_short(budget)}. "
                "For one budget per sample use LocalBudget."
            )
        return number_at_least(budget, "budget")

    def affords(self, move_cost: FloatArray) -> bool:
        """Return whether all samples can be moved at once, at one move cost each."""
        return float(move_cost.sum()) <= reach_limit(float(self.budget))

    def worst(self, loss: FloatArray, move_cost: FloatArray) -> Worst:
        """Return a worst attack: `loss` and `move_cost` are samples × leaves, with a move cost of 0 in each row."""
        from hedgerow.adversary.knapsack import worst_choice  # compiled kernels are loaded only where they are used

        return Worst(*worst_choice(loss, move_cost, self.budget))

    def sample_budgets(self, n_samples: int) -> SampleBudgets:
        """Return the one budget of all samples."""
        del n_samples
        return SampleBudgets(np.empty(0), reach_limit(float(self.budget)))


def _from_jsonable(value: Any, level: int = 0) -> Any:
    """Return lists with null read as "no limit"; two levels are all that an array here can have."""
    if isinstance(value, list) and level < 2:
        return [_from_jsonable(entry, level + 1) for entry in value]
    return np.inf if value is None and level else value


def uncertainty_from_dict(data: Any) -> Uncertainty:
    """Return the set that `to_dict` described; what is not one is refused with `FileFormatError`.

    Examples
    --------
    >>> from hedgerow.uncertainty import uncertainty_from_dict
    >>> uncertainty_from_dict({"kind": "local", "budget": 1.5, "epsilon": 0.001})
    LocalBudget(1.5)
    """
    kinds = {each.kind: each for each in Uncertainty.__subclasses__()}
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in kinds:
        raise FileFormatError(f"an uncertainty set must have a kind among {', '.join(kinds)}; got {in_short(data)}.")
    known = inspect.signature(kinds[kind]).parameters.keys()
    unknown = sorted(set(data) - known - {"kind"}, key=str)
    if unknown:
        raise FileFormatError(f"an uncertainty set of kind {kind!r} has no {in_short(unknown[0])}.")
    fields = {name: _from_jsonable(value) for name, value in data.items() if name != "kind"}
    try:
        return kinds[kind](**fields)
    except InputError as error:
        raise FileFormatError(f"the uncertainty set can't be read: {error}") from None
