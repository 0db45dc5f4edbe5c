"""Leaves that nobody can be sent to hold what stands beside them."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, Tree, worst_case
from hedgerow.engine.models.master import _full_shape
from hedgerow.engine.unreached import fill_unreached, filled, reachable
from hedgerow.problems import ExplicitSet
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT

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


def test_a_smaller_tree_has_its_leaves_on_both_sides_of_a_question_that_is_not_asked():
    splits = candidate_splits(np.array([[0.0, 0.0], [1.0, 1.0]]))
    tree = Tree.from_dict(
        {
            "item": 1,
            "threshold": 0.5,
            "left": {"solution": [1.0, 0.0]},
            "right": {"item": 0, "threshold": 0.5, "left": {"solution": [0.0, 1.0]}, "right": {"solution": [1.0, 1.0]}},
        }
    )
    structure, leaf_of_slot = _full_shape(tree, splits, 2)
    assert structure.tolist() == [1, NO_SPLIT, 0]
    assert leaf_of_slot.tolist() == [0, 0, 1, 2]
    structure, leaf_of_slot = _full_shape(Tree.single([1.0, 0.0]), splits, 2)
    assert leaf_of_slot.tolist() == [0, 0, 0, 0]
    deeper = _full_shape(tree, splits, 3)[1]
    assert deeper.tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
