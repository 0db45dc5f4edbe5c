"""Leaves that nobody can be sent to hold what stands beside them."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, Tree, worst_case
from hedgerow.engine.unreached import fill_unreached, filled, reachable
from hedgerow.problems import ExplicitSet

FOUR = np.eye(4)
TREE = Tree.full([0, 1, 1], [0.5, 0.5, 0.5], FOUR)


@pytest.mark.parametrize(
    ("reached", "source"),
    [
        ([1, 1, 1, 1], [0, 1, 2, 3]),
        ([1, 0, 1, 1], [0, 0, 2, 3]),
        ([0, 1, 0, 1], [1, 1, 3, 3]),
        ([0, 0, 1, 1], [2, 2, 2, 3]),
        ([1, 1, 0, 0], [0, 1, 1, 1]),
        ([0, 0, 0, 1], [3, 3, 3, 3]),
        ([0, 0, 0, 0], [0, 1, 2, 3]),
    ],
)
def test_the_sibling_comes_first_then_the_nearest_on_the_parents_other_side(reached, source):
    assert np.array_equal(fill_unreached(TREE, np.array(reached, dtype=bool)).solutions, FOUR[source])


@pytest.mark.parametrize("uncertainty", [Nominal(), LocalBudget(0.3), GlobalBudget(0.3), LocalBudget([0.9, 0.0])])
def test_filling_changes_no_worst_case(uncertainty):
    observations = np.array([[0.0, 0.0], [1.0, 1.0]])
    costs = np.array([[1.0, 5.0, 7.0, 9.0], [9.0, 2.0, 6.0, 1.0]])
    instance = Instance.create(ExplicitSet(FOUR), costs, observed=observations, uncertainty=uncertainty)
    reach = reachable(TREE, instance)
    assert reach[[0, 1], TREE.apply(observations)].all()
    assert worst_case(filled(TREE, instance), instance).value == worst_case(TREE, instance).value
