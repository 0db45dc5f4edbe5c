"""The paper's instances, to the last digit."""

from pathlib import Path

import numpy as np
import pytest

from hedgerow.datasets import paper_shortest_path
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
