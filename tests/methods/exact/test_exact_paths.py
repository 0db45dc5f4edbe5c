"""Every way that the exact method may take, on tiny instances that would go the first way: each finds the optimum."""

import numpy as np
import pytest
from hypothesis import given, settings

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, solve
from hedgerow.problems import ExplicitSet, Selection, ShortestPath
from hedgerow.run import Options
from tests.helpers import Machines
from tests.methods.exact.tiny import (
    LONG_EPSILONS,
    PATHS,
    assert_exact,
    instances,
    narrow_instances,
    on_path,
    with_leaf_limits,
)

LOCAL = {"intervals", "listing, intervals"}
GLOBAL = {"prices"}
"""Paths for one kind of budget only."""

LINEAR = ("explicit", "table", "selection", "grid")


@pytest.mark.parametrize(
    ("path", "uncertainty"),
    [
        (path, uncertainty)
        for uncertainty in (LocalBudget(1.0), GlobalBudget(1.5), Nominal())
        for path in PATHS
        if not (LOCAL if isinstance(uncertainty, GlobalBudget) else GLOBAL) & {path}
    ],
)
def test_tiny_instances_go_where_they_are_sent(path, uncertainty):
    """The patches that the other tests rely on do what they say."""
    costs = np.random.default_rng(5).integers(1, 9, (4, 12)).astype(float)
    if path == "no tables":
        costs = costs[:3]  # without tables a global budget at depth 3 takes long
    instance = Instance.create(
        ShortestPath.grid(3), costs, uncertainty=uncertainty, depth=3 if path == "no tables" else 2
    )
    if path == "master":
        instance = Instance.create(ShortestPath.grid(2), costs[:3, :4], uncertainty=uncertainty, depth=1)
    with on_path(path, blind=True) as spy:
        result = solve(instance, method="exact", thresholds="midpoints", random_state=0, time_limit=None)
    assert spy.called
    assert result.status == "optimal"


# -- many samples ------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(instances())
def test_intervals_equal_the_reference(instance):
    """Intervals of thresholds under local budgets and of prices under global ones, with good first trees."""
    assert_exact(instance, path="intervals", blind=False)


@settings(max_examples=200)
@given(instances())
def test_intervals_equal_the_reference_without_help(instance):
    """The same with one solution as the only first tree."""
    assert_exact(instance, path="intervals")


@settings(max_examples=120)
@given(with_leaf_limits())
def test_intervals_equal_the_reference_under_limits_on_leaves(case):
    """Halves that ask nothing, and halves with too few rows."""
    assert_exact(*case, path="intervals")


@settings(max_examples=40)
@given(instances(depths=(1, 2), max_samples=3, max_features=1))
def test_intervals_equal_the_reference_over_the_grid_of_thresholds(instance):
    """Nine thresholds per interval."""
    assert_exact(instance, Options(thresholds="grid"), path="intervals")


@settings(max_examples=80)
@given(instances(epsilons=LONG_EPSILONS))
def test_intervals_equal_the_reference_where_a_step_overshoots(instance):
    """ε larger than the gaps between thresholds."""
    assert_exact(instance, path="intervals")


@settings(max_examples=150)
@given(narrow_instances())
def test_intervals_equal_the_reference_with_narrow_boxes_at_work(instance):
    """A free sample may reach a side of the root and yet none of its two leaves."""
    assert_exact(instance, path="intervals")


# -- no tables, depth three --------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(instances(depths=(3,), max_samples=3, max_features=1, kinds=("table", "explicit")))
def test_branching_without_tables_equals_the_reference(instance):
    """Where subsets are too many, depth 3 is bounded by what samples cost where they are."""
    assert_exact(instance, path="no tables")


@settings(max_examples=30)
@given(with_leaf_limits(depths=(3,), max_samples=3, max_features=1, kinds=("table",)))
def test_branching_without_tables_equals_the_reference_under_limits_on_leaves(case):
    """The same with few leaves or rows in each."""
    assert_exact(*case, path="no tables")


# -- solutions that are not listed ------------------------------------------------------------------------------------


@settings(max_examples=80)
@given(instances(kinds=("grid",)))
def test_a_list_of_near_optimal_paths_is_as_good_as_all(instance):
    """Only paths that may be part of something better are listed."""
    assert_exact(instance, path="listing")


@settings(max_examples=40)
@given(instances(kinds=("grid",)))
def test_a_list_of_near_optimal_paths_is_as_good_as_all_in_intervals(instance):
    """The same with intervals, after a good first tree has made the list short."""
    assert_exact(instance, path="listing, intervals", blind=False)


@settings(max_examples=40)
@given(with_leaf_limits(kinds=("grid",)))
def test_a_list_of_near_optimal_paths_is_as_good_as_all_under_limits_on_leaves(case):
    """The same with few leaves or rows in each."""
    assert_exact(*case, path="listing", blind=False)


@settings(max_examples=40)
@given(instances(kinds=LINEAR, max_samples=3))
def test_the_oracle_and_leaf_models_equal_the_reference(instance):
    """Subset costs by the problem's oracle, leaf problems by MIP."""
    assert_exact(instance, path="oracle")


@settings(max_examples=25)
@given(with_leaf_limits(kinds=LINEAR, max_samples=3))
def test_the_oracle_and_leaf_models_equal_the_reference_under_limits_on_leaves(case):
    """The same with few leaves or rows in each."""
    assert_exact(*case, path="oracle")


@settings(max_examples=15)
@given(instances(kinds=("machines",), max_samples=3))
def test_the_oracle_and_leaf_models_equal_the_reference_for_a_makespan(instance):
    """Costs that are the largest of several linear functions, or the smallest."""
    assert_exact(instance, path="oracle")


@pytest.mark.parametrize("budget", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize(
    "problem", [Selection(3, 1, sense="max"), ExplicitSet(np.eye(3)), Machines(3)], ids=["max", "explicit", "machines"]
)
def test_the_master_is_what_is_left_where_nothing_can_be_listed(problem, budget):
    """Too many samples for the oracle: scenario generation, which proves the same optimum."""
    costs = np.random.default_rng(2).integers(0, 9, (3, 3)).astype(float)
    assert_exact(Instance.create(problem, costs, uncertainty=budget(0.8), depth=1), path="master")
