"""Local budgets: intervals of root thresholds prove the optimum over all thresholds, and over midpoints and grid."""

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, Tree, solve, worst_case
from hedgerow.datasets import paper_shortest_path
from hedgerow.engine import two_levels
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.readings import readings_of
from hedgerow.engine.stumps import _fill_places, new_workspace
from hedgerow.engine.two_levels import QUESTION, ShallowTrees
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


@pytest.mark.parametrize("seed", [0, 5])
def test_all_thresholds_are_never_worse_than_the_grid_and_random_trees_never_better(seed):
    problem, train, _ = paper_shortest_path(seed_id=seed, n_samples=6)
    instance = Instance.create(problem, train, uncertainty=LocalBudget(fraction=0.2))
    found = {
        thresholds: solve(instance, method="exact", thresholds=thresholds, threshold_margin=0.0, time_limit=None)
        for thresholds in ("continuous", "grid", "midpoints")
    }
    assert all(result.status == "optimal" for result in found.values())
    values = [found[name].objective for name in ("continuous", "grid", "midpoints")]
    assert values[0] <= values[1] + 1e-9 <= values[2] + 2e-9
    rng = np.random.default_rng(seed)
    best = found["continuous"].tree.solutions
    for _ in range(300):
        items = rng.integers(train.shape[1], size=3)
        thresholds = rng.uniform(train[:, items].min(axis=0), train[:, items].max(axis=0))
        tree = Tree.full(items, thresholds, best[rng.integers(len(best), size=4)])
        assert worst_case(tree, instance).value >= values[0] - 1e-9


def test_a_constant_column_and_a_single_sample_leave_one_solution():
    one = Instance.create(ExplicitSet(np.eye(2)), [[1.0, 2.0]], uncertainty=LocalBudget(1.0))
    assert solve(one, method="exact").objective == 1.0
    flat = Instance.create(
        ExplicitSet(np.eye(2)), [[0.0, 3.0], [3.0, 1.0]], context=[[7.0], [7.0]], uncertainty=LocalBudget(1.0)
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
    samples = readings_of(instance, pool.losses, splits, 0.002 if splits is None else 0.0)
    trees = ShallowTrees(samples, depth=2)
    for _ in range(15):
        whole = trees.whole()[rng.integers(8)]
        question = int(whole.row[QUESTION])
        listed = samples.points[samples.first[question] : samples.first[question + 1]]
        at = rng.choice(listed) if listed.size else rng.uniform(costs[:, question].min(), costs[:, question].max())
        assert_no_bound_is_above(trees, whole, float(at))


@pytest.mark.parametrize("min_samples", [0, 1])
def test_thresholds_are_tried_behind_events_and_where_leaves_are_counted_behind_readings(min_samples):
    """Each place once, in increasing order, whatever the array held before."""
    rows = np.array([[3.0, 0.0], [1.0, 0.0], [3.0, 0.0], [7.0, 0.0]])
    samples = readings_of(Instance.create(Selection(2, 1), rows), np.zeros((4, 1)), None, 0.0)
    space = new_workspace(samples)
    space.places[:] = np.inf
    space.events[1, 0] = [4.0, 2.0, 4.0, np.inf]
    space.orders[1] = np.argsort(space.events[1, 0], kind="stable")
    count = _fill_places(0, 4, min_samples, samples, space.orders, space.events, space.places)
    assert space.places[:count].tolist() == ([1.0, 2.0, 3.0, 4.0, 7.0] if min_samples else [2.0, 4.0])


def test_a_gap_that_is_small_enough_is_the_status_with_a_margin_on_thresholds_too():
    problem, train, _ = paper_shortest_path(seed_id=0, n_samples=6)
    instance = Instance.create(problem, train, uncertainty=LocalBudget(fraction=0.2))
    result = solve(instance, method="exact", thresholds="continuous", gap_limit=0.5, time_limit=None)
    assert (result.status, result.threshold_margin > 0.0) == ("gap_limit", True)
    assert 1e-6 < result.gap <= 0.5


@pytest.mark.parametrize("thresholds", ["continuous", "midpoints"])
@pytest.mark.parametrize("depth", [1, 2])
def test_work_in_small_pieces_finds_the_same(depth, thresholds, monkeypatch):
    """A point that takes more work than there is at a time is taken up again with more."""
    costs = np.random.default_rng(depth).uniform(1.0, 9.0, (10, 4))
    instance = Instance.create(Selection(4, 2), costs, uncertainty=LocalBudget(0.5), depth=depth)
    whole = solve(instance, method="exact", thresholds=thresholds, time_limit=None)
    monkeypatch.setattr(two_levels, "_WORK_AT_ONCE", 1)
    pieces = solve(instance, method="exact", thresholds=thresholds, time_limit=None)
    assert (whole.status, pieces.status) == ("optimal", "optimal")
    assert pieces.objective == whole.objective
