"""Requests to stop a run: from another thread or process, or by Ctrl-C where the caller asks for that."""

__all__ = ["Interrupt", "every", "interruptible"]

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any


@contextmanager
def every(seconds: float, act: Callable[[], None]) -> Iterator[None]:
    """Call a function again and again, in a thread of its own, while the block runs."""
    over = threading.Event()

    def repeat() -> None:
        while not over.wait(seconds):
            act()

    thread = threading.Thread(target=repeat, name="hedgerow-every", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Interrupt:
    """A flag that asks a run to stop.

    >>> interrupt = Interrupt()
    >>> interrupt.request()
    >>> interrupt.requested
    True
    """

    def __init__(self) -> None:
        self.requested = False
        self._signs: list[Path] = []

    def request(self) -> None:
        """Ask the run to stop soon; may be called from any thread."""
        self.requested = True
        for sign in tuple(self._signs):
            with suppress(OSError):  # its folder may just have been removed
                sign.touch()

    @contextmanager
    def announced(self) -> Iterator[str]:
        """Return the path of a file that will exist once a stop is requested; other processes can follow it."""
        with TemporaryDirectory(prefix="hedgerow-", ignore_cleanup_errors=True) as folder:
            sign = Path(folder, "stop")
            self._signs.append(sign)
            try:
                if self.requested:
                    sign.touch()
                yield str(sign)
            finally:
                self._signs.remove(sign)


@contextmanager
def interruptible(active: bool = True) -> Iterator[Interrupt]:
    """Yield an interrupt that the first Ctrl-C or SIGTERM requests; KeyboardInterrupt is raised when the block ends.

    So a search can end with its best tree, which the rest of the block stores. A second signal raises KeyboardInterrupt
    at once. The handlers from before are restored in any case. If not `active`, and outside the main thread, which
    alone gets signals, none is installed. Signals that the process ignores stay ignored.

    >>> try:
    ...     with interruptible() as interrupt:
    ...         signal.raise_signal(signal.SIGINT)
    ...         print(interrupt.requested)
    ... except KeyboardInterrupt:
    ...     print("The block has ended.")
    True
    The block has ended.
    """
    interrupt, received, previous = Interrupt(), list[int](), dict[signal.Signals, Any]()

    def receive(number: int, frame: FrameType | None) -> None:
        del frame
        if received:
            raise KeyboardInterrupt
        received.append(number)
        interrupt.request()

    try:
        if active and threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                # None is a handler that was not set by Python, and can't be restored.
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
                    previous[number] = signal.signal(number, receive)
        yield interrupt
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        if received:
            raise KeyboardInterrupt
