"""Cases in which a proof was wrong once: each is held against brute force."""

import numpy as np
import pytest

from hedgerow import Instance, Nominal, solve
from hedgerow.problems import ExplicitSet
from tests.reference.nominal_trees import best_nominal_loss


def instance_without_misreading(seed, depth, n_samples=9, n_plans=3, n_items=2):
    """Draw a few samples, with a table of costs that has nothing to do with the readings."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 20, (n_samples, n_plans)).astype(float)
    readings = rng.integers(0, 20, (n_samples, n_items)).astype(float)
    return Instance.create(
        ExplicitSet(np.eye(n_plans)), costs, observations=readings, uncertainty=Nominal(), depth=depth
    )


@pytest.mark.parametrize("method", ["exact", "nominal", "auto"])
@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("min_samples_leaf", [2, 3])
def test_leaves_with_enough_samples(method, depth, min_samples_leaf):
    """More samples may cost less: a small side can no longer be divided."""
    for seed in range(8):
        instance = instance_without_misreading(seed, depth)
        result = solve(instance, method=method, min_samples_leaf=min_samples_leaf, random_state=0, time_limit=None)
        expected = best_nominal_loss(instance, min_samples_leaf)
        assert (result.status, result.objective) == ("optimal", pytest.approx(expected)), seed


@pytest.mark.parametrize("seed", [21, 27, 41, 51, 58])
def test_the_solver_cuts_off_no_optimum(seed):
    """With all of its presolve, HiGHS did in these cases."""
    instance = instance_without_misreading(seed, depth=2, n_samples=8, n_plans=2, n_items=1)
    options = {"min_samples_leaf": 2, "thresholds": "midpoints", "random_state": 0, "time_limit": None}
    result = solve(instance, method="scenario_generation", **options)
    assert (result.status, result.objective) == ("optimal", pytest.approx(best_nominal_loss(instance, 2)))
