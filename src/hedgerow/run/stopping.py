"""When a run has to stop: its deadline, and requests from elsewhere, such as Ctrl-C."""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class Deadline:
    """A clock that started when it was made, and the moment at which time is up.

    Parameters
    ----------
    limit
        Seconds from now; None for no limit.
    clock
        The source of time.

    >>> ticks = iter([0.0, 3.0, 9.0])
    >>> deadline = Deadline(5.0, clock=lambda: next(ticks))
    >>> deadline.remaining(), deadline.passed()
    (2.0, True)
    """

    def __init__(self, limit: float | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._limit = math.inf if limit is None else limit

    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start

    def remaining(self) -> float:
        """Seconds left, zero once time is up, infinite without a limit."""
        return max(0.0, self._limit - self.elapsed())

    def share(self, pieces: int) -> float:
        """Seconds for the next piece of work if this many pieces share half of the time left."""
        return 0.5 * self.remaining() / max(1, pieces)

    def passed(self) -> bool:
        """Whether time is up."""
        return self.remaining() <= 0.0


class Interrupt:
    """A flag that asks a run to stop.

    >>> interrupt = Interrupt()
    >>> interrupt.request()
    >>> interrupt.requested
    True
    """

    def __init__(self) -> None:
        self._requested = False

    @property
    def requested(self) -> bool:
        """Whether the run is to stop."""
        return self._requested

    def request(self) -> None:
        """Ask the run to stop soon; may be called from any thread."""
        self._requested = True


@contextmanager
def interruptible(active: bool = True) -> Iterator[Interrupt]:
    """Yield an interrupt that the first Ctrl-C requests; KeyboardInterrupt is raised when the block ends.

    So a search can end with its best tree, which the rest of the block stores. A second Ctrl-C ends the block at once.
    The handler from before is restored in any case. If not `active`, and outside the main thread, which alone gets
    signals, none is installed. A process that ignores Ctrl-C goes on doing so.

    >>> try:
    ...     with interruptible() as interrupt:
    ...         signal.raise_signal(signal.SIGINT)
    ...         print(interrupt.requested)
    ... except KeyboardInterrupt:
    ...     print("The block has ended.")
    True
    The block has ended.
    """
    interrupt, received = Interrupt(), list[int]()
    previous = signal.getsignal(signal.SIGINT)
    # None is a handler that was not set by Python, and can't be restored.
    is_left_alone = previous in (signal.SIG_IGN, None) or threading.current_thread() is not threading.main_thread()
    if not active or is_left_alone:
        yield interrupt
        return

    def receive(number: int, frame: FrameType | None) -> None:
        del frame
        if received:
            raise KeyboardInterrupt
        received.append(number)
        interrupt.request()

    signal.signal(signal.SIGINT, receive)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, previous)
        if received:
            raise KeyboardInterrupt
