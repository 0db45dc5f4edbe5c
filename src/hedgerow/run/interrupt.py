"""Ctrl-C as a wish to stop: the first one ends the run with its best tree kept, the second one ends it at once.

SIGTERM counts as Ctrl-C where a program says so by giving it Python's own handler for Ctrl-C, which the command line
does. A library leaves it alone: what a request to terminate means is for its program to say.
"""

__all__ = ["Interrupt"]

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self


class Interrupt:
    """A flag that asks a run to stop; while entered, Ctrl-C sets it. It may be entered again while it is.

    So does SIGTERM where its handler is `signal.default_int_handler`.

    Examples
    --------
    >>> from hedgerow.run import Interrupt
    >>> interrupt = Interrupt()
    >>> interrupt.request()
    >>> interrupt.requested
    True
    """

    def __init__(self) -> None:
        self._flag = threading.Event()
        self._previous: dict[signal.Signals, Any] = {}
        self._entered = 0

    @property
    def requested(self) -> bool:
        """Whether somebody asked the run to stop."""
        return self._flag.is_set()

    def request(self) -> None:
        """Ask the run to stop at its next chance; may be called from any thread."""
        self._flag.set()

    def wait(self, seconds: float) -> bool:
        """Wait until somebody asks the run to stop, at most so long; return whether somebody did."""
        return self._flag.wait(seconds)

    def __enter__(self) -> Self:
        self._entered += 1
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

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.requested:
            raise KeyboardInterrupt
        self.request()


def _signals_to_stop() -> list[signal.Signals]:
    """Return the signals that mean Ctrl-C here; one whose handler was not set by Python can't be given back."""
    stops = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is not None else []
    handler = signal.getsignal(signal.SIGTERM)
    is_meant = handler is signal.default_int_handler or isinstance(getattr(handler, "__self__", None), Interrupt)
    return [*stops, signal.SIGTERM] if is_meant else stops
