"""The reference itself, on cases that can be done by hand."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.datasets import motivating_example
from hedgerow.problems import ExplicitSet
from tests.methods.exact.reference import Reference, move_cost

LEFT, RIGHT = False, True
FREE = np.full(1, np.inf)


def cost(leaf, value, limits=FREE, epsilon=0.001):
    return move_cost(leaf, np.array([value]), np.ones(1), limits, epsilon)


def test_a_box_counts_once_however_often_its_item_was_asked():
    """c ≤ 5 then c ≤ 3 with c = 7 needs 4, not 6 (SPEC 3)."""
    assert cost(((0, 5.0, LEFT), (0, 3.0, LEFT)), 7.0) == 4.0
    assert cost(((0, 5.0, RIGHT), (0, 8.0, LEFT)), 5.0) == pytest.approx(0.001)
    assert cost(((0, 5.0, RIGHT), (0, 8.0, LEFT)), 6.0) == 0.0


def test_the_motivating_example_is_worth_43():
    """Fact 8: the optimum over midpoint trees of depth 2 under a global budget of 5."""
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(5.0))
    reference = Reference(instance)
    assert reference.optimum() == 43.0
    nominal = (((0, 5.0, LEFT),), ((0, 5.0, RIGHT),))
    first = [int(np.argmax((reference.solutions == path).all(axis=1))) for path in ([1, 1, 0, 0], [0, 0, 1, 1])]
    assert reference.worst_of(nominal, first) == 50.0


def test_local_budgets_attack_each_sample_on_its_own():
    """Two samples that one budget each can move, and one budget together can't."""
    costs = np.array([[0.0, 5.0], [7.0, 0.0]])
    make = lambda uncertainty: Reference(  # noqa: E731
        Instance.create(ExplicitSet(np.eye(2)), costs, observed=[[0.0], [2.0]], uncertainty=uncertainty, depth=1)
    )
    tree = (((0, 1.0, LEFT),), ((0, 1.0, RIGHT),))
    assert make(LocalBudget(1.1)).worst_of(tree, [0, 1]) == 12.0
    assert make(LocalBudget([1.1, 0.0])).worst_of(tree, [0, 1]) == 5.0
    assert make(GlobalBudget(1.1)).worst_of(tree, [0, 1]) == 7.0
    assert make(GlobalBudget(1.1)).optimum() == 5.0
