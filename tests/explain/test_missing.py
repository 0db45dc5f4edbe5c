"""Missing readings: what may be advised and what decides agrees with filling them in, in every way."""

import itertools
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import LocalBudget, Tree
from hedgerow.data.gaps import FillIns, Substitute
from hedgerow.explain import explain
from tests.explain.rules import N_FEATURES, naive_radius, representatives, rows, rules, trees

gaps = st.lists(st.booleans(), min_size=N_FEATURES, max_size=N_FEATURES).map(np.array)


def fills(tree, row):
    """Return the row with its gaps filled in, such that every case occurs."""
    candidates = [*representatives(tree), -100.0, 100.0]
    choices = [candidates if math.isnan(value) else [value] for value in row]
    return np.array(list(itertools.product(*choices)))


@given(trees(max_depth=3), rows, gaps)
def test_what_may_be_advised_agrees_with_all_fills(tree, row, missing):
    row = np.where(missing, np.nan, row)
    found = explain(rules(tree), [row])[0]
    filled = fills(tree, row)
    leaves = tree.apply(filled)
    assert set(leaves.tolist()) == set(found.leaves)
    solutions = tree.solutions[leaves]
    if (solutions == solutions[0]).all():
        assert found.advice is not None
        assert found.possible == ()
        return
    assert found.advice is None
    assert (found.radius, found.counterfactual, found.protected) == (None, None, None)
    assert tuple(each.leaf for each in found.possible) == found.leaves
    for reading, leaf in zip(filled, leaves.tolist(), strict=True):
        (case,) = [
            case
            for case in found.possible
            if all(each.lower < reading[each.item] <= each.upper for each in case.conditions)
        ]
        assert leaf == case.leaf


@given(trees(max_depth=3), rows, gaps)
def test_the_radius_holds_whatever_is_missing(tree, row, missing):
    row = np.where(missing, np.nan, row)
    found = explain(rules(tree), [row])[0]
    if found.advice is not None:
        assert found.radius == naive_radius(tree, row)
        assert found.radius == min(naive_radius(tree, filled) for filled in fills(tree, row))
        if found.counterfactual is not None:
            misread = row.copy()
            for change in found.counterfactual.conditions:
                misread[change.item] = change.new_value
            assert set(tree.apply(fills(tree, misread)).tolist()) == {found.counterfactual.leaf}


def test_it_is_told_what_decides():
    a, b = [1.0, 0.0], [0.0, 1.0]
    tree = Tree.full([0, 1, 2], [5.0, 2.0, 7.0], [a, b, b, b])
    found = explain(rules(tree, LocalBudget(1.0)), [[4.0, np.nan, np.nan]])[0]
    assert [str(answer) for answer in found.path] == ["bridge 4 ≤ 5"]
    assert found.missing == ("road", "ferry")
    assert (found.leaf, found.leaves, found.protected) == (None, (0, 1), None)
    text = str(found)
    assert "no reading of road, ferry" in text
    assert "depends on what is missing (2 cases)" in text
    assert "if road ≤ 2" in text
    assert "if road > 2" in text
    (condition,) = found.to_dict()["possible"][1]["conditions"]
    assert condition.items() >= {"item": 1, "name": "road", "lower": 2.0, "upper": None}.items()


def test_what_is_filled_in_is_told_and_is_what_advise_says():
    tree = Tree.full([0, 1, 2], [5.0, 2.0, 7.0], [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    substitutes = {
        "road": (Substitute("ferry", -2.0), Substitute("bridge", -1.0)),
        "ferry": (Substitute("bridge", 4.0),),
    }
    fill_ins = FillIns({"bridge": 4.0, "road": 3.0, "ferry": 8.0}, substitutes)
    saved = rules(tree, fill_ins=fill_ins)
    frame = [[6.5, np.nan, np.nan], [np.nan, 4.0, 9.0], [4.0, np.nan, 1.0], [9.0, np.nan, 1.0]]
    for found, advice in zip(explain(saved, frame), saved.advise(np.array(frame))["advice"], strict=True):
        assert (found.advice or found.filled_in.advice) == advice
        assert (found.advice is None) == (found.filled_in is not None)
    text = str(explain(saved, frame[:1])[0])
    assert "filled in   [1.0, 0.0] if road = 5.5 and ferry = 10.5  (leaf 3)" in text
    assert explain(saved, frame)[1].summary == "row 1: the advice depends on bridge; filled in, it is [0.0, 1.0]."


def test_a_missing_reading_that_does_not_matter_leaves_the_advice():
    a, b = [1.0, 0.0], [0.0, 1.0]
    tree = Tree.full([0, 1, 2], [5.0, 2.0, 7.0], [a, b, b, b])
    found = explain(rules(tree), [[6.0, np.nan, np.nan]])[0]
    assert (found.leaves, found.radius) == ((2, 3), 1.0)
    assert "(leaves 2, 3, whatever is missing)" in str(found)
    (down, open_) = found.counterfactual.conditions
    assert (down.name, down.new_value, open_.name, math.isnan(open_.value)) == ("bridge", 5.0, "road", True)
    assert found.to_dict()["counterfactual"]["conditions"][1]["value"] is None
