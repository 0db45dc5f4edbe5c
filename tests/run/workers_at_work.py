"""What workers do in tests; other processes must be able to import it."""

import os
import time

from hedgerow.run.workers import Workers


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
        time.sleep(0.2 * task)  # the last one is still at work when the error comes
        return task

    return fail


def add_with_workers(n_jobs):
    """Return the outcome of one task for workers of this process, and this process."""
    ((value, process, _),) = Workers(Adder, 1, n_jobs).results([1])
    return value, process, os.getpid()


def waited(interrupt):
    """Return whether a stop is requested within a minute."""
    until = time.monotonic() + 60.0
    while not interrupt.requested and time.monotonic() < until:
        time.sleep(0.01)
    return interrupt.requested


def prepare_to_wait(shared):
    return lambda task, deadline, interrupt: waited(interrupt)
