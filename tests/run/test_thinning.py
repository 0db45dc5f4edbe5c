"""What was left out, in words: samples, thresholds, both."""

import pytest

from hedgerow.run import Thinning
from tests.run.test_result import result

PROOF = "The bound and any proof of optimality cover these thresholds only."


def test_thresholds_are_counted_and_the_proof_is_about_them():
    assert Thinning(60, 60, 20, 236).in_words() == f"The search used 20 of 236 thresholds. {PROOF}"


@pytest.mark.parametrize(
    ("missed", "words"), [(0.0, "the same as"), (0.004, "0.4 % worse than"), (-0.004, "0.4 % better than")]
)
def test_representatives_are_reported_with_how_far_they_are_off(missed, words):
    thinning = Thinning(1_000, 16_000, 236, 236, samples_missed=missed)
    assert thinning.in_words() == (
        "The search used 1,000 weighted representatives of 16,000 samples; "
        f"the worst case on all samples is {words} on those."
    )


def test_the_bound_of_representatives_is_about_any_threshold():
    words = Thinning(12, 60, 20, 236).in_words()
    assert "It used 20 of 236 thresholds." in words
    assert PROOF not in words


def test_the_line_of_a_result_says_what_was_kept():
    thinning = Thinning(12, 60, 20, 236)
    assert repr(result(thinning=thinning)).endswith(", kept='12 of 60 samples, 20 of 236 thresholds')")
