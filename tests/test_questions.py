"""Questions: named linear functions of the readings, and trees that ask them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import InputError, Tree
from hedgerow.tree.questions import Question, item_number

DIFFERENCE = Question.of({2: -1.0, 0: 1.0}, "first less last")


def test_a_question_adds_its_terms_from_left_to_right():
    question = Question.of({0: 0.1, 1: 0.2, 2: -0.3}, "sum")
    row = [1.0, 1.0, 1.0]
    assert question.values([row])[0] == (0.1 * 1.0 + 0.2 * 1.0) + -0.3 * 1.0 != 0.1 + (0.2 - 0.3)


@pytest.mark.parametrize(
    ("coefficients", "message"),
    [
        ({}, "at least one reading"),
        ({1: 0.0}, "at least one reading"),
        ({-1: 1.0, 0: 1.0}, "index of zero or more"),
        ({0: float("nan"), 1: 1.0}, "finite numbers"),
        ({0: 10**400, 1: 1.0}, "finite numbers"),
        ({0: "1", 1: 1.0}, "finite numbers"),
        ({0: True, 1: 1.0}, "finite numbers"),
        ({0: 1.0, "0": 2.0}, "occurs twice"),
    ],
)
def test_bad_coefficients_are_refused(coefficients, message):
    with pytest.raises(InputError, match=message):
        Question.of(coefficients, "name")


@given(st.lists(st.lists(st.floats(-9, 9), min_size=3, max_size=3), min_size=1, max_size=9))
def test_a_tree_routes_by_the_value_of_its_questions(rows):
    tree = Tree.from_dict(
        {
            "question": DIFFERENCE.to_dict(),
            "threshold": 0.5,
            "left": {"item": 1, "threshold": 0.0, "left": {"solution": [0]}, "right": {"solution": [1]}},
            "right": {"solution": [2]},
        }
    )
    expected = [2 if row[0] - row[2] > 0.5 else int(row[1] > 0.0) for row in rows]
    assert tree.apply(rows).tolist() == expected
    assert tree.asked_items.tolist() == [0, 1, 2]
    assert Tree.from_dict(json.loads(json.dumps(tree.to_dict()))) == tree


def test_what_needs_single_readings_refuses_other_questions():
    leaves = {"left": {"solution": [0]}, "right": {"solution": [1]}}
    tree = Tree.from_dict({"question": DIFFERENCE.to_dict(), "threshold": 0.5, **leaves})
    with pytest.raises(InputError, match="more than one reading"):
        _ = tree.item
    with pytest.raises(InputError, match="at least 3 columns"):
        tree.apply([[1.0, 2.0]])
    assert str(tree).startswith("first at most 0.5 more than last?")


@pytest.mark.parametrize("item", [True, "first", 1.0, -1, None, "²"])
def test_an_item_is_a_name_or_a_whole_number_of_zero_or_more(item):
    with pytest.raises(InputError, match=r"an index of zero or more; got|isn't there; no names were given"):
        item_number(item)
    assert item_number(np.int64(3)) == item_number("3") == 3
    assert item_number("1", ["1", "0"]) == 0
