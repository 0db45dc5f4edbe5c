"""Solutions that another one beats or equals on every sample: no leaf needs them."""

__all__ = ["undominated"]

from collections.abc import Callable
from typing import Final

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray

_MOST_ORDERS: Final = 64
"""Samples by which solutions are sorted: enough to find few rivals, few enough for the memory."""

_COMPARED_AT_ONCE: Final = 20_000_000
"""Comparisons between two looks at the clock: some hundredths of a second."""

_MOST_COMPARED: Final = 4_000_000_000
"""Comparisons in all, a few seconds: a shorter list is worth no more than that."""


def undominated(losses: FloatArray, must_stop: Callable[[], bool] | None = None) -> IntArray:
    """Return the columns that no other column beats or equals everywhere, in order; the first of equal ones.

    Work stops after a fixed number of comparisons, or earlier where `must_stop` says so. What was not looked at by
    then is returned as well, so that the columns always stand for all of them.

    Examples
    --------
    >>> import numpy as np
    >>> undominated(np.array([[1.0, 2.0, 3.0, 1.0], [5.0, 6.0, 4.0, 5.0]])).tolist()
    [0, 2]
    """
    n_samples, n_columns = losses.shape
    keep = np.ones(n_columns, dtype=np.bool_)
    by_column = np.ascontiguousarray(losses.T)
    # A rival is no worse on every sample, so it is enough to look at those that are no worse on the sample where a
    # column stands best.
    rivals, sample_of = np.full(n_columns, n_columns + 1), np.zeros(n_columns, dtype=np.int64)
    chosen = np.linspace(0, n_samples - 1, min(n_samples, _MOST_ORDERS)).astype(np.int64)
    orders = np.empty((chosen.size, n_columns), dtype=np.int64)
    for place, sample in enumerate(chosen):
        if must_stop is not None and must_stop():
            return np.arange(n_columns)
        values = losses[sample]
        orders[place] = np.argsort(values, kind="stable")
        no_worse = np.searchsorted(values[orders[place]], values, side="right")
        fewer = no_worse < rivals
        rivals[fewer], sample_of[fewer] = no_worse[fewer], place
    done, spent = 0, 0
    while done < n_columns and spent < _MOST_COMPARED and not (must_stop is not None and must_stop()):
        done, compared = _drop(by_column, orders, sample_of, rivals, keep, done, _COMPARED_AT_ONCE)
        spent += compared
    return np.flatnonzero(keep)


@kernel
def _drop(
    by_column: FloatArray,
    orders: IntArray,
    sample_of: IntArray,
    rivals: IntArray,
    keep: BoolArray,
    first: int,
    work: int,
) -> tuple[int, int]:
    """Mark dominated columns from `first` on until the work is used up; return the next column and what was spent."""
    spent = 0
    for column in range(first, keep.size):
        if spent >= work:
            return column, spent
        for place in range(rivals[column]):
            rival = orders[sample_of[column], place]
            if rival == column:
                continue
            better = rival < column
            sample = 0
            while sample < by_column.shape[1] and by_column[rival, sample] <= by_column[column, sample]:
                better = better or by_column[rival, sample] < by_column[column, sample]
                sample += 1
            spent += sample + 1
            if sample == by_column.shape[1] and better:
                keep[column] = False
                break
    return keep.size, spent
