"""Tests that may be looked at after every row: bets against "nothing has changed", whose capital stays small if so.

Scores of new rows are ranked among those of a reference and of all rows before. As long as rows are exchangeable the
ranks are independent and uniform, and bets on high ones win nothing: with probability 1 − α the capital never
reaches 1/α, however long one watches (Ville's inequality). See Vovk, Nouretdinov and Gammerman, *Testing
exchangeability on-line* (ICML 2003), and Ramdas, Grünwald, Vovk and Shafer (Statistical Science 2023,
doi:10.1214/23-STS894).
"""

__all__ = ["begin_of_change", "capital", "ranks"]

from bisect import bisect_left, bisect_right, insort
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray

_POWERS: Final = (0.5, 0.7, 0.9)
_SLOPES: Final = (0.25, 0.5, 0.9)
_FIRST: Final = 0.5
"""The share of the capital that is bet from the first row on; the rest enters later, for changes that come later."""
_ROWS: Final = 250.0
"""Half of that rest enters within these many rows."""


def ranks(reference: Any, scores: Any, seed: int = 0) -> FloatArray:
    """Return per score the share of scores so far, the reference included, that are larger; ties are drawn by lot.

    >>> ranks([1.0, 2.0, 3.0], [9.0, 0.0]).round(2)
    array([0.16, 0.85])
    """
    lots = np.random.default_rng(seed).random(len(scores))
    seen = sorted(map(float, reference))
    found = np.empty(len(scores))
    for place, score in enumerate(map(float, scores)):
        insort(seen, score)
        below, not_above = bisect_left(seen, score), bisect_right(seen, score)
        found[place] = (len(seen) - not_above + lots[place] * (not_above - below)) / len(seen)
    return found


def capital(found: FloatArray) -> FloatArray:
    """Return the capital after each row of one who bets on low ranks and begins with 1.

    It is the mean over several ways to bet. In each, half of the capital is bet from the first row on, and the rest is
    added over time, so that a change after a quiet year is still noticed soon.

    >>> capital(np.array([0.05, 0.1, 0.02, 0.9])).round(2)
    array([1.31, 1.66, 3.05, 1.93])
    """
    gains = _gains(found)
    # What is not bet yet after each row.
    later = (1.0 - _FIRST) * _ROWS / (_ROWS + np.arange(len(found) + 1.0))
    path, bet = np.empty(len(found)), np.full(gains.shape[1], _FIRST)
    for place, gain in enumerate(gains):
        bet = (bet + later[place] - later[place + 1]) * gain
        path[place] = bet.mean() + later[place + 1]
    return path


def begin_of_change(found: FloatArray) -> int:
    """Return the row from which on a bet would have won most: an estimate of when the change began.

    >>> begin_of_change(np.array([0.5, 0.9, 0.8, 0.01, 0.1, 0.05]))
    3
    """
    won = np.cumsum(np.log(_gains(found))[::-1], axis=0)[::-1]
    return int(np.argmax(won.max(axis=1)))


def _gains(found: FloatArray) -> FloatArray:
    """Return what each way to bet multiplies its capital by, per row: the mean over uniform ranks is 1."""
    low = np.maximum(found, 1e-12)[:, None]
    powers, slopes = np.array(_POWERS), np.array(_SLOPES)
    return np.hstack([powers * low ** (powers - 1.0), 1.0 + slopes * (1.0 - 2.0 * found[:, None])])
