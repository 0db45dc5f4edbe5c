"""Pairs of truth and reading: what was true beside what was read, and what a tree may learn from them."""

from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError

LearnFrom: TypeAlias = Literal["truth", "readings", "resampled"]
"""What a fit with readings learns from: the truth, the readings, or the truth with errors drawn from the pairs."""

LEARN_FROM: Final[tuple[LearnFrom, ...]] = get_args(LearnFrom)

_MOST_DRAWS: Final = 10
_FEWEST_DRAWS: Final = 2
_ENOUGH_ROWS: Final = 1000


def check_learn_from(learn_from: Any, *, has_readings: bool) -> None:
    """Raise `InputError` if this is no known way to learn, or needs readings that are not there."""
    if learn_from not in LEARN_FROM:
        allowed = ", ".join(f'"{name}"' for name in LEARN_FROM)
        raise InputError(f"learn_from must be one of {allowed}; got {in_short(learn_from)}.")
    if learn_from != "truth" and not has_readings:
        raise InputError(f'learn_from="{learn_from}" needs readings: fit(costs, readings=…).')


def learned(
    truth: FloatArray, readings: FloatArray, learn_from: LearnFrom, rng: np.random.Generator
) -> tuple[FloatArray, int]:
    """Return what a tree is shown, and how many rows of it stand for each sample.

    With "resampled" each row of the truth comes several times, one after the other, each time with the error of a pair
    that is drawn at random: readings that could have been.

    >>> truth, readings = np.array([[1.0], [2.0]]), np.array([[1.5], [2.5]])
    >>> shown, draws = learned(truth, readings, "resampled", np.random.default_rng(0))
    >>> draws, shown[0], shown[-1]
    (10, array([1.5]), array([2.5]))
    """
    if learn_from == "truth":
        return truth, 1
    if learn_from == "readings":
        return readings, 1
    draws = max(_FEWEST_DRAWS, min(_MOST_DRAWS, _ENOUGH_ROWS // len(truth)))
    errors = (readings - truth)[rng.integers(len(truth), size=draws * len(truth))]
    return np.repeat(truth, draws, axis=0) + errors, draws
