"""Runs a solver in a thread of its own and returns in time, even if the solver does not.

HiGHS checks its clock often, but presolve, cuts and heuristics have been seen to run on. So one thread runs the solver
and another one waits: it asks the solver to stop when time is up, and abandons it if it doesn't.

Python can't end a thread. At exit it waits for abandoned solvers, at most `LONGEST_WAIT_AT_EXIT` seconds: a thread that
returns from C++ while the interpreter shuts down aborts the process on Linux before Python 3.14. A program that wants
to end sooner can ask `any_abandoned` and call `os._exit`, as the command line does.
"""

__all__ = ["LONGEST_WAIT_AT_EXIT", "OVERRUN", "PATIENCE", "POLL", "Ending", "any_abandoned", "supervise"]

import atexit
import logging
import threading
import time
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from hedgerow.mip.solving import Progress, SolverOutcome

_LOG = logging.getLogger("hedgerow")

POLL: Final = 0.05
"""Seconds between two checks of the clock and of the caller's request to stop."""

OVERRUN: Final = 0.3
"""Seconds that a solver may exceed its own time limit before it is asked to stop."""

PATIENCE: Final = 0.7
"""Seconds that a solver has to stop after it was asked to, before it is abandoned."""

LONGEST_WAIT_AT_EXIT: Final = 30.0
"""Seconds that Python waits at exit for abandoned solvers."""

Reason: TypeAlias = Literal["time_limit", "interrupted"]

_abandoned: Final[list["Ending"]] = []


class Ending:
    """How a supervised run ended."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.finished = threading.Event()  # set once the solver is done; not yet if it was abandoned
        self.outcome: SolverOutcome | None = None  # what the run returned, if it did
        self.error: BaseException | None = None  # what it raised, if it did
        self.reason: Reason | None = None  # why the solver was asked to stop; None if it was not


def supervise(
    run: Callable[[], SolverOutcome],
    progress: Progress,
    *,
    time_limit: float | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Ending:
    """Run a solver within its time limit, after which it should end by itself, and return how it ended.

    `run` starts the solver and returns its outcome; it must release the GIL and check `progress.stop_requested`.
    `should_stop` is called about every 50 ms. What is raised in the waiting thread, such as KeyboardInterrupt, is
    raised here after the solver was asked to stop.
    """
    ending = Ending(progress)

    def work() -> None:
        try:
            ending.outcome = run()
        except BaseException as error:  # for the waiting thread to handle
            ending.error = error
        ending.finished.set()

    deadline = None if time_limit is None else time.monotonic() + time_limit + OVERRUN
    threading.Thread(target=work, name="hedgerow-mip", daemon=True).start()
    try:
        _wait(ending, deadline, should_stop)
    except BaseException:
        progress.request_stop()
        ending.finished.wait(PATIENCE)
        raise
    finally:
        if not ending.finished.is_set():
            _abandoned[:] = [entry for entry in _abandoned if not entry.finished.is_set()]
            _abandoned.append(ending)
    return ending


def _wait(ending: Ending, deadline: float | None, should_stop: Callable[[], bool] | None) -> None:
    asked = 0.0
    while not ending.finished.wait(POLL):
        now = time.monotonic()
        if ending.reason is None:
            if ending.progress.stop_requested or (should_stop is not None and should_stop()):
                ending.reason = "interrupted"
            elif deadline is not None and now >= deadline:
                ending.reason = "time_limit"
            asked = now
        elif now - asked >= PATIENCE:
            return
        if ending.reason is not None:
            ending.progress.request_stop()


def any_abandoned() -> bool:
    """Return whether a solver that was asked to stop still runs."""
    return not all(ending.finished.is_set() for ending in _abandoned)


@atexit.register
def _wait_for_abandoned() -> None:
    for ending in _abandoned:
        ending.progress.request_stop()
    if _all_end_within(PATIENCE):
        return
    _LOG.warning("Waiting at most %g s for a MIP solver that has not stopped yet.", LONGEST_WAIT_AT_EXIT)
    _all_end_within(LONGEST_WAIT_AT_EXIT)


def _all_end_within(seconds: float) -> bool:
    until = time.monotonic() + seconds
    for ending in _abandoned:
        ending.finished.wait(max(0.0, until - time.monotonic()))
    return not any_abandoned()
