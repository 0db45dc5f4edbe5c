"""Local budgets: intervals of root thresholds prove the optimum over all thresholds, and over midpoints and grid."""

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, solve, worst_case
from hedgerow.datasets import paper_shortest_path
from hedgerow.engine.intervals import Intervals
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.samples import samples_of
from hedgerow.problems import ExplicitSet, Selection
from hedgerow.tree.splits import candidate_splits
from tests.engine.worlds import assert_no_bound_is_above, world
from tests.methods.exact.reference import Reference
from tests.reference.thresholds_anywhere import ThresholdsAnywhere


@pytest.mark.parametrize("seed", range(25))
def test_the_optimum_over_all_thresholds_is_that_of_brute_force(seed):
    instance, options = world(np.random.default_rng(seed))
    result = solve(instance, options)
    optimum = ThresholdsAnywhere(instance, options, margin=options.threshold_margin).optimum()
    assert (result.status, result.thresholds) == ("optimal", "continuous")
    assert instance.sign * result.objective == pytest.approx(optimum, abs=1e-9)
    assert worst_case(result.tree, instance, margin=options.threshold_margin).bound == result.objective


@pytest.mark.parametrize("thresholds", ["midpoints", "grid"])
@pytest.mark.parametrize("seed", range(8))
def test_the_optimum_over_candidates_is_that_of_brute_force(seed, thresholds):
    instance, options = world(np.random.default_rng(seed), most_samples=3)
    options = options.replace(thresholds=thresholds, threshold_margin=None)
    result = solve(instance, options)
    assert (result.status, result.thresholds, result.threshold_margin) == ("optimal", thresholds, 0.0)
    assert instance.sign * result.objective == pytest.approx(Reference(instance, options).optimum(), abs=1e-9)


def test_a_constant_column_and_a_single_sample_leave_one_solution():
    one = Instance.create(ExplicitSet(np.eye(2)), [[1.0, 2.0]], uncertainty=LocalBudget(1.0))
    assert solve(one, method="exact").objective == 1.0
    flat = Instance.create(
        ExplicitSet(np.eye(2)), [[0.0, 3.0], [3.0, 1.0]], observed=[[7.0], [7.0]], uncertainty=LocalBudget(1.0)
    )
    result = solve(flat, method="exact")
    assert (result.objective, result.tree.n_leaves, result.status) == (3.0, 1, "optimal")


def test_a_run_that_is_stopped_early_keeps_a_valid_bound():
    problem, train, _ = paper_shortest_path(seed_id=5, n_samples=20)
    instance = Instance.create(problem, train, uncertainty=LocalBudget(fraction=0.2))
    options = {"method": "exact", "thresholds": "midpoints", "time_limit": None}
    proven = solve(instance, **options)
    early = solve(instance, iteration_limit=3, **options)
    assert early.status == "iteration_limit"
    assert early.lower_bound <= proven.objective <= early.objective


@pytest.mark.parametrize("thresholds", ["continuous", "midpoints"])
@pytest.mark.parametrize("seed", range(6))
def test_no_bound_on_the_way_to_a_tree_is_above_it(seed, thresholds):
    """Parts of an interval must not take over what the samples cost that reach only one side of the whole."""
    rng = np.random.default_rng(seed)
    costs = rng.uniform(5.0, 30.0, (25, 8)).round(2)
    instance = Instance.create(Selection(8, 3), costs, uncertainty=LocalBudget(float(rng.uniform(2.0, 6.0))), depth=2)
    pool = complete_pool(instance)
    splits = None if thresholds == "continuous" else candidate_splits(costs)
    samples = samples_of(instance, pool.losses, splits, 0.002 if splits is None else 0.0)
    intervals = Intervals(samples, depth=2, max_leaves=0)
    for _ in range(15):
        whole = intervals.whole()[rng.integers(8)]
        listed = candidates(samples, whole)
        at = float(rng.choice(listed)) if listed.size else float(rng.uniform(whole.low, whole.high))
        assert_no_bound_is_above(intervals, whole, at)


def candidates(samples, interval):
    """Return the candidate thresholds of the interval's question."""
    return samples.points[samples.first[interval.question] : samples.first[interval.question + 1]]


def test_a_gap_that_is_small_enough_is_the_status_with_a_margin_on_thresholds_too():
    problem, train, _ = paper_shortest_path(seed_id=0, n_samples=6)
    instance = Instance.create(problem, train, uncertainty=LocalBudget(fraction=0.2))
    result = solve(instance, method="exact", thresholds="continuous", gap_limit=0.5, time_limit=None)
    assert (result.status, result.threshold_margin > 0.0) == ("gap_limit", True)
    assert 1e-6 < result.gap <= 0.5
