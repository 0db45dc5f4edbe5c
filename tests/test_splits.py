"""Candidate thresholds: between neighbouring values, on the right side of both, for every magnitude."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from hedgerow.tree.splits import GRID_POINTS, between, candidate_splits
from tests.worlds import matrices

floats = st.floats(allow_nan=False, allow_infinity=False)
tables = npst.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 3)), elements=floats)
KINDS = pytest.mark.parametrize("thresholds", ["midpoints", "grid"])


@KINDS
@given(observations=tables)
def test_every_split_lies_between_neighbours_and_parts_them(thresholds, observations):
    splits = candidate_splits(observations, thresholds)
    for item, threshold, below, above in zip(
        splits.question, splits.threshold, splits.below, splits.above, strict=True
    ):
        column = observations[:, item]
        assert below <= threshold < above
        assert below in column
        assert above in column
        assert not ((column > below) & (column < above)).any()


@given(observations=tables)
def test_there_is_one_midpoint_between_any_two_neighbours(observations):
    splits = candidate_splits(observations)
    for item in range(observations.shape[1]):
        assert (splits.question == item).sum() == np.unique(observations[:, item]).size - 1


@given(matrices(5, 2))
def test_on_ordinary_data_the_grid_has_nine_points_per_interval_and_the_midpoint_among_them(observations):
    midpoints, grid = candidate_splits(observations), candidate_splits(observations, "grid")
    assert len(grid) == 9 * len(midpoints)
    assert grid.threshold[4::9] == pytest.approx(midpoints.threshold)


def test_the_grid_is_the_papers():
    assert GRID_POINTS == (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
    assert candidate_splits(np.array([[0.0], [10.0]]), "grid").threshold == pytest.approx(np.arange(1.0, 10.0))


def test_neighbouring_floats_are_parted_by_the_lower_one():
    """Rounding must not give the upper one, which would change sides; of any two in a row it would give one."""
    for start in (1.0, 0.1, 1e300, 5e-324, -1.0, 0.0):
        first = candidate_splits(np.array([[start], [np.nextafter(start, np.inf)]])).threshold
        assert first.tolist() == [start]
        low = np.nextafter(start, np.inf)
        high = np.nextafter(low, np.inf)
        assert candidate_splits(np.array([[low], [high]])).threshold.tolist() == [low]


@given(floats, floats, st.sampled_from(GRID_POINTS))
def test_a_point_between_stays_between(one, other, share):
    low, high = min(one, other), max(one, other)
    if low < high:
        point = between(np.array([low]), np.array([high]), share)[0]
        assert low <= point < high
