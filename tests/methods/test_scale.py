"""Results don't depend on units: of the costs, or of what is observed with ε and budgets."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve, worst_case
from hedgerow.methods.registry import METHODS
from hedgerow.problems import ExplicitSet
from hedgerow.tolerances import OPTIMALITY_GAP

OBSERVATIONS = np.array([[1.0, 4.0], [2.5, 9.0], [6.0, 3.0], [7.5, 8.0]])
COSTS = np.array([[9.0, 2.0, 5.5], [8.0, 3.0, 5.0], [1.0, 7.0, 4.0], [2.5, 9.0, 5.0]])
FEW = {
    "thresholds": "midpoints",
    "iteration_limit": 4,
    "random_state": 0,
    "time_limit": None,
    "round_thresholds": False,
}


def solved(method, budget, cost_unit=1.0, reading_unit=1.0):
    """Return the result for the same small instance in other units."""
    problem = ExplicitSet(np.eye(3))
    uncertainty = budget(1.2 * reading_unit, epsilon=0.001 * reading_unit)
    observations = OBSERVATIONS * reading_unit
    instance = Instance.create(problem, COSTS * cost_unit, observed=observations, uncertainty=uncertainty)
    result = solve(instance, method=method, **FEW)
    assert worst_case(result.tree, instance).bound == result.objective
    return result


@pytest.mark.parametrize("budget", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize("method", METHODS)
def test_results_do_not_depend_on_units(method, budget):
    result = solved(method, budget)
    for cost_unit, reading_unit in [(1e-9, 1.0), (1e12, 1.0), (1e-6, 1e-9), (1e6, 1e9)]:
        other = solved(method, budget, cost_unit, reading_unit)
        assert other.objective / cost_unit == pytest.approx(result.objective, rel=1e-9)
        assert other.status == result.status
        assert other.gap == pytest.approx(result.gap, abs=1e-6)
        if result.status == "optimal":
            assert 0.0 <= other.gap <= OPTIMALITY_GAP
            assert other.lower_bound <= other.objective
        if not METHODS[method].needs_mip:
            np.testing.assert_array_equal(other.tree.question, result.tree.question)
            np.testing.assert_allclose(other.tree.threshold / reading_unit, result.tree.threshold, rtol=1e-9)


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**40])
def test_powers_of_two_change_no_digit(unit):
    result, other = solved("exact", GlobalBudget), solved("exact", GlobalBudget, unit, unit)
    assert (other.objective, other.lower_bound) == (unit * result.objective, unit * result.lower_bound)
    np.testing.assert_array_equal(other.tree.threshold, unit * result.tree.threshold)
    assert [row.value for row in other.statistics] == [unit * row.value for row in result.statistics]


@pytest.mark.parametrize("unit", [1.0, 1e12])
def test_costs_that_cancel_out_are_proven(unit):
    costs = unit * np.array([[0.1, -0.3], [0.2, 0.4], [-0.3, -0.1]])
    instance = Instance.create(ExplicitSet(np.eye(2)), costs, observed=OBSERVATIONS[:3], uncertainty=LocalBudget(9.0))
    result = solve(instance, method="exact", time_limit=None)
    assert (result.status, result.gap) == ("optimal", 0.0)
    assert abs(result.objective) <= 1e-9 * unit


def test_refined_trees_keep_the_margin():
    instance = Instance.create(
        ExplicitSet(np.eye(3)), COSTS, observed=OBSERVATIONS, uncertainty=LocalBudget(1.2, epsilon=0.25)
    )
    result = solve(instance, method="exact", refine=True, threshold_margin=0.5, thresholds="midpoints", time_limit=None)
    assert result.refined is not None
    assert worst_case(result.refined.tree, instance, margin=0.5).bound == result.refined.objective <= result.objective
