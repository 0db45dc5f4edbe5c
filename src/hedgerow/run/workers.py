"""Tasks for other processes: those of this machine, or those of a cluster that joblib was configured with.

The values don't depend on the number of processes. What all tasks share is sent to each worker once. A task whose
worker dies is tried again, alone, so that a deadly task can't stop the others. Workers end when their parent does.
"""

__all__ = ["Done", "LostTaskError", "Work", "Workers", "is_spread"]

import inspect
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar
from uuid import uuid4

from hedgerow.errors import HedgerowError
from hedgerow.run.deadline import Deadline
from hedgerow.run.interrupt import Interrupt

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

_LONGEST_TRANSFER: Final = 60.0
"""Seconds; if a task seems to have taken longer to arrive, the clocks of the two machines differ."""

_ATTEMPTS: Final = 3
"""How often a task is tried whose worker dies."""

_SECONDS_BETWEEN_LOOKS: Final = 0.5
"""How often a worker checks that its parent is still there."""


class LostTaskError(HedgerowError):
    """The worker died each time the task was tried; it may have run out of memory."""


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

    if multiprocessing.parent_process() is not None or _is_dask_task():
        return False
    return int(effective_n_jobs(n_jobs if n_jobs > 1 else None)) > 1


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
        self._n_jobs = n_jobs
        self._deadline = Deadline() if deadline is None else deadline
        self._interrupt = Interrupt() if interrupt is None else interrupt
        self._has_others = not stay_here and is_spread(n_jobs)
        self._name = uuid4().hex
        self._is_known = False

    def results(self, tasks: Sequence[_Task]) -> Iterator[_Value]:
        """Yield the tasks' values in order; the first error is raised.

        In the first seconds of a run this process does the tasks: most runs end before others would have started.
        """
        for place, task in enumerate(tasks):
            if self._is_worthwhile():
                yield from _in_order(self._elsewhere(tasks[place:]))
                return
            yield self._here(task)

    def stream(self, tasks: Sequence[_Task]) -> Generator[Done[_Value], None, None]:
        """Yield tasks as they are done, in any order. An error ends its own task only.

        Closing the generator stops the work.
        """
        return self._elsewhere(tasks) if self._has_others else self._each_here(enumerate(tasks))

    def _is_worthwhile(self) -> bool:
        if not self._has_others or self._is_known:
            return self._has_others
        return self._deadline.elapsed() >= _SECONDS_ALONE and self._deadline.remaining() >= _SECONDS_WORTHWHILE

    # -- in this process -----------------------------------------------------------------------------------------

    @cached_property
    def _work_here(self) -> Work[_Task, _Value]:
        return self._prepare(self._shared)

    def _here(self, task: _Task) -> _Value:
        return self._work_here(task, self._deadline, self._interrupt)

    def _each_here(self, tasks: Iterable[tuple[int, _Task]]) -> Generator[Done[_Value], None, None]:
        for place, task in tasks:
            try:
                done = Done(place, self._here(task))
            except Exception as error:  # whatever it is, it is the task's own
                done = Done(place, error=error)
            yield done

    # -- in other processes --------------------------------------------------------------------------------------

    def _elsewhere(self, tasks: Sequence[_Task]) -> Generator[Done[_Value], None, None]:
        missing, suspects = list(range(len(tasks))), list[int]()
        losses: Counter[int] = Counter()
        send_shared = not self._is_known
        with self._interrupt.announced() as sign:
            while missing:
                # A task that may have killed its worker is tried alone, so that no other is blamed.
                batch, sent = suspects[:1] or list(missing), list[int]()
                try:
                    with _closing(self._parallel(tasks, batch, sent, send_shared, sign)) as answers:
                        for place, done in answers:
                            sent.remove(place)
                            if done is not None:
                                missing.remove(place)
                                suspects = [suspect for suspect in suspects if suspect != place]
                                yield done
                    # Workers that didn't answer lack what is shared.
                    send_shared, self._is_known = True, not losses
                except Exception as error:  # tasks keep their errors to themselves, so this is about a worker
                    # Dask's scheduler says that a worker died only after attempts of its own.
                    if not isinstance(error, BrokenExecutor) and type(error).__name__ != "KilledWorker":
                        _LOG.warning("Tasks can't be sent to other processes; all are done here. (%s)", _short(error))
                        self._has_others = False
                        yield from self._each_here((place, tasks[place]) for place in missing)
                        return
                    _LOG.warning("A worker was lost; its task is tried again. (%s)", _short(error))
                    send_shared, self._is_known = True, False
                    blamed = sent or batch[:1]
                    losses.update(blamed)
                    suspects = [*suspects, *(place for place in blamed if place not in suspects)]
                    if len(batch) == 1 and (losses[batch[0]] >= _ATTEMPTS or not isinstance(error, BrokenExecutor)):
                        missing.remove(batch[0])
                        suspects.remove(batch[0])
                        lost = LostTaskError("the worker died each time this was tried; it may have run out of memory.")
                        yield Done(batch[0], error=lost)

    def _parallel(
        self, tasks: Sequence[_Task], batch: list[int], sent: list[int], send_shared: bool, sign: str
    ) -> Generator[tuple[int, Done[_Value] | None], None, None]:
        """Yield answers as they come, None from workers that lack what is shared; `sent` gets what was sent."""
        from joblib import Parallel, delayed, effective_n_jobs

        # The first tasks carry what is shared to all workers. One that comes later says that it lacks it.
        n_jobs = self._n_jobs if self._n_jobs > 1 else None
        carriers = 2 * effective_n_jobs(n_jobs) if send_shared else 0

        def calls() -> Iterator[Any]:
            for number, place in enumerate(batch):
                packed = self._packed if number < carriers else b""
                sent.append(place)
                call = _Call(self._name, packed, self._deadline.remaining(), time.time(), sign, os.getpid())
                yield delayed(_answer)(call, place, tasks[place])

        # A worker gets one task at a time, and has the next one at hand.
        takes_more = "backend_kwargs" in inspect.signature(Parallel).parameters
        parallel: Any = Parallel(
            n_jobs=n_jobs,
            pre_dispatch="2 * n_jobs",
            batch_size=1,
            max_nbytes=None,
            return_as="generator_unordered",
            **({"initializer": _begin, "initargs": (os.getpid(),)} if takes_more else {}),
        )
        answers: Generator[tuple[int, Done[_Value] | None], None, None] = parallel(calls())
        return answers

    @cached_property
    def _packed(self) -> bytes:
        from joblib import wrap_non_picklable_objects

        # So wrapped, functions and classes of scripts and notebooks can be sent as well.
        return pickle.dumps(wrap_non_picklable_objects((self._prepare, self._shared), keep_wrapper=False))


