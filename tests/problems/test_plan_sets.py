"""Sets of plans at leaves: they cost what is said of their members, and are called by their names everywhere."""

import numpy as np
import pytest
from examples.plan_sets import PlanSets, sets_by_item

from hedgerow import Instance, LocalBudget, evaluate, solve
from hedgerow.problems import Selection, ShortestPath
from tests.helpers import brute_force

SAMPLES = np.array([[1.0, 6.0, 2.0], [5.0, 1.5, 3.0], [2.5, 3.0, 7.0], [6.0, 2.0, 2.5]])


def offered(inside="best", sense="min"):
    base = Selection(3, 1, item_names=["bus", "tram", "taxi"], sense=sense)
    return PlanSets(base, {"bus or tram": [[1, 0, 0], [0, 1, 0]]}, inside=inside)


@pytest.mark.parametrize(("inside", "sense"), [("best", "min"), ("worst", "min"), ("mean", "max"), ("worst", "max")])
def test_a_set_costs_what_is_said_of_its_members(inside, sense):
    problem = offered(inside, sense)
    plans = problem.all_solutions(10)
    costs = problem.costs(plans, SAMPLES)
    members = SAMPLES[:, :2]
    good, bad = (np.min, np.max) if sense == "min" else (np.max, np.min)
    expected = {"best": good, "worst": bad, "mean": np.mean}[inside](members, axis=1)
    assert costs[:, :3] == pytest.approx(SAMPLES)
    assert costs[:, 3] == pytest.approx(expected)
    for sample, row in zip(SAMPLES, costs, strict=True):
        rows = problem.cost_rows(sample)
        assert (rows.coefficients @ plans.T + rows.constants[:, None])[0] == pytest.approx(row)
    assert all(problem.infeasibility(plan) is None for plan in plans)
    assert problem.infeasibility(np.array([1.0, 0.0, 0.0, 1.0])) == "a set stands alone, with a single 1"


@pytest.mark.parametrize("inside", ["best", "worst"])
def test_trees_over_sets_are_optimal_for_the_exact_method_and_for_scenario_generation(inside):
    instance = Instance.create(offered(inside), SAMPLES, uncertainty=LocalBudget(0.6), depth=1)
    least = brute_force(instance)
    for method in ("exact", "scenario_generation"):
        result = solve(instance, method=method, thresholds="midpoints", time_limit=None)
        assert result.objective == pytest.approx(least)
        assert evaluate(result.tree, offered(inside), SAMPLES, LocalBudget(0.6)).robust == pytest.approx(least)


def test_sets_by_item_hold_the_solutions_that_use_it():
    grid = ShortestPath.grid(3)
    ways = sets_by_item(grid, ["0-1", "4-5"], words="any way over {}")
    listed = grid.all_solutions(100)
    for name, rows in ways.items():
        item = grid.item_names.index(name.removeprefix("any way over "))
        assert len(rows) == (listed[:, item] == 1.0).sum()
