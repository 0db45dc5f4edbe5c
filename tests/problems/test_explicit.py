"""Choosing one of a list of solutions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hedgerow.problems import ExplicitSet

PLANS = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 2.5]])


def test_rows_that_occur_twice_are_kept_once_in_order():
    problem = ExplicitSet(PLANS, solution_names=["early", "late", "again", "much"])
    assert (problem.solutions == PLANS[[0, 1, 3]]).all()
    assert problem.solution_names == ("early", "late", "much")
    assert (problem.all_solutions(3) == problem.solutions).all()
    assert problem.all_solutions(2) is None


def test_solutions_are_described_by_name_or_by_their_items():
    assert ExplicitSet(PLANS).describe(PLANS[3]) == "2.5 × x3"
    named = ExplicitSet(PLANS[:2], solution_names=["early", "late"])
    assert named.describe(PLANS[1] + 1e-8) == "late"
    assert named.describe(PLANS[3]) == "2.5 × x3"


def test_other_solutions_are_explained():
    problem = ExplicitSet(PLANS, solution_names=["early", "late", "again", "much"])
    assert problem.infeasibility(PLANS[0] + 1e-8) is None
    assert problem.infeasibility(np.array([1.0, 0.0, 0.0])) == (
        "it is none of the 3 listed solutions; the nearest, early, differs in 'x2'"
    )


@given(
    arrays(np.float64, st.tuples(st.integers(1, 6), st.just(3)), elements=st.integers(-3, 3)),
    arrays(np.float64, st.tuples(st.integers(0, 5), st.just(3)), elements=st.floats(-9, 9)),
)
def test_the_oracle_takes_the_first_of_the_best(solutions, costs):
    problem = ExplicitSet(solutions)
    expected = problem.solutions[np.argmin(costs @ problem.solutions.T, axis=1)]
    assert (problem.best_solutions(costs) == expected).all()
