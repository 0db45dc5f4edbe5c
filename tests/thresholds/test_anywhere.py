"""Thresholds moved anywhere: one at a time to the best place that brute force knows, within all limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Tree
from hedgerow.adversary import worst_case
from hedgerow.problems import ExplicitSet
from hedgerow.thresholds import moved_anywhere
from hedgerow.thresholds.anywhere import _allowed, _among_jumps, _by_halves
from hedgerow.thresholds.threshold_cells import Cells, Jumps
from tests.thresholds.test_cells import cases, value_with

NEAR = 3e-9


def loss(tree, instance, margin):
    return instance.sign * worst_case(tree, instance, margin=margin).bound


def places(tree, instance, node, margin):
    """Return thresholds on both sides of every value and of every distance to it that could matter."""
    asked = instance.observations[:, tree.item[node]]
    low, high = asked.min(), asked.max()
    turns = Cells(tree, instance, margin).jumps(node).turn
    points = np.concatenate([asked, turns, np.linspace(low, high, 65), (turns[1:] + turns[:-1]) / 2])
    around = np.concatenate([points - NEAR, points, points + NEAR])
    return around[(around >= low) & (around < high)]


@given(cases(sets=("nominal", "local", "each")))
def test_under_local_budgets_no_single_threshold_has_a_better_place(case):
    instance, tree, margin = case
    moved = moved_anywhere(tree, instance, margin)
    value = loss(moved, instance, margin)
    assert value <= loss(tree, instance, margin)
    assert np.array_equal(moved.question, tree.question)
    assert np.array_equal(moved.solutions, tree.solutions)
    for node in np.flatnonzero(moved.is_inner):
        for at in places(moved, instance, node, margin):
            assert instance.sign * value_with(moved, node, at, instance, margin) >= value - 1e-7


@given(cases(sets=("global",)))
def test_under_global_budgets_trees_get_no_worse_and_thresholds_stay_in_range(case):
    instance, tree, margin = case
    moved = moved_anywhere(tree, instance, margin)
    assert loss(moved, instance, margin) <= loss(tree, instance, margin)
    for node in np.flatnonzero(moved.is_inner):
        asked = instance.observations[:, moved.item[node]]
        if moved.threshold[node] != tree.threshold[node]:
            assert asked.min() <= moved.threshold[node] < asked.max()


@given(cases(sets=("global",)), st.integers(0, 63), st.integers(0, 64))
def test_what_some_attack_costs_between_two_thresholds_bounds_the_worst_case_there(case, first, width):
    """The bound holds for each threshold between the two, and is the worst case itself where they are the same."""
    instance, tree, margin = case
    sign = instance.sign
    for node in np.flatnonzero(tree.is_inner):
        asked = instance.observations[:, tree.item[node]]
        scale = (asked.max() - asked.min() + 1.0) / 64
        low = asked.min() - 0.5 + first * scale
        high = low + width * scale / 4
        losses = Cells(tree, instance, margin).losses_between(int(node))
        least = losses(low, high)[0]
        for at in np.linspace(low, high, 5):
            value = sign * value_with(tree, node, at, instance, margin)
            assert least <= value + 1e-9
            assert losses(at, at) == pytest.approx((value, value), abs=1e-9)


@given(cases(sets=("local", "global")), st.integers(1, 2))
def test_leaves_keep_their_fewest_samples(case, fewest):
    """A tree that has enough samples at each leaf has them after the move as well."""
    instance, tree, margin = case
    moved = moved_anywhere(tree, instance, margin, min_samples_leaf=fewest)
    before, after = (
        np.bincount(each.apply(instance.observations), minlength=tree.n_leaves).min() for each in (tree, moved)
    )
    assert after >= min(before, fewest)


def test_limits_on_a_threshold_are_those_that_counting_finds():
    """At the second of two questions the first sample passes by; each threshold in range is counted."""
    tree = Tree.from_dict(
        {
            "item": 0,
            "threshold": 1.5,
            "left": {"solution": [1, 0]},
            "right": {"item": 1, "threshold": 5.0, "left": {"solution": [1, 0]}, "right": {"solution": [0, 1]}},
        }
    )
    observations = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 4.0], [4.0, 6.0], [5.0, 9.0], [6.0, 2.0]])
    instance = Instance.create(ExplicitSet(np.eye(2)), np.ones((6, 2)), observed=observations)
    for node, item in ((0, 0), (2, 1)):
        for fewest in range(4):
            low, end = _allowed(tree, instance, node, fewest)
            for at in np.arange(observations[:, item].min(), observations[:, item].max(), 0.25):
                moved = tree.with_threshold(node, at)
                rows = np.bincount(moved.apply(observations), minlength=3)
                below = rows if node == 0 else rows[1:]
                assert (low <= at < end) == bool(below.min() >= fewest), (node, fewest, at)


def test_the_widest_of_equally_good_stretches_is_taken_and_ends_count_where_they_belong():
    """From 0 to 10 in steps: better by 1 in two stretches, of which the second is wider; then at a single point."""
    jumps = Jumps(np.array([2.0, 3.0, 6.0]), np.array([False] * 3), np.array([-1.0, 1.0, -1.0]), 1e-9)
    assert _among_jumps(jumps, 1.0, 0.0, 10.0) == 8.0
    assert _among_jumps(jumps, 1.0, 0.0, 6.0) == 2.5
    assert _among_jumps(jumps, 1.0, 0.0, 2.0) is None
    point = Jumps(np.array([2.0, 2.0]), np.array([False, True]), np.array([-1.0, 1.0]), 1e-9)
    assert _among_jumps(point, 1.0, 0.0, 10.0) == 2.0
    nothing = Jumps(np.array([2.0, 2.0]), np.array([True, True]), np.array([-1.0, 1.0]), 1e-9)
    assert _among_jumps(nothing, 1.0, 0.0, 10.0) is None


def test_halving_finds_a_narrow_stretch_and_stops_when_told():
    """The value is the distance from 0.3 in steps, and what is better than at 0.9 lies left of it."""

    def losses(low, high):
        nearest = max(0.0, low - 0.3, 0.3 - high)
        return np.floor(64 * nearest) / 64, np.floor(64 * abs(low - 0.3)) / 64

    place = _by_halves(losses, 0.0, 1.0, 0.6, lambda: False)
    assert abs(place - 0.3) < 1 / 64
    assert _by_halves(losses, 0.0, 1.0, 0.0, lambda: False) is None
    assert _by_halves(losses, 0.0, 1.0, 0.6, lambda: True) is None


@pytest.mark.parametrize("uncertainty", [LocalBudget(1.0), GlobalBudget(1.0)])
def test_the_clock_is_looked_at_before_the_first_move(uncertainty):
    instance = Instance.create(
        ExplicitSet(np.eye(2)), [[1.0, 9.0], [9.0, 2.0]], observed=[[1.0], [4.0]], uncertainty=uncertainty
    )
    tree = Tree.full([0], [1.5], [[1, 0], [0, 1]])
    assert moved_anywhere(tree, instance, must_stop=lambda: True) is tree
    better = moved_anywhere(tree, instance)
    assert worst_case(better, instance).bound == 3.0 < worst_case(tree, instance).bound
