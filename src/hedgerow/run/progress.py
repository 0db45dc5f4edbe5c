"""What a person sees of long work: a line that is written over on a terminal or in a notebook, or one now and then.

On the command line every long command shows such a line; in Python, fits and studies do on terminals and in notebooks.
"""

__all__ = ["CountProgress", "FitProgress", "LivingLine"]

import math
import multiprocessing
import shutil
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import ClassVar, Final

from hedgerow.run.result import Row, relative_gap
from hedgerow.wording.numbers import counted, percentage, printable

_LIVE_SECONDS: Final = (2.0, 1.0)
"""Until the line appears on a terminal or in a notebook, since quick work needs none, and between its updates."""
_LOG_SECONDS: Final = (10.0, 30.0)
"""The same where nothing can be written over, such as in a log file."""
_WIDTH_OF_NOTEBOOKS: Final = 120


def _is_live() -> bool:
    """Return whether a line can be written over: on a terminal or in a notebook."""
    ipython = sys.modules.get("IPython")
    return sys.stderr.isatty() or (ipython is not None and hasattr(ipython.get_ipython(), "kernel"))


class LivingLine(ABC):
    """A line that a subclass makes of the latest news."""

    _any_shown: ClassVar[bool] = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()

    @abstractmethod
    def line(self) -> str:
        """Return the line as it reads now."""

    @property
    def elapsed(self) -> float:
        """Seconds since the line was first shown."""
        return self._clock() - self._start

    @contextmanager
    def shown(self, *, verbose: bool = False) -> Iterator[None]:
        """Show the line while the block runs: on a terminal, in a notebook, elsewhere if `verbose`.

        A line within a line is not shown, and neither is one in a worker process, which shares its parent's terminal.
        """
        is_worker = multiprocessing.parent_process() is not None
        if LivingLine._any_shown or is_worker or not (_is_live() or verbose):
            yield
            return
        LivingLine._any_shown, self._start = True, self._clock()
        over = threading.Event()
        writer = threading.Thread(target=self._write, args=(over,), name="hedgerow-progress", daemon=True)
        writer.start()
        try:
            yield
        finally:
            over.set()
            writer.join()
            LivingLine._any_shown = False

    def _write(self, over: threading.Event) -> None:
        """Write the line again and again, each time over the one before where that can be done."""
        is_live = _is_live()
        first, between = _LIVE_SECONDS if is_live else _LOG_SECONDS
        width = shutil.get_terminal_size((_WIDTH_OF_NOTEBOOKS, 0)).columns - 1
        if over.wait(first):
            return
        with suppress(OSError):  # a full disk must not end the work
            while True:
                text = printable(self.line())
                print(f"\r{text[:width]:{width}}" if is_live else text, end="" if is_live else "\n", file=sys.stderr)
                sys.stderr.flush()
                if over.wait(between):
                    break
            if is_live:
                print("\r" + " " * width, end="\r", file=sys.stderr, flush=True)


class FitProgress(LivingLine):
    """A monitor that keeps the latest row, and the line that is made of it and of what the limits leave.

    >>> progress = FitProgress(time_limit=60.0, unit="min", clock=lambda: 0.0)
    >>> progress(Row(12.4, 7, 1044.87, 1041.2))
    >>> progress.line()
    'value 1044.87 min | bound 1041.2 | gap 0.351 % | 12 s | at most 48 s left | 7 steps'
    """

    def __init__(
        self,
        time_limit: float | None = None,
        iteration_limit: int | None = None,
        unit: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(clock)
        self._time_limit = time_limit
        self._iteration_limit = iteration_limit
        self._unit = f" {printable(unit)}" if unit else ""
        self._row: Row | None = None
        self._seen: float | None = None

    def __call__(self, row: Row) -> None:
        """Keep the row."""
        self._row, self._seen = row, self._clock()

    def line(self) -> str:
        """Return value, bound, gap, and the time that is left."""
        if self._row is None or self._seen is None:
            return f"getting ready | {self.elapsed:.0f} s"
        row, gap = self._row, relative_gap(self._row.value, self._row.bound)
        elapsed = row.runtime + self._clock() - self._seen
        parts = [f"value {row.value:.8g}{self._unit}"] if math.isfinite(row.value) else ["no tree yet"]
        parts += [f"bound {row.bound:.8g}"] if math.isfinite(row.bound) else []
        parts += [f"gap {percentage(gap)}"] if math.isfinite(gap) else []
        parts += [f"{elapsed:.0f} s", *self._time_left(elapsed, row.iteration)]
        parts += [counted(row.iteration, "step")] if row.iteration else []
        return " | ".join(parts + ([row.detail] if row.detail else []))

    def _time_left(self, elapsed: float, iteration: int) -> list[str]:
        """Return what the limits leave; a proof may come sooner."""
        left = math.inf if self._time_limit is None else self._time_limit - elapsed
        if self._iteration_limit is not None and iteration:
            left = min(left, elapsed / iteration * (self._iteration_limit - iteration))
        return [f"at most {max(0.0, left):.0f} s left"] if math.isfinite(left) else []


class CountProgress(LivingLine):
    """Counts what is done, and estimates how long the rest takes.

    The time until the first one is done is no part of the estimate, since kernels may have been compiled in it.

    >>> progress = CountProgress("fits", clock=lambda: 0.0)
    >>> progress.expect(640)
    >>> progress.count()
    >>> progress.line()
    '1 of 640 fits | 0 s'
    >>> progress.count()
    >>> progress.line()
    '2 of 640 fits | 0 s | about 0 s left'
    """

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._what, self._done, self._total, self._first_done = what, 0, 0, 0.0

    def expect(self, number: int) -> None:
        """Say that so many more are to be done."""
        self._total += number

    def count(self) -> None:
        """Say that one more is done."""
        self._done += 1
        if self._done == 1:
            self._first_done = self.elapsed

    def line(self) -> str:
        """Return how much is done, and how long the rest may take."""
        counts = f"{self._done} of {self._total} {self._what}" if self._total else f"preparing {self._what}"
        parts = [counts, _duration(self.elapsed)]
        if self._done > 1:
            left = (self.elapsed - self._first_done) / (self._done - 1) * (self._total - self._done)
            parts.append(f"about {_duration(left)} left")
        return " | ".join(parts)


def _duration(seconds: float) -> str:
    """Return a time in a unit that suits its size."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
