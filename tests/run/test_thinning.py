"""Thresholds that were left out, in words."""

from hedgerow.run import Thinning
from tests.run.test_result import result


def test_thresholds_are_counted_and_the_proof_is_about_them():
    words = "The search used 20 of 1,236 thresholds. The bound and any proof of optimality cover these thresholds only."
    assert str(Thinning(20, 1236)) == words


def test_the_line_of_a_result_says_what_was_kept():
    assert repr(result(thinning=Thinning(20, 236))).endswith(", kept='20 of 236 thresholds')")
