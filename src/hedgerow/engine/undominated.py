"""Solutions that another one beats or equals on every sample: no leaf needs them."""

__all__ = ["undominated"]

from collections.abc import Callable

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE


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
    best = np.empty((min(ENGINE.compared_first, len(losses)), order.size))
    kept = np.empty(order.size, dtype=np.int64)
    count, compared, next_look = 0, 0, 0
    for place, column in enumerate(order):
        if compared >= next_look:
            next_look += ENGINE.compared_at_once
            if compared >= ENGINE.most_compared or (must_stop is not None and must_stop()):
                return np.sort(np.append(kept[:count], order[place:]))
        here = losses[:, column]
        rivals = kept[:count][(best[:, :count] <= here[: len(best), None]).all(axis=0)]
        compared += best[:, :count].size + rivals.size * len(losses)
        if not (losses[:, rivals] <= here[:, None]).all(axis=0).any():
            best[:, count], kept[count] = here[: len(best)], column
            count += 1
    return np.sort(kept[:count])
