"""What a person sees of a running experiment: cells done, and about how long the rest takes."""

__all__ = ["CellProgress"]

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.text import Text

from hedgerow.cli.notes import note
from hedgerow.cli.progress import SECONDS_BETWEEN_LINES

if TYPE_CHECKING:
    from hedgerow.experiments import Standing


class CellProgress:
    """A monitor that keeps the latest standing, and the line that is made of it.

    Parameters
    ----------
    clock
        Seconds from any start.

    Examples
    --------
    >>> from hedgerow.cli.cell_progress import CellProgress
    >>> from hedgerow.experiments import Standing
    >>> progress = CellProgress(clock=lambda: 0.0)
    >>> progress(Standing(done=12, total=640, failed=1, seconds_left=400.0))
    >>> str(progress.__rich__())
    '12 of 640 cells | 1 failed | about 7 min left'
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lives = False
        self._standing: Standing | None = None
        self._told = clock()

    def __call__(self, standing: "Standing") -> None:
        """Keep the standing; where no line can live, tell it now and then."""
        self._standing = standing
        if not self._lives and self._clock() - self._told >= SECONDS_BETWEEN_LINES:
            self._told = self._clock()
            note(self._line())

    def shown(self) -> AbstractContextManager[object]:
        """Return a context in which the line lives if standard error is a terminal; it leaves no trace."""
        self._lives = sys.stderr.isatty()
        if not self._lives:
            return nullcontext()
        return Live(self, console=Console(stderr=True), transient=True, refresh_per_second=4)

    def __rich__(self) -> Text:
        return Text(self._line(), no_wrap=True, overflow="ellipsis")

    def _line(self) -> str:
        now = self._standing
        if now is None:
            return "computing the first cell"
        parts = [f"{now.done} of {now.total} cells", *([f"{now.failed} failed"] if now.failed else [])]
        return " | ".join([*parts, f"about {_duration(now.seconds_left)} left"])


def _duration(seconds: float) -> str:
    """Return a time in the unit in which people would tell it."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
