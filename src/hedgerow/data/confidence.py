"""How sure a mean over rows is: intervals from blocks of rows that are drawn together.

Rows that follow each other in time go together, so single rows would promise too much. Blocks are drawn with
replacement (Carlstein 1986, doi 10.1214/aos/1176350057; Künsch 1989, doi 10.1214/aos/1176347265).
"""

from typing import Final, NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray

_DRAWS: Final = 2000
_CONFIDENCE: Final = 0.95


class ConfidenceInterval(NamedTuple):
    """Where the mean lies with 95 % confidence."""

    low: float
    high: float


def block_labels(n_rows: int) -> IntArray:
    """Return which block each row belongs to: rows of one block go together, so they are drawn together.

    A history is cut into stretches of consecutive rows, about as long as the cube root of their number: a week in a
    year of days.

    >>> block_labels(8).tolist()
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    stretches: IntArray = np.arange(n_rows) // max(1, round(n_rows ** (1 / 3)))
    return stretches


def block_means(values: FloatArray, weights: FloatArray, labels: IntArray, rng: np.random.Generator) -> FloatArray:
    """Return weighted means of the columns over blocks drawn with replacement, one row for each of many draws.

    >>> values = np.array([[1.0], [1.0], [3.0], [3.0]])
    >>> drawn = block_means(values, np.ones(4), np.array([0, 0, 1, 1]), np.random.default_rng(0))
    >>> np.unique(drawn).tolist()
    [1.0, 2.0, 3.0]
    """
    n_blocks = int(labels.max()) + 1
    sums = np.zeros((n_blocks, values.shape[1] + 1))
    np.add.at(sums, labels, np.column_stack([weights[:, None] * values, weights]))
    times = rng.multinomial(n_blocks, np.full(n_blocks, 1.0 / n_blocks), size=_DRAWS)
    totals = times @ sums
    totals = totals[totals[:, -1] > 0.0]
    means: FloatArray = totals[:, :-1] / totals[:, -1:]
    return means


def interval(drawn: FloatArray) -> ConfidenceInterval:
    """Return between which values the middle 95 % of what was drawn lie."""
    tail = 50.0 * (1.0 - _CONFIDENCE)
    low, high = np.percentile(drawn, [tail, 100.0 - tail])
    return ConfidenceInterval(float(low), float(high))


def later_interval(value: float, drawn: FloatArray, stretches: FloatArray) -> ConfidenceInterval:
    """Return where a figure lies with 95 % confidence on as many later rows.

    The interval of what was `drawn` is widened: later rows vary as much as these, and long stretches of time may differ
    by more than the blocks that were drawn let expect. `stretches` are the figures of such stretches.

    >>> later_interval(0.0, np.array([-1.0, 0.0, 1.0]), np.zeros(5))
    ConfidenceInterval(low=-1.344, high=1.344)
    """
    low, high = interval(drawn)
    by_blocks = float(np.var(drawn))
    by_stretches = float(np.var(stretches, ddof=1)) / stretches.size if stretches.size > 1 else 0.0
    wider = float(np.sqrt(2.0 * max(1.0, by_stretches / by_blocks))) if by_blocks > 0.0 else 1.0
    return ConfidenceInterval(value - wider * (value - low), value + wider * (high - value))


def standard_error(values: FloatArray, weights: FloatArray, labels: IntArray) -> float:
    """Return the standard error of a weighted mean whose rows go together block by block.

    >>> standard_error(np.array([1.0, 3.0, 1.0, 3.0]), np.ones(4), np.arange(4)).__round__(4)
    0.5774
    """
    total, n_blocks = float(weights.sum()), int(labels.max()) + 1
    if n_blocks < 2:
        return float("inf")
    around = np.bincount(labels, weights * (values - float(weights @ values) / total), minlength=n_blocks)
    return float(np.sqrt(n_blocks / (n_blocks - 1) * (around**2).sum())) / total
