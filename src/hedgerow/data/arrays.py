"""Names for the arrays that flow through the rooms, and how they are frozen."""

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
