"""Data on which no question can help, and optima of zero: proven, with no gap left."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, RobustTree, solve
from hedgerow.problems import Selection


@pytest.mark.parametrize("method", ["auto", "exact", "one_solution", "fix_tree", "scenario_generation", "local_search"])
def test_one_solution_is_optimal_for_constant_data(method):
    """There is nothing to ask, so no better tree exists, and every method says so."""
    instance = Instance.create(Selection(3, 1), [[3.0, 2.0, 4.0]] * 5, uncertainty=LocalBudget(0.5), depth=2)
    result = solve(instance, method=method, iteration_limit=5, random_state=0)
    assert (result.status, result.gap, result.objective, result.lower_bound) == ("optimal", 0.0, 10.0, 10.0)
    assert "better tree may exist" not in result.message


def test_one_solution_claims_nothing_where_questions_might_help():
    instance = Instance.create(Selection(2, 1), [[1.0, 9.0], [9.0, 1.0]], depth=1)
    assert solve(instance, method="one_solution").status == "feasible"


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_scenario_generation_ends_at_an_optimum_of_zero(kind, scale):
    """Costs that cancel leave no relative gap to compare with."""
    costs = scale * np.array([[0.0, 5.0], [4.0, 0.0], [0.0, 7.0], [6.0, 0.0]])
    budget = kind(0.1 * scale, epsilon=0.001 * scale)
    instance = Instance.create(Selection(2, 1), costs, uncertainty=budget, depth=1)
    result = solve(instance, method="scenario_generation", time_limit=60.0)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(0.0, abs=1e-9 * scale)
    shifted = Instance.create(Selection(2, 1), costs - 2.75 * scale, uncertainty=budget, depth=1)
    assert solve(shifted, method="scenario_generation", time_limit=60.0).status == "optimal"


@pytest.mark.parametrize("uncertainty", [LocalBudget(fraction=0.1), GlobalBudget(fraction=0.1), LocalBudget([1.0] * 8)])
def test_rows_of_weight_zero_are_as_if_they_were_not_there(uncertainty):
    """N, ranges, thresholds and budgets per sample are those of the rows that count."""
    rng = np.random.default_rng(3)
    costs = rng.integers(1, 20, (8, 3)).astype(float)
    costs[2] = 1_000.0
    weights = np.array([1.0, 2.0, 0.0, 1.0, 0.0, 1.0, 3.0, 1.0])
    counted = weights > 0.0
    fewer = LocalBudget([1.0] * 6) if uncertainty == LocalBudget([1.0] * 8) else uncertainty
    fits = [
        RobustTree(Selection(3, 1), depth=2, uncertainty=budget, random_state=0).fit(rows, sample_weight=weight)
        for rows, weight, budget in ((costs, weights, uncertainty), (costs[counted], weights[counted], fewer))
    ]
    assert fits[0].tree_ == fits[1].tree_
    assert fits[0].result_.objective == fits[1].result_.objective
    seen = [fit.rulebook_.training for fit in fits]
    assert seen[0].n_samples == seen[1].n_samples == 6
    assert (seen[0].ranges == seen[1].ranges).all()
    assert fits[0].uncertainty_ == fits[1].uncertainty_
    scores = [
        fits[0].score(rows, sample_weight=weight)
        for rows, weight in ((costs, weights), (costs[counted], weights[counted]))
    ]
    assert scores[0] == pytest.approx(scores[1])
