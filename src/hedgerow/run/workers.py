"""A few tasks at a time, round after round: on several processes, or wherever joblib has been told to work.

What all tasks share travels to a worker once. A worker that dies costs its task another attempt, not the run.
"""

__all__ = ["Work", "Workers", "is_spread"]

import logging
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar
from uuid import uuid4

from hedgerow.run.deadline import Deadline
from hedgerow.run.interrupt import Interrupt

_LOG = logging.getLogger("hedgerow")

_Shared = TypeVar("_Shared")
_Task = TypeVar("_Task")
_Value = TypeVar("_Value")
_Task_contra = TypeVar("_Task_contra", contravariant=True)
_Value_co = TypeVar("_Value_co", covariant=True)

_ATTEMPTS: Final = 3
"""How often workers may be lost in a round before its tasks are done in this process."""


class Work(Protocol[_Task_contra, _Value_co]):
    """What a worker does with a task: it returns in time, and early where it is asked to stop."""

    def __call__(self, task: _Task_contra, deadline: Deadline, interrupt: Interrupt) -> _Value_co:
        """Return the task's value."""


def is_spread(n_jobs: int) -> bool:
    """Return whether tasks go to other processes: to several of this machine, or to a cluster that joblib was given.

    Inside of a worker they don't, so that a grid search on all processors starts no processes of processes.

    Examples
    --------
    >>> from hedgerow.run.workers import is_spread
    >>> is_spread(1), is_spread(2)
    (False, True)
    """
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    if backend.nesting_level or _is_dask_task():
        return False
    # Backends for clusters use all workers that they have unless told otherwise; those for this machine use one.
    return n_jobs > 1 or backend.default_n_jobs != 1


def _is_dask_task() -> bool:
    if "distributed" not in sys.modules:
        return False
    from distributed import get_worker

    try:
        get_worker()
    except ValueError:
        return False
    return True


class Workers(Generic[_Shared, _Task, _Value]):
    """Workers for the tasks of one run.

    Parameters
    ----------
    prepare
        A function of a module, so that other processes can import it. Called once per worker with what is shared, it
        returns what is then called with each task.
    shared
        What all tasks need.
    n_jobs
        How many processes work at once; joblib's active backend decides where.
    deadline
        A task gets the time that is left when it is handed out.

    Examples
    --------
    >>> from hedgerow.run import Deadline
    >>> from hedgerow.run.workers import Workers
    >>> def prepare(shared):
    ...     return lambda task, deadline, interrupt: shared + task
    >>> Workers(prepare, 10, 1, Deadline()).results([1, 2, 3])
    [11, 12, 13]
    """

    def __init__(
        self, prepare: Callable[[_Shared], Work[_Task, _Value]], shared: _Shared, n_jobs: int, deadline: Deadline
    ) -> None:
        self._prepare = prepare
        self._shared = shared
        self._n_jobs = n_jobs
        self._deadline = deadline
        self._name = uuid4().hex
        self._is_known = False

    def results(self, tasks: Sequence[_Task]) -> list[_Value]:
        """Return what comes of the tasks, in their order; the first error that one of them ended with is raised."""
        answers: dict[int, _Answer[_Value]] = {}
        lost = 0
        send_shared = not self._is_known
        while len(answers) < len(tasks) and lost < _ATTEMPTS:
            places = [place for place in range(len(tasks)) if place not in answers]
            try:
                for place, answer in zip(places, self._parallel(tasks, places, send_shared), strict=True):
                    answers |= {} if answer is None else {place: answer}
            except Exception as error:
                # Tasks keep their errors to themselves: this is a worker that died, or what could not be sent to it.
                lost += 1
                reason = " ".join(str(error).split()) or type(error).__name__
                _LOG.warning("A worker was lost (%.200s); its tasks are tried again.", reason)
            send_shared = True
        self._is_known = not lost
        for place in range(len(tasks)):
            if place not in answers:
                answers[place] = self._here(tasks[place])
        return [answers[place].result() for place in range(len(tasks))]

    def _parallel(
        self, tasks: Sequence[_Task], places: Sequence[int], send_shared: bool
    ) -> "Iterator[_Answer[_Value] | None]":
        from joblib import Parallel, delayed

        # One task at a time for each worker, handed out when it is free, so that the time left is up to date. Arrays
        # are not mapped into memory: they are sent once only, and kernels are compiled for plain ones.
        parallel: Any = Parallel(
            n_jobs=self._n_jobs if self._n_jobs > 1 else None,
            pre_dispatch="n_jobs",
            batch_size=1,
            max_nbytes=None,
            return_as="generator",
        )
        shared = self._shared if send_shared else None
        answers: Iterator[_Answer[_Value] | None] = parallel(
            delayed(_answer)(self._name, self._prepare, shared, tasks[place], self._deadline.remaining())
            for place in places
        )
        return answers

    def _here(self, task: _Task) -> "_Answer[_Value]":
        answer: _Answer[_Value] | None = _answer(
            self._name, self._prepare, self._shared, task, self._deadline.remaining()
        )
        assert answer is not None
        return answer


@dataclass(frozen=True)
class _Answer(Generic[_Value]):
    """A task's value, or the error that it ended with."""

    value: _Value | None = None
    error: Exception | None = None

    def result(self) -> _Value:
        if self.error is not None:
            raise self.error
        value: Any = self.value
        result: _Value = value
        return result


_PREPARED = threading.local()
"""Per thread of a worker: the name of the run that it works for, and what was prepared for it."""


def _answer(
    name: str,
    prepare: Callable[[_Shared], Work[_Task, _Value]],
    shared: _Shared | None,
    task: _Task,
    seconds: float,
) -> _Answer[_Value] | None:
    """Return what a worker makes of a task, or None where it has not been told what all tasks share."""
    deadline = Deadline(seconds)
    try:
        if getattr(_PREPARED, "name", None) != name:
            if shared is None:
                return None
            _PREPARED.work = prepare(shared)
            _PREPARED.name = name
        # Ctrl-C in a terminal reaches all processes: a worker, too, then ends with what it has.
        with Interrupt() as interrupt:
            return _Answer(_PREPARED.work(task, deadline, interrupt))
    except Exception as error:  # whatever it is, it is the task's own
        return _Answer(error=error)
