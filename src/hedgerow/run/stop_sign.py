"""A wish to stop that reaches the other processes of this machine: a file that appears.

Ctrl-C in a terminal reaches all processes at once. A signal to one process, or a flag that a program sets, does not.
"""

__all__ = ["heeding", "raising"]

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hedgerow.run.interrupt import Interrupt

POLL: Final = 0.1
"""Seconds between two looks."""


@contextmanager
def raising(interrupt: Interrupt) -> Iterator[str]:
    """Return the path of a file that is made once the interrupt is requested, while the block runs.

    Examples
    --------
    >>> from hedgerow.run import Interrupt
    >>> from hedgerow.run.stop_sign import heeding, raising
    >>> here, there = Interrupt(), Interrupt()
    >>> with raising(here) as sign, heeding(sign, there):
    ...     here.request()
    ...     there.wait(60.0)
    True
    """
    with TemporaryDirectory(prefix="hedgerow-", ignore_cleanup_errors=True) as folder:
        sign = Path(folder, "stop")
        with _once(lambda: interrupt.requested, sign.touch):
            yield str(sign)


@contextmanager
def heeding(sign: str, interrupt: Interrupt) -> Iterator[None]:
    """Request the interrupt once the file is there, while the block runs."""
    with _once(Path(sign).exists, interrupt.request):
        yield


@contextmanager
def _once(it_is_so: Callable[[], bool], act: Callable[[], None]) -> Iterator[None]:
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            if it_is_so():
                act()
                return
            over.wait(POLL)

    watcher = threading.Thread(target=watch, name="hedgerow-stop", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
