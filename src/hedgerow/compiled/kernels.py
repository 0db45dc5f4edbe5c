"""The decorator of all kernels, and the choice between plain Python and compiled code."""

__all__ = ["Choice", "Kernel", "expect", "kernel", "may_compile", "may_run_plain", "running"]

import functools
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Literal, TypeAlias, TypeVar, overload

import numpy as np

Choice: TypeAlias = Literal["auto", "plain", "compiled"]
_Function = TypeVar("_Function", bound=Callable[..., Any])

PLAIN_SECONDS: Final = 12.0
"""How long a kernel may run as plain Python in a process before it is compiled, at most."""

COMPILE_SECONDS: Final = 6e-4
"""About how long it takes to compile a byte of Python's code: a kernel runs as plain Python no longer than that."""

LOADING_SECONDS: Final = 0.3
"""The same for a kernel that only has to be loaded from disk."""

PLAIN_ENTRIES: Final = 4000
"""How many entries the arrays of a kernel may have together for plain Python."""

PLAIN_ENTRIES_OF_CALLERS: Final = 200_000
"""The same for kernels that call others, which looks at the clock."""

_LOOK_EVERY: Final = 0.005
"""Seconds between two looks at CPU time, which take long themselves."""


class _TooLongError(Exception):
    """Plain Python has taken longer than it may."""


class _Way(threading.local):
    """How kernels run in this thread, and until when the outermost kernel may go on in plain Python."""

    choice: Choice = {"always": "compiled", "never": "plain"}.get(os.environ.get("HEDGEROW_COMPILE", ""), "auto")  # type: ignore[assignment]
    plain_until: float | None = None
    look_again: float = 0.0  # by the clock


_WAY = _Way()


def may_compile() -> bool:
    """Return whether kernels may be compiled in this thread."""
    return _WAY.choice != "plain"


@contextmanager
def running(choice: Choice) -> Iterator[None]:
    """Run kernels as plain Python, compiled, or as it pays ("auto") within the block, in this thread.

    Results don't depend on it.
    """
    before, _WAY.choice = _WAY.choice, choice
    try:
        yield
    finally:
        _WAY.choice = before


class Kernel:
    """A function on numbers and arrays that is compiled when it pays.

    It is written in the part of Python that Numba knows; compiled code may call it as well, and it is then compiled
    into its caller. Options are those of `numba.njit`, such as `fastmath`. `plain` runs in plain Python instead, with
    the same result: a version that works on whole arrays.
    """

    __name__: str
    __qualname__: str

    def __init__(
        self, function: Callable[..., Any], options: dict[str, Any], plain: Callable[..., Any] | None = None
    ) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self._plain = function if plain is None else plain
        self.options = options
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        if self._compiled is not None and _WAY.choice != "plain":
            return self._compiled(*arguments)
        if _WAY.plain_until is not None:
            now = time.perf_counter()
            if now > _WAY.look_again:
                if time.thread_time() > _WAY.plain_until:
                    raise _TooLongError
                _WAY.look_again = now + _LOOK_EVERY
            return self._plain(*arguments)
        return self._run_plain(arguments) if self._suits_plain(arguments) else self.compiled(*arguments)

    def _suits_plain(self, arguments: tuple[Any, ...]) -> bool:
        if _WAY.choice != "auto":
            return _WAY.choice == "plain"
        most = PLAIN_ENTRIES_OF_CALLERS if self._n_parts > 1 else PLAIN_ENTRIES
        return self._plain_seconds_left > 0.0 and sum(a.size for a in _arrays(arguments)) <= most

    def _run_plain(self, arguments: tuple[Any, ...]) -> Any:
        """Run the function as it is; should it take too long, begin again with compiled code."""
        start = time.thread_time()
        before = [(array, array.copy()) for array in _arrays(arguments) if array.flags.writeable]
        _WAY.plain_until = start + self._plain_seconds_left if _WAY.choice == "auto" else np.inf
        _WAY.look_again = 0.0
        try:
            with np.errstate(all="ignore"):  # compiled code says nothing either
                return self._plain(*arguments)
        except _TooLongError:
            for array, values in before:
                array[...] = values
        finally:
            _WAY.plain_until = None
            self._plain_seconds_left -= time.thread_time() - start
        return self.compiled(*arguments)

    @functools.cached_property
    def _plain_seconds_left(self) -> float:
        from hedgerow.compiled.places import is_on_disk, parts_of

        n_bytes = sum(len(part.function.__code__.co_code) for part in parts_of(self))
        return LOADING_SECONDS if is_on_disk(self) else min(PLAIN_SECONDS, COMPILE_SECONDS * n_bytes)

    @functools.cached_property
    def _n_parts(self) -> int:
        from hedgerow.compiled.places import parts_of

        return len(parts_of(self))

    @property
    def compiled(self) -> Any:
        """The compiled function that Python calls; it is compiled, or loaded, for the arguments of its first call."""
        if self._compiled is None:
            from hedgerow.compiled.numba_functions import entry

            self._compiled = entry(self)
        return self._compiled

    @functools.cached_property
    def _part(self) -> Any:
        """The function as other kernels call it."""
        from hedgerow.compiled.numba_functions import part

        return part(self)

    @property
    def _numba_type_(self) -> Any:
        """The type by which Numba knows the function inside of other kernels."""
        from numba import types

        return types.Dispatcher(self._part)

    def __reduce__(self) -> str:
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"


def expect(kernel: Any, seconds: float) -> None:
    """Say how long a kernel would run at least as plain Python; where that is too long, it is compiled at once."""
    if may_run_plain(kernel) and seconds > kernel._plain_seconds_left:
        kernel._plain_seconds_left = 0.0


def may_run_plain(kernel: Any) -> bool:
    """Return whether it is still open if a kernel is worth compiling."""
    return kernel._compiled is None and kernel._plain_seconds_left > 0.0


def _arrays(arguments: tuple[Any, ...]) -> Iterator[Any]:
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            yield argument
        elif isinstance(argument, tuple):
            yield from _arrays(argument)


@overload
def kernel(function: _Function) -> _Function: ...
@overload
def kernel(*, plain: Callable[..., Any] | None = None, **options: Any) -> Callable[[_Function], _Function]: ...
def kernel(function: Any = None, *, plain: Any = None, **options: Any) -> Any:
    """Make a kernel of a function; `plain` and options are as in `Kernel`.

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
        return lambda wrapped: Kernel(wrapped, options, plain)
    return Kernel(function, options, plain)
