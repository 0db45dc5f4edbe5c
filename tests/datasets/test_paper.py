"""The paper's instances, to the last digit."""

from pathlib import Path

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.datasets import paper_scheduling, paper_shortest_path
from hedgerow.errors import InputError
from hedgerow.methods import METHODS

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("seed_id", [0, 1, 2])
def test_training_data_equal_the_published_ones(seed_id):
    published = np.loadtxt(DATA / f"paper_train_seed{seed_id}.csv", delimiter=",", skiprows=1)
    problem, train, test = paper_shortest_path(seed_id)
    assert (train == published).all()
    assert test.shape == (1000, 24)
    assert problem.to_dict() == {"kind": "grid", "size": 4}


def test_smaller_instances_are_parts_of_larger_ones():
    _, train, test = paper_shortest_path(5, n_samples=250, grid=9)
    _, small_train, small_test = paper_shortest_path(5, n_samples=7, grid=3)
    assert train.shape == (250, 144)
    assert (small_train == train[:7, :12]).all()
    assert (small_test == test[:, :12]).all()


def test_instances_differ_and_lie_in_the_range_of_the_generator():
    everything = np.stack([paper_shortest_path(seed_id)[1] for seed_id in range(20)])
    assert len(np.unique(everything[:, 0, 0])) == 20
    assert everything.min() >= 0.75 * 10.0
    assert everything.max() <= 1.25 * 30.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed_id": 20}, "seed_id must be an integer from 0 to 19; got 20"),
        ({"n_samples": 0}, "n_samples must be an integer from 1 to 250; got 0"),
        ({"n_samples": 251}, "from 1 to 250; got 251"),
        ({"grid": 1}, "grid must be an integer from 2 to 9; got 1"),
        ({"grid": 10}, "from 2 to 9; got 10"),
    ],
)
def test_other_instances_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        paper_shortest_path(**options)


def test_durations_are_drawn_by_the_published_recipe():
    """Bases of all jobs, spreads of all jobs, then row by row: told a second time, one draw at a time."""
    random = np.random.RandomState(99003379)
    base = [1.9 * random.random_sample() + 0.1 for _ in range(8)]
    spread = [4.9 * random.random_sample() + 0.1 for _ in range(8)]
    rows = [[round(base[job] + random.random_sample() * spread[job], 1) for job in range(8)] for _ in range(1250)]
    problem, train, test = paper_scheduling(0, n_samples=7)
    assert problem.to_dict()["n_machines"] == 3
    np.testing.assert_allclose(train, rows[:7])
    np.testing.assert_allclose(test, rows[250:])


def test_scheduling_instances_differ():
    assert len({paper_scheduling(seed_id)[1].tobytes() for seed_id in range(20)}) == 20


@pytest.mark.parametrize("budget", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize("method", METHODS)
def test_all_methods_run_on_eight_jobs_and_three_machines(method, budget):
    """The exact method proves its tree optimal; no other finds a better one."""
    problem, train, _ = paper_scheduling(0)
    instance = Instance.create(problem, train, uncertainty=budget(fraction=0.05))
    iterations = None if method == "exact" else 2
    result = solve(instance, method=method, thresholds="midpoints", iteration_limit=iterations, time_limit=2.0)
    instance.check_tree(result.tree)
    optimum = 32.1 if budget is LocalBudget else 34.3
    assert result.objective >= optimum - 1e-9
    if method == "exact" and result.status == "optimal":
        assert result.objective == pytest.approx(optimum)
    assert result.lower_bound <= optimum + 1e-9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed_id": 20}, "seed_id must be an integer from 0 to 19; got 20"),
        ({"n_jobs": 0}, "n_jobs must be an integer from 1 to 1000; got 0"),
        ({"n_machines": 0}, "n_machines must be an integer from 1 to 1000; got 0"),
    ],
)
def test_other_scheduling_instances_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        paper_scheduling(**options)
