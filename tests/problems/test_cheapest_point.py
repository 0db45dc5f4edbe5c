"""The problem's own MIP: costs are scaled for the solver, and what it proves is scaled back."""

import math

import numpy as np
import pytest

from hedgerow.errors import SolverError
from hedgerow.mip.solving import Outcome
from hedgerow.problems._mip_oracle import cheapest_point


class Solver:
    """A solver that ends as it is told, at a bound of three times the largest cost it was given."""

    n_columns = 2

    def __init__(self, status, values):
        self.status, self.values = status, values

    def set_costs(self, columns, costs):
        assert columns.tolist() == [0, 1]
        self.costs = costs

    def solve(self, **options):
        self.options = options
        return Outcome(status=self.status, values=self.values, bound=3.0 * float(np.abs(self.costs).max()))


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e12])
def test_the_bound_of_a_solve_that_ran_out_of_time_is_in_the_units_of_the_costs(scale):
    solver = Solver("time_limit", None)
    start = np.array([1.0, 0.0])
    found = cheapest_point(solver, scale * np.array([2.0, -5.0]), start, 7.0)
    assert found.bound == pytest.approx(15.0 * scale)
    assert found.point is start
    assert solver.options["time_limit"] == 7.0
    assert 64.0 < np.abs(solver.costs).max() <= 128.0


def test_an_optimal_point_needs_no_bound():
    best = np.array([0.0, 1.0])
    found = cheapest_point(Solver("optimal", best), np.array([2.0, 1.0]), np.array([1.0, 0.0]), None)
    assert found.point is best
    assert found.bound == math.inf


def test_costs_of_zero_are_no_scale():
    assert cheapest_point(Solver("time_limit", None), np.zeros(2), np.zeros(2), None).bound == 0.0


def test_a_solver_that_fails_says_so():
    with pytest.raises(SolverError, match="failed"):
        cheapest_point(Solver("failed", None), np.ones(2), np.zeros(2), None)
