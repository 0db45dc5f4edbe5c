"""Names for the arrays that flow through the rooms, and how they are frozen."""

__all__ = ["AnyArray", "BoolArray", "FloatArray", "IntArray", "for_kernels", "frozen"]

from types import SimpleNamespace
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
AnyArray: TypeAlias = NDArray[Any]

_Array = TypeVar("_Array", bound=NDArray[Any])


def frozen(array: _Array) -> _Array:
    """Return the array read-only; it is copied first if others may write to it."""
    if not array.flags.writeable:
        return array
    own: _Array = array.copy()
    own.flags.writeable = False
    return own


def for_kernels(array: _Array) -> _Array:
    """Return the same memory as an array that may be written to, which kernels that only read it must not do.

    Kernels are compiled for writable arrays, and a copy of a long history is large. A test runs all methods on arrays
    that can't be written to.
    """
    interface = dict(array.__array_interface__)
    interface["data"] = (interface["data"][0], False)
    same: _Array = np.asarray(SimpleNamespace(__array_interface__=interface, owner=array))  # type: ignore[assignment]
    return same
