"""Structures: trees without solutions, with slots that may not exist."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, nominal_slots, structure_allowed, structure_of, tree_of
from tests.worlds import matrices

OBSERVED = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 7.0], [3.0, 8.0]])
SPLITS = candidate_splits(OBSERVED)  # item 0 at 0.5, 1.5, 2.5; item 1 at 5.5, 6.5, 7.5


@st.composite
def structures(draw, n_splits, max_depth=4):
    depth = draw(st.integers(0, max_depth))
    splits = st.integers(NO_SPLIT, n_splits - 1)
    return np.array(draw(st.lists(splits, min_size=2**depth - 1, max_size=2**depth - 1)), dtype=np.int64)


def numbered_tree(structure):
    """Return the structure's tree, with the slot's number as each leaf's solution."""
    return tree_of(structure, SPLITS, np.arange(structure.size + 1.0)[:, None])


@given(structures(len(SPLITS)))
def test_the_trees_leaves_are_the_slots_that_exist(structure):
    assert numbered_tree(structure).solutions[:, 0].tolist() == np.flatnonzero(existing_slots(structure)).tolist()


@given(structures(len(SPLITS)), matrices(5, 2))
def test_observations_reach_the_slot_of_their_leaf(structure, observations):
    tree = numbered_tree(structure)
    assert tree.predict(observations)[:, 0].tolist() == nominal_slots(structure, SPLITS, observations).tolist()


@given(structures(len(SPLITS)))
def test_a_tree_gives_back_a_structure_that_means_the_same(structure):
    """Not the same numbers: a node that asks nothing may stand above others, a tree has no such node."""
    depth = int(structure.size + 1).bit_length() - 1
    tree = numbered_tree(structure)
    again = structure_of(tree, SPLITS, depth)
    leaves = np.flatnonzero(existing_slots(again))
    solutions = np.zeros((again.size + 1, 1))
    solutions[leaves] = tree.solutions
    assert tree_of(again, SPLITS, solutions) == tree


@pytest.mark.parametrize(
    ("structure", "settings", "allowed"),
    [
        ([0, 1, 2], Options(), True),
        ([0, 1, 2], Options(max_leaves=3), False),
        ([0, NO_SPLIT, 2], Options(max_leaves=3), True),
        ([1], Options(min_samples_leaf=2), True),
        ([0], Options(min_samples_leaf=2), False),
        ([NO_SPLIT], Options(min_samples_leaf=4), True),
        ([NO_SPLIT], Options(min_samples_leaf=5), False),
        ([0, 0, 1], Options(min_samples_leaf=1), False),  # nobody is above and below 0.5 at once
    ],
)
def test_limits_on_leaves_count_slots_that_exist_and_rows_as_read(structure, settings, allowed):
    assert structure_allowed(np.array(structure), SPLITS, OBSERVED, settings) is allowed
