"""The state of a solve while it runs, shared between the solver's thread and the one that waits for it."""

__all__ = ["Progress"]

import math
import threading
from collections.abc import Callable

from hedgerow.arrays import FloatArray


class Progress:
    """The best solution and dual bound seen so far, and whether the solver has been asked to stop.

    Each solve has its own, so that an abandoned solver can't change what a later solve finds.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: FloatArray | None = None
        self._objective = math.inf
        self._bound = -math.inf
        self._stop_solver: Callable[[], object] | None = None
        self.stop_requested = False

    def note_solution(self, values: FloatArray, objective: float) -> None:
        """Keep a solution if it is the best so far."""
        with self._lock:
            if objective < self._objective:
                self._values, self._objective = values, objective

    def note_bound(self, bound: float) -> None:
        """Keep a dual bound if it is the best so far."""
        if bound > self._bound:  # without the lock: most calls bring nothing new
            with self._lock:
                self._bound = max(self._bound, bound)

    def best(self) -> tuple[FloatArray | None, float]:
        """Return the best solution and the best dual bound so far."""
        with self._lock:
            return self._values, self._bound

    def on_stop(self, stop_solver: Callable[[], object]) -> None:
        """Set the function that stops the solver, for solvers that don't check `stop_requested` in a callback."""
        self._stop_solver = stop_solver

    def request_stop(self) -> None:
        """Ask the solver to stop; asking again is harmless, and reaches one that has just started."""
        self.stop_requested = True
        if self._stop_solver is not None:
            self._stop_solver()
