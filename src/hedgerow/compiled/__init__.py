"""The decorator of all kernels. Importing it imports Numba."""

__all__ = ["DISABLED", "count_loaded", "kernel"]

from collections.abc import Callable
from typing import Any, TypeVar, overload

from numba import config, njit

_Function = TypeVar("_Function", bound=Callable[..., Any])

DISABLED: bool = getattr(config, "DISABLE_JIT")  # noqa: B009 (Numba has no types)
"""Whether kernels run as plain Python, for debugging: the environment variable NUMBA_DISABLE_JIT says so."""

_KERNELS: list[Any] = []


def count_loaded() -> int:
    """Return how many kernels this process has compiled or loaded, counted once for each types of arguments."""
    return sum(len(each.signatures) for each in _KERNELS)


@overload
def kernel(function: _Function) -> _Function: ...
@overload
def kernel(**options: Any) -> Callable[[_Function], _Function]: ...
def kernel(function: Any = None, **options: Any) -> Any:
    """Make a kernel of a function on numbers, arrays and named tuples of them; options are those of `numba.njit`.

    It is compiled at its first call, and kept in Numba's cache; where no folder can be written to, only in this
    process.

    Examples
    --------
    >>> from hedgerow.compiled import kernel
    >>> @kernel
    ... def double(number: float) -> float:
    ...     return 2.0 * number
    >>> double(1.5)
    3.0
    """
    if function is None:
        return lambda wrapped: kernel(wrapped, **options)
    try:
        made = njit(cache=True, **options)(function)
    except RuntimeError:  # Numba has found no folder for its cache
        made = njit(**options)(function)
    if not DISABLED:
        _KERNELS.append(made)
    return made
