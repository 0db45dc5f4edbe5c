"""Cells of thresholds: stretches on which the adversary's answer stays the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Tree
from hedgerow.adversary import worst_case
from hedgerow.problems import ExplicitSet
from hedgerow.thresholds import threshold_cells
from hedgerow.thresholds.rounding import rounded
from hedgerow.tree.questions import Question
from tests.methods.exact.tiny import instances

NEAR = 3e-9
MARGINS = st.sampled_from([0.0, 0.0, 0.002, 0.3])


@st.composite
def trees(draw, instance, depth=3):
    """Draw a tree of any shape with thresholds around the observations, on few items, so that some are asked twice."""
    values = instance.observations

    def nested(depth):
        if depth == 0 or draw(st.integers(0, 4)) == 0:
            solutions = instance.problem.all_solutions(100)
            return {"solution": solutions[draw(st.integers(0, len(solutions) - 1))]}
        item = draw(st.integers(0, min(1, values.shape[1] - 1)))
        low, high = values[:, item].min() - 0.5, values[:, item].max() + 0.5
        share = draw(st.integers(0, 64)) / 64
        return {
            "item": item,
            "threshold": low + share * (high - low),
            "left": nested(depth - 1),
            "right": nested(depth - 1),
        }

    return Tree.from_dict(nested(depth))


@st.composite
def cases(draw, **options):
    instance = draw(instances(kinds=("table", "selection"), max_samples=4, **options))
    return instance, draw(trees(instance)), draw(MARGINS)


def value_with(tree, node, threshold, instance, margin):
    thresholds = np.array(tree.threshold)
    thresholds[node] = threshold
    return worst_case(tree.replace(threshold=thresholds), instance, margin=margin).bound


def inside(cell):
    low, high = (np.clip(end, -50.0, 50.0) for end in cell)
    if high - low <= 4 * NEAR:
        return [low / 2 + high / 2] if high > low else []
    return [low + NEAR, *(low + (high - low) * np.arange(1, 12) / 12), high - NEAR]


@given(cases(sets=("nominal", "local", "each", "global")))
def test_cells_hold_nothing_else(case):
    """Inside a cell the worst case is the same, and the threshold lies in it or at its end."""
    instance, tree, margin = case
    value = worst_case(tree, instance, margin=margin).bound
    for node, cell in zip(np.flatnonzero(tree.is_inner), threshold_cells(tree, instance, margin), strict=True):
        if cell is not None:
            assert cell[0] <= tree.threshold[node] <= cell[1]
            for at in inside(cell):
                assert value_with(tree, node, at, instance, margin) == pytest.approx(value, abs=1e-9)


SPLIT = Tree.from_dict(
    {
        "item": 0,
        "threshold": 5.0,
        "left": {"solution": [1, 0]},
        "right": {"item": 0, "threshold": 4.0, "left": {"solution": [1, 0]}, "right": {"solution": [0, 1]}},
    }
)


@pytest.mark.parametrize(
    ("uncertainty", "lowest", "highest"), [(LocalBudget(1.0), 2.0, 8.0), (GlobalBudget(1.5), 2.0, 7.5)]
)
def test_of_two_questions_that_guard_each_other_one_may_lie_far_below(uncertainty, lowest, highest):
    """Below "more than 5" the threshold 4 decides nothing, and thanks to it 5 may fall; neither may rise far."""
    instance = Instance.create(
        ExplicitSet(np.eye(2)), [[0.0, 9.0], [9.0, 0.0]], observed=[[2.0], [9.0]], uncertainty=uncertainty
    )
    for low, high in threshold_cells(SPLIT, instance):
        assert low == lowest
        assert high == pytest.approx(highest, abs=1e-3)


def test_a_node_that_nobody_reaches_has_no_cell():
    """All samples read at least 6, and their budgets don't take them to the left."""
    tree = Tree.from_dict(
        {
            "item": 0,
            "threshold": 4.0,
            "left": {"item": 0, "threshold": 1.0, "left": {"solution": [1, 0]}, "right": {"solution": [0, 1]}},
            "right": {"solution": [0, 1]},
        }
    )
    for uncertainty in (LocalBudget(1.0), GlobalBudget(1.5)):
        instance = Instance.create(
            ExplicitSet(np.eye(2)), [[0.0, 9.0], [9.0, 0.0]], observed=[[6.0], [9.0]], uncertainty=uncertainty
        )
        assert threshold_cells(tree, instance)[1] is None


def test_a_box_exactly_as_wide_as_epsilon_is_entered_until_it_gets_narrower():
    # The second sample may be misread into the middle leaf, for which its value must be exactly 4.
    question = Question((0, 1), (2.0, -0.5))
    uncertainty = LocalBudget([0.0, 12.0, 0.0], epsilon=8.0, prices=[0.5, 1.0])
    instance = Instance.create(
        ExplicitSet(np.eye(3)),
        [[9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]],
        observed=[[4.0, 0.0], [0.0, 16.0], [8.0, 32.0]],
        uncertainty=uncertainty,
        questions=[question],
    )
    first, second = {"solution": [1.0, 0.0, 0.0]}, {"solution": [0.0, 1.0, 0.0]}
    asked = {"question": {"name": "both", "coefficients": {0: 2.0, 1: -0.5}}}
    inner = {**asked, "threshold": -4.0, "left": first, "right": second}
    tree = Tree.from_dict({**asked, "threshold": 4.0, "left": inner, "right": first})
    (low, high), (lowest, highest) = threshold_cells(tree, instance)
    before = worst_case(tree, instance).bound
    assert low == 4.0
    assert highest == -4.0
    for node, threshold in ((0, min(high, 50.0)), (1, max(lowest, -50.0))):
        own = tree.threshold[node]
        assert value_with(tree, node, (own + threshold) / 2, instance, 0.0) == before
        assert value_with(tree, node, own - (threshold - own) / 1e3, instance, 0.0) != before
    assert worst_case(rounded(tree, instance), instance).bound == before
