"""Fewer thresholds: evenly spread, counted, and named beside a proof that is about them alone."""

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, RobustTree, solve, worst_case
from hedgerow.problems import Selection
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits


def history(n_samples=60, **options):
    """Return samples around three centres."""
    rng = np.random.default_rng(0)
    centres = np.array([[1.0, 8.0, 5.0, 9.0], [9.0, 1.0, 4.0, 6.0], [5.0, 6.0, 1.0, 2.0]])
    costs = centres[rng.integers(3, size=n_samples)] + rng.uniform(0, 1, (n_samples, 4))
    return Instance.create(Selection(4, 2), costs, uncertainty=LocalBudget(fraction=0.02), **options)


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
        random_state=0,
    ).fit(instance.costs)
    assert model.result_.thinning.kept == "20 of 236 thresholds"
    assert str(model.result_.thinning) in model.result_.message
    assert model.result_.objective == pytest.approx(worst_case(model.tree_, instance).value)


def test_a_proof_is_about_the_thresholds_that_were_kept():
    instance = history(40)
    result = solve(instance, method="exact", max_thresholds=1, round_thresholds=False, random_state=0)
    assert (result.thinning.n_thresholds, result.thinning.n_all_thresholds) == (4, 4 * 39)
    kept = candidate_splits(instance.observations, "midpoints", 1)
    assert set(result.tree.threshold[result.tree.item >= 0]) <= set(kept.threshold)
    assert result.status == "optimal"


def test_where_nothing_is_left_out_there_is_nothing_to_tell():
    result = solve(history(), method="local_search", max_thresholds=59, iteration_limit=2)
    assert result.thinning is None
    assert "The search used" not in result.message
    assert solve(history(depth=0), options=Options(max_thresholds=1)).thinning is None
