"""Questions that don't matter are left out, and all others stay."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, Tree, solve, worst_case
from hedgerow.datasets import motivating_example
from hedgerow.methods.simplify import simplified
from hedgerow.problems import ExplicitSet, Selection
from hedgerow.run.wishes import Wishes

A, B = [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]


def no_wish(tree):
    return False


def test_a_question_stays_that_keeps_the_adversary_out():
    """The box between thresholds closer than ε can't be entered from below; without the question it could."""
    left, right = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    tree = Tree.full([0, 0, 0], [0.0, -1.0, 0.5], [left, left, right, right])
    costs = np.array([[9.0, 1.0], [1.0, 9.0]])
    instance = Instance.create(
        ExplicitSet(np.eye(2)),
        costs,
        observed=np.array([[2.0], [-0.4]]),
        uncertainty=LocalBudget(1.45, epsilon=1.0),
        depth=2,
    )
    attack = simplified(tree, instance, 0.0, no_wish)
    shorter = attack.tree
    assert worst_case(tree.simplified(), instance).bound > attack.bound
    assert shorter == tree.without_question(1, goes_left=True)


@given(st.integers(0, 10_000), st.sampled_from([Nominal(), LocalBudget(2.0), GlobalBudget(4.0)]), st.booleans())
def test_no_sample_gets_other_advice_and_no_worst_case_rises(seed, uncertainty, may_move):
    random = np.random.default_rng(seed)
    costs = random.integers(0, 10, (5, 3)).astype(float)
    instance = Instance.create(Selection(3, 1), costs, uncertainty=uncertainty)
    tree = Tree.full(random.integers(0, 3, 7), random.uniform(0, 9, 7), np.eye(3)[random.integers(0, 3, 8)])
    attack = simplified(tree, instance, 0.0, no_wish, may_move=may_move)
    shorter = attack.tree
    assert attack.tree == shorter
    assert np.array_equal(shorter.predict(costs), tree.predict(costs))
    assert attack.bound == worst_case(shorter, instance).bound
    assert attack.bound <= worst_case(tree, instance).bound + 1e-9
    assert shorter.n_leaves <= tree.simplified().n_leaves


def test_a_threshold_moves_where_that_makes_a_question_needless():
    """With a margin of 0.002 the first sample gets beyond e1 ≤ 5 for less than 5, but not beyond e1 ≤ 5.8."""
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(5.0), depth=2)
    tree = Tree.full([0, 1, 1], [5.0, 6.5, 2.5], [A, B, A, B])
    stays = simplified(tree, instance, 0.002, no_wish).tree
    assert stays == tree
    attack = simplified(tree, instance, 0.002, no_wish, may_move=True)
    shorter = attack.tree
    assert shorter.n_leaves == 3
    assert attack.bound == 43.0


@pytest.mark.parametrize("first", ["e1", "e3"])
def test_a_question_that_a_wish_asks_for_stays(first):
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(100.0), depth=2)
    plain = solve(instance, method="exact", random_state=0)
    assert plain.tree.n_leaves == 1
    wished = solve(instance, method="exact", random_state=0, wishes=Wishes(ask_first=first))
    assert wished.tree.to_dict()["item"] == problem.item_names.index(first)
    assert wished.tree.n_leaves == 2
    assert wished.objective == plain.objective


def test_the_rule_that_the_motivating_example_needs_asks_two_questions():
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(5.0), depth=2)
    result = solve(instance, method="exact", random_state=0)
    assert (result.objective, result.status, result.tree.n_leaves) == (43.0, "optimal", 3)
    assert len(result.cells) == 2
