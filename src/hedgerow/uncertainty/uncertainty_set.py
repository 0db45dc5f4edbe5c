"""What all uncertainty sets have in common: everything that other parts of the package ask of one."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import in_short, list_some, number_array, number_at_least
from hedgerow.errors import InputError
from hedgerow.geometry import reach_limit
from hedgerow.tree.questions import Feature

DEFAULT_EPSILON = 0.001
"""The paper's step beyond a threshold."""

_RANGE = "range"


class MeasuredErrors(NamedTuple):
    """Pairs of reading and truth, and the share of errors that a set shall hold."""

    readings: Any
    truth: Any
    quantile: float


class SampleBudgets(NamedTuple):
    """Budgets as kernels want them: the largest affordable move costs, tolerance included."""

    each: FloatArray  # one per sample; empty where all samples share one
    together: float  # the one that all samples share; 0 where each has its own


class Worst(NamedTuple):
    """A worst attack."""

    leaf: IntArray  # per sample the column that it is led to
    bound: float  # no affordable attack has a larger sum of losses
    exact: bool  # whether this attack has that sum


@dataclass(frozen=True, eq=False, repr=False)
class Uncertainty:
    """How wrong readings may be: a budget Γ, limits, prices and a step ε.

    The rest of the package knows a set by the attributes and methods of this class only, so that a new set is one
    subclass. Methods are those of a set whose samples have budgets of their own.

    Attributes
    ----------
    budget
        The absolute budget Γ; None while only a fraction is given.
    fraction
        λ: the budget as a share of what would let the adversary reach every leaf.
    limits
        Largest change u of a single reading: one number, one per item, or one per sample and item.
    prices
        What a unit of change costs, w: one per item; "range" for one over each item's range; or either of these by
        column name. Readings that are not named cost 1. Context that is not named can't be misread.
    epsilon
        The step ε beyond a threshold that makes a reading count as larger.
    kind
        The name of the class in files.
    whose
        Whom the budget is for, in words.
    is_separable
        Whether each sample has a budget of its own, so that a worst attack is a worst attack on each of them.
    is_plain
        Whether each sample has a budget of its own, or all share one; kernels know no other budgets.
    errors
        The pairs that the set was made of by `from_errors`, for a fit to look at; None for any other set.
    """

    budget: Any = None
    fraction: float | None = field(default=None, kw_only=True)
    limits: Any = field(default=None, kw_only=True)
    prices: Any = field(default=None, kw_only=True)
    epsilon: float = field(default=DEFAULT_EPSILON, kw_only=True)
    errors: MeasuredErrors | None = field(default=None, init=False)

    kind: ClassVar[str] = ""
    whose: ClassVar[str] = "each sample"
    is_separable: ClassVar[bool] = True
    is_plain: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if (self.budget is None) == (self.fraction is None):
            raise InputError(
                f"{type(self).__name__} takes an absolute budget or fraction=; got "
                f"{'none of these' if self.budget is None else 'both'}. "
                f"For example {type(self).__name__}(1.5) or {type(self).__name__}(fraction=0.05)."
            )
        checks: dict[str, Callable[[Any], Any]] = {
            "budget": self._checked_budget,
            "fraction": lambda value: number_at_least(value, "fraction"),
            "limits": _checked_limits,
            "prices": _checked_prices,
        }
        for name, check in checks.items():
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else check(value))
        object.__setattr__(self, "epsilon", number_at_least(self.epsilon, "epsilon", strict=True))

    def _checked_budget(self, budget: Any) -> float | FloatArray:
        if is_single(budget):
            return number_at_least(budget, "budget")
        return _non_negative(budget, "budget", (1,), "one number, or one per sample", per="sample")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Uncertainty) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(repr(self.to_dict()))

    def __repr__(self) -> str:
        shown = {name: _in_short(value) for name, value in self.parameters().items() if value is not None}
        if self.epsilon == DEFAULT_EPSILON:
            shown.pop("epsilon", None)
        parts = [value if name == "budget" else f"{name}={value}" for name, value in shown.items()]
        return f"{type(self).__name__}({', '.join(parts)})"

    # -- facts -------------------------------------------------------------------------------------------------------

    def parameters(self) -> dict[str, Any]:
        """Return what the set was made of, by the names of its constructor's parameters."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    @property
    def can_misread(self) -> bool:
        """Whether any reading may be wrong at all."""
        return bool(np.any(self.fraction if self.budget is None else self.budget))

    @property
    def belongs_to_samples(self) -> bool:
        """Whether the set says something about single samples, so that it is none for others."""
        return bool(np.ndim(self.budget) == 1 or np.ndim(self.limits) == 2)

    @property
    def refers_to_data(self) -> bool:
        """Whether budget or prices are still to be computed from observations; see `bind`."""
        return self.budget is None or isinstance(self.prices, str | Mapping)

    def n_sharing(self, n_samples: int) -> int:
        """Return how many of some samples share one budget: 1 where each has its own."""
        return 1 if self.is_separable else n_samples

    def check_fits(self, n_samples: int, n_features: int) -> None:
        """Raise `InputError` if the set belongs to other samples or other items than these."""
        if self.refers_to_data:
            raise InputError(
                f"{self!r} refers to training data; use a fitted model's uncertainty_, or bind(observations, depth)."
            )
        if self.prices is not None and self.prices.shape != (n_features,):
            raise InputError(_wrong_length("prices", n_features, self.prices.size))
        if np.ndim(self.limits) == 1 and self.limits.shape != (n_features,):
            raise InputError(_wrong_length("limits", n_features, self.limits.size))
        if np.ndim(self.limits) == 2 and self.limits.shape != (n_samples, n_features):
            raise InputError(
                f"limits belong to {self.limits.shape[0]} samples × {self.limits.shape[1]} items and can't be applied "
                f"to {n_samples} × {n_features}; give one limit per item, or limits for these samples."
            )
        if isinstance(self.budget, np.ndarray) and self.budget.shape != (n_samples,):
            raise InputError(
                f"this set has one budget for each of its {self.budget.size} samples and can't be applied to "
                f"{n_samples} others; give one budget for all, or budgets for these samples."
            )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        known = {name: _jsonable(value) for name, value in self.parameters().items() if value is not None}
        return {"kind": self.kind, **known}

    # -- the adversary -----------------------------------------------------------------------------------------------

    def reach(self, n_samples: int) -> FloatArray:
        """Return the largest move cost that each sample can afford if no other one moves."""
        return np.array(np.broadcast_to(reach_limit(self.budget), n_samples))

    def affords(self, move_cost: FloatArray) -> bool:
        """Return whether all samples can be moved at once, at one move cost each."""
        return bool((move_cost <= self.reach(move_cost.size)).all())

    def worst(self, loss: FloatArray, move_cost: FloatArray) -> Worst:
        """Return a worst attack: `loss` and `move_cost` are samples × leaves, with a move cost of 0 in each row."""
        within = move_cost <= self.reach(len(loss))[:, None]
        leaf: IntArray = np.argmax(np.where(within, loss, -np.inf), axis=1)
        return Worst(leaf, float(loss[np.arange(len(loss)), leaf].sum()), True)

    def sample_budgets(self, n_samples: int) -> SampleBudgets:
        """Return the budgets for methods whose kernels know budgets per sample and one for all, and no others."""
        if not self.is_plain:
            raise InputError(
                f"this method needs one budget per sample, or one for all of them; {self!r} has other budgets. "
                'Methods for any set are "scenario_generation", "nominal" and "one_solution".'
            )
        return SampleBudgets(self.reach(n_samples), 0.0)

    # -- sets like this one ------------------------------------------------------------------------------------------

    def replace(self, **changes: Any) -> Self:
        """Return the set with some of its parameters changed; changes of what it doesn't have are left out."""
        known = self.parameters()
        return type(self)(**{name: changes.get(name, value) for name, value in known.items()})

    def in_unit(self, factor: float) -> Self:
        """Return the set for readings that were multiplied by a factor."""
        limits = None if self.limits is None else factor * self.limits
        return self.replace(budget=factor * self.budget, limits=limits, epsilon=factor * self.epsilon)

    def with_options_of(self, other: "Uncertainty") -> Self:
        """Return the set with limits, prices and ε of another one, as far as it has none of its own."""
        limits = other.limits if self.limits is None else self.limits
        prices = other.prices if self.prices is None else self.prices
        epsilon = other.epsilon if self.epsilon == DEFAULT_EPSILON else self.epsilon
        return self.replace(limits=limits, prices=prices, epsilon=epsilon)

    def of_samples(self, rows: IntArray, n_samples: int) -> Self:
        """Return the set for some of its samples: what belongs to single samples is kept for these rows."""
        budget, limits = self.budget, self.limits
        if np.ndim(budget) == 1 and len(budget) == n_samples:
            budget = budget[rows]
        if np.ndim(limits) == 2 and len(limits) == n_samples:
            limits = limits[rows]
        return self.replace(budget=budget, limits=limits)

    def of_features(self, chosen: Sequence[int]) -> Self:
        """Return the set for some of the columns of observations."""
        prices = self.prices[chosen] if isinstance(self.prices, np.ndarray) else self.prices
        return self.replace(prices=prices, limits=self.limits[..., chosen] if np.ndim(self.limits) else self.limits)

    def for_any_sample(self) -> Self:
        """Return the set without what belongs to single samples: no limits, and no budget, in place of theirs."""
        limits = None if np.ndim(self.limits) == 2 else self.limits
        return self.replace(budget=0.0 if np.ndim(self.budget) == 1 else self.budget, limits=limits)

    def bind(
        self,
        observations: FloatArray,
        depth: int,
        n_samples: int | None = None,
        *,
        names: Sequence[str] = (),
        context: Sequence[Feature] = (),
    ) -> Self:
        """Return the same set with absolute budget, prices and limits, as these observations and depth define them.

        With λ = `fraction`: Γ_loc = λ · depth · max_i w_i (max_j o_ji − min_j o_ji) over what may be misread, and
        Γ_glob = N · Γ_loc. Where N is not the number of observations, it is given as `n_samples`.

        `names` are those of the columns, of which the last ones are features of `context`. Context can't be misread
        unless prices name it.

        >>> from hedgerow import LocalBudget
        >>> from hedgerow.tree.questions import ContextColumn, Feature
        >>> features = [Feature(ContextColumn("wind")), Feature(ContextColumn("crane", ("in", "out")), ("out",))]
        >>> names = ["bridge", "wind", "crane is out"]
        >>> LocalBudget(1.0, prices={"wind": 0.5}).bind(np.ones((2, 3)), 2, names=names, context=features)
        LocalBudget(1.0, limits=[inf, inf, 0.0], prices=[1.0, 0.5, 1.0])
        """
        n_samples = len(observations) if n_samples is None else n_samples
        self._check_named(names, context)
        limits, ranges = self._limits_with(names, context), np.ptp(observations, axis=0)
        prices = self._prices_with(names, context, ranges)
        budget = 0.0 if self.budget is None else self.budget
        bound = self.replace(budget=budget, fraction=None, prices=prices, limits=limits)
        bound.check_fits(n_samples, ranges.size)
        if self.budget is not None:
            return bound
        largest = np.inf if limits is None else np.max(limits, axis=0) if np.ndim(limits) == 2 else limits
        weight = np.where(np.broadcast_to(largest, ranges.size) > 0.0, 1.0 if prices is None else prices, 0.0)
        each = (self.fraction or 0.0) * depth * float(np.max(weight * ranges, initial=0.0))
        return bound.replace(budget=each * self.n_sharing(n_samples))

    def _check_named(self, names: Sequence[str], context: Sequence[Feature]) -> None:
        """Raise `InputError` if prices name a column that isn't there, or that can't be misread."""
        numbers = [*names[: len(names) - len(context)], *(each.name for each in context if not each.values)]
        unknown = [name for name in self.prices if name not in numbers] if isinstance(self.prices, Mapping) else []
        if unknown:
            categories = " A category can't be misread." if any(each.values for each in context) else ""
            raise InputError(f"prices name {list_some(unknown)}; there are {list_some(numbers)}.{categories}")

    def _prices_with(self, names: Sequence[str], context: Sequence[Feature], ranges: FloatArray) -> FloatArray | None:
        """Return one price for each column of observations, whose ranges these are; None if all are 1."""
        prices: Any = self.prices
        # A range so small that one over it overflows is no range at all.
        per_range = np.divide(1.0, ranges, out=np.ones_like(ranges), where=ranges >= np.finfo(np.float64).tiny)
        if isinstance(prices, str):
            return per_range
        if isinstance(prices, Mapping):
            chosen = [prices.get(name, 1.0) for name in names]
            return np.array([per_range[item] if price == _RANGE else price for item, price in enumerate(chosen)])
        if prices is not None and len(prices) == len(names) - len(context):
            prices = np.concatenate([prices, np.ones(len(context))])
        return None if prices is None else np.asarray(prices)

    def _limits_with(self, names: Sequence[str], context: Sequence[Feature]) -> Any:
        """Return the limits with those of context: 0 for columns without a price."""
        limits = self.limits
        if not context or np.shape(limits)[-1:] == (len(names),) or np.shape(self.prices) == (len(names),):
            return limits
        priced = self.prices if isinstance(self.prices, Mapping) else ()
        of_priced = np.inf if limits is None or np.ndim(limits) else limits
        of_context = [of_priced if name in priced else 0.0 for name in names[len(names) - len(context) :]]
        rows = np.shape(limits)[:1] if np.ndim(limits) == 2 else ()
        of_readings = np.broadcast_to(np.inf if limits is None else limits, (*rows, len(names) - len(context)))
        return np.concatenate([of_readings, np.broadcast_to(of_context, (*rows, len(context)))], axis=-1)


