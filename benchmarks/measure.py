"""Time and memory, measured so that a busy machine does not count."""

import os
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_LEAST_SECONDS = 0.05
_POLL = 0.02
_CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
"""Those that this process was given."""


def use_one_core() -> None:
    """Pin the process to one core and keep the libraries from starting threads; call before numpy is imported."""
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[variable] = "1"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


@contextmanager
def all_cores() -> Iterator[None]:
    """Let this process, and those that it starts, use all cores for a while."""
    if not _CORES:
        yield
        return
    pinned = os.sched_getaffinity(0)
    os.sched_setaffinity(0, _CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, pinned)


@contextmanager
def cpu_limit(limit: float, stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` once the process has worked for this many CPU seconds."""
    done = threading.Event()
    end = time.process_time() + limit

    def watch() -> None:
        while not done.wait(_POLL):
            if time.process_time() >= end:
                stop()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the CPU seconds of one call: the best of some repeats, each long enough for the clock.

    CPU and not wall-clock time: on an idle machine they are the same for a process on one core, and what else runs on
    a busy one must favour neither side of a comparison.
    """
    calls = 1
    best = float("inf")
    for _ in range(repeats):
        while True:
            start = time.process_time()
            for _ in range(calls):
                work()
            spent = time.process_time() - start
            if spent >= _LEAST_SECONDS:
                break
            calls *= 4
        best = min(best, spent / calls)
    return best


def peak_megabytes(work: Callable[[], object]) -> float:
    """Return by how much the process' memory grows at most while it works; wants a process of its own."""
    marks = Path("/proc/self/clear_refs")
    if marks.exists():
        marks.write_text("5", encoding="ascii")  # Linux: forget the peak so far
        before = _status_megabytes("VmRSS")
        work()
        return _status_megabytes("VmHWM") - before
    before = _peak_so_far()
    work()
    return _peak_so_far() - before


def _status_megabytes(field: str) -> float:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"/proc/self/status has no {field}")


def _peak_so_far() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
