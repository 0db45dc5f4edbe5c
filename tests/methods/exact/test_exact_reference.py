"""The reference itself, on cases that can be done by hand."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.datasets import motivating_example
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options
from tests.methods.exact.reference import Reference, move_cost, questions, thresholds, trees

LEFT, RIGHT = False, True
FREE = np.full(1, np.inf)


def cost(leaf, value, limits=FREE, epsilon=0.001):
    return move_cost(leaf, np.array([value]), np.ones(1), limits, epsilon)


def test_thresholds_lie_between_distinct_neighbours():
    """Midpoints, the paper's nine points per interval, and nothing for a constant item."""
    assert thresholds([3.0, 1.0, 1.0, 2.0]) == [1.5, 2.5]
    assert thresholds([0.0, 1.0], "grid") == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    assert thresholds([4.0, 4.0]) == []


def test_a_box_counts_once_however_often_its_item_was_asked():
    """c ≤ 5 then c ≤ 3 with c = 7 needs 4, not 6 (SPEC 3)."""
    assert cost(((0, 5.0, LEFT), (0, 3.0, LEFT)), 7.0) == 4.0
    assert cost(((0, 5.0, RIGHT), (0, 8.0, LEFT)), 5.0) == pytest.approx(0.001)
    assert cost(((0, 5.0, RIGHT), (0, 8.0, LEFT)), 6.0) == 0.0


def test_empty_narrow_and_forbidden_boxes_are_out_of_reach():
    """An empty box, one narrower than ε from below, and one beyond a limit cost ∞; from above it is entered."""
    narrow = ((0, 5.0, RIGHT), (0, 5.2, LEFT))
    assert cost(((0, 5.0, RIGHT), (0, 3.0, LEFT)), 7.0) == np.inf
    assert cost(narrow, 4.0, epsilon=0.25) == np.inf
    assert cost(narrow, 6.0, epsilon=0.25) == pytest.approx(0.8)
    assert cost(((0, 5.0, LEFT),), 7.0, limits=np.array([1.9])) == np.inf
    assert cost(((0, 5.0, LEFT),), 7.0, limits=np.array([2.0])) == 2.0


def test_the_motivating_example_is_worth_43():
    """Fact 8: the optimum over midpoint trees of depth 2 under a global budget of 5."""
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(5.0))
    reference = Reference(instance)
    assert reference.optimum() == 43.0
    nominal = (((0, 5.0, LEFT),), ((0, 5.0, RIGHT),))
    first = [int(np.argmax((reference.solutions == path).all(axis=1))) for path in ([1, 1, 0, 0], [0, 0, 1, 1])]
    assert reference.worst_of(nominal, first) == 50.0


def test_all_shapes_are_enumerated():
    """With S questions there are 1 + S trees of depth 1 at most, and 1 + S (1 + S)² of depth 2."""
    asked = questions(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 1.0]]))
    assert len(asked) == 3
    assert [len(trees(depth, asked)) for depth in (0, 1, 2)] == [1, 4, 49]


def test_limits_on_leaves_leave_only_what_they_allow():
    """One row per leaf forbids buffer leaves, two leaves allow one question."""
    costs = np.array([[0.0, 9.0], [9.0, 0.0], [0.0, 9.0]])
    instance = Instance.create(ExplicitSet(np.eye(2)), costs, observed=[[0.0], [1.0], [2.0]])
    reference = Reference(instance, Options(max_leaves=2))
    assert {len(tree) for tree in reference.all_trees()} == {1, 2}
    assert reference.optimum() == 9.0
    assert Reference(instance, Options(min_samples_leaf=1)).optimum() == 0.0
    assert Reference(instance, Options(min_samples_leaf=2)).optimum() == 9.0


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
