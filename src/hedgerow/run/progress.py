"""What a person sees of long work: a line that rich writes over on a terminal or in a notebook, or lines in a log.

On the command line every long command shows such a line; in Python, fits and studies do on terminals and in notebooks.
"""

import math
import multiprocessing
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, ClassVar, Final

from hedgerow.run.result import Row, relative_gap
from hedgerow.wording.numbers import counted, percentage, printable

if TYPE_CHECKING:
    from rich.text import Text

_LIVE_SECONDS: Final = 2.0
"""Until the line appears on a terminal or in a notebook, since quick work needs none."""
_LOG_SECONDS: Final = 30.0
"""Between lines where nothing can be written over, such as in a log file."""


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
        self._next_in_log = math.inf

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
        try:
            if _is_live():
                from rich.console import Console
                from rich.live import Live

                options = {"console": Console(stderr=True), "transient": True, "redirect_stdout": False}
                with Live(get_renderable=self._text, refresh_per_second=1, **options):  # type: ignore[arg-type]
                    yield
            else:
                self._next_in_log = self._start + _LOG_SECONDS
                yield
        finally:
            LivingLine._any_shown, self._next_in_log = False, math.inf

    def _text(self) -> "Text":
        from rich.text import Text

        text = printable(self.line()) if self.elapsed >= _LIVE_SECONDS else ""
        return Text(text, no_wrap=True, overflow="ellipsis")

    def _log(self) -> None:
        """Write the line to a log if the next one is due."""
        if self._clock() >= self._next_in_log:
            self._next_in_log = self._clock() + _LOG_SECONDS
            with suppress(OSError):  # a full disk must not end the work
                print(printable(self.line()), file=sys.stderr, flush=True)


class FitProgress(LivingLine):
    """A monitor that keeps the latest row, and the line that is made of it and of what the limits leave.

    >>> progress = FitProgress(time_limit=60.0, unit="min", clock=lambda: 0.0)
    >>> progress(Row(12.4, 7, 1044.87, 1041.2))
    >>> progress.line()
    'value 1044.87 min | bound 1041.2 | gap 0.351 % | 12 s | at most 48 s left | 7 steps'
    """

    def __init__(
        self, time_limit: float | None = None, unit: str = "", clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(clock)
        self._time_limit = time_limit
        self._unit = f" {printable(unit)}" if unit else ""
        self._row: Row | None = None
        self._seen = 0.0

    def __call__(self, row: Row) -> None:
        """Keep the row."""
        self._row, self._seen = row, self._clock()
        self._log()

    def line(self) -> str:
        """Return value, bound, gap, and the time that is left; a proof may come sooner."""
        if self._row is None:
            return f"getting ready | {self.elapsed:.0f} s"
        row, gap = self._row, relative_gap(self._row.value, self._row.bound)
        elapsed = row.runtime + self._clock() - self._seen
        parts = [f"value {row.value:.8g}{self._unit}"] if math.isfinite(row.value) else ["no tree yet"]
        parts += [f"bound {row.bound:.8g}"] if math.isfinite(row.bound) else []
        parts += [f"gap {percentage(gap)}"] if math.isfinite(gap) else []
        parts += [f"{elapsed:.0f} s"]
        parts += [] if self._time_limit is None else [f"at most {max(0.0, self._time_limit - elapsed):.0f} s left"]
        parts += [counted(row.iteration, "step")] if row.iteration else []
        return " | ".join(parts + ([row.detail] if row.detail else []))


class CountProgress(LivingLine):
    """Counts what is done.

    >>> progress = CountProgress("fits", 640, clock=lambda: 0.0)
    >>> progress.count()
    >>> progress.line()
    '1 of 640 fits | 0 s'
    """

    def __init__(self, what: str, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._what, self._done, self._total = what, 0, total

    def count(self) -> None:
        """Say that one more is done."""
        self._done += 1
        self._log()

    def line(self) -> str:
        """Return how much is done, and how long it took."""
        return f"{self._done} of {self._total} {self._what} | {self.elapsed:.0f} s"
