"""Many tasks: results as they come, errors kept to their task, lost workers replaced."""

import os

import pytest

from hedgerow import InputError
from hedgerow.run.tasks import LostTaskError, run_tasks
from tests.processes import environment_of_tests
from tests.run import jobs


@pytest.fixture(autouse=True)
def _workers_find_the_tests(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", environment_of_tests()["PYTHONPATH"])


@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_done_once(workers):
    done = list(run_tasks(jobs.square, list(range(7)), workers=workers))
    assert sorted((one.place, one.value) for one in done) == [(number, number**2) for number in range(7)]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_ends_its_own_task_only(workers):
    done = {one.place: one for one in run_tasks(jobs.square_or_fail, [0, 1, 2], workers=workers)}
    assert isinstance(done[1].error, ValueError)
    assert (done[0].value, done[2].value) == (0, 4)


def test_no_tasks_give_no_results():
    assert list(run_tasks(jobs.square, [], workers=2)) == []


def test_a_task_whose_worker_was_lost_is_tried_again(tmp_path):
    tasks = [str(tmp_path / name) for name in "ab"]
    assert [one.value for one in run_tasks(jobs.kill_own_process_once, tasks, workers=2)] == ["done", "done"]


@pytest.mark.slow
def test_a_task_that_always_kills_its_worker_is_given_up_and_no_other_is_blamed():
    tasks = ["a", "poison", "b", "c", "d"]
    done = {tasks[one.place]: one for one in run_tasks(jobs.kill_own_process, tasks, workers=2)}
    assert isinstance(done.pop("poison").error, LostTaskError)
    assert {name: one.value for name, one in done.items()} == {name: name for name in "abcd"}


def test_workers_are_other_processes_with_one_thread_each():
    done = [one.value for one in run_tasks(jobs.threads, [0, 1, 2], workers=2)]
    assert {threads for threads, _ in done} == {"1"}
    assert os.getpid() not in {process for _, process in done}


@pytest.mark.parametrize("workers", [0, -2, True, 1.5])
def test_a_wrong_number_of_workers_is_refused(workers):
    with pytest.raises(InputError, match="workers must be an integer of 1 or more"):
        run_tasks(jobs.square, [1, 2], workers=workers)


@pytest.mark.parametrize("address", ["127.0.0.1:9", "no address", "bogus://127.0.0.1:8786"])
def test_a_scheduler_that_does_not_answer_is_told_in_one_sentence(address):
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="no Dask scheduler answers at"):
        list(run_tasks(jobs.square, [1, 2], dask=address))
