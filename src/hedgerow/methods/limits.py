"""The door of `solve`: limits, settings and the source of randomness are checked here once."""

__all__ = ["Limits", "checked_limits", "checked_settings", "generator", "processes", "terms_of"]

import dataclasses
import math
import numbers
import os
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from hedgerow.checks import integer_between, number_at_least
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.run import Settings, Terms
from hedgerow.splits import ThresholdSet

_DEFAULT_SOLVER = Settings().solver
_SEEDS_OF_RANDOM_STATE = 2**31 - 1


@dataclass(frozen=True)
class Limits:
    """When a run stops, checked; None where there is no limit."""

    time: float | None
    iterations: int | None
    gap: float
    stall: int | None


def checked_limits(time_limit: Any, iteration_limit: Any, gap_limit: Any, stall_limit: Any) -> Limits:
    """Return the limits, or raise `InputError` with what is allowed.

    Examples
    --------
    >>> from hedgerow.methods.limits import checked_limits
    >>> checked_limits(60, None, 0.0, None)
    Limits(time=60.0, iterations=None, gap=0.0, stall=None)
    """
    return Limits(
        time=_seconds(time_limit),
        iterations=None if iteration_limit is None else integer_between(iteration_limit, "iteration_limit", 1),
        gap=number_at_least(gap_limit, "gap_limit"),
        stall=None if stall_limit is None else integer_between(stall_limit, "stall_limit", 1),
    )


def checked_settings(settings: Settings | None, instance: Instance) -> Settings:
    """Return the settings with every field checked against the instance, and `n_jobs` as a number of processes."""
    settings = Settings() if settings is None else settings
    allowed = get_args(ThresholdSet)
    if settings.thresholds not in allowed:
        names = " or ".join(f'"{name}"' for name in allowed)
        raise InputError(f"thresholds must be {names}; got {settings.thresholds!r}.")
    fewest = integer_between(settings.min_samples_leaf, "min_samples_leaf", 0)
    if fewest > instance.n_samples:
        raise InputError(
            f"min_samples_leaf must be at most the number of samples, which is {instance.n_samples}; got {fewest}."
        )
    if settings.max_leaves is not None:
        integer_between(settings.max_leaves, "max_leaves", 1)
    integer_between(settings.memory_limit, "memory_limit", 1)
    if settings.max_thresholds is not None:
        integer_between(settings.max_thresholds, "max_thresholds", 1)
    if settings.max_samples is not None:
        integer_between(settings.max_samples, "max_samples", 1)
    if settings.solver != _DEFAULT_SOLVER:
        # An empty model shows whether the solver is known, installed and licensed, before any time is spent.
        from hedgerow.mip import create_model

        create_model(settings.solver)
    return dataclasses.replace(settings, n_jobs=processes(settings.n_jobs))


def terms_of(limits: Limits, settings: Settings, *, refine: bool, instance: Instance) -> Terms:
    """Return what is kept of checked limits and settings beside a result, as plain numbers."""

    def plain(count: int | None) -> int | None:
        return None if count is None else int(count)

    return Terms(
        min_samples_leaf=int(settings.min_samples_leaf),
        max_leaves=plain(settings.max_leaves),
        max_thresholds=plain(settings.max_thresholds),
        max_samples=plain(settings.max_samples),
        time_limit=limits.time,
        iteration_limit=limits.iterations,
        gap_limit=limits.gap,
        refine=bool(refine),
        solver=settings.solver,
        weighted=bool((instance.weights != 1.0).any()),
    )


def generator(random_state: Any) -> np.random.Generator:
    """Return the generator that a seed stands for; a generator is used as it is."""
    if random_state is None or isinstance(random_state, np.random.Generator | np.random.SeedSequence):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.RandomState):
        # As elsewhere in scikit-learn, a shared RandomState moves on with every use.
        return np.random.default_rng(random_state.randint(_SEEDS_OF_RANDOM_STATE))
    if isinstance(random_state, bool) or not isinstance(random_state, numbers.Integral) or random_state < 0:
        raise InputError(
            f"random_state must be an integer of 0 or more, a numpy.random.Generator or None; got {random_state!r}."
        )
    return np.random.default_rng(int(random_state))


def _seconds(time_limit: Any) -> float | None:
    if time_limit is None or (isinstance(time_limit, float) and time_limit == math.inf):
        return None
    return number_at_least(time_limit, "time_limit", strict=True)


def processes(n_jobs: Any) -> int:
    """Return how many processes `n_jobs` stands for, or raise `InputError` with what is allowed.

    Examples
    --------
    >>> from hedgerow.methods.limits import processes
    >>> processes(2)
    2
    """
    if n_jobs is None:
        # As elsewhere in scikit-learn: one, unless joblib.parallel_config says otherwise.
        from joblib import effective_n_jobs

        return int(effective_n_jobs(None))
    if n_jobs == -1 and not isinstance(n_jobs, bool):
        return os.cpu_count() or 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs < 1:
        raise InputError(f"n_jobs must be an integer of 1 or more, or -1 for all processors; got {n_jobs!r}.")
    return int(n_jobs)
