"""Readings left out at random, to see what rules lose by that."""

__all__ = ["USUAL_SHARE", "blank"]

from typing import Final

import numpy as np

from hedgerow.data.arrays import FloatArray

USUAL_SHARE: Final = 0.1
"""The share of the readings that is left out where nothing else is asked for."""


def blank(readings: FloatArray, share: float = USUAL_SHARE, seed: int = 0) -> FloatArray:
    """Return the readings with a share of them missing (NaN), always the same ones for a seed.

    >>> import numpy as np
    >>> blank(np.ones((2, 3)), 0.3)
    array([[ 1., nan, nan],
           [nan,  1.,  1.]])
    """
    is_missing = np.random.default_rng(seed).random(readings.shape) < share
    return np.where(is_missing, np.nan, readings)
