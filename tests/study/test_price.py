"""The price of robustness: monotone, each tree judged under each budget."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, InputError, LocalBudget, RobustTree
from hedgerow.datasets import motivating_example, paper_shortest_path
from hedgerow.problems import Selection
from hedgerow.study import price_of_robustness
from tests.methods import toys

FRACTIONS = (0.0, 0.02, 0.05, 0.1, 0.4)


@pytest.fixture(autouse=True)
def _toys(monkeypatch):
    for name in toys.TOYS:
        monkeypatch.setitem(toys.METHODS, name, toys.Method(toys.TOYS[name]))


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


@pytest.mark.parametrize(
    ("fractions", "words"),
    [([], "at least one"), ("0.1", "list of numbers"), (0.1, "list of numbers"), ([-0.1], "zero or more")],
)
def test_bad_fractions_are_refused(fractions, words):
    costs = np.random.default_rng(5).integers(1, 30, (8, 3)).astype(float)
    with pytest.raises(InputError, match=words):
        price_of_robustness(drawing(Selection(3, 1)), costs, fractions)


def test_it_says_what_the_largest_budget_costs_and_saves():
    problem, costs = motivating_example()
    model = RobustTree(problem, uncertainty=GlobalBudget(fraction=0.0), method="exact", random_state=0)
    price = price_of_robustness(model, costs, [0.0, 0.05])
    last = price.to_frame().iloc[-1]
    assert price.summary.startswith("With a global budget of 5 the best tree gives up 0")
    assert f"saves {last.unprotected - last.robust:g}" in price.summary
    assert price.summary in str(price)
