"""Runs a solver in a thread of its own, and ends the waiting in time whether or not the solver ends.

HiGHS looks at its clock often, yet not everywhere: presolve, cuts and heuristics have been seen to run on. So one
thread works and another waits: it asks the solver to stop when the time is up, and leaves it behind if it won't.
"""

__all__ = ["OVERRUN", "PATIENCE", "POLL", "Ending", "supervise"]

import atexit
import os
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from hedgerow.mip.leaving import leave_quietly
from hedgerow.mip.progress import Progress

POLL: Final = 0.05
"""Seconds between two looks at the clock and at the caller's wish to stop."""

OVERRUN: Final = 0.3
"""Seconds that a solver may exceed its own time limit before it is asked to stop."""

PATIENCE: Final = 0.7
"""Seconds that a solver has to stop after it was asked to, before it is left behind."""

Reason: TypeAlias = Literal["time_limit", "interrupted"]
_Outcome = TypeVar("_Outcome")


class Ending(Generic[_Outcome]):
    """How a supervised run ended.

    Attributes
    ----------
    finished
        Set once the solver is done; a run that was left behind lacks it still.
    outcome
        What the run returned, if it did.
    error
        What the run raised, if it did.
    reason
        Why the solver was asked to stop; None if it was not.
    """

    def __init__(self) -> None:
        self.finished = threading.Event()
        self.outcome: _Outcome | None = None
        self.error: BaseException | None = None
        self.reason: Reason | None = None


def supervise(
    run: Callable[[], _Outcome],
    progress: Progress,
    *,
    time_limit: float | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Ending[_Outcome]:
    """Run a solver within its time limit and return how it ended.

    Parameters
    ----------
    run
        Starts the solver and returns its outcome. It must let go of the GIL and heed `progress.stop_requested`.
    progress
        Where the solver leaves its best solution and bound, and reads whether to stop.
    time_limit
        Seconds after which the solver should have ended by itself.
    should_stop
        Asked about every 50 ms whether the caller wants the run to end.

    Raises
    ------
    BaseException
        Whatever reaches the waiting thread, such as KeyboardInterrupt, once the solver was asked to stop.
    """
    ending: Ending[_Outcome] = Ending()

    def work() -> None:
        try:
            ending.outcome = run()
        except BaseException as error:  # told to the waiting thread, which decides what to make of it
            ending.error = error

    deadline = None if time_limit is None else time.monotonic() + time_limit + OVERRUN
    _Worker.idle_or_new().take(work, ending.finished)
    try:
        _wait(ending, progress, deadline, should_stop)
    except BaseException:
        progress.request_stop()
        ending.finished.wait(PATIENCE)
        raise
    finally:
        if not ending.finished.is_set():
            _left_behind[:] = [entry for entry in _left_behind if not entry[0].is_set()]
            _left_behind.append((ending.finished, progress))
    return ending


def _wait(
    ending: Ending[_Outcome], progress: Progress, deadline: float | None, should_stop: Callable[[], bool] | None
) -> None:
    asked = 0.0
    while not ending.finished.wait(POLL):
        now = time.monotonic()
        if ending.reason is None:
            if progress.stop_requested or (should_stop is not None and should_stop()):
                ending.reason = "interrupted"
            elif deadline is not None and now >= deadline:
                ending.reason = "time_limit"
            asked = now
        elif now - asked >= PATIENCE:
            return
        if ending.reason is not None:
            progress.request_stop()


class _Worker:
    """A thread that runs one task after another: under load a new thread may wait for its first turn for long.

    One that finishes is free for the next solve, of whichever model; one that is left behind comes back when it ends.
    """

    _idle: Final[list["_Worker"]] = []

    def __init__(self) -> None:
        self._tasks: SimpleQueue[tuple[Callable[[], None], threading.Event]] = SimpleQueue()
        threading.Thread(target=self._loop, name="hedgerow-mip", daemon=True).start()

    @classmethod
    def idle_or_new(cls) -> "_Worker":
        try:
            return cls._idle.pop()
        except IndexError:
            return cls()

    @classmethod
    def forget_all(cls) -> None:
        cls._idle.clear()

    def take(self, task: Callable[[], None], finished: threading.Event) -> None:
        self._tasks.put((task, finished))

    def _loop(self) -> None:
        while True:
            task, finished = self._tasks.get()
            task()
            del task  # it holds a whole model, which should go when its owner lets go of it
            self._idle.append(self)
            finished.set()
            del finished


_left_behind: Final[list[tuple[threading.Event, Progress]]] = []


@atexit.register
def _dismiss() -> None:
    """Give solvers left behind a last moment to stop; those that still run must not crash a process that is done."""
    for _, progress in _left_behind:
        progress.request_stop()
    until = time.monotonic() + PATIENCE
    for finished, _ in _left_behind:
        finished.wait(max(0.0, until - time.monotonic()))
    if not all(finished.is_set() for finished, _ in _left_behind):
        leave_quietly()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Worker.forget_all)  # threads do not survive a fork
