"""How methods start: one solution first, and an end at once where no split can make it better."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal
from hedgerow.methods.start import all_can_meet
from hedgerow.problems import Selection
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits
from tests.helpers import brute_force

COSTS = np.array([[1.0, 6.0, 4.0], [5.0, 2.0, 3.0], [7.0, 3.0, 1.0]])
PROBLEM = Selection(3, 1)
FARTHEST = 2 * (6.0 + 0.001)  # two readings change, by the widest range and a step each


@pytest.mark.parametrize(
    ("uncertainty", "meet"),
    [
        (LocalBudget(FARTHEST), True),
        (LocalBudget(FARTHEST - 0.01), False),
        (LocalBudget([FARTHEST, FARTHEST, 1.0]), False),
        (GlobalBudget(3 * FARTHEST), True),
        (GlobalBudget(2 * FARTHEST), False),
        (LocalBudget(FARTHEST, limits=100.0), False),
        (LocalBudget(2 * FARTHEST, epsilon=1.5), False),
        (LocalBudget(FARTHEST, prices=[2.0, 1.0, 1.0]), False),
        (Nominal(), False),
    ],
    ids=repr,
)
def test_all_can_meet_in_one_leaf_only_if_the_budget_pays_for_the_longest_way(uncertainty, meet):
    """Entry limits and leaves narrower than ε keep some out whatever the budget."""
    instance = Instance.create(PROBLEM, COSTS, uncertainty=uncertainty)
    assert all_can_meet(instance, candidate_splits(COSTS), Options(thresholds="midpoints")) == meet
    if meet:
        assert brute_force(instance) == pytest.approx(PROBLEM.best_solution(COSTS).value)
