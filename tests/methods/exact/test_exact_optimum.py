"""The exact method with tables over all subsets of samples against brute force, on hundreds of tiny instances.

Most tests keep good first trees from the method ("blind"): a bound that is too high then costs the optimum.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import solve
from hedgerow.run import Options
from tests.methods.exact.tiny import (
    LONG_EPSILONS,
    NEAR_ONE_ANOTHER,
    assert_exact,
    instances,
    narrow_instances,
    on_path,
    with_leaf_limits,
)


@settings(max_examples=100)
@given(instances())
def test_equals_the_reference(instance):
    """Ties, negative and constant values, limits, prices, weights, features, both senses: as users call it."""
    assert_exact(instance, path="intervals", blind=False)


@settings(max_examples=250)
@given(instances())
def test_equals_the_reference_without_help(instance):
    """The same with one solution as the only first tree."""
    assert_exact(instance)


@settings(max_examples=150)
@given(with_leaf_limits())
def test_equals_the_reference_under_limits_on_leaves(case):
    """Fewest rows per leaf, most leaves, and both; smaller trees count as well."""
    assert_exact(*case)
    assert_exact(*case, path="intervals")


@settings(max_examples=60)
@given(instances(depths=(1, 2), max_samples=3, max_features=1), st.data())
def test_equals_the_reference_over_the_grid_of_thresholds(instance, data):
    """Nine thresholds per interval, at all nodes."""
    limits = data.draw(st.sampled_from([{}, {}, {"min_samples_leaf": 1}, {"max_leaves": 3}]))
    if limits.get("min_samples_leaf", 0) <= instance.n_samples:
        assert_exact(instance, Options(thresholds="grid", **limits))


@settings(max_examples=100)
@given(instances(epsilons=LONG_EPSILONS))
def test_equals_the_reference_where_a_step_overshoots(instance):
    """ε larger than the gaps between thresholds."""
    assert_exact(instance)
    assert_exact(instance, path="intervals")


@settings(max_examples=80)
@given(instances(values=[NEAR_ONE_ANOTHER]))
def test_equals_the_reference_where_readings_are_nearer_than_the_step(instance):
    """Gaps of 0.0004 under the default ε of 0.001."""
    assert_exact(instance)
    assert_exact(instance, path="intervals")


@settings(max_examples=150)
@given(narrow_instances())
def test_equals_the_reference_with_narrow_boxes_at_work(instance):
    """Boxes too narrow to be entered from below protect some samples and not others."""
    assert_exact(instance)
    assert_exact(instance, path="intervals")


@settings(max_examples=60)
@given(instances(depths=(3,), max_samples=3, max_features=1, kinds=("table", "explicit")))
def test_equals_the_reference_at_depth_three(instance):
    """Seven questions on one feature."""
    assert_exact(instance)


@settings(max_examples=12)
@given(instances(depths=(3,), max_samples=3, max_features=2, kinds=("pair",)))
def test_equals_the_reference_at_depth_three_on_two_features(instance):
    """Seven questions on two features, and two solutions."""
    assert_exact(instance)


@settings(max_examples=40)
@given(with_leaf_limits(depths=(3,), max_samples=3, max_features=1, kinds=("table",)))
def test_equals_the_reference_at_depth_three_under_limits_on_leaves(case):
    """Trees of depth 3 with few leaves or rows in each."""
    assert_exact(*case)


@settings(max_examples=40)
@given(instances(depths=(2,)), st.integers(0, 1000))
def test_the_seed_changes_nothing_about_the_optimum(instance, seed):
    """Another seed may find another tree, never another value."""
    with on_path("tables"):
        first, second = (
            solve(instance, method="exact", thresholds="midpoints", random_state=state) for state in (0, seed)
        )
    assert first.status == second.status == "optimal"
    assert first.objective == pytest.approx(second.objective, rel=1e-9, abs=1e-9)
