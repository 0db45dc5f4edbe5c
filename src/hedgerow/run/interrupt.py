"""Requests to stop a run. The first Ctrl-C ends it and keeps its best tree; the second one ends it at once.

SIGTERM counts as Ctrl-C if the program gives it Python's own handler for Ctrl-C, as the command line does. A library
leaves SIGTERM alone.
"""

__all__ = ["Interrupt", "every"]

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType, TracebackType
from typing import Any, Final, Self

_POLL: Final = 0.1
"""Seconds between two looks at the file that asks other processes to stop."""


_ENTERED = threading.local()
"""Per thread the interrupt that was entered last."""


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
    """A flag that asks a run to stop; while entered, Ctrl-C sets it. It can be entered again while it is.

    So does SIGTERM where its handler is `signal.default_int_handler`. An interrupt that is entered while another one of
    the same thread is, such as that of a fit in a loop over fits, is stopped with it; and Ctrl-C stops both.

    >>> interrupt = Interrupt()
    >>> interrupt.request()
    >>> interrupt.requested
    True
    """

    def __init__(self) -> None:
        self._stopped = False
        self._previous: dict[signal.Signals, Any] = {}
        self._entered = 0
        self._signs: list[Path] = []
        self._around: Interrupt | None = None

    @property
    def requested(self) -> bool:
        """Whether the run was asked to stop."""
        return self._stopped or (self._around is not None and self._around.requested)

    def request(self) -> None:
        """Ask the run to stop soon; may be called from any thread."""
        self._stopped = True
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
    def following(self, sign: str) -> Iterator[None]:
        """Request a stop once this file exists, while the block runs."""

        def look() -> None:
            if not self._stopped and Path(sign).exists():
                self.request()

        with every(_POLL, look):
            yield

    def __enter__(self) -> Self:
        self._entered += 1
        if self._entered == 1:
            self._around = getattr(_ENTERED, "innermost", None)
            _ENTERED.innermost = self
        # Signals reach the main thread only; elsewhere the flag alone works.
        if not self._previous and threading.current_thread() is threading.main_thread():
            for number in _signals_to_stop():
                self._previous[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered -= 1
        if not self._entered:
            for number, handler in self._previous.items():
                signal.signal(number, handler)
            self._previous = {}
            _ENTERED.innermost, self._around = self._around, None

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.requested:
            raise KeyboardInterrupt
        stopped: Interrupt | None = self
        while stopped is not None:
            stopped.request()
            stopped = stopped._around


def _signals_to_stop() -> list[signal.Signals]:
    """Return the signals that mean Ctrl-C here; one whose handler was not set by Python can't be restored."""
    stops = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is not None else []
    handler = signal.getsignal(signal.SIGTERM)
    does_the_same = callable(handler) and handler == signal.getsignal(signal.SIGINT)
    is_meant = does_the_same or handler is signal.default_int_handler
    return [*stops, signal.SIGTERM] if is_meant else stops
