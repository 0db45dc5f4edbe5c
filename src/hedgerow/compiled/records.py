"""Records of arrays that compiled code is given as one address.

Numba hands a named tuple on by value, with seven and more numbers per array, from each kernel to the next; most of the
code that it had to compile did that. A record is a named tuple to Python, and an address to compiled code: there lie
the addresses and shapes of its arrays, and its numbers.
"""

__all__ = ["Record", "record"]

from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Fields = TypeVar("_Fields", bound=type)


class Record(tuple[Any, ...]):
    """A named tuple of contiguous arrays, numbers and records; see `record`.

    Compiled code takes its arrays as ones that may be written to, and must not return any of them, since it doesn't own
    them.
    """

    @cached_property
    def address(self) -> int:
        """Where compiled code finds the fields."""
        return int(self._words.ctypes.data)

    @cached_property
    def _words(self) -> NDArray[np.int64]:
        """The fields, eight bytes each: an array is its address and its shape, a record is its address."""
        words: list[int] = []
        for value in self:
            if isinstance(value, np.ndarray):
                if not value.flags.c_contiguous:
                    raise ValueError("the arrays of a record must be contiguous")
                words += [value.__array_interface__["data"][0], *value.shape]
            elif isinstance(value, Record):
                words.append(value.address)
            elif isinstance(value, float):
                words.append(int(np.float64(value).view(np.int64)))
            else:
                words.append(int(value))
        return np.array(words, dtype=np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(self)  # what is at an address in this process is not there in another one


def record(fields: _Fields) -> _Fields:
    """Make a record of a `NamedTuple`.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> import numpy as np
    >>> from hedgerow.compiled import kernel, record
    >>> @record
    ... class Line(NamedTuple):
    ...     slope: float
    ...     places: np.ndarray
    >>> @kernel
    ... def height(number: int, line: Line) -> float:
    ...     return float(line.slope * line.places[number])
    >>> height(1, Line(0.5, np.array([1.0, 3.0])))
    1.5
    """
    own = {name: getattr(fields, name) for name in ("__module__", "__qualname__", "__doc__", "__annotations__")}
    return type(fields.__name__, (Record, fields), own)  # type: ignore[return-value]
