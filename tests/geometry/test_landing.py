"""Readings that a move arrives at lie in the leaf, to the last bit."""

import numpy as np
import pytest

from hedgerow.geometry.kernels import geometry_of
from hedgerow.geometry.landing import landing_point
from hedgerow.tree.questions import Question

QUESTIONS = (
    Question(items=(0, 1), coefficients=(1.0, -0.5), name="a"),
    Question(items=(0, 1), coefficients=(-1.0, 2.0), name="b"),
)


def is_inside(readings, lower, upper):
    values = np.array([question.coefficients @ readings[list(question.items)] for question in QUESTIONS])
    return (lower < values).all() and (values <= upper).all()


def value_in(questions):
    return lambda readings, question: float(questions[question].values(readings[None])[0])


def test_a_box_that_is_narrower_than_the_step_is_entered_from_above_at_its_upper_end():
    """Only this point is right, and rounding puts the sum on its wrong side."""
    lower, upper = np.array([-7.105427357601002e-15, -np.inf]), np.array([0.0019531231373477453, -0.015625])
    geometry = geometry_of(QUESTIONS, 2, epsilon=0.007812492549419403)
    readings = landing_point(np.array([0.0078125, 0.0]), np.array([0, 1]), lower, upper, geometry, value_in(QUESTIONS))
    assert is_inside(readings, lower, upper)
    assert np.abs(readings - (0.0078125, 0.0)).sum() == pytest.approx(0.01953125)


def test_a_sum_that_is_zero_before_and_after_stays_on_its_side():
    """Rounding is as large as what is added up, not as the sum."""
    lower, upper = np.full(2, -np.inf), np.array([-0.5, 0.0])
    questions = Question((0, 1), (-1.0, 1.0), "a"), Question((0, 1), (1.0, 2.0), "b")
    geometry = geometry_of(questions, 2, epsilon=14.0)
    x, y = landing_point(np.zeros(2), np.array([0, 1]), lower, upper, geometry, value_in(questions))
    assert -x + y <= -0.5
    assert x + 2.0 * y <= 0.0
    assert abs(x) + abs(y) == pytest.approx(0.5)


@pytest.mark.parametrize("far", [1.0, 1728.0, 1e6])
def test_a_small_step_beside_a_large_bound_is_taken(far):
    """What counts as zero beside the large bound is more than the step."""
    questions = (Question((0, 1), (2.0, 1.0), "a"), Question((0, 1), (-0.5, 2.0), "b"))
    lower, upper = np.full(2, -np.inf), np.array([far, -2.3283064365386963e-10])
    geometry = geometry_of(questions, 2, epsilon=256.0)
    x, y = landing_point(np.zeros(2), np.array([0, 1]), lower, upper, geometry, value_in(questions))
    assert -0.5 * x + 2.0 * y <= upper[1]
    assert 2.0 * x + y <= far
    assert abs(x) + abs(y) <= 1.2e-10 + 1e-11 * far


@pytest.mark.parametrize("seed", range(40))
def test_moves_into_random_boxes_land_there(seed):
    rng = np.random.default_rng(seed)
    values = rng.uniform(-1.0, 1.0, 2)
    lower, upper = values - rng.choice([1e-9, 0.01, 0.3], 2), values + rng.choice([1e-12, 0.01, 0.3], 2)
    geometry = geometry_of(QUESTIONS, 2, epsilon=1e-10)
    start = rng.uniform(-3.0, 3.0, 2)
    readings = landing_point(start, np.array([0, 1]), lower, upper, geometry, value_in(QUESTIONS))
    assert is_inside(readings, lower, upper)
