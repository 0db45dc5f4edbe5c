"""The deadline of a run, passed on to every step that takes time."""

__all__ = ["Deadline"]

import math
import time
from collections.abc import Callable


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
