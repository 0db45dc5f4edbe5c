"""Compiled kernels on disk, in Numba's format, and how processes share them."""

__all__ = ["Store"]

import os
import pickle
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from numba.core.caching import IndexDataCacheFile, _Cache
from numba.core.compiler import CompileResult

from hedgerow.compiled.kernels import Kernel
from hedgerow.compiled.notice import compiling
from hedgerow.compiled.places import file_name, folders, parts_of, writable_folder

_LONGEST_WAIT: Final = 180.0
"""Seconds to wait for another process that compiles; after that this one compiles as well."""

_POLL: Final = 0.05


class Store(_Cache):
    """The place of one kernel's machine code on disk."""

    def __init__(self, kernel: Kernel) -> None:
        self._name = file_name(kernel)
        self._n_parts = len(parts_of(kernel))
        self._until_compiled = ExitStack()

    @property
    def cache_path(self) -> str | None:
        """The folder that new code is written to."""
        folder = writable_folder()
        return None if folder is None else str(folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for these types of arguments, or None; then no other process compiles it."""
        target_context.refresh()
        found = self._load(sig, target_context)
        if found is None:
            folder = writable_folder()
            self._until_compiled.enter_context(compiling(self._n_parts, folder))
            if folder is not None and self._until_compiled.enter_context(_locked(folder / "lock")):
                found = self._load(sig, target_context)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function."""
        folder = writable_folder()
        if folder is None or data.library.has_dynamic_globals:
            return
        file, key = self._file(folder), self._key(sig, data.codegen)
        with suppress(OSError):  # a full disk costs the next start some time, not this run its result
            try:
                file.save(key, data._reduce())
            except (pickle.UnpicklingError, ImportError, AttributeError, EOFError, TypeError, ValueError, IndexError):
                file.flush()  # its index can't be read: it is damaged, or names types of another version
                file.save(key, data._reduce())

    @contextmanager
    def compiled(self) -> Iterator[None]:
        """Load or compile within the block: a clock and other processes wait from the first miss to its end."""
        with ExitStack() as self._until_compiled:
            yield

    def _load(self, sig: Any, target_context: Any) -> Any:
        key = self._key(sig, target_context.codegen())
        for folder in folders():
            with suppress(Exception):  # a file that can't be read is as good as none
                data = self._file(folder).load(key)
                if data is not None:
                    return CompileResult._rebuild(target_context, *data)
        return None

    def _key(self, sig: Any, codegen: Any) -> tuple[object, ...]:
        return sig, codegen.magic_tuple()

    def _file(self, folder: Path) -> Any:
        return IndexDataCacheFile(str(folder), self._name, self._name)

    def enable(self) -> None:
        """Do nothing: a kernel's code is always kept."""

    def disable(self) -> None:
        """Do nothing: a kernel's code is always kept."""

    def flush(self) -> None:
        """Do nothing: old code has another name."""


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Keep other processes out of the block; yield whether one had to be waited for."""
    end, waited = time.monotonic() + _LONGEST_WAIT, False
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT)
    except OSError:
        yield False
        return
    try:
        while not _lock(file) and time.monotonic() < end:
            waited = True
            time.sleep(_POLL)
        yield waited
    finally:
        os.close(file)


def _lock(file: int) -> bool:
    """Try to lock a file, until it is closed; where files can't be locked, do without."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True
    return True
