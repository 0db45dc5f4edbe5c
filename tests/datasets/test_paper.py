"""The paper's instances, to the last digit."""

from pathlib import Path

import numpy as np
import pytest

from hedgerow.datasets import paper_scheduling, paper_shortest_path
from hedgerow.errors import InputError

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
    assert len({paper_scheduling(seed_id)[1].tobytes() for seed_id in range(20)}) == 20


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (paper_shortest_path, {"seed_id": 20}, "seed_id must be an integer from 0 to 19; got 20"),
        (paper_shortest_path, {"n_samples": 251}, "n_samples must be an integer from 1 to 250; got 251"),
        (paper_shortest_path, {"grid": 1}, "grid must be an integer from 2 to 9; got 1"),
        (paper_scheduling, {"seed_id": 20}, "seed_id must be an integer from 0 to 19; got 20"),
        (paper_scheduling, {"n_jobs": 0}, "n_jobs must be an integer from 1 to 1000; got 0"),
        (paper_scheduling, {"n_machines": 0}, "n_machines must be an integer from 1 to 1000; got 0"),
    ],
)
def test_other_instances_are_refused(make, options, message):
    with pytest.raises(InputError, match=message):
        make(**options)
