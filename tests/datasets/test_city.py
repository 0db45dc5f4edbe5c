"""The town's routes: the same days every time, and a story that makes sense."""

import numpy as np
import pytest

from hedgerow import InputError
from hedgerow.datasets import city_routes


def test_the_same_seed_gives_the_same_days_and_another_one_others():
    for first, again, other in zip(city_routes()[1:], city_routes()[1:], city_routes(seed=8)[1:], strict=True):
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)


def test_the_days_are_these_whatever_the_version_of_numpy():
    _, train, test = city_routes()
    assert (train.sum(), test.sum()) == (4864.0, 16197.0)


def test_more_days_do_not_change_the_test_days():
    assert np.array_equal(city_routes(n_days=5)[2], city_routes(n_days=90)[2])


def test_minutes_are_whole_and_at_least_one():
    for days in city_routes()[1:]:
        assert (days >= 1.0).all()
        assert np.array_equal(days, np.round(days))


def test_every_bridge_is_the_best_way_on_some_day():
    problem, train, _ = city_routes()
    best = problem.best_solutions(train).any(axis=0)
    for bridge in ("King's Bridge", "Old Bridge", "Rail Bridge"):
        assert best[problem.item_names.index(bridge)]
    assert problem.positions is not None


@pytest.mark.parametrize("wrong", [{"n_days": 0}, {"n_days": 2.5}, {"seed": -1}])
def test_bad_arguments_are_refused(wrong):
    with pytest.raises(InputError, match="must be an integer"):
        city_routes(**wrong)
