"""The price of robustness: monotone, each tree judged under each budget."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from hedgerow import GlobalBudget, InputError, LocalBudget, RobustTree, evaluate
from hedgerow.datasets import motivating_example, paper_shortest_path
from hedgerow.problems import Selection
from hedgerow.study import price_of_robustness
from tests.methods import toys

FRACTIONS = (0.0, 0.02, 0.05, 0.1, 0.4)


@pytest.fixture(autouse=True)
def _toys(monkeypatch):
    for name in toys.TOYS:
        monkeypatch.setitem(toys.METHODS, name, toys.Method(toys.TOYS[name], "a toy"))


def drawing(problem, uncertainty=None, **options):
    """A model that draws a few trees: poor fits, so that neighbours have something to help with."""
    uncertainty = LocalBudget(fraction=0.0) if uncertainty is None else uncertainty
    options = {"depth": 1, "method": "draw", "iteration_limit": 3, "random_state": 1, **options}
    return RobustTree(problem, uncertainty=uncertainty, **options)


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
def test_the_worst_case_never_falls_even_where_fits_are_poor(kind):
    problem, train, _ = paper_shortest_path(0, 6, 3)
    curve = price_of_robustness(drawing(problem, kind(fraction=0.1)), train, FRACTIONS)
    table = curve.to_frame()
    assert table["robust"].is_monotonic_increasing
    assert curve.kind == kind.kind
    assert table["robust"][0] == table["nominal"][0]


def test_each_row_tells_what_its_tree_costs_as_read_and_at_worst():
    problem, train, _ = paper_shortest_path(1, 6, 3)
    curve = price_of_robustness(drawing(problem), train, FRACTIONS)
    for row, tree in zip(curve.to_frame().itertuples(), curve.trees, strict=True):
        uncertainty = LocalBudget(row.budget)
        assert uncertainty == LocalBudget(fraction=row.fraction).bind(train, 1)
        found, first = (evaluate(each, problem, train, uncertainty) for each in (tree, curve.trees[0]))
        assert (row.nominal, row.robust) == (found.nominal_mean, found.robust_mean)
        assert row.unprotected == first.robust_mean


def test_a_gain_never_rises_as_the_budget_grows():
    costs = np.random.default_rng(2).integers(1, 30, (8, 3)).astype(float)
    table = price_of_robustness(drawing(Selection(3, 1, sense="max")), costs, FRACTIONS).to_frame()
    assert table["robust"].is_monotonic_decreasing
    assert (table["robust"] <= table["nominal"]).all()


def test_proven_fits_are_kept_with_their_bound():
    problem, costs = motivating_example()
    curve = price_of_robustness(RobustTree(problem, uncertainty=GlobalBudget(5.0), method="exact"), costs, [0.05])
    row = curve.to_frame().iloc[0]
    assert row["budget"] == 5.0
    assert row["robust"] * 5 == pytest.approx(43.0)
    assert row["lower_bound"] == pytest.approx(row["robust"])


def test_trees_are_counted_where_they_change():
    problem, train, _ = paper_shortest_path(0, 6, 3)
    curve = price_of_robustness(drawing(problem), train, FRACTIONS)
    numbers = curve.to_frame()["tree"].tolist()
    assert numbers[0] == 1
    for before, after in pairwise(range(len(FRACTIONS))):
        assert (numbers[before] == numbers[after]) == (curve.trees[before] == curve.trees[after])


def test_limits_prices_and_weights_are_those_of_the_model_and_it_is_not_changed():
    costs = pd.DataFrame(np.random.default_rng(3).integers(1, 30, (8, 3)), columns=["x1", "x2", "x3"])
    model = drawing(Selection(3, 1), LocalBudget(3.0, limits=2.0, prices="range"))
    weights = np.arange(1.0, 9.0)
    curve = price_of_robustness(model, costs, [0.5], sample_weight=weights)
    assert not hasattr(model, "tree_")
    bound = LocalBudget(fraction=0.5, limits=2.0, prices="range").bind(costs.to_numpy(float), 1)
    by_hand = evaluate(curve.trees[0], Selection(3, 1), costs, bound, sample_weight=weights)
    assert curve.to_frame()["robust"][0] == by_hand.robust_mean


@pytest.mark.parametrize(
    ("fractions", "words"),
    [([], "at least one"), ("0.1", "list of numbers"), (0.1, "list of numbers"), ([-0.1], "zero or more")],
)
def test_bad_fractions_are_refused(fractions, words):
    costs = np.random.default_rng(5).integers(1, 30, (8, 3)).astype(float)
    with pytest.raises(InputError, match=words):
        price_of_robustness(drawing(Selection(3, 1)), costs, fractions)


def test_the_model_must_be_one():
    with pytest.raises(InputError, match="model must be a RobustTree"):
        price_of_robustness(Selection(3, 1), [[1.0, 2.0, 3.0]], [0.0])


def test_it_says_what_the_largest_budget_costs_and_saves():
    problem, costs = motivating_example()
    model = RobustTree(problem, uncertainty=GlobalBudget(fraction=0.0), method="exact", random_state=0)
    price = price_of_robustness(model, costs, [0.0, 0.05])
    last = price.to_frame().iloc[-1]
    assert price.summary.startswith("With a global budget of 5 the best tree gives up 0")
    assert f"saves {last.unprotected - last.robust:g}" in price.summary
    assert price.summary in str(price)
