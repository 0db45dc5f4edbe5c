"""Ctrl-C as a wish to stop: the first one ends the run with its best tree kept, the second one ends it at once."""

__all__ = ["Interrupt"]

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self


class Interrupt:
    """A flag that asks a run to stop; while entered, Ctrl-C sets it. It may be entered again while it is.

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
        self._previous: Any = None
        self._listening = False
        self._entered = 0

    @property
    def requested(self) -> bool:
        """Whether somebody asked the run to stop."""
        return self._flag.is_set()

    def request(self) -> None:
        """Ask the run to stop at its next chance; may be called from any thread."""
        self._flag.set()

    def __enter__(self) -> Self:
        self._entered += 1
        # Signals reach the main thread only; elsewhere the flag alone works.
        if not self._listening and threading.current_thread() is threading.main_thread():
            self._previous = signal.getsignal(signal.SIGINT)
            if self._previous is not None:
                signal.signal(signal.SIGINT, self._on_signal)
                self._listening = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered -= 1
        if self._listening and not self._entered:
            signal.signal(signal.SIGINT, self._previous)
            self._listening = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.requested:
            raise KeyboardInterrupt
        self.request()
