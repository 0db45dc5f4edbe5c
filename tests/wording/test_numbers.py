"""Numbers for people: digits that matter, errors beside them, and nothing that runs on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, LocalBudget, Nominal
from hedgerow.wording.numbers import (
    number,
    percentage,
)
from hedgerow.wording.verdicts import budget_per_sample


@given(st.floats(-1e11, 1e11), st.integers(2, 8))
def test_a_number_reads_back_to_its_digits(value, digits):
    text = number(value, digits)
    assert float(text.replace(",", "")) == pytest.approx(value, rel=5.01 * 10.0**-digits, abs=1e-300)
    assert text != "-0"
    assert not text.endswith(".")


@given(st.floats())
def test_no_number_is_too_odd_to_be_told(value):
    assert len(number(value)) < 30
    assert len(percentage(abs(value))) < 30


def test_only_a_budget_that_is_shared_changes_with_the_number_of_samples():
    assert "0.5 times as much for each" in budget_per_sample(GlobalBudget(9.0), 10, 20)
    for uncertainty, fitted, there in (
        (GlobalBudget(9.0), 10, 10),
        (GlobalBudget(0.0), 10, 20),
        (LocalBudget(9.0), 10, 20),
        (Nominal(), 10, 20),
    ):
        assert budget_per_sample(uncertainty, fitted, there) == ""
