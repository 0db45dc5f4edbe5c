"""The benchmarks' baselines, and the comparison that they are part of, on data small enough to see through."""

import numpy as np
import pytest

from benchmarks.baselines.cart import cart
from benchmarks.baselines.clairvoyant import best_solutions
from benchmarks.baselines.forest import forest
from benchmarks.baselines.one_solution import one_solution
from benchmarks.real import comparison, electricity, goals, traffic
from benchmarks.real.histories import History
from hedgerow import LocalBudget
from hedgerow.problems import Selection

PROBLEM = Selection(2, 1)
RNG = np.random.default_rng(0)
COSTS = RNG.uniform(0.0, 10.0, (60, 2))
FIRST, SECOND = [1.0, 0.0], [0.0, 1.0]


def test_the_clairvoyant_takes_the_best_each_time():
    assert best_solutions(PROBLEM, np.array([[1.0, 2.0], [4.0, 3.0]])).tolist() == [FIRST, SECOND]


def test_one_solution_is_the_best_on_the_whole_whatever_is_read():
    advice = one_solution(PROBLEM, np.array([[1.0, 9.0], [4.0, 3.0]]))
    assert advice(np.array([[9.0, 1.0], [0.0, 0.0]])).tolist() == [FIRST, FIRST]


def test_cart_learns_the_classes_of_the_optima():
    costs = np.array([[1.0, 5.0], [2.0, 5.0], [8.0, 5.0], [9.0, 5.0]])
    assert cart(PROBLEM, costs, costs, depth=1)(np.array([[3.0, 0.0], [7.0, 9.0]])).tolist() == [FIRST, SECOND]


def test_the_forest_optimises_what_it_predicts():
    advice = forest(PROBLEM, COSTS, COSTS)
    assert advice(np.array([[1.0, 9.0], [9.0, 1.0]])).tolist() == [FIRST, SECOND]


@pytest.fixture
def compared(monkeypatch):
    monkeypatch.setattr(comparison, "FRACTIONS", (0.0, 0.05, 0.2))
    monkeypatch.setattr(comparison, "_DESCENTS", 2)
    readings = COSTS + RNG.normal(0.0, 1.0, COSTS.shape)
    blocks = np.repeat(np.arange(4), 10)
    parts = (COSTS[:40], COSTS[40:], readings[:40], readings[40:])
    return comparison.compare(History("toy", "EUR", PROBLEM, *parts, "noisy", blocks, LocalBudget(fraction=0.0)))


def test_everything_stands_beside_the_clairvoyant(compared):
    least = compared.row("clairvoyant").as_read
    assert len(compared.rows) == 10
    assert all(row.as_read >= least - 1e-9 and row.misread >= least - 1e-9 for row in compared.rows)
    assert compared.row("one solution").as_read == compared.row("one solution").misread
    assert compared.chosen in (0.0, 0.05, 0.2)


def test_the_outcome_tells_costs_goals_and_the_choice(compared):
    outcome = goals.outcome("Toys", [compared, compared])
    assert [(table.name, len(table.rows)) for table in outcome.tables] == [("costs", 10), ("costs_2", 10)]
    assert "Toy: Choose depth 2" in outcome.note
    assert sum(goal.met is not None for goal in outcome.goals) == 2 * 4
    assert "2 descents each" in outcome.note


@pytest.mark.parametrize("module", [electricity, traffic])
def test_without_data_the_benchmark_is_skipped_with_a_note(module, monkeypatch):
    monkeypatch.setattr(module.scope, "data_folder", lambda: None)
    assert "Skipped" in module.run().note
