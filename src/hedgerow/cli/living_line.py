"""A line about something that runs: it lives on a terminal, and is written now and then elsewhere."""

__all__ = ["LivingLine"]

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from hedgerow.cli.notes import note

_SECONDS_BETWEEN: Final = 30.0
"""Where nothing can be rewritten, such as in a log file."""


class LivingLine(ABC):
    """A line that a subclass makes of the latest news.

    Parameters
    ----------
    clock
        Seconds from any start.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lives = False
        self._told = clock()

    @abstractmethod
    def _line(self) -> str:
        """Return the line as it reads now."""

    def _tell(self) -> None:
        """Take note that there is news: where no line can live, write it now and then."""
        now = self._clock()
        if not self._lives and now - self._told >= _SECONDS_BETWEEN:
            self._told = now
            note(self._line())

    def shown(self) -> AbstractContextManager[object]:
        """Return a context in which the line lives if standard error is a terminal; it leaves no trace."""
        self._told = self._clock()
        self._lives = sys.stderr.isatty()
        if not self._lives:
            return nullcontext()
        return Live(self, console=Console(stderr=True), transient=True, refresh_per_second=4)

    def __rich__(self) -> Text:
        return Text(self._line(), no_wrap=True, overflow="ellipsis")
