"""Oracles beyond tiny sizes: tables against MIPs, and what is left when time is up."""

import numpy as np
import pytest

from hedgerow.problems import Knapsack, LoadShifting, Scheduling, base
from hedgerow.tree.question_kinds import best_for_each


def test_every_schedule_is_listed_once():
    assert [len(Scheduling(8, m).all_solutions(5000)) for m in (1, 2, 3, 8, 9)] == [1, 128, 1094, 4140, 4140]


def test_the_eight_hour_plans_of_the_electricity_data_number_425():
    assert len(LoadShifting(24, 8, min_run=3, max_runs=2).all_solutions(425)) == 425
    assert LoadShifting(24, 8, min_run=3, max_runs=2).all_solutions(424) is None
    assert len(LoadShifting(24, 4, min_run=4, max_runs=1).all_solutions(100)) == 21
    assert LoadShifting(1000, 500).all_solutions(10**5) is None


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("problem", [(9, 5, 2, 2), (8, 4, 1, 3), (10, 4, 4, 1), (7, 6, 3, 2)], ids=str)
def test_plans_are_the_best_of_all_from_the_list_and_by_mip(monkeypatch, problem, sense):
    n_periods, run, min_run, max_runs = problem
    plans = LoadShifting(n_periods, run, min_run=min_run, max_runs=max_runs, sense=sense)
    prices = np.round(np.random.default_rng(4).normal(0, 9, (20, n_periods)), 1)
    all_costs = prices @ plans.all_solutions(10**4).T
    expected = all_costs.min(axis=1) if sense == "min" else all_costs.max(axis=1)
    np.testing.assert_allclose((best_for_each(plans, prices) * prices).sum(axis=1), expected)
    monkeypatch.setattr(base, "LISTED", 0)
    unlisted = LoadShifting.from_dict(plans.to_dict())
    assert not unlisted.has_quick_oracle
    np.testing.assert_allclose((best_for_each(unlisted, prices) * prices).sum(axis=1), expected)


@pytest.mark.parametrize(
    "problem",
    [
        Knapsack(np.random.default_rng(0).random(20), 3.0),
        Scheduling(30, 4),
        Scheduling(30, 4, sense="max"),
    ],
    ids=repr,
)
def test_once_time_is_up_there_is_a_solution_and_an_honest_bound(problem):
    samples = np.random.default_rng(1).uniform(1, 9, (2, problem.n_items))
    best = problem.best_solution(samples, time_limit=0.0)
    assert problem.infeasibility(best.solution) is None
    assert best.value == pytest.approx(problem.costs(best.solution[np.newaxis], samples).sum())
    assert best.bound <= best.value if problem.sense == "min" else best.bound >= best.value
