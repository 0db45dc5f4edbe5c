"""Tasks for other processes, which must be able to import them."""

import os
import signal
import time
from pathlib import Path


def square(number):
    return number * number


def square_or_fail(number):
    if number == 1:
        raise ValueError("one is not to be squared")
    return number * number


def kill_own_process(task):
    """Kill the process that works on task "poison"; any other task has its time."""
    if task == "poison":
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    return task


def kill_own_process_once(task):
    """Kill the process the first time that the file named by the task isn't there."""
    flag = Path(task)
    if not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def threads(task):
    return os.environ.get("OMP_NUM_THREADS"), os.getpid()
