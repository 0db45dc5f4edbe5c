"""The ε rule on arrays, for code that does without compiled kernels; `kernels.change_range` is its compiled twin."""

__all__ = ["entry_from_below"]

import numpy as np

from hedgerow.arrays import FloatArray


def entry_from_below(lower: FloatArray, upper: FloatArray, epsilon: float) -> FloatArray:
    """Return the least value in each interval `lower < value <= upper` that counts as larger than `lower`.

    It is lower + ε, or the next number where ε vanishes beside a huge one; ∞ where the interval is too narrow to be
    entered from below, and −∞ where it has no lower end.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.geometry import entry_from_below
    >>> entry_from_below(np.array([3.0, 3.0, -np.inf]), np.array([5.0, 3.0005, 5.0]), 0.001)
    array([3.001,   inf,  -inf])
    """
    entry = np.maximum(lower + epsilon, np.nextafter(lower, np.inf))
    return np.where(np.isneginf(lower), -np.inf, np.where(entry > upper, np.inf, entry))
