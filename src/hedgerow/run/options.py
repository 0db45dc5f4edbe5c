"""The options of a run: which trees are allowed, how they are searched for, and when the search ends."""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeAlias, get_args

import numpy as np

from hedgerow.data.checks import checked_text, in_short, integer_between, number_at_least
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.run.wishes import Wishes
from hedgerow.tree.questions import MOST_PLANS_PER_LEAF
from hedgerow.tree.splits import ThresholdSet
from hedgerow.wording.numbers import counted

_Check: TypeAlias = Callable[[Any, str], Any]
"""Takes a value and the option's name; returns the value as plain Python, or raises `InputError`."""

_MOST = 10**15
"""Largest limit on iterations and the like."""

_MOST_PROCESSES = 4_096


def generator(random_state: Any) -> np.random.Generator:
    """Return the generator that a seed stands for; a generator is used as it is."""
    if random_state is None or isinstance(random_state, np.random.Generator | np.random.SeedSequence):
        return np.random.default_rng(random_state)
    return np.random.default_rng(integer_between(random_state, "random_state", 0))


def processes(n_jobs: Any, what: str = "n_jobs") -> int:
    """Return how many processes `n_jobs` stands for, or raise `InputError`."""
    if n_jobs is None or n_jobs == -1:
        # As elsewhere in scikit-learn, None is one, unless joblib.parallel_config says otherwise.
        from joblib import effective_n_jobs

        return int(effective_n_jobs(n_jobs))
    return integer_between(n_jobs, what, 1, _MOST_PROCESSES)


def _threshold_set(value: Any, what: str) -> str | None:
    allowed = get_args(ThresholdSet)
    if value is not None and (not isinstance(value, str) or value not in allowed):
        names = ", ".join(f'"{name}"' for name in allowed)
        raise InputError(f"{what} must be one of {names}, or None; got {in_short(value)}.")
    return None if value is None else str(value)


def _switch(value: Any, what: str) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{what} must be True or False; got {in_short(value)}.")
    return bool(value)


def _or_none(check: _Check) -> _Check:
    return lambda value, what: None if value is None else check(value, what)


_limit = _or_none(lambda value, what: integer_between(value, what, 1, _MOST))


def _seconds(value: Any, what: str) -> float | None:
    if value is None or (isinstance(value, float) and value == math.inf):
        return None
    return number_at_least(value, what, strict=True)


def _option(default: Any, check: _Check, *, kept: bool = True) -> Any:
    """Return a field of `Options`; tree files keep it if `kept`."""
    return dataclasses.field(default=default, metadata={"check": check, "kept": kept})


@dataclass(frozen=True)
class Options:
    """All options of a run, checked. A new option is one more field; `solve` takes every field as a keyword.

    Those that `RobustTree` has mean the same there. The others are:

    Attributes
    ----------
    stall_limit
        Stop after this many iterations without a better tree.
    memory_limit
        Bytes that a method's tables may take together.

    Examples
    --------
    >>> from hedgerow.run import Options
    >>> Options(max_leaves=3).max_leaves
    3
    >>> Options(max_leaves=0)
    Traceback (most recent call last):
        ...
    hedgerow.errors.InputError: max_leaves must be an integer from 1 to 1000000000000000; got 0.
    """

    method: str = _option("auto", checked_text)
    thresholds: ThresholdSet | None = _option(None, _threshold_set)  # noqa: RUF009  # a field, as all of these
    threshold_margin: float | None = _option(None, _or_none(number_at_least))
    min_samples_leaf: int = _option(0, lambda value, what: integer_between(value, what, 0))
    max_leaves: int | None = _option(None, _limit)
    plans_per_leaf: int = _option(1, lambda value, what: integer_between(value, what, 1, MOST_PLANS_PER_LEAF))
    refine: bool = _option(False, _switch)
    round_thresholds: bool = _option(True, _switch)
    time_limit: float | None = _option(60.0, _seconds)
    iteration_limit: int | None = _option(None, _limit)
    gap_limit: float = _option(0.0, number_at_least)
    stall_limit: int | None = _option(None, _limit)
    solver: str = _option("highs", checked_text)
    memory_limit: int = _option(2 << 30, lambda value, what: integer_between(value, what, 1), kept=False)
    wishes: Wishes | None = _option(None, lambda value, _: Wishes.of(value))  # noqa: RUF009  # a field, as all of these

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, field.metadata["check"](getattr(self, field.name), field.name))

    @classmethod
    def of(cls, model: Any) -> Self:
        """Return the options that a model has as attributes; the others have their defaults."""
        names = [field.name for field in dataclasses.fields(cls)]
        return cls(**{name: getattr(model, name) for name in names if hasattr(model, name)})

    def replace(self, **changes: Any) -> Self:
        """Return these options with some of them changed; a name that is no option is a `TypeError`."""
        return dataclasses.replace(self, **changes)

    def margin_on(self, instance: Instance) -> float:
        """Return how far each threshold may be moved: `threshold_margin`, or its default for the instance."""
        if self.threshold_margin is not None:
            return self.threshold_margin
        if not instance.uncertainty.can_misread or self.thresholds != "continuous":
            return 0.0
        return 2.0 * instance.uncertainty.epsilon

    def check_against(self, instance: Instance) -> None:
        """Raise `InputError` if the instance has too few samples for these options or the solver is missing."""
        if self.min_samples_leaf > instance.n_samples:
            raise InputError(
                f"min_samples_leaf must be at most the number of samples, which is {instance.n_samples}; "
                f"got {self.min_samples_leaf}."
            )
        if self.solver != type(self).solver:
            # An empty model shows whether the solver is known, installed and licensed, before any time is spent.
            from hedgerow.mip import create_model

            create_model(self.solver)

    def limits_on_leaves(self, depth: int) -> tuple[str, ...]:
        """Return in words the limits that exclude some of the trees of this depth.

        Examples
        --------
        >>> from hedgerow.run import Options
        >>> Options(max_leaves=3, min_samples_leaf=4).limits_on_leaves(depth=2)
        ('at most 3 leaves', 'at least 4 samples at each leaf')
        >>> Options(max_leaves=4).limits_on_leaves(depth=2)
        ()
        """
        words = []
        if depth and self.max_leaves is not None and self.max_leaves < 2**depth:
            words.append(f"at most {counted(self.max_leaves, 'leaf', 'leaves')}")
        if depth and self.min_samples_leaf:
            words.append(f"at least {counted(self.min_samples_leaf, 'sample')} at each leaf")
        return (*words, *(() if self.wishes is None else self.wishes.in_words()))
