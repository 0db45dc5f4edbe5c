"""Budgets from errors are lowered to those that reach a tree, and instances are solved in units of moderate size."""

import numpy as np

from hedgerow import Instance, LocalBudget
from hedgerow.methods.fitted_budget import fitted_budget
from hedgerow.problems import Selection
from hedgerow.run import Deadline, Options


def test_a_budget_from_errors_is_never_raised():
    truth = np.random.default_rng(0).uniform(0.0, 9.0, (60, 2))
    given = LocalBudget.from_errors(truth + 0.5, truth)
    instance = Instance.create(Selection(2, 1), truth, uncertainty=given, depth=1)
    assert float(given.budget) == 1.0
    assert float(fitted_budget(instance, given, Options(), Deadline()).uncertainty.budget) <= 0.5
