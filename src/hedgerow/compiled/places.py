"""Where compiled kernels lie on disk, under a fingerprint that changes with anything that is compiled into them.

They lie in `hedgerow` in the folder that the environment variable `NUMBA_CACHE_DIR` names. Without it, the first of
these folders that can be written to is used, and kernels are read from both, so that an image may bring compiled
kernels in a folder that its users can only read:

1. `__pycache__/kernels` in the installed package;
2. `hedgerow/kernels` in the user's folder for caches (`XDG_CACHE_HOME`, `LOCALAPPDATA` or `~/.cache`).

A file's name holds the kernel's fingerprint, so changed code never meets old machine code.
"""

__all__ = ["file_name", "fingerprint", "folders", "is_on_disk", "parts_of", "writable_folder"]

import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from hedgerow.compiled.kernels import Kernel

_LOG = logging.getLogger("hedgerow")


def folders() -> list[Path]:
    """Return where compiled kernels may lie, in the order in which they are looked for."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(os.environ["NUMBA_CACHE_DIR"]) / "hedgerow"]
    found = [Path(__file__).parents[1] / "__pycache__" / "kernels"]
    with suppress(RuntimeError):  # no home
        users = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
        found.append(Path(users) / "hedgerow" / "kernels")
    return found


@cache
def writable_folder() -> Path | None:
    """Return the folder in which compiled kernels are kept; where there is none, None, which is logged once."""
    for folder in folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    _LOG.warning(
        "Compiled kernels can't be kept, since no folder for them can be written to; every start compiles them anew. "
        "Set NUMBA_CACHE_DIR to a folder that can be written to."
    )
    return None


def file_name(kernel: Kernel) -> str:
    """Return the name of the kernel's files, without its end."""
    name = f"{kernel.__module__.removeprefix('hedgerow.')}.{kernel.__qualname__}".replace("<", "").replace(">", "")
    return f"{name}-{fingerprint(kernel)}.py{sys.version_info[0]}{sys.version_info[1]}"


def is_on_disk(kernel: Kernel) -> bool:
    """Return whether the kernel has been compiled on this machine."""
    name = f"{file_name(kernel)}.nbi"
    return any((folder / name).exists() for folder in folders())


_PLAIN = (int, float, complex, str, bytes, tuple, np.generic, type(None))


def fingerprint(kernel: Kernel) -> str:
    """Return a hash over the kernel, the kernels and types it uses, and the values of its constants."""
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
