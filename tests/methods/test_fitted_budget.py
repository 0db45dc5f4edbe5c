"""Budgets from errors are lowered to those that reach a tree, and instances are solved in units of moderate size."""

import numpy as np

from hedgerow import Instance, LocalBudget, Nominal
from hedgerow.methods.fitted_budget import fitted_budget
from hedgerow.methods.units import WorkingUnits
from hedgerow.problems import Selection
from hedgerow.run import Deadline, Options
from hedgerow.wording.budgets import lowering_in_words


def test_a_budget_from_errors_is_never_raised():
    truth = np.random.default_rng(0).uniform(0.0, 9.0, (60, 2))
    given = LocalBudget.from_errors(truth + 0.5, truth)
    instance = Instance.create(Selection(2, 1), truth, uncertainty=given, depth=1)
    assert float(given.budget) == 1.0
    assert float(fitted_budget(instance, given, Options(), Deadline()).uncertainty.budget) <= 0.5


def test_a_lowered_budget_is_mentioned_and_others_are_not():
    """No budget is one of zero."""
    assert "from 2 EUR to 1 EUR" in lowering_in_words(LocalBudget(2.0), LocalBudget(1.0), "EUR")
    assert "from 2 EUR to 0 EUR" in lowering_in_words(LocalBudget(2.0), Nominal(), "EUR")
    for given, fitted in [(2.0, 2.0), (None, 1.0)]:
        budgets = (Nominal() if size is None else LocalBudget(size) for size in (given, fitted))
        assert lowering_in_words(*budgets, "EUR") == ""


def test_small_costs_are_scaled_by_a_power_of_two_and_readings_of_moderate_size_are_not():
    instance = Instance.create(Selection(2, 1), [[1e-9, 3e-9], [4e-9, 2e-9]], observed=[[1.0], [4.0]])
    assert WorkingUnits.of(instance) == WorkingUnits(losses=2.0**33, readings=1.0)
