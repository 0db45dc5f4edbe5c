"""What a person sees of a running fit: on a terminal a line that lives, elsewhere a line now and then."""

__all__ = ["Progress"]

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from hedgerow.cli.living_line import LivingLine
from hedgerow.run import Row
from hedgerow.run.result import relative_gap
from hedgerow.words import percentage, printable


class Progress(LivingLine):
    """A monitor that keeps the latest row, and the line that is made of it.

    Parameters
    ----------
    time_limit
        Seconds; None for no limit.
    iteration_limit
        Most iterations; None for no limit.
    unit
        Unit of the values.
    clock
        Seconds from any start.

    Examples
    --------
    >>> from hedgerow.cli.progress import Progress
    >>> from hedgerow.run import Row
    >>> progress = Progress(time_limit=60.0, unit="min", clock=lambda: 0.0)
    >>> progress(Row(12.4, 7, 1044.87, 1041.2))
    >>> str(progress.__rich__())
    'value 1044.87 min | bound 1041.2 | gap 0.35% | 12 s | at most 48 s left | 7 steps'
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
        self._seen = clock()

    def __call__(self, row: Row) -> None:
        """Keep the row; where no line can be updated, print one now and then."""
        self._row, self._seen = row, self._clock()
        self._tell()

    def shown(self) -> AbstractContextManager[object]:
        """Return a context in which the line lives; its clock starts here."""
        self._seen = self._clock()
        return super().shown()

    def _line(self) -> str:
        since = self._clock() - self._seen
        if self._row is None:
            return f"getting ready | {since:.0f} s"
        row, gap = self._row, relative_gap(self._row.value, self._row.bound)
        elapsed = row.runtime + since
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
