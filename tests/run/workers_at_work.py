"""What workers do in tests; other processes must be able to import it."""

import os
import signal
from pathlib import Path


class Adder:
    """Adds tasks to what is shared, and counts how many tasks it has had."""

    def __init__(self, shared):
        self.shared = shared
        self.n_tasks = 0

    def __call__(self, task, deadline, interrupt):
        self.n_tasks += 1
        return self.shared + task, os.getpid(), self.n_tasks


def prepare_to_fail(shared):
    def fail(task, deadline, interrupt):
        if task == 1:
            raise ValueError("one is too many")
        return task

    return fail


def prepare_to_die_once(flag):
    """Return what kills its process unless the flag is there, which it then is."""

    def die_once(task, deadline, interrupt):
        die_unless(flag)
        return task

    return die_once


def die_unless(flag):
    if not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)


class TimeLeft:
    """Tells how many seconds a task has."""

    def __init__(self, shared):
        self.shared = shared

    def __call__(self, task, deadline, interrupt):
        return deadline.remaining()


def prepare_to_wait(shared):
    return lambda task, deadline, interrupt: interrupt.wait(60.0)
