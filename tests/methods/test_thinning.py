"""Thinning: fewer thresholds and weighted representatives, with values on all samples all the same."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, RobustTree, Tree, solve, worst_case
from hedgerow.errors import InputError
from hedgerow.methods.representatives import left_out, representatives
from hedgerow.problems import Selection
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits


def history(n_samples=60, uncertainty=None, **options):
    """Return samples around three centres."""
    rng = np.random.default_rng(0)
    centres = np.array([[1.0, 8.0, 5.0, 9.0], [9.0, 1.0, 4.0, 6.0], [5.0, 6.0, 1.0, 2.0]])
    costs = centres[rng.integers(3, size=n_samples)] + rng.uniform(0, 1, (n_samples, 4))
    uncertainty = LocalBudget(fraction=0.02) if uncertainty is None else uncertainty
    return Instance.create(Selection(4, 2), costs, uncertainty=uncertainty, **options)


def test_representatives_weigh_and_cost_what_their_samples_do():
    """For linear costs the sum over all samples of any one solution is the same."""
    weights = np.random.default_rng(1).uniform(0, 2, 60)
    instance = history(weights=weights)
    fewer = representatives(instance, 9, np.random.default_rng(0))
    assert fewer.n_samples <= 9
    assert fewer.total_weight == pytest.approx(weights.sum())
    every = instance.problem.all_solutions(10)
    assert fewer.losses(every).sum(axis=0) == pytest.approx(instance.losses(every).sum(axis=0))
    assert all(any(np.array_equal(row, seen) for seen in instance.observations) for row in fewer.observations)


def test_representatives_keep_the_budgets_and_limits_of_the_samples_they_are_read_like():
    budgets = np.linspace(0.1, 2.0, 60)
    instance = history(uncertainty=LocalBudget(budgets, limits=np.tile(budgets[:, None], (1, 4))))
    fewer = representatives(instance, 9, np.random.default_rng(0))
    for row, budget, limits in zip(fewer.observations, fewer.uncertainty.budget, fewer.uncertainty.limits, strict=True):
        place = int(np.flatnonzero((instance.observations == row).all(axis=1))[0])
        assert budget == budgets[place]
        assert (limits == budgets[place]).all()


def test_values_and_bounds_are_those_of_all_samples():
    instance = history()
    thin = solve(instance, method="exact", options=Options(max_samples=12), random_state=0)
    full = solve(instance, method="exact", random_state=0)
    assert thin.objective == pytest.approx(worst_case(thin.tree, instance).value)
    assert thin.lower_bound <= full.objective + 1e-9
    assert full.objective - 1e-9 <= thin.objective <= 1.1 * full.objective
    assert "12 weighted representatives of 60 samples" in thin.message
    assert (thin.status == "optimal") == (thin.gap <= 1e-6)


def test_as_many_samples_as_there_are_need_no_representatives():
    result = solve(history(), method="one_solution", options=Options(max_samples=60))
    assert "representatives" not in result.message


def test_a_global_budget_and_rows_per_leaf_are_refused():
    with pytest.raises(InputError, match="price of one"):
        solve(history(uncertainty=GlobalBudget(5.0)), options=Options(max_samples=10))
    with pytest.raises(InputError, match="min_samples_leaf"):
        solve(history(), options=Options(max_samples=10, min_samples_leaf=3))
    with pytest.raises(InputError, match="max_samples must be"):
        solve(history(), options=Options(max_samples=0))
    with pytest.raises(InputError, match="max_thresholds must be"):
        solve(history(), options=Options(max_thresholds=0))


@pytest.mark.parametrize("thresholds", ["midpoints", "grid"])
@pytest.mark.parametrize("most", [1, 3, 1000])
def test_thresholds_are_thinned_evenly(thresholds, most):
    observations = history().observations
    every = candidate_splits(observations, thresholds)
    fewer = candidate_splits(observations, thresholds, most)
    for item in range(4):
        kept, there = (splits.threshold[splits.question == item] for splits in (fewer, every))
        assert set(kept) <= set(there)
        assert kept.size == min(most, there.size)
    if most == 1:
        assert fewer.threshold[0] == np.sort(every.threshold[every.question == 0])[(every.question == 0).sum() // 2]
    assert ((fewer.below <= fewer.threshold) & (fewer.threshold < fewer.above)).all()


def test_the_estimator_thins_and_says_so():
    instance = history()
    model = RobustTree(
        instance.problem,
        uncertainty=LocalBudget(fraction=0.02),
        method="local_search",
        iteration_limit=5,
        max_thresholds=5,
        max_samples=20,
        random_state=0,
    ).fit(instance.costs)
    assert "20 weighted representatives of 60 samples" in model.result_.message
    assert "20 of 236 thresholds" in model.result_.message
    assert model.result_.thinning.kept == "20 of 60 samples, 20 of 236 thresholds"
    assert model.result_.objective == pytest.approx(worst_case(model.tree_, instance).value)


def test_what_was_left_out_is_counted_and_named():
    """Thresholds of representatives lie between these, and there are fewer of them."""
    instance = history(40, uncertainty=LocalBudget(fraction=0.1))
    result = solve(instance, method="exact", max_samples=6, random_state=0)
    thinning = result.thinning
    assert (thinning.n_samples, thinning.n_all_samples, thinning.n_all_thresholds) == (6, 40, 4 * 39)
    assert thinning.n_thresholds == 4 * 5
    assert thinning.in_words() in result.message
    few = solve(instance, method="exact", max_thresholds=1, round_thresholds=False, random_state=0)
    assert (few.thinning.n_thresholds, few.thinning.n_all_thresholds) == (4, 4 * 39)
    # The tree is one over the kept thresholds, of which the proof speaks.
    kept = candidate_splits(instance.observations, "midpoints", 1)
    assert set(few.tree.threshold[few.tree.item >= 0]) <= set(kept.threshold)
    assert few.status == "optimal"


def test_what_representatives_missed_is_relative_to_the_worst_case_on_all_samples():
    instance, options = history(), Options(max_samples=30)
    half = Instance.create(
        instance.problem, instance.costs[:30], uncertainty=instance.uncertainty, depth=instance.depth
    )
    attack, there = (worst_case(Tree.single([1.0, 1.0, 0.0, 0.0]), each) for each in (instance, half))
    missed = left_out(instance, half, options, attack).samples_missed
    assert missed == pytest.approx((attack.value - there.value) / attack.value)


@pytest.mark.parametrize("options", [{}, {"max_thresholds": 59}, {"max_samples": 60, "max_thresholds": 1000}])
def test_where_nothing_is_left_out_there_is_nothing_to_tell(options):
    result = solve(history(), method="local_search", options=Options(**options), iteration_limit=2)
    assert result.thinning is None
    assert "The search used" not in result.message


def test_where_nothing_may_be_asked_no_threshold_is_left_out():
    assert solve(history(depth=0), options=Options(max_thresholds=1)).thinning is None
    thinning = solve(history(depth=0), options=Options(max_thresholds=1, max_samples=5)).thinning
    assert (thinning.of_samples, thinning.of_thresholds) == (True, False)
