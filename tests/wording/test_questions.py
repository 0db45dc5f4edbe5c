"""Questions in words."""

from functools import partial

from hedgerow.tree.questions import Question
from hedgerow.wording.questions import condition


def test_differences_are_put_as_a_planner_would_put_them():
    asked = partial(condition, Question((0, 1), (1.0, -1.0), "A less B"))
    said = [asked(value, unit="min") for value in (-2.0, 0.0, 1.5)]
    assert said == ["A at least 2 min quicker than B", "A no slower than B", "A at most 1.5 min slower than B"]
    assert asked(-2.0) == "A at least 2 less than B"
    assert asked(3.0, unit="EUR/MWh") == "A at most 3 EUR/MWh more expensive than B"


def test_names_and_numbers_are_written_as_the_reader_needs_them():
    question = Question((0, 1), (1.0, -1.0), "A less B")
    assert condition(question, -20.0, name="<{}>".format, digits="{:.2f}".format) == "<A> at least 20.00 less than <B>"
    assert condition(Question((0, 1), (1.0, 1.0), "both"), -2.0, unit="min") == "both ≤ -2 min"
