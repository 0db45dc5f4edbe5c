"""What a person sees of long work: a line that rich writes over on a terminal or in a notebook, or lines in a log.

On the command line every long command shows such a line; in Python, fits and studies do on terminals and in notebooks.
"""

import math
import multiprocessing
import sys
import time
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


class Progress:
    """A line with the latest news and the time.

    >>> progress = Progress(time_limit=60.0, clock=lambda: 0.0)
    >>> progress.say("1 of 640 fits", elapsed=12.4)
    >>> progress.line
    '1 of 640 fits | 12 s | at most 48 s left'
    """

    _any_shown: ClassVar[bool] = False

    def __init__(self, time_limit: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._time_limit = time_limit
        self._next_in_log = math.inf
        self._news = "getting ready"

    def say(self, news: str, elapsed: float | None = None) -> None:
        """Take the latest news, and the seconds so far if the work has a clock of its own; log them if that is due."""
        self._news = news
        if elapsed is not None:
            self._start = self._clock() - elapsed
        if self._clock() >= self._next_in_log:
            self._next_in_log = self._clock() + _LOG_SECONDS
            with suppress(OSError):  # a full disk must not end the work
                print(printable(self.line), file=sys.stderr, flush=True)

    @property
    def line(self) -> str:
        """The line as it reads now; the work may end sooner than the time."""
        elapsed, limit = self._clock() - self._start, self._time_limit
        left = "" if limit is None else f" | at most {max(0.0, limit - elapsed):.0f} s left"
        return f"{self._news} | {elapsed:.0f} s{left}"

    @contextmanager
    def shown(self, *, verbose: bool = False) -> Iterator[None]:
        """Show the line while the block runs: on a terminal, in a notebook, elsewhere if `verbose`.

        A line within a line is not shown, and neither is one in a worker process, which shares its parent's terminal.
        """
        is_worker = multiprocessing.parent_process() is not None
        if Progress._any_shown or is_worker or not (_is_live() or verbose):
            yield
            return
        Progress._any_shown, self._start = True, self._clock()
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
            Progress._any_shown, self._next_in_log = False, math.inf

    def _text(self) -> "Text":
        from rich.text import Text

        text = printable(self.line) if self._clock() - self._start >= _LIVE_SECONDS else ""
        return Text(text, no_wrap=True, overflow="ellipsis")


def row_in_words(row: Row, unit: str = "") -> str:
    """Return what is known at a moment of a run.

    >>> row_in_words(Row(12.4, 7, 1044.87, 1041.2), "min")
    'value 1044.87 min | bound 1041.2 | gap 0.351 % | 7 steps'
    """
    gap = relative_gap(row.value, row.bound)
    parts = [f"value {row.value:.8g} {unit}".rstrip()] if math.isfinite(row.value) else ["no tree yet"]
    parts += [f"bound {row.bound:.8g}"] if math.isfinite(row.bound) else []
    parts += [f"gap {percentage(gap)}"] if math.isfinite(gap) else []
    parts += [counted(row.iteration, "step")] if row.iteration else []
    return " | ".join(parts + ([row.detail] if row.detail else []))
