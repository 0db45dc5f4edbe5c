"""The tree as arrays: routing, building, comparing, and what a hostile description can't do to it."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import InputError, Tree
from hedgerow.tree.tree import MAX_TREE_DEPTH
from tests.worlds import matrices, naive_leaf, paths, trees

STUMP = {"item": 0, "threshold": 5.0, "left": {"solution": [1.0, 0.0]}, "right": {"solution": [0.0, 1.0]}}


def neighbours(value):
    """Return a number and the two next to it."""
    return [np.nextafter(value, -np.inf), value, np.nextafter(value, np.inf)]


# -- routing -----------------------------------------------------------------------------------------------------------


@given(trees(), matrices(5, 3))
def test_apply_follows_the_questions(tree, observations):
    nested = tree.to_dict()
    assert tree.apply(observations).tolist() == [naive_leaf(nested, row) for row in observations]


@given(trees(), st.data())
def test_at_a_threshold_and_next_to_it_apply_follows_the_questions(tree, data):
    asked = [t for path in paths(tree.to_dict()) for _, t, _ in path] or [0.0]
    at_and_around = sorted({near for threshold in asked for near in neighbours(threshold)})
    observations = data.draw(matrices(5, 3, st.sampled_from(at_and_around)))
    nested = tree.to_dict()
    assert tree.apply(observations).tolist() == [naive_leaf(nested, row) for row in observations]


@pytest.mark.parametrize(
    ("observations", "message"),
    [
        ([1.0, 2.0], "one row per observation.*wrap it in a list"),
        (None, "one row per observation"),
        (np.ones((2, 2, 2)), "one row per observation"),
        ([[1.0]], "asks about item 1.*at least 2 columns; got 1"),
        ([[1.0, np.nan]], "must not be missing.*item 1 is in row 0"),
        ([["a", "b"]], "numbers only; got text"),
        ([[1.0, 2.0], [3.0]], "rows of equal length"),
    ],
)
def test_observations_that_do_not_fit_are_refused(observations, message):
    with pytest.raises(InputError, match=message):
        Tree.from_dict({**STUMP, "item": 1}).apply(observations)


# -- facts -------------------------------------------------------------------------------------------------------------


@given(trees())
def test_nodes_are_numbered_depth_first_and_leaves_from_left_to_right(tree):
    seen = []

    def walk(node, depth):
        seen.append(node)
        assert tree.node_depth[node] == depth
        if tree.item[node] < 0:
            return 1
        return walk(int(tree.left[node]), depth + 1) + walk(int(tree.right[node]), depth + 1)

    n_leaves = walk(0, 0)
    assert seen == list(range(tree.n_nodes))
    assert tree.leaf_number[tree.item < 0].tolist() == list(range(n_leaves))
    assert (tree.leaf_number[tree.item >= 0] == -1).all()
    assert (tree.n_leaves, tree.depth) == (n_leaves, int(tree.node_depth.max()))


@given(trees(), matrices(4, 3))
def test_a_leaf_serves_what_lies_in_its_box(tree, observations):
    bounds = tree.item_bounds
    listed = observations[:, bounds.item]
    in_bounds = ((listed > bounds.lower) & (listed <= bounds.upper)).all(axis=2)
    for row, leaf in zip(observations, tree.apply(observations).tolist(), strict=True):
        told = [tree.intervals_at(each) for each in range(tree.n_leaves)]
        holds = [all(low < row[question.item] <= high for question, low, high in each) for each in told]
        assert holds == [each == leaf for each in range(tree.n_leaves)]
    assert np.array_equal(np.argmax(in_bounds, axis=1), tree.apply(observations))
    assert (in_bounds.sum(axis=1) == 1).all()
    assert tree.is_reachable[tree.apply(observations)].all()


# -- building ----------------------------------------------------------------------------------------------------------


def test_the_deepest_tree_can_be_built_and_used_and_one_deeper_cannot():
    def comb(depth):
        node = {"solution": [1.0]}
        for level in range(depth):
            node = {"item": level, "threshold": 0.5, "left": {"solution": [0.0]}, "right": node}
        return node

    tree = Tree.from_dict(comb(MAX_TREE_DEPTH))
    assert tree.depth == MAX_TREE_DEPTH
    assert tree.apply(np.ones((1, MAX_TREE_DEPTH))).tolist() == [MAX_TREE_DEPTH]
    assert Tree.from_dict(tree.to_dict()) == tree
    assert tree.simplified() == tree
    assert len(str(tree).splitlines()) == tree.n_nodes
    with pytest.raises(InputError, match="at most 16 levels"):
        Tree.from_dict(comb(MAX_TREE_DEPTH + 1))


@given(trees())
def test_dictionaries_round_trip_through_json(tree):
    assert Tree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree


def nest(node, times):
    """Wrap a node that often, each time as the left child of another question."""
    for _ in range(times):
        node = {**STUMP, "left": node}
    return node


def nested_list(times):
    result = [1.0]
    for _ in range(times):
        result = [result]
    return result


HOSTILE = {
    "nothing": None,
    "a text": "solution",
    "no children": {"item": 0, "threshold": 1.0},
    "both kinds at once": {**STUMP, "solution": [1.0, 0.0]},
    "an extra key": {**STUMP, "comment": "hello"},
    "a child that is no node": {**STUMP, "left": 7},
    "a negative item": {**STUMP, "item": -1},
    "an item with thousands of digits": {**STUMP, "item": 10**6000},
    "a float as item": {**STUMP, "item": 1.0},
    "a name without names": {**STUMP, "item": "e1"},
    "NaN as threshold": {**STUMP, "threshold": float("nan")},
    "a huge threshold": {**STUMP, "threshold": 10**400},
    "a complex threshold": {**STUMP, "threshold": np.complex128(1.0)},
    "solutions of unequal length": {**STUMP, "left": {"solution": [1.0]}},
    "an empty solution": {"solution": []},
    "texts as solution": {"solution": ["1", "0"]},
    "a dictionary as solution": {"solution": {"x1": 1.0}},
    "NaN in a solution": {"solution": [float("nan")]},
    "a huge number in a solution": {"solution": [10**400]},
    "100,000 levels": nest({"solution": [1.0, 0.0]}, 100_000),
    "100,000 nested lists": nested_list(100_000),
    "100,000 nested lists as solution": {"solution": nested_list(100_000)},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_description_is_refused_in_a_short_sentence(name):
    with pytest.raises(InputError) as caught:
        Tree.from_dict(HOSTILE[name])
    message = str(caught.value)
    assert message.endswith(".")
    assert len(message) < 240
    assert "\n" not in message


def test_items_may_be_given_by_name_and_an_unknown_name_is_told_with_those_there_are():
    assert Tree.from_dict({**STUMP, "item": "e2"}, ["e1", "e2"]).item[0] == 1
    with pytest.raises(InputError, match="reads the item 'e9', which isn't there; there are 'e1', 'e2'"):
        Tree.from_dict({**STUMP, "item": "e9"}, ["e1", "e2"])
    with pytest.raises(InputError, match="reads item 2, but there are only 2"):
        Tree.from_dict({**STUMP, "item": 2}, ["e1", "e2"])


# -- changing and comparing --------------------------------------------------------------------------------------------


@given(trees(), trees())
def test_trees_are_equal_if_their_descriptions_are(one, other):
    assert (one == other) == (one.to_dict() == other.to_dict())
    assert one == Tree.from_dict(one.to_dict())
    assert hash(one) == hash(Tree.from_dict(one.to_dict()))


@given(trees(), matrices(6, 3))
def test_simplifying_changes_no_advice_and_leaves_no_twins(tree, observations):
    shorter = tree.simplified()
    assert np.array_equal(shorter.predict(observations), tree.predict(observations))
    assert shorter.n_leaves <= tree.n_leaves
    for node in map(int, np.flatnonzero(shorter.is_inner)):
        sides = [shorter.without_question(node, goes_left=left) for left in (True, False)]
        assert sides[0] != sides[1]
    assert shorter.is_reachable.all()
    assert shorter.simplified() == shorter


# -- for people --------------------------------------------------------------------------------------------------------


def test_str_asks_questions_and_gives_answers():
    tree = Tree.full([0, 1, 1], [5.0, 6.5, 0.1], [[1, 0], [0, 1], [0, 1], [1, 0]])
    assert str(tree).splitlines() == [
        "item 0 ≤ 5?",
        "├─ yes: item 1 ≤ 6.5?",
        "│  ├─ yes: [1.0, 0.0] (leaf 0)",
        "│  └─ no:  [0.0, 1.0] (leaf 1)",
        "└─ no:  item 1 ≤ 0.1?",
        "   ├─ yes: [0.0, 1.0] (leaf 2)",
        "   └─ no:  [1.0, 0.0] (leaf 3)",
    ]