def checked_uncertainty(value: Any) -> Uncertainty:
    """Return the value if it is an uncertainty set; raise `InputError` if not."""
    if not isinstance(value, Uncertainty):
        raise InputError(f"uncertainty must be Nominal, LocalBudget or GlobalBudget; got {in_short(value)}.")
    return value


def _checked_limits(limits: Any) -> float | FloatArray | None:
    if is_single(limits):
        return None if isinstance(limits, float) and limits == np.inf else number_at_least(limits, "limits")
    shapes = "one number, one per item, or one per sample and item"
    return _non_negative(limits, "limits", (1, 2), shapes, per="item", finite=False)


def _checked_prices(prices: Any) -> FloatArray | str | dict[str, Any]:
    if isinstance(prices, Mapping):
        for price in prices.values():
            if price != _RANGE:
                _checked_prices([price])
        return {str(name): price if price == _RANGE else float(price) for name, price in prices.items()}
    if isinstance(prices, str):
        if prices != _RANGE:
            raise InputError(f'prices must be one number per item, or "range"; got {in_short(prices)}.')
        return prices
    if is_single(prices):
        raise InputError(f'prices must be one number per item, or "range"; got the single value {in_short(prices)}.')
    return _non_negative(prices, "prices", (1,), 'one number per item, or "range"', per="item", strict=True)


