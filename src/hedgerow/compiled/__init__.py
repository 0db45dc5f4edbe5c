"""The decorator of all kernels. Importing it imports Numba."""

__all__ = ["DISABLED", "Kernel", "count_loaded", "kernel", "plain_python"]

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, overload

from numba import config, njit, typeof
from numba.extending import typeof_impl

_Function = TypeVar("_Function", bound=Callable[..., Any])

DISABLED: bool = getattr(config, "DISABLE_JIT")  # noqa: B009 (Numba has no types)
"""Whether kernels run as plain Python, for debugging: the environment variable NUMBA_DISABLE_JIT says so."""

_KERNELS: list["Kernel"] = []
_IS_PLAIN: ContextVar[bool] = ContextVar("_IS_PLAIN", default=False)


class Kernel:
    """A function on numbers, arrays and named tuples of them, compiled by Numba at its first call.

    Attributes
    ----------
    py_func
        The function as plain Python.
    compiled
        The function as Numba compiles it.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func = function
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.targetoptions = options  # where Numba looks whether a kernel is to be inlined
        try:
            self.compiled = njit(cache=True, **options)(function)
        except RuntimeError:  # Numba has found no folder for its cache
            self.compiled = njit(**options)(function)
        _KERNELS.append(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel, compiled or as plain Python."""
        return (self.py_func if _IS_PLAIN.get() else self.compiled)(*arguments)


@typeof_impl.register(Kernel)
def _type_of(kernel: Kernel, _context: Any) -> Any:
    """Let compiled kernels call each other without a way through Python."""
    return typeof(kernel.compiled)


@contextmanager
def plain_python() -> Iterator[None]:
    """Run kernels as plain Python, which small inputs are done with before a kernel is compiled."""
    token = _IS_PLAIN.set(True)
    try:
        yield
    finally:
        _IS_PLAIN.reset(token)


def count_loaded() -> int:
    """Return how many kernels this process has compiled or loaded, counted once for each types of arguments."""
    return 0 if DISABLED else sum(len(each.compiled.signatures) for each in _KERNELS)


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
    >>> from hedgerow.compiled import kernel, plain_python
    >>> @kernel
    ... def double(number: float) -> float:
    ...     return 2.0 * number
    >>> double(1.5)
    3.0
    >>> with plain_python():
    ...     double(1.5)
    3.0
    """
    return Kernel(function, options) if function is not None else lambda wrapped: Kernel(wrapped, options)
