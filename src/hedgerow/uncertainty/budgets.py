"""How wrong an observation may be: no budget, one per sample, or one for all samples together."""

__all__ = ["GlobalBudget", "LocalBudget", "MeasuredErrors", "Nominal", "Uncertainty", "uncertainty_from_dict"]

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, frozen
from hedgerow.data.checks import LARGEST, in_short, number_array, number_at_least
from hedgerow.errors import FileFormatError, InputError
from hedgerow.tree.questions import Question

_DEFAULT_EPSILON = 0.001
_NORMAL = 1.4826


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
    deviations
        The budget in typical deviations of one reading, the same for every depth; a few extreme values don't set it.
    limits
        Largest change u of a single reading: one number, one per item, or one per sample and item.
    prices
        What a unit of change costs, w: one per item, or "range" for one over each item's range.
    epsilon
        The step ε beyond a threshold that makes a reading count as larger.
    """

    budget: Any = None
    fraction: float | None = dataclasses.field(default=None, kw_only=True)
    deviations: float | None = dataclasses.field(default=None, kw_only=True)
    limits: Any = dataclasses.field(default=None, kw_only=True)
    prices: Any = dataclasses.field(default=None, kw_only=True)
    epsilon: float = dataclasses.field(default=_DEFAULT_EPSILON, kw_only=True)

    def __post_init__(self) -> None:
        ways = (self.budget, self.fraction, self.deviations)
        if sum(way is not None for way in ways) != 1:
            given = "none of these" if all(way is None for way in ways) else "more than one"
            raise InputError(
                f"{type(self).__name__} takes an absolute budget, fraction= or deviations=; got {given}. "
                f"For example {type(self).__name__}(1.5) or {type(self).__name__}(fraction=0.05)."
            )
        checks: dict[str, Callable[[Any], Any]] = {
            "budget": self._checked_budget,
            "fraction": lambda value: number_at_least(value, "fraction"),
            "deviations": lambda value: number_at_least(value, "deviations"),
            "limits": _checked_limits,
            "prices": _checked_prices,
        }
        for name, check in checks.items():
            value = getattr(self, name)
            _set(self, name, None if value is None else check(value))
        _set(self, "epsilon", number_at_least(self.epsilon, "epsilon", strict=True))

    def _checked_budget(self, budget: Any) -> float | FloatArray:
        if _is_single(budget):
            return number_at_least(budget, "budget")
        if self.kind == "global":
            raise InputError(
                f"a global budget is one number for all samples together; got {in_short(budget)}. "
                "For one budget per sample use LocalBudget."
            )
        return _non_negative(budget, "budget", (1,), "one number, or one per sample", per="sample")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Budget) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(repr(self.to_dict()))

    def __repr__(self) -> str:
        parts = [] if self.budget is None else [_in_short(self.budget)]
        parts += [
            f"{name}={_in_short(getattr(self, name))}"
            for name in ("fraction", "deviations", "limits", "prices")
            if getattr(self, name) is not None
        ]
        parts += [] if self.epsilon == _DEFAULT_EPSILON else [f"epsilon={self.epsilon!r}"]
        return f"{type(self).__name__}({', '.join(parts)})"

    def bind(self, observations: FloatArray, depth: int) -> Self:
        """Return the same set with absolute budget and prices, as these observations and depth define them.

        With λ = `fraction`: Γ_loc = λ · depth · max_i w_i (max_j o_ji − min_j o_ji), and Γ_glob = N · Γ_loc. With
        `deviations` the middle one of all items' priced deviations takes the place of depth and widest range.
        """
        budget, prices = self.budget, self.prices
        if budget is None or isinstance(prices, str):
            ranges = _ranges(observations)
        if isinstance(prices, str):
            # A range so small that one over it overflows is no range at all.
            prices = np.divide(1.0, ranges, out=np.ones_like(ranges), where=ranges >= np.finfo(np.float64).tiny)
        if budget is None:
            if prices is not None and prices.shape != ranges.shape:
                raise InputError(_wrong_length("prices", ranges.size, prices.size))
            if self.fraction is None:
                assert self.deviations is not None
                each = self.deviations * _typical_deviation(observations, prices)
            else:
                widest = float(np.max(ranges if prices is None else prices * ranges, initial=0.0))
                each = self.fraction * depth * widest
            budget = each * (len(observations) if self.kind == "global" else 1)
        bound = dataclasses.replace(self, budget=budget, fraction=None, deviations=None, prices=prices)
        bound.check_fits(*observations.shape)
        return bound

    def of_samples(self, kept: BoolArray) -> Self:
        """Return the set for some of its samples: what is given per sample is kept for these."""
        budget, limits = self.budget, self.limits
        if isinstance(budget, np.ndarray) and budget.shape == kept.shape:
            budget = budget[kept]
        if isinstance(limits, np.ndarray) and limits.ndim == 2 and len(limits) == kept.size:
            limits = limits[kept]
        return dataclasses.replace(self, budget=budget, limits=limits)

    def check_fits(self, n_samples: int, n_features: int) -> None:
        """Raise `InputError` if the set belongs to other samples or other items than these."""
        if self.budget is None or isinstance(self.prices, str):
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
        fields = {
            field.name: _jsonable(getattr(self, field.name))
            for field in dataclasses.fields(self)
            if getattr(self, field.name) is not None
        }
        return {"kind": self.kind, **fields}

    kind: ClassVar[str] = ""


class MeasuredErrors(NamedTuple):
    """Pairs of reading and truth, and the share of errors that a set shall hold."""

    readings: Any
    truth: Any
    quantile: float


class LocalBudget(_Budget):
    """Each sample on its own: Σ_i w_i |ξ_ji| ≤ Γ_j.

    Parameters
    ----------
    budget
        Γ: one number for all samples, or a list with one per sample (the set then belongs to these samples).
    fraction, deviations, limits, prices, epsilon
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
        questions: Sequence[Question] | None = None,
        prices: Any = None,
        limits: bool = False,
        epsilon: float = _DEFAULT_EPSILON,
    ) -> Self:
        """Return the set that holds the errors that a tree can meet in a new reading with probability `quantile`.

        A tree of depth D asks D questions on the way to a leaf, so the D largest errors count. The promise is for pairs
        like the ones given (exchangeable with them); `hedgerow.study.coverage` checks it on others, and for a fitted
        tree. Most errors never reach a tree: a reading that is wrong but leads to the same leaf does no harm.
        `RobustTree.fit` therefore lowers the budget to the same quantile of what it takes to get from the truth to the
        leaf that the reading reaches, in a greedy tree, or less where that does harm on these pairs; `uncertainty_`
        holds the budget that was used. The promise is about the set returned here, not about a budget lowered by a fit;
        use `coverage` with the fitted tree for that.

        Parameters
        ----------
        readings, truth
            What was read, such as forecasts, and what turned out to be true: in pairs, m × items.
        quantile
            The share of new readings that the set shall hold, between 0 and 1.
        depth
            D: how many of the largest errors count; None for all of them.
        questions
            What the tree may ask, if not single readings: the errors that count are then those of the questions.
        prices
            One number per item; "errors" for one over the item's mean absolute error; None to count all alike.
        limits
            Whether to limit the error of each item, too, in proportion to its own errors.
        epsilon
            See the attributes.

        Examples
        --------
        >>> from hedgerow import LocalBudget
        >>> forecasts = [[10.0], [12.0], [9.0], [11.0]]
        >>> outcomes = [[11.0], [12.0], [12.0], [10.5]]
        >>> LocalBudget.from_errors(forecasts, outcomes, quantile=0.6)
        LocalBudget(1.0)
        """
        from hedgerow.uncertainty.calibration import local_from_errors

        measured = local_from_errors(readings, truth, quantile, depth, questions, prices, limits)
        found = cls(measured.budget, prices=measured.prices, limits=measured.limits, epsilon=epsilon)
        _set(found, "_errors", MeasuredErrors(readings, truth, quantile))
        return found

    @property
    def errors(self) -> MeasuredErrors | None:
        """The pairs that the set was made of by `from_errors`, for a fit to look at; None for any other set."""
        return self.__dict__.get("_errors")


