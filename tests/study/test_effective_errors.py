"""What it takes to move the truth to the leaf that a reading reaches."""

import numpy as np
import pytest

from hedgerow import LocalBudget, Tree
from hedgerow.study import effective_errors

TREE = Tree.full([0, 1, 1], [5.0, 2.0, 2.0], [[1, 0], [0, 1], [1, 0], [0, 1]])


def test_an_effective_error_is_the_way_from_the_truth_to_the_leaf_of_the_reading():
    truth = np.array([[7.0, 1.0], [4.0, 1.0], [7.0, 1.0], [9.0, 3.0]])
    readings = np.array([[4.0, 1.0], [4.9, 1.9], [4.0, 3.0], [99.0, 99.0]])
    assert effective_errors(TREE, readings, truth).tolist() == pytest.approx([2.0, 0.0, 3.001, 0.0])
    priced = effective_errors(TREE, readings, truth, LocalBudget(1.0, prices=[10.0, 1.0], limits=0.1))
    assert priced.tolist() == pytest.approx([20.0, 0.0, 21.001, 0.0])
    assert effective_errors(Tree.single([1, 0]), readings, truth).tolist() == [0.0] * 4
