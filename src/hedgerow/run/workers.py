"""Tasks for other processes, by joblib: those of this machine, or of a cluster that joblib was configured with.

The values don't depend on the number of processes. If a worker is lost, the remaining tasks are done in this process.
"""

__all__ = ["Done", "Work", "Workers", "is_spread"]

import logging
import multiprocessing
import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar
from uuid import uuid4

import numpy as np

from hedgerow.run.deadline import Deadline
from hedgerow.run.interrupt import Interrupt, every

_LOG = logging.getLogger("hedgerow")

_Shared = TypeVar("_Shared")
_Task = TypeVar("_Task")
_Value = TypeVar("_Value")
_Task_contra = TypeVar("_Task_contra", contravariant=True)
_Value_co = TypeVar("_Value_co", covariant=True)

_SECONDS_ALONE: Final = 2.0
_SECONDS_WORTHWHILE: Final = 4.0
"""Processes take seconds to start and to load kernels. They don't pay off in the first seconds of a run, which may end
soon, nor in its last ones."""

_SECONDS_BETWEEN_LOOKS: Final = 0.1
"""How often a worker checks whether it is to stop."""


class Work(Protocol[_Task_contra, _Value_co]):
    """What a worker does with a task: it returns before the deadline, and early once the interrupt is requested."""

    def __call__(self, task: _Task_contra, deadline: Deadline, interrupt: Interrupt) -> _Value_co:
        """Return the task's value."""


@dataclass(frozen=True)
class Done(Generic[_Value]):
    """A finished task: its index among the tasks, and its value or the error that it raised."""

    place: int
    value: _Value | None = None
    error: Exception | None = None


def is_spread(n_jobs: int) -> bool:
    """Return whether tasks go to other processes: to several of this machine, or to the cluster joblib is using.

    Inside a worker process they don't, so that a grid search on all processors starts no further processes.
    """
    from joblib import effective_n_jobs

    if multiprocessing.parent_process() is not None:
        return False
    return int(effective_n_jobs(n_jobs if n_jobs > 1 else None)) > 1


