"""Workers: results in order, errors, and workers that are lost."""

import os
import threading

import joblib
import pytest

from hedgerow.run import Deadline, Interrupt
from hedgerow.run import workers as room
from hedgerow.run.workers import Workers
from tests.run import workers_at_work as at_work


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Let other processes begin at once."""
    monkeypatch.setattr(room, "_SECONDS_ALONE", 0.0)
    monkeypatch.setattr(room, "_SECONDS_WORTHWHILE", 0.0)


def workers(prepare, shared, n_jobs=2, limit=None):
    return Workers(prepare, shared, n_jobs, Deadline(limit), Interrupt())


# -- in order --------------------------------------------------------------------------------------------------------


def test_results_come_in_the_order_of_the_tasks_from_other_processes():
    results = list(workers(at_work.Adder, 100).results(range(6)))
    assert [value for value, _, _ in results] == list(range(100, 106))
    assert os.getpid() not in {process for _, process, _ in results}


def test_what_is_shared_is_prepared_once_per_worker_and_run():
    """A worker that has prepared counts on in the next round; another run begins anew."""
    first, second = workers(at_work.Adder, 0), workers(at_work.Adder, 10)
    rounds = [list(each.results(range(4))) for each in (first, first, second)]
    by_process = {}
    for number, results in enumerate(rounds):
        for _, process, n_tasks in results:
            by_process.setdefault((process, number // 2), []).append(n_tasks)
    assert all(sorted(counted) == list(range(1, len(counted) + 1)) for counted in by_process.values())
    assert sum(map(len, by_process.values())) == 12


def test_an_error_of_a_task_is_raised_here():
    with pytest.raises(ValueError, match="one is too many"):
        list(workers(at_work.prepare_to_fail, None).results([0, 1, 2]))


# -- processes -------------------------------------------------------------------------------------------------------


def test_inside_a_worker_nothing_is_spread_any_further():
    values = joblib.Parallel(n_jobs=2)(joblib.delayed(at_work.add_with_workers)(2) for _ in range(2))
    assert all(process == parent for _, process, parent in values)


def test_a_request_to_stop_reaches_tasks_in_other_processes():
    """A signal to this process alone, or a flag, ends them as Ctrl-C in a terminal does."""
    interrupt = Interrupt()
    threading.Timer(1.0, interrupt.request).start()
    waiting = Workers(at_work.prepare_to_wait, None, 2, Deadline(), interrupt)
    assert list(waiting.results([1, 2])) == [True, True]