class GlobalBudget(_Budget):
    """All samples together: Σ_j Σ_i w_i |ξ_ji| ≤ Γ.

    Parameters
    ----------
    budget
        Γ: one number.
    fraction, deviations, limits, prices, epsilon
        See the attributes. `fraction` and `deviations` mean N times the local budget.

    Examples
    --------
    >>> from hedgerow import GlobalBudget
    >>> GlobalBudget(9.0, limits=2.5)
    GlobalBudget(9.0, limits=2.5)
    """

    kind: ClassVar[str] = "global"

    @classmethod
    def from_errors(
        cls,
        readings: Any,
        truth: Any,
        quantile: float = 0.9,
        *,
        depth: int | None = 2,
        questions: Sequence[Question] | None = None,
        n_samples: int | None = None,
        prices: Any = None,
        epsilon: float = _DEFAULT_EPSILON,
    ) -> Self:
        """Return the set that holds the errors of `n_samples` new readings together with probability `quantile`.

        An approximation, good where pairs and samples are many: their sum is nearly normal. With few pairs and heavy
        tails it covers less. Rows should be in the order in which samples come, such as that of time: errors that go
        together add up to more, and how much is learnt from blocks of consecutive rows.

        There are no limits to learn here, since pairs that show how large the largest of N errors gets would have to be
        many times N; those of a local budget can be passed on.

        Parameters
        ----------
        readings, truth, quantile, depth, questions, prices, epsilon
            As for `LocalBudget.from_errors`.
        n_samples
            N: how many samples the budget is for; as many as there are pairs if None.

        Examples
        --------
        >>> from hedgerow import GlobalBudget
        >>> GlobalBudget.from_errors([[10.0], [12.0], [9.0]], [[11.0], [14.0], [12.0]], n_samples=10).budget > 20.0
        True
        """
        from hedgerow.uncertainty.calibration import global_from_errors

        measured = global_from_errors(readings, truth, quantile, depth, questions, prices, n_samples)
        return cls(measured.budget, prices=measured.prices, epsilon=epsilon)