class _Call(NamedTuple):
    """What comes with a task: its run, what is shared, the seconds left and when that was, and how to stop it."""

    name: str
    packed: bytes
    seconds: float
    sent: float
    sign: str
    parent: int


_PREPARED = threading.local()
"""Per thread of a worker: the run that it works for, and the function that was prepared for it."""


def _answer(call: _Call, place: int, task: Any) -> tuple[int, Done[Any] | None]:
    """Return what a worker makes of a task, or None if it was not sent what all tasks share."""
    _end_with_parent(call.parent)
    passed = time.time() - call.sent  # a process may have had to start first
    deadline = Deadline(max(0.0, call.seconds - (passed if 0.0 <= passed <= _LONGEST_TRANSFER else 0.0)))
    try:
        if getattr(_PREPARED, "name", None) != call.name:
            if not call.packed:
                return place, None
            prepare, shared = pickle.loads(call.packed)
            _PREPARED.work = prepare(shared)
            _PREPARED.name = call.name
        interrupt = Interrupt()
        with interrupt.following(call.sign):
            return place, Done(place, _PREPARED.work(task, deadline, interrupt))
    except Exception as error:  # whatever it is, it is the task's own
        return place, Done(place, error=error)


def _begin(parent: int) -> None:
    """End this process if its parent was killed while it started."""
    if os.getppid() != parent:
        os._exit(1)
    _end_with_parent(parent)


_WATCHED: Final[list[int]] = []


def _end_with_parent(parent: int) -> None:
    """Have this process end soon after its parent, even one that was killed; only if `parent` is that one."""
    if os.getpid() in _WATCHED or os.getppid() != parent:
        return
    _WATCHED.append(os.getpid())
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all processes; the parent answers it

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, name="hedgerow-parent", daemon=True).start()


@contextmanager
def _closing(answers: Generator[_Value, None, None]) -> Iterator[Generator[_Value, None, None]]:
    """Close the answers at the end, without joblib's warning about tasks that are given up by this."""
    try:
        yield answers
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*tasks which were still being processed", UserWarning)
            answers.close()


def _in_order(stream: Generator[Done[_Value], None, None]) -> Iterator[_Value]:
    waiting: dict[int, Done[_Value]] = {}
    place = 0
    with closing(stream):
        for done in stream:
            waiting[done.place] = done
            while place in waiting:
                ready: Any = waiting.pop(place)
                if ready.error is not None:
                    raise ready.error
                yield ready.value
                place += 1


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
