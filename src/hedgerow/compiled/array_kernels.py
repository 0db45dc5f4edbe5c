"""Copying, sorting and minima inside of kernels: Numba takes seconds to compile NumPy's own."""

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import AnyArray, FloatArray, IntArray

EXACT_MINIMA = {"nnan", "nsz"}
"""For `fastmath`: lets minima use vector instructions, while sums keep their order."""


def integer(number: int) -> int:
    """Return a constant that kernels pass to others: Numba compiles a callee anew for each of Python's own integers."""
    return np.int64(number)  # type: ignore[return-value]


_RUN = 16
"""Entries that are sorted by insertion, before runs are merged."""


@kernel
def copy_into(source: AnyArray, target: AnyArray) -> None:
    """Copy a one-dimensional array to the front of one that is at least as large."""
    for place in range(source.size):
        target[place] = source[place]


@kernel(fastmath=EXACT_MINIMA)
def smallest(values: FloatArray) -> float:
    """Return the smallest of at least one value, none of which is NaN."""
    found = values[0]
    for place in range(1, values.size):
        found = min(found, values[place])
    return float(found)


@kernel
def stable_order(values: FloatArray | IntArray) -> IntArray:
    """Return the order that sorts the values, none of which is NaN; equal values keep theirs."""
    size = values.size
    order, merged = np.empty(size, np.int64), np.empty(size, np.int64)
    for number in range(size):
        place = number
        while place % _RUN and values[order[place - 1]] > values[number]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = number
    width = _RUN
    while width < size:
        for begin in range(0, size, 2 * width):
            middle, end = min(begin + width, size), min(begin + 2 * width, size)
            left, right = begin, middle
            for place in range(begin, end):
                if right == end or (left < middle and values[order[left]] <= values[order[right]]):
                    merged[place] = order[left]
                    left += 1
                else:
                    merged[place] = order[right]
                    right += 1
        order, merged = merged, order
        width *= 2
    return order
