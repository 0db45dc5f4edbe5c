"""What a person sees of a running experiment: cells done, and about how long the rest takes."""

__all__ = ["CellProgress"]

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from hedgerow.cli.living_line import LivingLine

if TYPE_CHECKING:
    from hedgerow.experiments import ExperimentProgress


class CellProgress(LivingLine):
    """A monitor that shows the latest progress in one line.

    Parameters
    ----------
    clock
        Seconds from any start.

    Examples
    --------
    >>> from hedgerow.cli.cell_progress import CellProgress
    >>> from hedgerow.experiments import ExperimentProgress
    >>> progress = CellProgress(clock=lambda: 0.0)
    >>> progress(ExperimentProgress(done=12, total=640, failed=1, seconds_left=400.0))
    >>> str(progress.__rich__())
    '12 of 640 cells | 1 failed | about 7 min left'
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._latest: ExperimentProgress | None = None

    def __call__(self, progress: "ExperimentProgress") -> None:
        """Keep the progress; without a terminal, print it now and then."""
        self._latest = progress
        self._tell()

    def _line(self) -> str:
        now = self._latest
        if now is None:
            return "computing the first cell"
        parts = [f"{now.done} of {now.total} cells", *([f"{now.failed} failed"] if now.failed else [])]
        return " | ".join([*parts, f"about {_duration(now.seconds_left)} left"])


def _duration(seconds: float) -> str:
    """Return a time in a unit that suits its size."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
