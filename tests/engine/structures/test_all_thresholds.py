"""Global budgets: boxes of thresholds prove the optimum over all of them."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve, worst_case
from hedgerow.datasets import motivating_example, paper_shortest_path
from hedgerow.problems import ExplicitSet
from tests.engine.worlds import world
from tests.reference.thresholds_anywhere import ThresholdsAnywhere


@pytest.mark.parametrize("seed", range(16))
def test_the_optimum_over_all_thresholds_is_that_of_brute_force(seed):
    instance, options = world(np.random.default_rng(seed), kind=GlobalBudget, most_samples=3)
    result = solve(instance, options)
    optimum = ThresholdsAnywhere(instance, options, margin=options.threshold_margin).optimum()
    assert result.thresholds == "continuous"
    assert instance.sign * result.lower_bound <= optimum + 1e-9 <= instance.sign * result.objective + 2e-9
    if result.status == "optimal":
        assert instance.sign * result.objective == pytest.approx(optimum, abs=1e-9)
    assert worst_case(result.tree, instance, margin=options.threshold_margin).bound == result.objective


@pytest.mark.parametrize(("margin", "optimum"), [(None, 43.0), (0.0, 36.0)])
def test_the_motivating_example_has_a_razor_edge(margin, optimum):
    """Without a margin ε itself keeps samples apart, in a region of thresholds 0.001 wide."""
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(5.0))
    result = solve(instance, method="exact", thresholds="continuous", threshold_margin=margin, time_limit=None)
    assert (result.status, result.objective, result.lower_bound) == ("optimal", optimum, optimum)


def test_all_thresholds_are_never_worse_than_midpoints():
    problem, train, _ = paper_shortest_path(seed_id=1, n_samples=4)
    instance = Instance.create(problem, train, uncertainty=GlobalBudget(fraction=0.05))
    anywhere, midpoints = (
        solve(instance, method="exact", thresholds=thresholds, threshold_margin=0.0, time_limit=None)
        for thresholds in ("continuous", "midpoints")
    )
    assert anywhere.status == midpoints.status == "optimal"
    assert anywhere.objective <= midpoints.objective + 1e-9


def test_the_message_says_where_all_thresholds_could_not_be_settled():
    instance = Instance.create(
        ExplicitSet(np.eye(2)),
        [[0.0, 3.0], [3.0, 1.0]],
        observed=[[1.0], [2.0]],
        uncertainty=LocalBudget(0.1),
        depth=3,
    )
    asked = solve(instance, method="exact", thresholds="continuous")
    assert (asked.thresholds, asked.threshold_margin) == ("midpoints", 0.0)
    assert "could not settle all thresholds" in asked.message
    assert solve(instance, method="exact").message == ""
