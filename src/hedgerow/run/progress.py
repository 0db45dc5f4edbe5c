"""What a person sees of long work: a line that is updated on a terminal or in a notebook, or one now and then.

On the command line every long command shows such a line; in Python, fits and studies do on terminals and in notebooks.
"""

__all__ = ["CountProgress", "FitProgress", "LivingLine", "in_notebook", "progress_unless", "with_count"]

import functools
import math
import multiprocessing
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, Final, ParamSpec, TypeVar, cast

from hedgerow.run.interrupt import every
from hedgerow.run.result import Row, relative_gap
from hedgerow.wording.numbers import percentage, printable

P = ParamSpec("P")
R = TypeVar("R")

_SECONDS_UNTIL_FIRST: Final = 10.0
_SECONDS_BETWEEN: Final = 30.0
"""Where nothing can be updated, such as in a log file."""
_SECONDS_UNTIL_SHOWN: Final = 2.0
"""Until the line appears on a terminal or in a notebook: quick work needs none. In notebooks updates follow every
second."""


def in_notebook() -> bool:
    """Return whether this runs in a notebook, where output can be updated."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class LivingLine(ABC):
    """A line that a subclass makes of the latest news."""

    _any_shown: ClassVar[bool] = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._next = math.inf
        self._handle: Any = None
        self._lock = threading.Lock()

    @abstractmethod
    def _line(self) -> str:
        """Return the line as it reads now."""

    @property
    def elapsed(self) -> float:
        """Seconds since the line was first shown."""
        return self._clock() - self._start

    def _tell(self) -> None:
        """Write the line if it is time to."""
        with self._lock:
            now = self._clock()
            if now < self._next:
                return
            if in_notebook():
                self._next = now + 1.0
                self._update()
            else:
                self._next = now + _SECONDS_BETWEEN
                with suppress(OSError):  # a full disk must not end the work
                    print(printable(self._line()), file=sys.stderr, flush=True)

    def _update(self) -> None:
        content = {"text/plain": printable(self._line())}
        if self._handle is None:
            from IPython.display import display

            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the line while the block runs. A line within a line is not shown."""
        if LivingLine._any_shown:
            yield
            return
        LivingLine._any_shown, self._start = True, self._clock()
        try:
            if in_notebook():
                self._next = self._start + _SECONDS_UNTIL_SHOWN
                yield
                if self._handle is not None:
                    self._update()
            elif sys.stderr.isatty():
                from rich.console import Console
                from rich.live import Live

                live = Live(self, console=Console(stderr=True), transient=True, refresh_per_second=4)
                timer = threading.Timer(_SECONDS_UNTIL_SHOWN, live.start)
                timer.daemon = True
                timer.start()
                try:
                    yield
                finally:
                    timer.cancel()
                    timer.join()
                    live.stop()
            else:
                self._next = self._start + _SECONDS_UNTIL_FIRST
                with every(1.0, self._tell):  # so that there is a line even where there are no news
                    yield
        finally:
            LivingLine._any_shown, self._next = False, math.inf

    def __rich__(self) -> Any:
        from rich.text import Text

        return Text(self._line(), no_wrap=True, overflow="ellipsis")


class FitProgress(LivingLine):
    """A monitor that keeps the latest row, and the line that is made of it and of what the limits leave.

    >>> progress = FitProgress(time_limit=60.0, unit="min", clock=lambda: 0.0)
    >>> progress(Row(12.4, 7, 1044.87, 1041.2))
    >>> str(progress.__rich__())
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
        """Keep the row, and show it if it is time to."""
        self._row, self._seen = row, self._clock()
        self._tell()

    def _line(self) -> str:
        if self._row is None or self._seen is None:
            return f"getting ready | {self.elapsed:.0f} s"
        row, gap = self._row, relative_gap(self._row.value, self._row.bound)
        elapsed = row.runtime + self._clock() - self._seen
        parts = [f"value {row.value:.8g}{self._unit}"] if math.isfinite(row.value) else ["no tree yet"]
        parts += [f"bound {row.bound:.8g}"] if math.isfinite(row.bound) else []
        parts += [f"gap {percentage(gap)}"] if math.isfinite(gap) else []
        parts += [f"{elapsed:.0f} s", *self._time_left(elapsed, row.iteration)]
        parts += [f"{row.iteration} step{'' if row.iteration == 1 else 's'}"] if row.iteration else []
        return " | ".join(parts + ([row.detail] if row.detail else []))

    def _time_left(self, elapsed: float, iteration: int) -> list[str]:
        """Return what the limits leave; a proof may come sooner."""
        left = math.inf if self._time_limit is None else self._time_limit - elapsed
        if self._iteration_limit is not None and iteration:
            left = min(left, elapsed / iteration * (self._iteration_limit - iteration))
        return [f"at most {max(0.0, left):.0f} s left"] if math.isfinite(left) else []


class CountProgress(LivingLine):
    """Counts what is done, and estimates how long the rest takes.

    >>> progress = CountProgress("fits", clock=lambda: 0.0)
    >>> progress(12, 640)
    >>> str(progress.__rich__())
    '12 of 640 fits | 0 s | about 0 s left'
    """

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._what, self._done, self._total = what, 0, 0
        self._left: float | None = None

    def __call__(self, done: int, total: int) -> None:
        """Keep the counts, and show them if it is time to."""
        self._done, self._total = done, total
        self._left = self.elapsed / done * (total - done) if done else None
        self._tell()

    def _line(self) -> str:
        counts = f"{self._done} of {self._total} {self._what}" if self._total else f"preparing {self._what}"
        left = [] if self._left is None else [f"about {_duration(self._left)} left"]
        return " | ".join([counts, _duration(self.elapsed), *left])


def _duration(seconds: float) -> str:
    """Return a time in a unit that suits its size."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"


@contextmanager
def progress_unless(monitor: Any, line: LivingLine, *, verbose: bool = False) -> Iterator[Any]:
    """Yield the monitor, if there is one; else the line, which is shown on a terminal, in a notebook, or if `verbose`.

    Worker processes, which share the terminal of their parent, show nothing.
    """
    is_worker = multiprocessing.parent_process() is not None
    if monitor is not None or is_worker or not (verbose or in_notebook() or sys.stderr.isatty()):
        yield monitor
        return
    with line.shown():
        yield line


def with_count(what: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for functions with `on_progress`: without it a line says how many of `what` are done."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: Any, on_progress: Any = None, **options: Any) -> R:
            with progress_unless(on_progress, CountProgress(what)) as monitor:
                return function(*args, on_progress=monitor, **options)

        return cast(Callable[P, R], call)

    return decorate
