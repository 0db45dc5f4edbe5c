"""How wrong an observation may be: no budget, one per sample, or one for all samples together."""

__all__ = ["GlobalBudget", "LocalBudget", "Nominal", "Uncertainty", "uncertainty_from_dict"]

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from hedgerow.arrays import FloatArray, frozen
from hedgerow.checks import number_at_least
from hedgerow.errors import FileFormatError, InputError

_DEFAULT_EPSILON = 0.001


@dataclass(frozen=True)
class Nominal:
    """No uncertainty: every observation is read as it is.

    Examples
    --------
    >>> from hedgerow import Nominal
    >>> Nominal()
    Nominal()
    """

    kind: ClassVar[Literal["nominal"]] = "nominal"

    def bind(self, observations: FloatArray, depth: int) -> Self:
        """Return the set itself: it holds for any data."""
        del observations, depth
        return self

    def check_fits(self, n_samples: int, n_features: int) -> None:
        """Accept any data."""
        del n_samples, n_features

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        return {"kind": self.kind}


@dataclass(frozen=True, eq=False)
class _Budget:
    """What local and global budgets have in common.

    Attributes
    ----------
    budget
        The absolute budget Γ; None while only a fraction is given.
    fraction
        λ: the budget as a share of what would let the adversary reach every leaf.
    limits
        Largest change u of a single reading: one number, one per item, or one per sample and item.
    prices
        What a unit of change costs, w: one per item, or "range" for one over each item's range.
    epsilon
        The step ε beyond a threshold that makes a reading count as larger.
    """

    budget: Any = None
    fraction: float | None = dataclasses.field(default=None, kw_only=True)
    limits: Any = dataclasses.field(default=None, kw_only=True)
    prices: Any = dataclasses.field(default=None, kw_only=True)
    epsilon: float = dataclasses.field(default=_DEFAULT_EPSILON, kw_only=True)

    def __post_init__(self) -> None:
        if (self.budget is None) == (self.fraction is None):
            given = "neither" if self.budget is None else "both"
            raise InputError(
                f"{type(self).__name__} takes either an absolute budget or fraction=; got {given}. "
                f"For example {type(self).__name__}(1.5) or {type(self).__name__}(fraction=0.05)."
            )
        _set(self, "budget", None if self.budget is None else self._checked_budget(self.budget))
        _set(self, "fraction", None if self.fraction is None else number_at_least(self.fraction, "fraction"))
        _set(self, "limits", _checked_limits(self.limits))
        _set(self, "prices", _checked_prices(self.prices))
        _set(self, "epsilon", number_at_least(self.epsilon, "epsilon", strict=True))

    def _checked_budget(self, budget: Any) -> float | FloatArray:
        return number_at_least(budget, "budget")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Budget) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(repr(self.to_dict()))

    def __repr__(self) -> str:
        parts = [] if self.budget is None else [_in_short(self.budget)]
        parts += [
            f"{name}={_in_short(getattr(self, name))}"
            for name in ("fraction", "limits", "prices")
            if getattr(self, name) is not None
        ]
        parts += [] if self.epsilon == _DEFAULT_EPSILON else [f"epsilon={self.epsilon!r}"]
        return f"{type(self).__name__}({', '.join(parts)})"

    def bind(self, observations: FloatArray, depth: int) -> Self:
        """Return the same set with absolute budget and prices, as these observations and depth define them.

        With λ = `fraction`: Γ_loc = λ · depth · max_i w_i (max_j o_ji − min_j o_ji), and Γ_glob = N · Γ_loc.
        """
        ranges = np.ptp(observations, axis=0)
        prices = self.prices
        if isinstance(prices, str):
            prices = np.divide(1.0, ranges, out=np.ones_like(ranges), where=ranges > 0.0)
        budget = self.budget
        if budget is None:
            assert self.fraction is not None
            widest = float(np.max(ranges if prices is None else prices * ranges, initial=0.0))
            budget = self.fraction * depth * widest * self._samples_per_budget(observations.shape[0])
        bound = dataclasses.replace(self, budget=budget, fraction=None, prices=prices)
        bound.check_fits(*observations.shape)
        return bound

    def _samples_per_budget(self, n_samples: int) -> int:
        raise NotImplementedError

    def check_fits(self, n_samples: int, n_features: int) -> None:
        """Raise `InputError` if the set belongs to other samples or other items than these."""
        if self.budget is None or isinstance(self.prices, str):
            raise InputError(
                f"{self!r} refers to training data; use a fitted model's uncertainty_, or bind(observations, depth)."
            )
        if self.prices is not None and self.prices.shape != (n_features,):
            raise InputError(f"prices must hold one number for each of the {n_features} items; got {self.prices.size}.")
        if not isinstance(self.limits, np.ndarray):
            return
        if self.limits.ndim == 1 and self.limits.shape != (n_features,):
            raise InputError(f"limits must hold one number for each of the {n_features} items; got {self.limits.size}.")
        if self.limits.ndim == 2 and self.limits.shape != (n_samples, n_features):
            raise InputError(
                f"limits belong to {self.limits.shape[0]} samples × {self.limits.shape[1]} items and can't be applied "
                f"to {n_samples} × {n_features}; give one limit per item, or limits for these samples."
            )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        fields = {
            field.name: _jsonable(getattr(self, field.name))
            for field in dataclasses.fields(self)
            if getattr(self, field.name) is not None
        }
        return {"kind": self.kind, **fields}

    kind: ClassVar[str] = ""