Uncertainty: TypeAlias = Nominal | LocalBudget | GlobalBudget


def _set(target: object, name: str, value: Any) -> None:
    object.__setattr__(target, name, value)


def _checked_limits(limits: Any) -> float | FloatArray | None:
    if _is_single(limits):
        return None if isinstance(limits, float) and limits == np.inf else number_at_least(limits, "limits")
    shapes = "one number, one per item, or one per sample and item"
    return _non_negative(limits, "limits", (1, 2), shapes, per="item", finite=False)


def _checked_prices(prices: Any) -> FloatArray | str:
    if isinstance(prices, str):
        if prices != "range":
            raise InputError(f'prices must be one number per item, or "range"; got {in_short(prices)}.')
        return prices
    if _is_single(prices):
        raise InputError(f'prices must be one number per item, or "range"; got the single value {in_short(prices)}.')
    checked = _non_negative(prices, "prices", (1,), 'one number per item, or "range"', per="item", strict=True)
    if not ((checked >= 1.0 / LARGEST) & (checked <= LARGEST)).all():
        # Beyond these a price times a distance is zero, so that moves are free, or infinite.
        raise InputError(f"prices must be from {1.0 / LARGEST:g} to {LARGEST:g}; got {_in_short(checked)}.")
    return checked


def _is_single(value: Any) -> bool:
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


def _ranges(observations: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        ranges: FloatArray = np.ptp(observations, axis=0)
    if not np.isfinite(ranges).all():
        item = int(np.argmin(np.isfinite(ranges)))
        raise InputError(f"item {item} ranges over more than a float can hold; measure it in another unit.")
    return ranges


def _typical_deviation(observations: FloatArray, prices: FloatArray | None) -> float:
    """Return the middle one of the items' deviations, priced; items that hardly ever change don't count.

    An item's deviation is the median distance from its median, times what makes it the standard deviation of a normal
    distribution.
    """
    around = np.abs(observations - np.median(observations, axis=0))
    deviation = _NORMAL * np.median(around, axis=0) * (1.0 if prices is None else prices)
    varying = deviation[deviation > 0.0]
    return float(np.median(varying)) if varying.size else 0.0


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
    kinds: dict[Any, Callable[..., Uncertainty]] = {"nominal": Nominal, "local": LocalBudget, "global": GlobalBudget}
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in kinds:
        raise FileFormatError(f"an uncertainty set must have a kind among {', '.join(kinds)}; got {in_short(data)}.")
    known = set() if kind == "nominal" else {field.name for field in dataclasses.fields(_Budget)}
    unknown = sorted(set(data) - known - {"kind"}, key=str)
    if unknown:
        raise FileFormatError(f"an uncertainty set of kind {kind!r} has no {in_short(unknown[0])}.")
    fields = {name: _from_jsonable(value) for name, value in data.items() if name != "kind"}
    try:
        return kinds[kind](**fields)
    except InputError as error:
        raise FileFormatError(f"the uncertainty set can't be read: {error}") from None
