"""The town's routes: the same days every time, and a story that makes sense."""

from hedgerow.datasets import city_routes
from hedgerow.tree.question_kinds import best_for_each


def test_the_days_are_these_whatever_the_version_of_numpy():
    _, train, test = city_routes()
    assert (train.sum(), test.sum()) == (4864.0, 16197.0)
    assert min(train.min(), test.min()) >= 1.0


def test_every_bridge_is_the_best_way_on_some_day():
    problem, train, _ = city_routes()
    best = best_for_each(problem, train).any(axis=0)
    for bridge in ("King's Bridge", "Old Bridge", "Rail Bridge"):
        assert best[problem.item_names.index(bridge)]
    assert problem.positions is not None
