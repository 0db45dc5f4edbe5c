"""What was left out, in words: samples, thresholds, both, and what there was no time to find out."""

import pytest

from hedgerow.run import Thinning
from tests.run.test_result import result

ALL_SAMPLES = (60, 60)
ALL_THRESHOLDS = (236, 236)
PROOF = "The bound and any proof of optimality cover these thresholds only."


@pytest.mark.parametrize(
    ("missed", "tried_all", "words"),
    [
        (None, False, "there was no time to try the others."),
        (0.0, True, "no single other question makes the worst case better."),
        (0.0, False, "no single other question that was tried makes the worst case better."),
        (0.0123, True, "one other question would make the worst case 1.23 % better."),
        (0.0123, False, "one other question would make the worst case at least 1.23 % better."),
        (3e-7, True, "one other question would make the worst case 3e-05 % better."),
    ],
)
def test_thresholds_are_reported_with_what_they_would_be_worth(missed, tried_all, words):
    thinning = Thinning(*ALL_SAMPLES, 20, 236, thresholds_missed=missed, tried_all=tried_all, n_questions=3)
    assert thinning.in_words() == f"The search used 20 of 236 thresholds; {words} {PROOF}"


def test_a_tree_that_asks_nothing_is_reported_as_such():
    words = Thinning(*ALL_SAMPLES, 20, 236).in_words()
    assert "20 of 236 thresholds; the tree asks no question at which the others could be tried." in words


@pytest.mark.parametrize(
    ("missed", "words"), [(0.0, "the same as"), (0.004, "0.4 % worse than"), (-0.004, "0.4 % better than")]
)
def test_representatives_are_reported_with_how_far_they_are_off(missed, words):
    thinning = Thinning(1_000, 16_000, *ALL_THRESHOLDS, samples_missed=missed)
    assert thinning.in_words() == (
        "The search used 1,000 weighted representatives of 16,000 samples; "
        f"the worst case on all samples is {words} on those."
    )


def test_the_bound_of_representatives_is_about_any_threshold():
    words = Thinning(12, 60, 20, 236, thresholds_missed=0.0, tried_all=True, n_questions=3).in_words()
    assert "than" not in words
    assert "It used 20 of 236 thresholds; no single" in words
    assert PROOF not in words


def test_the_line_of_a_result_says_what_was_kept():
    thinning = Thinning(12, 60, 20, 236)
    assert repr(result(thinning=thinning)).endswith(", kept='12 of 60 samples, 20 of 236 thresholds')")
