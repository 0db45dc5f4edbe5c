"""What was left out, in words: samples, thresholds, both, and what nobody had time to find out."""

import pytest

from hedgerow.run import Thinning
from tests.run.test_result import result

ALL_SAMPLES = (60, 60)
ALL_THRESHOLDS = (236, 236)
PROOF = 'Its bound, and the word "optimal", are claimed for these thresholds alone.'


@pytest.mark.parametrize(
    ("missed", "tried_all", "words"),
    [
        (None, False, "there was no time to try the others."),
        (0.0, True, "no single other question makes its worst case better."),
        (0.0, False, "no single other question that was tried makes its worst case better."),
        (0.0123, True, "one other question would make its worst case 1.23% better."),
        (0.0123, False, "one other question would make its worst case at least 1.23% better."),
        (3e-7, True, "one other question would make its worst case 3e-05% better."),
    ],
)
def test_thresholds_are_told_with_what_they_would_be_worth(missed, tried_all, words):
    thinning = Thinning(*ALL_SAMPLES, 20, 236, thresholds_missed=missed, tried_all=tried_all, n_questions=3)
    assert thinning.in_words() == f"The tree was sought among 20 thresholds in place of 236; {words} {PROOF}"


def test_a_tree_that_asks_nothing_is_told_as_such():
    words = Thinning(*ALL_SAMPLES, 20, 236).in_words()
    assert "in place of 236; it asks nothing, so that there is no question to try the others at." in words


@pytest.mark.parametrize(
    ("missed", "words"), [(0.0, "the same as"), (0.004, "0.40% worse than"), (-0.004, "0.40% better than")]
)
def test_representatives_are_told_with_how_far_they_are_off(missed, words):
    thinning = Thinning(1_000, 16_000, *ALL_THRESHOLDS, samples_missed=missed)
    assert thinning.in_words() == (
        "The tree was sought on 1,000 weighted representatives of 16,000 samples; "
        f"its worst case on all samples is {words} on those."
    )


def test_the_bound_of_representatives_is_about_any_threshold():
    words = Thinning(12, 60, 20, 236, thresholds_missed=0.0, tried_all=True, n_questions=3).in_words()
    assert "than" not in words
    assert "It was sought among 20 thresholds in place of 236; no single" in words
    assert PROOF not in words


def test_the_line_of_a_result_says_what_was_kept():
    thinning = Thinning(12, 60, 20, 236)
    assert repr(result(thinning=thinning)).endswith(", kept='12 of 60 samples, 20 of 236 thresholds')")
