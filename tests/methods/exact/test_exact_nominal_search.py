"""Trees that nothing is misread by: the search over intervals of thresholds finds what brute force finds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Instance, Nominal, solve
from hedgerow.engine import prove
from hedgerow.engine.nominal_kernels import best_pair, best_split
from hedgerow.engine.prove import suits_nominal
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options
from tests.methods.exact.reference import Reference
from tests.methods.exact.tiny import assert_keeps_the_rules, instances, leaf_limits

NOMINAL = {"sets": ("nominal",), "max_samples": 5}


def assert_optimal(instance, limits=None):
    result = solve(instance, method="exact", options=limits, round_thresholds=False, random_state=0, time_limit=None)
    expected = Reference(instance, limits).optimum()
    assert result.status == "optimal"
    assert instance.sign * result.objective == pytest.approx(expected, rel=1e-9, abs=1e-9)
    for row in result.statistics:
        assert instance.sign * row.bound <= expected + 1e-8 * max(1.0, abs(expected)), row
    assert_keeps_the_rules(result, instance, limits)


@settings(max_examples=150)
@given(instances(depths=(1, 2, 2, 3), **NOMINAL))
def test_equal_to_brute_force(instance):
    """Ties, equal values, weights of zero, either sign."""
    assert_optimal(instance)


@settings(max_examples=80)
@given(instances(**NOMINAL).flatmap(lambda instance: st.tuples(st.just(instance), st.integers(1, instance.n_samples))))
def test_equal_to_brute_force_with_enough_rows_at_each_leaf(case):
    """One sample is a limit that each side can keep for itself; more are left to the general search."""
    instance, rows = case
    limits = Options(min_samples_leaf=rows, thresholds="midpoints")
    assert suits_nominal(instance, limits) == (rows == 1 or instance.depth <= 2)
    assert_optimal(instance, limits)


@settings(max_examples=40)
@given(instances(**NOMINAL).flatmap(lambda case: st.tuples(st.just(case), leaf_limits(case.n_samples))))
def test_limits_on_the_number_of_leaves_are_left_to_the_general_search(case):
    """They tie the two sides of a question together."""
    instance, limits = case
    assert limits.max_leaves is None or instance.depth <= 2 or not suits_nominal(instance, limits)
    assert_optimal(instance, limits)


def drawn(seed, depth, n_samples=14, n_values=6):
    """Return an instance with many ties, too large for brute force."""
    rng = np.random.default_rng(seed)
    observations = rng.integers(0, n_values, (n_samples, 4)).astype(float)
    return Instance.create(
        ExplicitSet(np.eye(6)),
        rng.uniform(0.0, 9.0, (n_samples, 6)).round(2),
        observed=observations,
        uncertainty=Nominal(),
        depth=depth,
    )


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_equal_to_the_search_for_robust_trees(seed, depth, monkeypatch):
    """Which takes another way altogether."""
    instance = drawn(seed, depth)
    found = solve(instance, method="exact", random_state=0, time_limit=None)
    monkeypatch.setattr(prove, "suits_nominal", lambda *_: False)
    other = solve(instance, method="exact", random_state=0, time_limit=None)
    assert found.status == other.status == "optimal"
    assert found.objective == pytest.approx(other.objective)


def test_an_iteration_limit_ends_it_with_a_tree_and_a_bound():
    """The bound of the first open interval holds for all."""
    instance = drawn(1, 3, n_samples=60, n_values=20)
    stopped = solve(instance, method="exact", random_state=0, time_limit=None, iteration_limit=3)
    whole = solve(instance, method="exact", random_state=0, time_limit=None)
    assert stopped.status == "iteration_limit"
    assert stopped.lower_bound <= whole.objective <= stopped.objective


def test_kernels_say_the_cutoff_where_nothing_is_below_it():
    """And the value itself just above it."""
    rank = np.array([[0, 1, 2, 3], [1, 0, 3, 2]])
    order = np.argsort(rank, axis=1)
    regret = np.array([[0.0, 4.0], [3.0, 0.0], [0.0, 5.0], [2.0, 0.0]])
    split = np.empty(2, dtype=np.int64)
    for kernel in (best_split, best_pair):
        value = kernel(order, rank, regret, 0, np.inf, split)
        assert kernel(order, rank, regret, 0, value, split) == value
        assert kernel(order, rank, regret, 0, value + 1e-9, split) == pytest.approx(value, abs=1e-12)
    assert best_pair(order, rank, regret, 0, np.inf, split) == 0.0
    assert best_split(order, rank, regret, 0, np.inf, split) == 2.0


@pytest.mark.parametrize("min_samples", [0, 1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_one_split_is_the_best_of_all_that_leave_enough_samples(seed, min_samples):
    rng = np.random.default_rng(seed)
    rank, regret = rng.integers(0, 5, (2, 6)), rng.integers(0, 9, (6, 3)).astype(float)
    order, split = np.argsort(rank, axis=1, kind="stable"), np.empty(2, dtype=np.int64)
    values = {(-1, -1): regret.sum(axis=0).min()}
    for item, threshold in product(range(2), range(5)):
        left = rank[item] <= threshold
        if min(left.sum(), (~left).sum()) >= max(1, min_samples):
            values[item, threshold] = regret[left].sum(axis=0).min() + regret[~left].sum(axis=0).min()
    assert best_split(order, rank, regret, min_samples, np.inf, split) == min(values.values())
    assert values[tuple(split)] == min(values.values())
