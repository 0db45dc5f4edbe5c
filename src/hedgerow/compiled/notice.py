"""What people see of the compiler, and how long it took: a run's clock stands still meanwhile."""

__all__ = ["clock", "compiling", "count_part"]

import logging
import multiprocessing
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LOG = logging.getLogger("hedgerow")


class _Compiler:
    """What the compiler has done in this process, and since when it is at work."""

    seconds = 0.0
    since: float | None = None
    announced = False
    done, known = 0, 0


_COMPILER = _Compiler()


def clock() -> float:
    """Return the seconds of a clock that stands still while kernels are compiled, which happens once on a machine."""
    since = _COMPILER.since
    return (time.monotonic() if since is None else since) - _COMPILER.seconds


@contextmanager
def compiling(n_parts: int, folder: Path | None) -> Iterator[None]:
    """Stop the clock while a kernel of this many parts is compiled in the block, and show it."""
    _COMPILER.known += n_parts
    _announce(folder)
    _COMPILER.since = time.monotonic()
    try:
        yield
    finally:
        _COMPILER.seconds += time.monotonic() - _COMPILER.since
        _COMPILER.since = None
        _show(" " * 40 + "\r")


def count_part() -> None:
    """Show that another part of a kernel has been compiled."""
    _COMPILER.done += 1
    _show(f"  {min(_COMPILER.done, _COMPILER.known)} of {_COMPILER.known} kernels so far …\r")


def _announce(folder: Path | None) -> None:
    """Say once in a process that kernels are compiled: by logging, or on standard error if logging is not set up."""
    if _COMPILER.announced or _is_worker():
        return
    _COMPILER.announced = True
    where = "for this process" if folder is None else f"once for this machine; they are kept in {folder}"
    sentence = f"Compiling kernels, {where} …"
    if _is_left_to_logging():
        _LOG.info("%s", sentence)
    else:
        print(sentence, file=sys.stderr, flush=True)


def _show(line: str) -> None:
    """Write over the last line of a terminal or a notebook."""
    if _is_left_to_logging() or _is_worker():
        return
    if sys.stderr.isatty() or "ipykernel" in sys.modules:
        print(line, end="", file=sys.stderr, flush=True)


def _is_left_to_logging() -> bool:
    return _LOG.hasHandlers() or not _LOG.isEnabledFor(logging.WARNING)


def _is_worker() -> bool:
    return multiprocessing.parent_process() is not None
