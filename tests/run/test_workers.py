"""Workers in rounds: results in order, what is shared sent once, errors and deaths."""

import os
import pickle
import threading
import time

import joblib
import pytest

from hedgerow.run import Deadline, Interrupt
from hedgerow.run import workers as room
from hedgerow.run.workers import Workers, is_spread
from tests.run import workers_at_work as at_work


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Let others begin at once."""
    monkeypatch.setattr(room, "_SECONDS_ALONE", 0.0)
    monkeypatch.setattr(room, "_SECONDS_WORTHWHILE", 0.0)


def workers(prepare, shared, n_jobs=2, limit=None):
    return Workers(prepare, shared, n_jobs, Deadline(limit), Interrupt())


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


def test_a_worker_that_dies_costs_an_attempt_only(tmp_path, caplog):
    assert list(workers(at_work.prepare_to_die_once, str(tmp_path / "died")).results([1, 2, 3])) == [1, 2, 3]
    assert (tmp_path / "died").exists()
    assert "A worker was lost" in caplog.text


def test_what_can_not_be_sent_is_done_here(caplog):
    lock = threading.Lock()
    done = Workers(lambda shared: lambda task, *_: (task, shared is lock), lock, 2, Deadline(), Interrupt())
    assert list(done.results([1, 2])) == [(1, True), (2, True)]
    assert "can't be sent to other processes" in caplog.text


def test_tasks_get_the_time_that_is_left():
    assert all(0.0 <= left <= 50.0 for left in workers(at_work.TimeLeft, None, limit=50.0).results([1, 2]))


def test_inside_of_a_worker_nothing_is_spread_any_further():
    assert is_spread(2)
    assert not is_spread(1)
    assert joblib.Parallel(n_jobs=2)(joblib.delayed(is_spread)(2) for _ in range(2)) == [False, False]


def test_the_first_tasks_are_done_here(monkeypatch):
    """Once a run has lasted a while the others get what is left, in order."""
    monkeypatch.setattr(room, "_SECONDS_ALONE", 5.0)
    clock = iter([0.0, 1.0, 4.0, *[6.0] * 100])  # the first is when it starts
    both = Workers(at_work.Adder, 0, 2, Deadline(clock=lambda: next(clock)), Interrupt())
    results = list(both.results(range(6)))
    assert [value for value, _, _ in results] == list(range(6))
    here = [process == os.getpid() for _, process, _ in results]
    assert here == [True, True, False, False, False, False]


def test_who_is_to_stay_here_stays():
    here = Workers(at_work.Adder, 0, 2, Deadline(), Interrupt(), stay_here=True)
    assert {process for _, process, _ in here.results(range(4))} == {os.getpid()}


def test_nobody_is_asked_in_the_last_seconds(monkeypatch):
    monkeypatch.setattr(room, "_SECONDS_WORTHWHILE", 5.0)
    results = workers(at_work.Adder, 0, limit=4.0).results(range(4))
    assert {process for _, process, _ in results} == {os.getpid()}


@pytest.mark.parametrize(("ago", "left"), [(3.0, 7.0), (30.0, 0.0), (-5.0, 10.0), (1e6, 10.0)])
def test_time_on_the_way_counts_unless_clocks_differ(ago, left, tmp_path):
    packed = pickle.dumps((at_work.TimeLeft, None))
    answer = room._answer(f"run {ago}", packed, None, room._Limits(10.0, time.time() - ago, str(tmp_path / "stop")))
    assert answer.result() == pytest.approx(left, abs=1.0)


def test_a_wish_to_stop_reaches_tasks_in_other_processes():
    """A signal to this process alone, or a flag, ends them as Ctrl-C in a terminal does."""
    interrupt = Interrupt()
    threading.Timer(1.0, interrupt.request).start()
    waiting = Workers(at_work.prepare_to_wait, None, 2, Deadline(), interrupt)
    assert list(waiting.results([1, 2])) == [True, True]
