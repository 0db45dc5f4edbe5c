"""What a person sees on standard error while a fit runs: notes, and on a terminal a line that lives."""

__all__ = ["Progress", "note", "notes_from_the_log"]

import logging
import math
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rich.console import Console
from rich.live import Live
from rich.text import Text

from hedgerow.run import Row
from hedgerow.run.result import relative_gap


def note(message: str) -> None:
    """Tell something on standard error."""
    print(message, file=sys.stderr, flush=True)


@contextmanager
def notes_from_the_log() -> Iterator[None]:
    """Show what Hedgerow logs, such as why "auto" picked a method, as notes."""
    logger, handler = logging.getLogger("hedgerow"), _Notes(logging.INFO)
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate


class _Notes(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        note(record.getMessage())


class Progress:
    """A monitor that keeps the latest row, and the line that is made of it.

    Parameters
    ----------
    time_limit
        Seconds; None for no limit.

    Examples
    --------
    >>> from hedgerow.cli.progress import Progress
    >>> from hedgerow.run import Row
    >>> progress = Progress(None)
    >>> progress(Row(0.5, 12, 1044.87, 1041.2))
    >>> str(progress.__rich__())
    ' 12 | value 1044.87  bound 1041.2  gap 0.35% | 0 s'
    """

    def __init__(self, time_limit: float | None) -> None:
        self._time_limit = time_limit
        self._start = time.monotonic()
        self._row: Row | None = None

    def __call__(self, row: Row) -> None:
        """Keep the row."""
        self._row = row

    def shown(self) -> AbstractContextManager[object]:
        """Return a context in which the line is shown if standard error is a terminal; it leaves no trace."""
        self._start = time.monotonic()
        if not sys.stderr.isatty():
            return nullcontext()
        return Live(self, console=Console(stderr=True), transient=True, refresh_per_second=4)

    def __rich__(self) -> Text:
        elapsed = time.monotonic() - self._start
        clock = f"{elapsed:.0f} s"
        if self._time_limit is not None:
            clock = f"{max(0.0, self._time_limit - elapsed):.0f} s left"
        if self._row is None:
            return Text(f" getting ready | {clock}")
        row, gap = self._row, relative_gap(self._row.value, self._row.bound)
        parts = [f"value {row.value:.8g}"] if math.isfinite(row.value) else ["no tree yet"]
        parts += [f"bound {row.bound:.8g}"] if math.isfinite(row.bound) else []
        parts += [f"gap {gap:.2%}"] if math.isfinite(gap) else []
        detail = f" | {row.detail}" if row.detail else ""
        return Text(f" {row.iteration} | {'  '.join(parts)} | {clock}{detail}", no_wrap=True, overflow="ellipsis")
