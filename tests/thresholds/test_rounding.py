"""Round thresholds: as few digits as the cell allows, and nothing that matters changes."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Tree
from hedgerow.adversary import worst_case
from hedgerow.problems import ExplicitSet
from hedgerow.thresholds import rounded, roundest, threshold_cells
from tests.thresholds.test_cells import cases

REALS = st.floats(-1e6, 1e6, allow_nan=False)


def digits(number):
    return len(Decimal(repr(float(number))).normalize().as_tuple().digits)


@given(REALS, st.sampled_from([1e-9, 1e-3, 0.1, 1.0, 7.3, 400.0, 1e7]), st.floats(0.01, 1.0))
def test_no_number_between_has_fewer_digits(low, width, share):
    """Every number with fewer digits that lies near the interval lies outside it."""
    high = low + width * share
    found = roundest(low, high)
    if not low < high / 2 + low / 2 < high:
        return
    assert low < found < high
    for fewer in range(1, digits(found)):
        for end in (low, high, (low + high) / 2):
            other = float(f"{end:.{fewer - 1}e}")
            assert not low < other < high


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (8.4, 9.6, 9.0),
        (9.03, 9.065, 9.05),
        (94.0, 106.0, 100.0),
        (-0.4, 3.0, 0.0),
        (-17.2, -12.1, -15.0),
        (0.28, 0.31, 0.3),
        (1e-7, 3e-7, 2e-7),
        (5.0, 5.0, 5.0),
        (20_000_000.3, 20_000_000.7, 20_000_000.5),
        (0.0, 2.0, 1.0),
    ],
)
def test_roundest_by_hand(low, high, expected):
    assert roundest(low, high) == expected


@given(cases(sets=("nominal", "local", "each", "global")))
def test_rounding_changes_nothing_that_matters(case):
    """Worst case with its margin, nominal cost, and every sample's leaf stay; thresholds get no longer."""
    instance, tree, margin = case
    before = worst_case(tree, instance, margin=margin)
    short = rounded(tree, instance, margin)
    after = worst_case(short, instance, margin=margin)
    assert after.bound == pytest.approx(before.bound, abs=1e-9)
    assert np.array_equal(after.nominal_leaf, before.nominal_leaf)
    assert np.array_equal(short.question, tree.question)
    assert np.array_equal(short.solutions, tree.solutions)


def test_every_threshold_is_moved_after_the_one_before():
    """Both cells reach down to 3, but not for both nodes at once; the second one is computed anew."""
    tree = Tree.from_dict(
        {
            "item": 0,
            "threshold": 5.125,
            "left": {"solution": [1, 0]},
            "right": {"item": 1, "threshold": 7.0625, "left": {"solution": [1, 0]}, "right": {"solution": [0, 1]}},
        }
    )
    observations = [[2.0, 2.0], [9.0, 9.0], [8.5, 4.5]]
    for uncertainty in (LocalBudget(1.0), GlobalBudget(1.5)):
        instance = Instance.create(
            ExplicitSet(np.eye(2)), [[0, 9], [9, 0], [1, 4]], observed=observations, uncertainty=uncertainty
        )
        short = rounded(tree, instance)
        assert [digits(value) for value in short.threshold[short.is_inner]] == [1, 1]
        for cell, value in zip(threshold_cells(short, instance), short.threshold[short.is_inner], strict=True):
            assert cell[0] < value < cell[1]
