"""A few tasks at a time, round after round: here, on several processes, or wherever joblib has been told to work.

What all tasks share travels to a worker once. A worker that dies costs its task another attempt, not the run.
"""

__all__ = ["Work", "Workers", "is_spread"]

import logging
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar
from uuid import uuid4

from hedgerow.run.deadline import Deadline
from hedgerow.run.interrupt import Interrupt
from hedgerow.run.stop_sign import heeding, raising

_LOG = logging.getLogger("hedgerow")

_Shared = TypeVar("_Shared")
_Task = TypeVar("_Task")
_Value = TypeVar("_Value")
_Task_contra = TypeVar("_Task_contra", contravariant=True)
_Value_co = TypeVar("_Value_co", covariant=True)

_SECONDS_ALONE: Final = 2.0
_SECONDS_WORTHWHILE: Final = 4.0
"""Processes need some seconds to start and to load kernels: a run that has not lasted a while, or has no time left, is
better off without them."""

_LONGEST_WAY: Final = 60.0
"""Seconds; a task that seems to have been on its way for longer comes from a machine whose clock differs."""

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

    Where a task is done makes no difference to what comes of it. So this process does the first ones, and all of them
    where there are no others.

    Parameters
    ----------
    prepare
        Called once per worker with what is shared, it returns what is then called with each task.
    shared
        What all tasks need.
    n_jobs
        How many processes work at once; joblib's active backend decides where.
    deadline
        A task gets the time that is left when it is handed out.
    interrupt
        Stops tasks, those in other processes of this machine included.
    stay_here
        Hand out nothing: for parts of tasks, and for trials.

    Examples
    --------
    >>> from hedgerow.run import Deadline, Interrupt
    >>> from hedgerow.run.workers import Workers
    >>> def prepare(shared):
    ...     return lambda task, deadline, interrupt: shared + task
    >>> list(Workers(prepare, 10, 1, Deadline(), Interrupt()).results([1, 2, 3]))
    [11, 12, 13]
    """

    def __init__(
        self,
        prepare: Callable[[_Shared], Work[_Task, _Value]],
        shared: _Shared,
        n_jobs: int,
        deadline: Deadline,
        interrupt: Interrupt,
        *,
        stay_here: bool = False,
    ) -> None:
        self._prepare, self._shared = prepare, shared
        self._n_jobs = n_jobs
        self._deadline, self._interrupt = deadline, interrupt
        self._has_others = not stay_here and is_spread(n_jobs)
        self._name = uuid4().hex
        self._is_known = False

    def results(self, tasks: Sequence[_Task]) -> Iterator[_Value]:
        """Return what comes of the tasks, in their order; the first error that one of them ended with is raised."""
        for place, task in enumerate(tasks):
            if self._is_worthwhile():
                yield from self._elsewhere(tasks[place:])
                return
            yield self._here(task)

    def _is_worthwhile(self) -> bool:
        if not self._has_others or self._is_known:
            return self._has_others
        return self._deadline.elapsed() >= _SECONDS_ALONE and self._deadline.remaining() >= _SECONDS_WORTHWHILE

    def _elsewhere(self, tasks: Sequence[_Task]) -> list[_Value]:
        with raising(self._interrupt) as sign:
            answers = self._answers(tasks, sign)
        return [answers[place].result() if place in answers else self._here(task) for place, task in enumerate(tasks)]

    def _answers(self, tasks: Sequence[_Task], sign: str) -> "dict[int, _Answer[_Value]]":
        """Return what others made of the tasks, by place; those that they were lost over are missing."""
        answers: dict[int, _Answer[_Value]] = {}
        lost = 0 if self._packed else _ATTEMPTS
        send = not self._is_known
        while len(answers) < len(tasks) and lost < _ATTEMPTS:
            places = [place for place in range(len(tasks)) if place not in answers]
            try:
                replies = self._parallel([tasks[place] for place in places], send, sign)
                for place, answer in zip(places, replies, strict=True):
                    answers |= {} if answer is None else {place: answer}
            except Exception as error:
                # Tasks keep their errors to themselves, so this is about a worker.
                lost += 1
                _LOG.warning("A worker was lost; what it had in hand is done again. (%s)", _in_short(error))
            # Whoever has not answered is new.
            send = True
        self._is_known = not lost
        return answers

    def _parallel(self, tasks: Sequence[_Task], send: bool, sign: str) -> "Iterator[_Answer[_Value] | None]":
        from joblib import Parallel, delayed

        # A worker gets one task at a time, and has the next one at hand.
        parallel: Any = Parallel(
            n_jobs=self._n_jobs if self._n_jobs > 1 else None,
            pre_dispatch="2 * n_jobs",
            batch_size=1,
            max_nbytes=None,
            return_as="generator",
        )
        packed = self._packed if send else b""
        answers: Iterator[_Answer[_Value] | None] = parallel(
            delayed(_answer)(self._name, packed, task, _Limits(self._deadline.remaining(), time.time(), sign))
            for task in tasks
        )
        return answers

    @cached_property
    def _packed(self) -> bytes:
        """What is shared, ready to be sent; empty where that can't be."""
        from joblib.externals.loky.backend.reduction import dumps

        try:
            return bytes(dumps((self._prepare, self._shared)))
        except Exception as error:  # objects may fail in any way
            _LOG.warning("The problem can't be sent to other processes; this one works alone. (%s)", _in_short(error))
            return b""

    @cached_property
    def _work_here(self) -> Work[_Task, _Value]:
        return self._prepare(self._shared)

    def _here(self, task: _Task) -> _Value:
        return self._work_here(task, self._deadline, self._interrupt)


@dataclass(frozen=True)
class _Answer(Generic[_Value]):
    """A task's value, or the error that it ended with."""

    value: Any = None
    error: Exception | None = None

    def result(self) -> _Value:
        if self.error is not None:
            raise self.error
        value: _Value = self.value
        return value


class _Limits(NamedTuple):
    """When a task has to end: the seconds left when it was sent, when that was, and the sign to stop at once."""

    seconds: float
    sent: float
    sign: str


_PREPARED = threading.local()
"""Per thread of a worker: the name of the run that it works for, and what was prepared for it."""


def _answer(name: str, packed: bytes, task: Any, limits: _Limits) -> _Answer[Any] | None:
    """Return what a worker makes of a task, or None where it has not been told what all tasks share."""
    deadline = Deadline(max(0.0, limits.seconds - _seconds_on_the_way(limits.sent)))
    try:
        if getattr(_PREPARED, "name", None) != name:
            if not packed:
                return None
            prepare, shared = pickle.loads(packed)
            _PREPARED.work = prepare(shared)
            _PREPARED.name = name
        # Ctrl-C in a terminal reaches all processes, and another wish to stop those of this machine by a sign: a
        # worker, too, then ends with what it has.
        with Interrupt() as interrupt, heeding(limits.sign, interrupt):
            return _Answer(_PREPARED.work(task, deadline, interrupt))
    except Exception as error:  # whatever it is, it is the task's own
        return _Answer(error=error)


def _seconds_on_the_way(sent: float) -> float:
    """Return how long ago the task was sent: a process may have had to start first."""
    passed = time.time() - sent
    return passed if 0.0 <= passed <= _LONGEST_WAY else 0.0


def _in_short(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
