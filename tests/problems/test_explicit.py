"""Choosing one of a list of solutions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hedgerow.problems import ExplicitSet

PLANS = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 2.5]])


def test_solutions_are_described_by_name_or_by_their_items():
    assert ExplicitSet(PLANS).describe(PLANS[3]) == "2.5 × x3"
    named = ExplicitSet(PLANS[:2], solution_names=["early", "late"])
    assert named.describe(PLANS[1] + 1e-8) == "late"
    assert named.describe(PLANS[3]) == "2.5 × x3"


@given(
    arrays(np.float64, st.tuples(st.integers(1, 6), st.just(3)), elements=st.integers(-3, 3)),
    arrays(np.float64, st.tuples(st.integers(0, 5), st.just(3)), elements=st.floats(-9, 9)),
)
def test_the_oracle_takes_one_of_the_best(solutions, costs):
    problem = ExplicitSet(solutions)
    expected = problem.solutions[np.argmin(costs @ problem.solutions.T, axis=1)]
    for row, best in zip(costs, expected, strict=True):
        assert problem.best_solution(row[np.newaxis]).value == pytest.approx(row @ best)
