"""Many tasks, their results as they come: in this process, on several processes or on a Dask cluster.

A worker that dies costs its task another attempt, not the run.
"""

__all__ = ["Done", "LostTaskError", "check_workers", "run_tasks"]

import logging
import os
import socket
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from hedgerow.checks import integer_between
from hedgerow.errors import HedgerowError, InputError

_LOG = logging.getLogger("hedgerow")

_Task = TypeVar("_Task")
_Value = TypeVar("_Value")

_ATTEMPTS: Final = 3
"""How often a task is tried that kills its worker; a Dask scheduler has a limit of its own."""

_IN_HAND_PER_WORKER: Final = 2
"""Tasks handed out at once, so that no worker waits for the next one."""

_SECONDS_TO_CONNECT: Final = 10

_IDLE_SECONDS: Final = 60
"""After so long without a task a worker leaves, so that none outlives a run that was killed."""

_ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
"""The environment of a worker: the tasks are parallel already."""


class LostTaskError(HedgerowError):
    """The worker died, every time that the task was tried; perhaps it ran out of memory.

    Examples
    --------
    >>> from hedgerow import HedgerowError
    >>> from hedgerow.run.tasks import LostTaskError
    >>> issubclass(LostTaskError, HedgerowError)
    True
    """


@dataclass(frozen=True)
class Done(Generic[_Value]):
    """A task that is done: its place among the tasks, and its value or the error that it ended with."""

    place: int
    value: _Value | None = None
    error: Exception | None = None


def run_tasks(
    function: Callable[[_Task], _Value], tasks: Sequence[_Task], *, workers: int = 1, dask: str | None = None
) -> Iterator[Done[_Value]]:
    """Call the function on every task and return each result as it comes, in any order.

    A task that raises an error ends with it and stops no other. Whoever stops asking for results stops the work.

    Parameters
    ----------
    function
        A function of a module, so that other processes can import it.
    tasks
        What it is called with, one by one.
    workers
        How many processes work at once; with 1 it is this one, -1 stands for all processors.
    dask
        The address of a Dask scheduler, which then finds the workers.

    Examples
    --------
    >>> import math
    >>> from hedgerow.run.tasks import run_tasks
    >>> [(done.place, done.value, done.error) for done in run_tasks(math.sqrt, [9.0, -1.0])]
    [(0, 3.0, None), (1, None, ValueError(...))]
    """
    workers = check_workers(workers)
    if dask is not None:
        return _on_dask(function, tasks, dask)
    if workers == 1 or len(tasks) <= 1:
        return _here(function, tasks)
    return _on_processes(function, tasks, workers)


def check_workers(workers: int) -> int:
    """Return the number of processes; -1 stands for all processors."""
    if workers == -1 and not isinstance(workers, bool):
        return os.cpu_count() or 1
    return integer_between(workers, "workers", 1)


def _here(function: Callable[[_Task], _Value], tasks: Sequence[_Task]) -> Iterator[Done[_Value]]:
    for place, task in enumerate(tasks):
        try:
            done = Done(place, function(task))
        except Exception as error:  # whatever it is, it is the task's own
            done = Done(place, error=error)
        yield done


def _on_processes(function: Callable[[_Task], _Value], tasks: Sequence[_Task], workers: int) -> Iterator[Done[_Value]]:
    executor: Any = _processes(workers)
    if executor is None:
        yield from _here(function, tasks)
        return
    waiting, suspects = deque(range(len(tasks))), deque[int]()
    losses: Counter[int] = Counter()
    in_hand: dict[Future[_Value], int] = {}
    ended = False
    try:
        while waiting or suspects or in_hand:
            # A task that may have killed its worker is tried again alone, so that no other is blamed for it.
            queue, most = (suspects, 1) if suspects else (waiting, _IN_HAND_PER_WORKER * workers)
            if not any(losses[place] for place in in_hand.values()):
                _hand_out(executor, function, tasks, queue, most, in_hand)
            finished = wait(in_hand, return_when=FIRST_COMPLETED).done
            broken = any(isinstance(future.exception(), BrokenExecutor) for future in finished)
            # A pool that has lost a worker ends all that it has in hand.
            for future in wait(in_hand).done if broken else finished:
                place, error = in_hand.pop(future), future.exception()
                if not isinstance(error, BrokenExecutor):
                    yield _outcome(place, future, error)
                    continue
                losses[place] += 1
                if losses[place] < _ATTEMPTS:
                    suspects.append(place)
                else:
                    yield Done(place, error=_lost())
            if broken:
                executor.shutdown(wait=True, kill_workers=True)
                executor = _processes(workers)
        ended = True
    finally:
        executor.shutdown(wait=True, kill_workers=not ended)


def _hand_out(
    executor: Executor,
    function: Callable[[_Task], _Value],
    tasks: Sequence[_Task],
    queue: deque[int],
    most: int,
    in_hand: dict[Future[_Value], int],
) -> None:
    while queue and len(in_hand) < most:
        try:
            future = executor.submit(function, tasks[queue[0]])
        except BrokenExecutor as error:
            # The pool broke a moment ago; the task was never begun, but is treated like the others in hand.
            future = Future()
            future.set_exception(error)
        in_hand[future] = queue.popleft()


def _processes(workers: int) -> Any:
    """Return a pool of processes, or None on a machine that has no means for one, such as some sandboxes."""
    try:
        from joblib.externals.loky import ProcessPoolExecutor

        return ProcessPoolExecutor(workers, timeout=_IDLE_SECONDS, env=_ONE_THREAD)
    except (ImportError, OSError) as error:
        _LOG.warning("This machine can't run several processes (%s); the tasks run one by one.", error)
        return None


def _outcome(place: int, future: Future[_Value], error: BaseException | None) -> Done[_Value]:
    if error is None:
        return Done(place, future.result())
    if isinstance(error, Exception):
        return Done(place, error=error)
    raise error  # a worker was interrupted, and so is the run


def _lost() -> LostTaskError:
    return LostTaskError("the worker died every time that this was tried; it may have run out of memory.")


def _on_dask(function: Callable[[_Task], _Value], tasks: Sequence[_Task], address: str) -> Iterator[Done[_Value]]:
    client = _client(address)
    from distributed import KilledWorker, as_completed

    with client:
        # The scheduler itself tries a task again whose worker died.
        places = {future: place for place, future in enumerate(client.map(function, list(tasks), pure=False))}
        for future in as_completed(list(places), loop=client.loop):
            place = places.pop(future)
            if future.cancelled():
                raise LostTaskError(f"the Dask scheduler at {address} is gone.")
            error = future.exception()
            if isinstance(error, KilledWorker):
                yield Done(place, error=_lost())
            else:
                yield _outcome(place, future, error)


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(
            f"a Dask cluster needs the package distributed, which is not installed ({error}); "
            "pip install 'hedgerow[dask]' brings it."
        ) from None
    try:
        _knock_at(address)
        return Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"no Dask scheduler answers at {address!r}: {reason:.200}.") from None


def _knock_at(address: str) -> None:
    """Raise an error where nobody listens: a client that fails to connect makes its user wait, and complains later."""
    from distributed.comm import get_address_host_port, parse_address

    host_and_port: Any = get_address_host_port(address)
    if parse_address(address)[0] in ("tcp", "tls"):
        socket.create_connection(host_and_port, _SECONDS_TO_CONNECT).close()
