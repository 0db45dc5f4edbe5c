"""The progress of an experiment, and an estimate of the time left."""

__all__ = ["ExperimentProgress", "Pace"]

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hedgerow.experiments.cell import Cell
from hedgerow.experiments.plan import PROCEDURES, Plan

_UNKNOWN = 1.0
"""Seconds assumed for a cell before anything is known about its method."""


@dataclass(frozen=True)
class ExperimentProgress:
    """Cells done (including earlier runs) and failed, and about how many seconds are left."""

    done: int
    total: int
    failed: int
    seconds_left: float


class Pace:
    """Counts finished cells and estimates the rest: cells of one method take about equally long.

    The number of cells computed at once is estimated from the seconds of work done per second. The plan's time limits
    are used for methods of which no cell is done yet.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        todo: Sequence[Cell],
        plan: Plan,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._left = Counter(cell.method for cell in todo)
        self._before = len(cells) - len(todo)
        self._total = len(cells)
        self._plan, self._clock, self._started = plan, clock, clock()
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._failed = 0

    def count(self, cell: Cell, seconds: float, *, failed: bool) -> None:
        """Count a finished cell."""
        self._left[cell.method] -= 1
        self._seconds[cell.method].append(seconds)
        self._failed += failed

    @property
    def progress(self) -> ExperimentProgress:
        """The current progress."""
        done = self._before + sum(map(len, self._seconds.values()))
        left = sum(count * self._expected(method) for method, count in self._left.items())
        return ExperimentProgress(done, self._total, self._failed, left / self._at_once())

    def _at_once(self) -> float:
        worked, passed = sum(map(sum, self._seconds.values())), self._clock() - self._started
        return worked / passed if worked > 0.0 and passed > 0.0 else 1.0

    def _expected(self, method: str) -> float:
        seconds = self._seconds[method]
        if seconds:
            # The slowest is left out: the first cell of a process also loads or compiles kernels.
            return (sum(seconds) - max(seconds)) / (len(seconds) - 1) if len(seconds) > 1 else seconds[0]
        procedure = PROCEDURES.get(method)
        limit = None if procedure is None or procedure.ends_by_itself else self._plan.limits(procedure)[0]
        return _UNKNOWN if limit is None else limit
