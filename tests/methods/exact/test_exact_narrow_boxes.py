"""Boxes narrower than ε can't be entered from below: cases made by hand in which a bound that forgets it is too high.

A sample that can be sent to a node can then be sent to no leaf below it at that price. So a bound must not send samples
upwards into a subtree that is still open, where a later threshold may lie within ε of the one they passed.
"""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.problems import ExplicitSet, ShortestPath
from hedgerow.tree.questions import Question
from tests.methods.exact.reference import Reference
from tests.methods.exact.tiny import assert_exact
from tests.reference.any_questions import AllTrees

EACH_ITS_OWN = 10.0 - 10.0 * np.eye(4)
ON_A_LINE = np.array([[0.0, 9.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
ONLY_THE_SECOND_MOVES = [
    LocalBudget([0.0, 2.0, 0.0, 0.0], epsilon=1.3),
    GlobalBudget(2.0, epsilon=1.3, limits=[[0.0, 0.0], [9.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
]


@pytest.mark.parametrize("path", ["tables", "intervals"])
@pytest.mark.parametrize("shift", [0.0, -5.0, -10.0])
@pytest.mark.parametrize("uncertainty", ONLY_THE_SECOND_MOVES, ids=["local", "global"])
def test_a_narrow_leaf_keeps_a_sample_from_its_side(path, shift, uncertainty):
    """Asked `f1 ≤ 1.5`, then `f1 ≤ 2.5`, the second sample can be sent right at first, but to no leaf there."""
    instance = Instance.create(
        ExplicitSet(np.eye(4)), EACH_ITS_OWN + shift, observed=ON_A_LINE, uncertainty=uncertainty
    )
    assert Reference(instance).optimum() == 4.0 * shift
    assert_exact(instance, path=path)


@pytest.mark.parametrize("path", ["tables", "intervals"])
def test_a_sample_that_reaches_no_leaf_of_a_side_is_not_left_out_of_its_sums(path):
    """With negative losses a sample that is left out makes a sum larger than it is."""
    costs = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, -1.0]])
    instance = Instance.create(
        ExplicitSet(np.eye(3)),
        costs,
        observed=[[0.0, 8.0], [1.0, 0.0], [2.0, 0.0], [3.0, 8.0]],
        uncertainty=LocalBudget(2.0, epsilon=1.1),
    )
    assert_exact(instance, path=path)


def test_a_misreading_for_one_threshold_is_none_for_another_within_a_step_of_it():
    """Scenario generation keeps misreadings made for one tree and holds them against all others."""
    instance = Instance.create(
        ExplicitSet(np.eye(3)),
        [[10.0, -4.0, -1.0], [3.0, 10.0, 14.0], [5.0, 11.0, 13.0], [-4.0, 6.0, 4.0]],
        observed=[[0.0, 4.0], [1.0, 0.0], [2.0, 8.0], [3.0, 4.0]],
        weights=[2.0, 1.0, 1.0, 1.0],
        uncertainty=GlobalBudget(3.0, epsilon=1.0 + 2.0**-20),
    )
    assert Reference(instance).optimum() == 13.0
    assert_exact(instance, path="master")


def test_the_same_where_questions_share_readings():
    instance = Instance.create(
        ShortestPath(list("ssab"), list("abtt"), "s", "t"),
        [[2.0, 4.0, 10.0, 4.0], [0.0, 6.0, 3.0, 4.0], [1.0, 0.0, 2.0, 8.0]],
        observed=[[2.0, 0.0], [1.0, 0.0], [0.0, 8.0]],
        weights=[3.0, 2.0, 2.0],
        uncertainty=LocalBudget([1.1, 0.1, 2.1], epsilon=2.0),
        questions=[
            Question.of({0: 2.0, 1: -0.5}, "difference"),
            Question.of({0: 1.0, 1: 1.0}, "sum"),
            Question.of_item(0),
        ],
    )
    found = solve(instance, method="scenario_generation", thresholds="midpoints")
    assert found.status == "optimal"
    assert found.objective == pytest.approx(AllTrees(instance).best(), abs=1e-9)


def test_an_attack_that_the_model_of_all_trees_cannot_use_ends_without_a_proof():
    """A value that is lowered to the upper end of a box narrower than ε is of use there, but held against no tree."""
    instance = Instance.create(
        ExplicitSet(np.eye(3), sense="max"),
        [[-1.0, -2.0, 9.0], [13.0, 8.0, -2.0], [2.0, -1.0, 13.0]],
        observed=[[2.0, 0.0], [1.0, 0.0], [3.0, 0.0]],
        weights=[3.0, 1.0, 1.0],
        uncertainty=GlobalBudget(0.5, epsilon=1.0),
        questions=[Question.of({0: 1.0, 1: -1.0}, "difference"), Question.of({0: -0.5, 1: 2.0}, "sum")],
    )
    found = solve(instance, method="scenario_generation", thresholds="midpoints")
    best = -AllTrees(instance).best()
    assert found.objective <= best + 1e-9
    assert found.lower_bound >= best - 1e-9, "a gain is bounded from above"
    assert found.status == "optimal" or "can't make use of the last attack" in found.message
