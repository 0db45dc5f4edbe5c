"""Tasks for other processes, by joblib: those of this machine, or of a cluster that joblib was configured with.

The values don't depend on the number of processes.
"""

import multiprocessing
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from typing import Any, Final, Generic, TypeAlias, TypeVar
from uuid import uuid4

import numpy as np

from hedgerow.run.stopping import Deadline, Interrupt

_Shared = TypeVar("_Shared")
_Task = TypeVar("_Task")
_Value = TypeVar("_Value")

Work: TypeAlias = Callable[[_Task, Deadline, Interrupt], _Value]
"""What a worker does with a task: it returns before the deadline, and early once the interrupt is requested."""

_SECONDS_ALONE: Final = 2.0
_SECONDS_WORTHWHILE: Final = 4.0
"""Processes take seconds to start and to load kernels. They don't pay off in the first seconds of a run, which may end
soon, nor in its last ones."""


class Workers(Generic[_Shared, _Task, _Value]):
    """The workers of one run: this process, and `n_jobs` others of joblib's active backend.

    `prepare` is called once per worker with what is `shared`, and returns the function that is then called with each
    task. A task gets the time that is left when it is sent; the interrupt stops those in other processes of this
    machine, too. Inside a worker process there are no others, so that a grid search starts no further processes.

    >>> def prepare(shared):
    ...     return lambda task, deadline, interrupt: shared + task
    >>> list(Workers(prepare, 10).results([1, 2, 3]))
    [11, 12, 13]
    """

    def __init__(
        self,
        prepare: Callable[[_Shared], Work[_Task, _Value]],
        shared: _Shared,
        n_jobs: int = 1,
        deadline: Deadline | None = None,
        interrupt: Interrupt | None = None,
    ) -> None:
        from joblib import effective_n_jobs

        self._prepare, self._shared = prepare, shared
        self._n_jobs = n_jobs if n_jobs > 1 else None
        self._deadline = Deadline() if deadline is None else deadline
        self._interrupt = Interrupt() if interrupt is None else interrupt
        is_worker = multiprocessing.parent_process() is not None
        self._has_others = not is_worker and effective_n_jobs(self._n_jobs) > 1
        self._has_begun = False
        self._name = uuid4().hex

    def results(self, tasks: Sequence[_Task]) -> Generator[_Value, None, None]:
        """Yield the tasks' values in order; the first error is raised. Closing the generator stops the work.

        In the first seconds of a run this process does the tasks: most runs end before others would have started.
        """
        for place, task in enumerate(tasks):
            if self._has_others and (self._has_begun or self._is_worthwhile()):
                self._has_begun = True
                yield from self._results_of_others(tasks[place:])
                return
            yield self._work_here(task, self._deadline, self._interrupt)

    def _is_worthwhile(self) -> bool:
        return self._deadline.elapsed() >= _SECONDS_ALONE and self._deadline.remaining() >= _SECONDS_WORTHWHILE

    @cached_property
    def _work_here(self) -> Work[_Task, _Value]:
        return self._prepare(self._shared)

    def _results_of_others(self, tasks: Sequence[_Task]) -> Generator[_Value, None, None]:
        """Send the tasks, one at a time since they differ in length, and yield their values."""
        from joblib import Parallel, delayed

        def call(task: _Task, sign: str) -> Any:
            end = time.time() + self._deadline.remaining()
            return delayed(_answer)(self._name, self._packed, task, end, sign)

        parallel: Any = Parallel(self._n_jobs, pre_dispatch="2 * n_jobs", batch_size=1, return_as="generator")
        with self._interrupt.announced() as sign:
            answers = parallel(call(task, sign) for task in tasks)
            try:
                yield from answers
            finally:
                with warnings.catch_warnings():  # joblib warns about tasks that are given up by this
                    warnings.filterwarnings("ignore", "(?s).*tasks which were still being processed", UserWarning)
                    answers.close()

    @cached_property
    def _packed(self) -> Any:
        """What is shared, as an array of bytes: joblib sends large arrays once, through memory that workers share."""
        from joblib import wrap_non_picklable_objects

        # So wrapped, functions and classes of scripts and notebooks can be sent as well.
        packed = pickle.dumps(wrap_non_picklable_objects((self._prepare, self._shared), keep_wrapper=False))
        return np.frombuffer(packed, dtype=np.uint8)


_PREPARED = threading.local()
"""Per thread of a worker: the run that it works for, and the function that was prepared for it."""


def _answer(name: str, packed: Any, task: Any, end: float, sign: str) -> Any:
    """Return what a worker makes of a task of the run with this name; time is up at the `end`, a time of day."""
    deadline = Deadline(max(0.0, end - time.time()))  # a process may have had to start first
    if getattr(_PREPARED, "name", None) != name:
        prepare, shared = pickle.loads(packed)
        _PREPARED.work, _PREPARED.name = prepare(shared), name
    if multiprocessing.parent_process() is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all processes; the parent answers it
    return _PREPARED.work(task, deadline, Interrupt(sign))