def is_single(value: Any) -> bool:
    """Return whether a value is one number rather than a list of some kind."""
    try:
        return np.ndim(value) == 0
    except ValueError:  # rows of unequal length
        return False


def _non_negative(
    value: Any,
    what: str,
    dimensions: tuple[int, ...],
    shapes: str,
    *,
    per: str,
    finite: bool = True,
    strict: bool = False,
) -> FloatArray:
    array = number_array(value, what)
    if array.ndim not in dimensions or array.size == 0 or np.asarray(value).dtype == np.bool_:
        raise InputError(f"{what} must be {shapes}; got {in_short(value)}.")
    allowed = ((array > 0.0) if strict else (array >= 0.0)) & (np.isfinite(array) | (not finite))
    if not allowed.all():
        where = tuple(int(index) for index in np.argwhere(~allowed)[0])
        place = f"{per} {where[0]}" if len(where) == 1 else f"sample {where[0]}, item {where[1]}"
        raise InputError(
            f"{what} must be {'finite and ' if finite else ''}{'above zero' if strict else 'zero or more'}; "
            f"got {array[where]} for {place}, counted from 0."
        )
    return frozen(array + 0.0)


def _wrong_length(what: str, n_items: int, got: int) -> str:
    return f"{what} must hold one number for each of the {n_items} items; got {got}."


def _in_short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"[{' × '.join(map(str, value.shape))} values]" if value.size > 6 else repr(value.tolist())
    return repr(value)


def _jsonable(value: Any) -> Any:
    """Return arrays as lists, with null for "no limit", which JSON has no number for."""
    if isinstance(value, np.ndarray):
        return _jsonable(value.tolist())
    if isinstance(value, list):
        return [_jsonable(entry) for entry in value]
    return None if value == np.inf else value
