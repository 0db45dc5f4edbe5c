"""A kernel's fingerprint: it changes when the kernel changes, or anything that is compiled into it."""

__all__ = ["fingerprint", "parts_of"]

import hashlib
from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from hedgerow.compiled.kernels import Kernel

_PLAIN = (int, float, complex, str, bytes, tuple, np.generic, type(None))


def fingerprint(kernel: Kernel) -> str:
    """Return a hash over the kernel, the kernels and types it uses, and the values of its constants.

    Examples
    --------
    >>> from hedgerow.compiled import kernel
    >>> from hedgerow.compiled.fingerprint import fingerprint
    >>> @kernel
    ... def double(number: float) -> float:
    ...     return 2.0 * number
    >>> len(fingerprint(double))
    16
    """
    digest = hashlib.sha256()
    for one in parts_of(kernel):
        code, options = one.function.__code__, [(name, _in_words(value)) for name, value in one.options.items()]
        values = [(name, _in_words(value)) for name, value in _used(one)]
        digest.update(repr((one.__module__, one.__qualname__, options, _code(code), values)).encode())
    return digest.hexdigest()[:16]


def parts_of(kernel: Kernel) -> list[Kernel]:
    """Return the kernel and all kernels that it calls, directly or not."""
    found = [kernel]
    for one in found:
        found += [value for _, value in _used(one) if isinstance(value, Kernel) and value not in found]
    return found


def _used(kernel: Kernel) -> Iterator[tuple[str, Any]]:
    """Yield the names of the module that the function uses, with their values."""
    known = kernel.function.__globals__
    closure = zip(kernel.function.__code__.co_freevars, kernel.function.__closure__ or (), strict=True)
    yield from ((name, cell.cell_contents) for name, cell in closure)
    for name in sorted(_names(kernel.function.__code__)):
        if name in known:
            yield name, known[name]


def _names(code: CodeType) -> set[str]:
    return set(code.co_names).union(*(_names(const) for const in code.co_consts if isinstance(const, CodeType)))


def _code(code: CodeType) -> tuple[object, ...]:
    constants = [_code(const) if isinstance(const, CodeType) else _in_words(const) for const in code.co_consts]
    return code.co_code, constants, code.co_names, code.co_varnames


def _in_words(value: Any) -> object:
    """Return what stands for a value in every process alike."""
    if isinstance(value, Kernel | ModuleType):
        return value.__name__
    if isinstance(value, type):
        return value.__module__, value.__qualname__, getattr(value, "_fields", ())
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, set | frozenset):
        return sorted(map(repr, value))
    return repr(value) if isinstance(value, _PLAIN) else (type(value).__module__, type(value).__qualname__)