class LocalBudget(_Budget):
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

    def _checked_budget(self, budget: Any) -> float | FloatArray:
        if np.ndim(budget) == 0:
            return number_at_least(budget, "budget")
        return _non_negative(budget, "budget", (1,), "one number, or one per sample")

    def _samples_per_budget(self, n_samples: int) -> int:
        del n_samples
        return 1

    def check_fits(self, n_samples: int, n_features: int) -> None:
        """Raise `InputError` if the set belongs to other samples or other items than these."""
        super().check_fits(n_samples, n_features)
        if isinstance(self.budget, np.ndarray) and self.budget.shape != (n_samples,):
            raise InputError(
                f"this set has one budget for each of its {self.budget.size} samples and can't be applied to "
                f"{n_samples} others; give one budget for all, or budgets for these samples."
            )


class GlobalBudget(_Budget):
    """All samples together: Σ_j Σ_i w_i |ξ_ji| ≤ Γ.

    Parameters
    ----------
    budget
        Γ: one number.
    fraction, limits, prices, epsilon
        See the attributes. `fraction` means N times the local budget of the same fraction.

    Examples
    --------
    >>> from hedgerow import GlobalBudget
    >>> GlobalBudget(9.0, limits=2.5)
    GlobalBudget(9.0, limits=2.5)
    """

    kind: ClassVar[str] = "global"

    def _checked_budget(self, budget: Any) -> float:
        if np.ndim(budget) > 0:
            raise InputError(
                f"a global budget is one number for all samples together; got a list of {np.size(budget)}. "
                "For one budget per sample use LocalBudget."
            )
        return number_at_least(budget, "budget")

    def _samples_per_budget(self, n_samples: int) -> int:
        return n_samples


Uncertainty: TypeAlias = Nominal | LocalBudget | GlobalBudget


def _set(target: object, name: str, value: Any) -> None:
    object.__setattr__(target, name, value)


def _checked_limits(limits: Any) -> float | FloatArray | None:
    if limits is None:
        return None
    if np.ndim(limits) == 0:
        return number_at_least(limits, "limits")
    shapes = "one number, one per item, or one per sample and item"
    return _non_negative(limits, "limits", (1, 2), shapes, finite=False)


def _checked_prices(prices: Any) -> FloatArray | str | None:
    if prices is None:
        return None
    if isinstance(prices, str):
        if prices != "range":
            raise InputError(f'prices must be one number per item, or "range"; got {prices!r}.')
        return prices
    if np.ndim(prices) == 0:
        raise InputError(f'prices must be one number per item, or "range"; got the single number {prices!r}.')
    array = _non_negative(prices, "prices", (1,), "one number per item")
    if (array == 0.0).any():
        raise InputError(f"prices must be above zero; got 0.0 for item {int(np.argmin(array))}.")
    return array


def _non_negative(
    value: Any, what: str, dimensions: tuple[int, ...], shapes: str, *, finite: bool = True
) -> FloatArray:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be {shapes}; got {value!r}.") from None
    if array.ndim not in dimensions or array.size == 0:
        raise InputError(f"{what} must be {shapes}; got an array of shape {array.shape}.")
    allowed = (array >= 0.0) & (np.isfinite(array) | (not finite))
    if not allowed.all():
        raise InputError(f"{what} must be {'finite and ' if finite else ''}zero or more; got {array[~allowed].flat[0]}.")
    return frozen(array)


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


def _from_jsonable(value: Any) -> Any:
    if isinstance(value, list):
        return [np.inf if entry is None else _from_jsonable(entry) for entry in value]
    return value


def uncertainty_from_dict(data: Any) -> Uncertainty:
    """Return the set that `to_dict` described; what is not one is refused with `FileFormatError`.

    Examples
    --------
    >>> from hedgerow.uncertainty import uncertainty_from_dict
    >>> uncertainty_from_dict({"kind": "local", "budget": 1.5, "epsilon": 0.001})
    LocalBudget(1.5)
    """
    kinds: dict[Any, Callable[..., Uncertainty]] = {"nominal": Nominal, "local": LocalBudget, "global": GlobalBudget}
    if not isinstance(data, dict) or data.get("kind") not in kinds:
        raise FileFormatError(f"an uncertainty set must have a kind among {', '.join(kinds)}; got {data!r:.80}.")
    fields = {name: _from_jsonable(value) for name, value in data.items() if name != "kind"}
    try:
        return kinds[data["kind"]](**fields)
    except (InputError, TypeError) as error:
        raise FileFormatError(f"the uncertainty set can't be read: {error}") from None
