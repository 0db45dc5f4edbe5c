"""Shares of samples that can reach both sides of a root: any shares give a bound, and steps make them better.

A sample costs the larger of its two sides, so any average of them is a bound: with share λ of each sample on the left,
the best tree on the left plus the best one on the right.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray


class Answer(NamedTuple):
    """What shares give: a bound, by how much it grows with each share, and what it came from."""

    value: float
    slope: FloatArray
    origin: Any


def improve_shares(
    share: FloatArray,
    free: BoolArray,
    target: float,
    aim: float,
    n_steps: int,
    answer: Callable[[FloatArray], Answer | None],
) -> tuple[FloatArray, Answer | None]:
    """Return the best of some shares and their answer: `n_steps` subgradient steps towards `aim`, until the target.

    Samples that are not free keep their shares. An answer of None ends the steps.
    """
    best_share, best = share, None
    for _ in range(n_steps):
        here = answer(share)
        if here is None:
            break
        if best is None or here.value > best.value:
            best_share, best = share, here
        slope = np.where(free & np.where(here.slope > 0.0, share < 1.0, share > 0.0), here.slope, 0.0)
        length = float(slope @ slope)
        if best.value >= target or length <= 0.0:
            break
        share = np.clip(share + (aim - here.value) / length * slope, 0.0, 1.0)
    return best_share, best
