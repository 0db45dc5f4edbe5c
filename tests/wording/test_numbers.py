"""Numbers for people: digits that matter, errors beside them, and nothing that runs on."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, LocalBudget, Nominal
from hedgerow.wording.budgets import budget_per_sample
from hedgerow.wording.numbers import (
    number,
    percentage,
    with_error,
)


@given(st.floats(-1e11, 1e11), st.integers(2, 8))
def test_a_number_reads_back_to_its_digits(value, digits):
    text = number(value, digits)
    assert float(text.replace(",", "")) == pytest.approx(value, rel=5.01 * 10.0**-digits, abs=1e-300)
    assert text != "-0"
    assert not text.endswith(".")


@given(st.floats(), st.floats(0.0))
def test_no_number_is_too_odd_to_be_told(value, error):
    assert len(number(value)) < 30
    assert len(with_error(value, error)) < 40
    assert len(percentage(abs(error))) < 30


@pytest.mark.parametrize(
    ("value", "error", "told"),
    [
        (1.53579, 1.8, "1.5 ± 1.8"),
        (274.696, 12.4, "275 ± 12"),
        (3.79753, 0.67, "3.80 ± 0.67"),
        (12345.6, 0.5, "12,345.6 ± 0.5"),
        (-0.004, 1.2, "0.0 ± 1.2"),
        (0.0, 0.0, "0 ± 0"),
        (5.25, 0.0, "5.25 ± 0"),
        (5.25, 1e-13, "5.25 ± 1e-13"),
        (math.nan, math.nan, "nan ± nan"),
        (1e300, 1e299, "1e+300 ± 1e+299"),
    ],
)
def test_a_value_has_the_digits_that_its_error_leaves_it(value, error, told):
    assert with_error(value, error) == told


def test_only_a_budget_that_is_shared_changes_with_the_number_of_samples():
    assert "0.5 times as much for each" in budget_per_sample(GlobalBudget(9.0), 10, 20)
    for uncertainty, fitted, there in (
        (GlobalBudget(9.0), 10, 10),
        (GlobalBudget(0.0), 10, 20),
        (LocalBudget(9.0), 10, 20),
        (Nominal(), 10, 20),
    ):
        assert budget_per_sample(uncertainty, fitted, there) == ""
