"""Explanations of trees that ask about several readings at a time, against what the tree does with other readings."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import RuleBook, Tree
from hedgerow.explain import explain
from hedgerow.tree.questions import Question


def test_a_leaf_that_no_reading_reaches_does_not_set_the_radius():
    """A > B and B > C leave no room for A <= C, the only leaf with other advice."""
    pairs = {"ab": (0, 1), "bc": (1, 2), "ac": (0, 2)}
    ab, bc, ac = (Question(items, (1.0, -1.0), name) for name, items in pairs.items())
    nodes = {0: (ab, 0.0, 1, 2), 2: (bc, 0.0, 3, 4), 4: (ac, 0.0, 5, 6)}
    plans = {1: [0.0, 1.0], 3: [0.0, 1.0], 5: [1.0, 0.0], 6: [0.0, 1.0]}
    tree = Tree.grown(0, lambda node: nodes[node] if node in nodes else np.array(plans[node]))
    found = explain(RuleBook(tree, ("A", "B", "C")), [[4.0, 2.0, 1.5]])[0]
    assert (found.counterfactual, found.radius) == (None, np.inf)
    distinct = tree.replace(solutions=np.eye(4))
    other = explain(RuleBook(distinct, ("A", "B", "C")), [[4.0, 2.0, 1.5]])[0]
    assert (other.counterfactual.leaf, other.radius) == (1, 0.5)


LESS = {(0, 1): "a less b", (1, 2): "b less c", (0, 2): "a less c"}


@st.composite
def trees_of_differences(draw):
    """Trees that compare three readings with each other, or ask about one of them; thresholds are whole numbers."""

    def nested(depth):
        if depth == 0 or draw(st.booleans()):
            return {"solution": draw(st.sampled_from([[1.0, 0.0], [0.0, 1.0]]))}
        sides = {"left": nested(depth - 1), "right": nested(depth - 1), "threshold": float(draw(st.integers(-2, 2)))}
        pair = draw(st.sampled_from([*LESS, (0,), (1,)]))
        if len(pair) == 1:
            return {"item": pair[0], **sides}
        first, second = pair
        return {"question": Question.of({first: 1.0, second: -1.0}, LESS[pair]).to_dict(), **sides}

    question = Question.of({0: 1.0, 1: -1.0}, LESS[0, 1]).to_dict()
    return Tree.from_dict({"question": question, "threshold": 0.0, "left": nested(2), "right": nested(2)})


@given(
    trees_of_differences(),
    st.lists(st.integers(-2, 2), min_size=3, max_size=3),
    st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_sums_with_missing_readings_agree_with_filling_them_in(tree, row, missing):
    """Thresholds are whole, so that values half-way between whole numbers, and these, are all that there is to try."""
    row = np.where(missing, np.nan, np.array(row, dtype=float))
    found = explain(RuleBook(tree, ("a", "b", "c")), [row])[0]
    grid = np.arange(-10.0, 10.25, 0.5)
    filled = np.array(list(product(*(grid if np.isnan(value) else [value] for value in row))))
    leaves = tree.apply(filled)
    assert set(found.leaves) == set(leaves.tolist())
    if found.advice is None:
        assert [case.leaf for case in found.possible] == sorted(set(leaves.tolist()))
        assert all(case.conditions for case in found.possible)
        return
    own = tree.solutions[leaves[0]]
    changed = np.array(list(product(grid[8:-8], repeat=3)))
    changed = changed[(tree.predict(changed) != own).any(axis=1)]
    if found.counterfactual is None:
        assert found.radius == np.inf
        assert not changed.size
        return
    assert found.counterfactual.conditions
    assert " if " in str(found.counterfactual)
    # The grid is half as fine as the least step beyond a threshold, in each of up to three readings.
    nearest = np.nansum(np.abs(changed - row), axis=1).min()
    assert found.radius <= nearest <= found.radius + 2.0
    misread = row.copy()
    for condition in found.counterfactual.conditions:
        misread[condition.item] = condition.new_value
    reached = np.where(np.isnan(misread), 0.0, misread)
    assert tree.apply(reached[None])[0] == found.counterfactual.leaf
    assert np.nansum(np.abs(misread - row)) <= found.radius + 0.01
