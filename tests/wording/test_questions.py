"""Questions in words."""

import math

import pytest

from hedgerow.tree.questions import Question
from hedgerow.wording.questions import Phrase

DIFFERENCE = Question((0, 1), (1.0, -1.0), "A less B")


@pytest.mark.parametrize(
    ("threshold", "unit", "asked", "denied"),
    [
        (-2.0, "min", "A at least 2 min quicker than B", "A less than 2 min quicker than B"),
        (0.0, "min", "A no slower than B", "A slower than B"),
        (1.5, "min", "A at most 1.5 min slower than B", "A more than 1.5 min slower than B"),
        (-2.0, "", "A at least 2 less than B", "A less than 2 less than B"),
        (3.0, "EUR/MWh", "A at most 3 EUR/MWh more expensive than B", "A more than 3 EUR/MWh more expensive than B"),
    ],
)
def test_differences_are_put_as_a_planner_would_put_them(threshold, unit, asked, denied):
    phrase = Phrase.of(DIFFERENCE, unit=unit)
    assert (phrase.asks(threshold), phrase.between(threshold, math.inf)) == (asked, denied)


def test_an_interval_of_a_difference_is_two_comparisons():
    assert Phrase.of(DIFFERENCE).between(-2.0, 1.0) == "A less than 2 less than B and A at most 1 more than B"


def test_names_and_numbers_are_written_as_the_reader_needs_them():
    phrase = Phrase.of(DIFFERENCE, name="<{}>".format, digits="{:.2f}".format)
    assert phrase.asks(-20.0) == "<A> at least 20.00 less than <B>"
    assert Phrase.of(Question((0, 1), (1.0, 1.0), "both"), unit="min").asks(-2.0) == "both ≤ -2 min"


def test_numbers_that_differ_look_different():
    assert Phrase("bridge").between(5.0, 5.000000000000001) == "5.0 < bridge ≤ 5.000000000000001"
