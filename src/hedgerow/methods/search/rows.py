"""Arithmetic on whole rows inside of the search's kernels: Numba takes long to compile NumPy's own."""

__all__ = ["add_to", "fill"]

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.compiled import kernel


@kernel(plain=lambda target, sign, values: np.add(target, sign * values, out=target))
def add_to(target: FloatArray, sign: float, values: FloatArray) -> None:
    """Add values to as many others, or take them off: the sign is 1 or −1."""
    for place in range(target.size):
        target[place] += sign * values[place]


@kernel(plain=lambda target, number: target.fill(number))
def fill(target: FloatArray, number: float) -> None:
    """Write the same number everywhere."""
    for place in range(target.size):
        target[place] = number
