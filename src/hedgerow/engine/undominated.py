"""Solutions that another one beats or equals on every sample: no leaf needs them."""

__all__ = ["undominated"]

from collections.abc import Callable
from typing import Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray

_SAMPLES_AT_FIRST: Final = 8
"""Samples on which two solutions are compared before all others: most pairs differ there already."""

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
    # A column that beats another one has the smaller sum, so it comes first.
    order = np.argsort(losses.sum(axis=0), kind="stable")
    best = np.empty((min(_SAMPLES_AT_FIRST, len(losses)), order.size))
    kept = np.empty(order.size, dtype=np.int64)
    count, compared, next_look = 0, 0, 0
    for place, column in enumerate(order):
        if compared >= next_look:
            next_look += _COMPARED_AT_ONCE
            if compared >= _MOST_COMPARED or (must_stop is not None and must_stop()):
                return np.sort(np.append(kept[:count], order[place:]))
        here = losses[:, column]
        rivals = kept[:count][(best[:, :count] <= here[: len(best), None]).all(axis=0)]
        compared += best[:, :count].size + rivals.size * len(losses)
        if not (losses[:, rivals] <= here[:, None]).all(axis=0).any():
            best[:, count], kept[count] = here[: len(best)], column
            count += 1
    return np.sort(kept[:count])
