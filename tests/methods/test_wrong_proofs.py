"""Cases in which a proof was wrong once: each is held against brute force."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import Instance, LocalBudget, Nominal, Wishes, alternatives, solve
from hedgerow.problems import ExplicitSet
from tests.reference.nominal_trees import best_nominal_loss


def instance_without_misreading(seed, depth, n_samples=9, n_plans=3, n_items=2):
    """Draw a few samples, with a table of costs that has nothing to do with the readings."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 20, (n_samples, n_plans)).astype(float)
    readings = rng.integers(0, 20, (n_samples, n_items)).astype(float)
    return Instance.create(ExplicitSet(np.eye(n_plans)), costs, observed=readings, uncertainty=Nominal(), depth=depth)


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


@pytest.mark.parametrize("placeholder", [1e8, 1e10, 1e12])
@pytest.mark.parametrize("method", ["exact", "nominal", "auto", "local_search", "scenario_generation"])
def test_placeholders_that_no_good_plan_uses(method, placeholder):
    """Half of the plans of each sample, and more of all entries, must not be used."""
    costs = np.array([[1.0, 9.0, 4.0], [2.0, 8.0, 4.0], [9.0, 1.0, 4.0], [8.0, 3.0, 4.0]])
    costs = np.column_stack([costs, np.full((4, 5), placeholder)])
    readings = np.array([[1.0, 5.0], [2.0, 1.0], [6.0, 2.0], [7.0, 8.0]])
    instance = Instance.create(ExplicitSet(np.eye(8)), costs, observed=readings, uncertainty=Nominal(), depth=1)
    result = solve(instance, method=method, random_state=0, iteration_limit=20, time_limit=20.0)
    assert result.objective == best_nominal_loss(instance) == 7.0


def solved_with(wish, unit, seed):
    """Return the result for six samples whose costs are in some unit, with a wish."""
    rng = np.random.default_rng(seed)
    costs, readings = rng.integers(1, 30, (6, 3)).astype(float), rng.integers(0, 20, (6, 2)).astype(float)
    asked = {"observed": pd.DataFrame(readings, columns=["wind", "rain"])}
    instance = Instance.create(ExplicitSet(np.eye(3)), unit * costs, **asked, uncertainty=LocalBudget(0.3), depth=2)
    options = {"thresholds": "midpoints", "random_state": 0, "time_limit": None, "round_thresholds": False}
    return solve(instance, method="exact", wishes=Wishes(**wish), **options)


@pytest.mark.parametrize("unit", [1e-11, 1e-9, 1e9])
@pytest.mark.parametrize("wish", [{"ask_first": "rain"}, {"max_items": 1}])
def test_wishes_in_other_units_of_costs(wish, unit):
    for seed in range(6):
        plain, other = solved_with(wish, 1.0, seed), solved_with(wish, unit, seed)
        assert plain.status == other.status == "optimal"
        assert other.objective == pytest.approx(unit * plain.objective), seed
        assert other.wish_cost.extra_cost == pytest.approx(unit * plain.wish_cost.extra_cost, abs=1e-6 * unit), seed


@pytest.mark.parametrize("unit", [1e-12, 1e-9, 1.0, 1e9])
def test_alternatives_keep_their_margin_in_other_units(unit):
    costs = unit * np.array([[9.0, 2.0], [8.0, 3.0], [1.0, 7.0], [2.5, 9.0]])
    readings = np.array([[1.0], [2.5], [6.0], [7.5]])
    instance = Instance.create(ExplicitSet(np.eye(2)), costs, observed=readings, uncertainty=LocalBudget(0.3), depth=1)
    found = alternatives(instance, within=0.1)
    assert (found.n_structures, found.complete) == (1, True)
    assert max(value for _, value in found.trees()) <= 1.1 * found.best.objective


@pytest.mark.parametrize("unit", [0.0, 1.0, 1e9])
@pytest.mark.parametrize("seed", range(4))
def test_alternatives_where_the_best_worst_case_is_zero(seed, unit):
    """Costs that cancel in the sum, up to rounding, and costs that are all zero."""
    costs = 0.1 * np.random.default_rng(seed).integers(-20, 20, (4, 2))
    costs[3] = -costs[:3].sum(axis=0).round(1)
    instance = Instance.create(
        ExplicitSet(np.eye(2)),
        unit * costs,
        observed=[[0.0], [2.0], [4.0], [6.0]],
        uncertainty=LocalBudget(9.0),
        depth=1,
    )
    found = alternatives(instance)
    assert found.complete
    assert found.n_structures >= 1
