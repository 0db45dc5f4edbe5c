"""What a solver returns is checked before it is believed."""

import math

import numpy as np
import pytest

from hedgerow.mip import create_model
from hedgerow.mip.solving import SolveOptions, SolverOutcome, _bound, outside
from hedgerow.tolerances import ROUNDED_FEASIBILITY


@pytest.mark.parametrize("size", [0.0, 1.0, 1e6])
def test_values_may_be_off_by_the_tolerance_relative_to_large_sides(size):
    allowed = ROUNDED_FEASIBILITY * max(1.0, size)
    lower, upper = np.array([size]), np.array([size])
    for off, expected in ((0.5 * allowed, False), (2.0 * allowed, True)):
        assert outside(lower - off, lower, upper).item() is expected
        assert outside(upper + off, lower, upper).item() is expected


def test_nothing_lies_beyond_an_infinite_side():
    assert not outside(np.array([-1e30, 1e30]), np.full(2, -np.inf), np.full(2, np.inf)).any()


def test_a_new_variable_may_be_changed_before_the_solver_knows_it(solver):
    model = create_model(solver)
    model.add_variables(1, cost=[1.0])
    assert model.solve().objective == 0.0
    (new,) = model.add_variables(1, upper=2.0, cost=[1.0])
    model.set_costs([new], [-1.0])
    model.set_bounds([new], [0.0], [3.0])
    assert model.solve().objective == pytest.approx(-3.0)


def test_finite_limits_are_kept_and_infinite_ones_are_none():
    assert SolveOptions.checked(0, 3.0, 4.0, None, 0.0) == SolveOptions(3.0, 4.0, None, 0.0)
    assert SolveOptions.checked(0, np.inf, np.inf, None, 0.0) == SolveOptions(None, None, None, 0.0)


@pytest.mark.parametrize(
    ("status", "bound", "expected"),
    [
        ("infeasible", 3.0, math.inf),
        ("unbounded", 3.0, -math.inf),
        ("failed", 3.0, -math.inf),
        ("time_limit", math.nan, -math.inf),
        ("time_limit", math.inf, -math.inf),
        ("time_limit", 3.0, 3.0),
        ("optimal", 7.5, 7.0),
    ],
)
def test_a_solver_is_believed_only_what_it_can_have_proven(status, bound, expected):
    """A bound of a run that failed, no number, ∞ from a run that was stopped: nothing is known. The value is 7."""
    assert _bound(SolverOutcome(status, np.zeros(1), bound), 7.0) == expected