class Workers(Generic[_Shared, _Task, _Value]):
    """The workers of one run: this process, and `n_jobs` others of joblib's active backend, unless they `stay_here`.

    `prepare` is called once per worker with what is `shared`, and returns the function that is then called with each
    task. A task gets the time that is left when it is sent; the interrupt stops those in other processes of this
    machine, too.

    >>> def prepare(shared):
    ...     return lambda task, deadline, interrupt: shared + task
    >>> list(Workers(prepare, 10).results([1, 2, 3]))
    [11, 12, 13]
    >>> list(Workers(prepare, "a").stream(["b", 1]))
    [Done(place=0, value='ab', error=None), Done(place=1, value=None, error=TypeError(...))]
    """

    def __init__(
        self,
        prepare: Callable[[_Shared], Work[_Task, _Value]],
        shared: _Shared,
        n_jobs: int = 1,
        deadline: Deadline | None = None,
        interrupt: Interrupt | None = None,
        *,
        stay_here: bool = False,
    ) -> None:
        self._prepare, self._shared = prepare, shared
        self._n_jobs = n_jobs if n_jobs > 1 else None
        self._deadline = Deadline() if deadline is None else deadline
        self._interrupt = Interrupt() if interrupt is None else interrupt
        self._has_others = not stay_here and is_spread(n_jobs)
        self._has_begun = False
        self._name = uuid4().hex

    def results(self, tasks: Sequence[_Task]) -> Iterator[_Value]:
        """Yield the tasks' values in order; the first error is raised.

        In the first seconds of a run this process does the tasks: most runs end before others would have started.
        """
        for place, task in enumerate(tasks):
            if self._is_worthwhile():
                for done in self._elsewhere(tasks[place:], "generator"):
                    if done.error is not None:
                        raise done.error
                    value: Any = done.value
                    yield value
                return
            yield self._here(task)

    def stream(self, tasks: Sequence[_Task]) -> Generator[Done[_Value], None, None]:
        """Yield tasks as they are done, in any order. An error ends its own task only.

        Closing the generator stops the work.
        """
        return self._elsewhere(tasks) if self._has_others else self._each_here(tasks, range(len(tasks)))

    def _is_worthwhile(self) -> bool:
        if not self._has_others or self._has_begun:
            return self._has_others
        return self._deadline.elapsed() >= _SECONDS_ALONE and self._deadline.remaining() >= _SECONDS_WORTHWHILE

    # -- in this process -----------------------------------------------------------------------------------------

    @cached_property
    def _work_here(self) -> Work[_Task, _Value]:
        return self._prepare(self._shared)

    def _here(self, task: _Task) -> _Value:
        return self._work_here(task, self._deadline, self._interrupt)

    def _each_here(self, tasks: Sequence[_Task], places: Iterable[int]) -> Generator[Done[_Value], None, None]:
        for place in places:
            try:
                done = Done(place, self._here(tasks[place]))
            except Exception as error:  # whatever it is, it is the task's own
                done = Done(place, error=error)
            yield done

    # -- in other processes --------------------------------------------------------------------------------------

    def _elsewhere(
        self, tasks: Sequence[_Task], return_as: str = "generator_unordered"
    ) -> Generator[Done[_Value], None, None]:
        missing = dict.fromkeys(range(len(tasks)))
        self._has_begun = True
        try:
            with self._interrupt.announced() as sign, _closing(self._parallel(tasks, return_as, sign)) as answers:
                for done in answers:
                    del missing[done.place]
                    yield done
        except Exception as error:  # tasks keep their errors to themselves, so this is about a worker
            reason = " ".join(str(error).split())[:200] or type(error).__name__
            _LOG.warning("Other processes can't be used; the remaining tasks are done here. (%s)", reason)
            self._has_others = False
            yield from self._each_here(tasks, missing)

    def _parallel(self, tasks: Sequence[_Task], return_as: str, sign: str) -> Generator[Done[_Value], None, None]:
        from joblib import Parallel, delayed

        def calls() -> Iterator[Any]:
            for place, task in enumerate(tasks):
                call = _Call(self._name, time.time() + self._deadline.remaining(), sign)
                yield delayed(_answer)(self._packed, call, place, task)

        # One task at a time, since tasks differ in length; each worker has the next one at hand.
        parallel: Any = Parallel(self._n_jobs, pre_dispatch="2 * n_jobs", batch_size=1, return_as=return_as)
        answers: Generator[Done[_Value], None, None] = parallel(calls())
        return answers

    @cached_property
    def _packed(self) -> Any:
        """What is shared, as an array of bytes: joblib sends large arrays once, through memory that workers share."""
        from joblib import wrap_non_picklable_objects

        # So wrapped, functions and classes of scripts and notebooks can be sent as well.
        packed = pickle.dumps(wrap_non_picklable_objects((self._prepare, self._shared), keep_wrapper=False))
        return np.frombuffer(packed, dtype=np.uint8)


class _Call(NamedTuple):
    """What comes with a task: its run, the time of day at which time is up, and the file that asks it to stop."""

    name: str
    end: float
    sign: str


_PREPARED = threading.local()
"""Per thread of a worker: the run that it works for, and the function that was prepared for it."""


def _answer(packed: Any, call: _Call, place: int, task: Any) -> Done[Any]:
    """Return what a worker makes of a task."""
    deadline = Deadline(max(0.0, call.end - time.time()))  # a process may have had to start first
    try:
        if getattr(_PREPARED, "name", None) != call.name:
            prepare, shared = pickle.loads(packed)
            _PREPARED.work, _PREPARED.name = prepare(shared), call.name
        with _watching(call.sign) as interrupt:
            return Done(place, _PREPARED.work(task, deadline, interrupt))
    except Exception as error:  # whatever it is, it is the task's own
        return Done(place, error=error)


@contextmanager
def _watching(sign: str) -> Iterator[Interrupt]:
    """Yield an interrupt that is requested once a file exists; a worker process ends if its parent does."""
    interrupt, parent, is_child = Interrupt(), os.getppid(), multiprocessing.parent_process() is not None

    def look() -> None:
        if is_child and os.getppid() != parent:
            os._exit(1)
        if Path(sign).exists():
            interrupt.request()

    # A terminal sends Ctrl-C to all processes; the parent answers it.
    takes_signals = is_child and threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if takes_signals else None
    try:
        with every(_SECONDS_BETWEEN_LOOKS, look):
            yield interrupt
    finally:
        if handler is not None:
            signal.signal(signal.SIGINT, handler)


@contextmanager
def _closing(answers: Generator[_Value, None, None]) -> Iterator[Generator[_Value, None, None]]:
    """Close the answers at the end, without joblib's warning about tasks that are given up by this."""
    try:
        yield answers
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*tasks which were still being processed", UserWarning)
            answers.close()
