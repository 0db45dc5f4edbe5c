"""Trees that nothing is misread by: the search over intervals of thresholds finds what brute force finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Instance, Nominal, solve
from hedgerow.engine.prove import suits_nominal
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options
from tests.methods.exact.reference import Reference
from tests.methods.exact.tiny import assert_keeps_the_rules, instances

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


def test_an_iteration_limit_ends_it_with_a_tree_and_a_bound():
    """The bound of the first open interval holds for all."""
    instance = drawn(1, 3, n_samples=60, n_values=20)
    stopped = solve(instance, method="exact", random_state=0, time_limit=None, iteration_limit=3)
    whole = solve(instance, method="exact", random_state=0, time_limit=None)
    assert stopped.status == "iteration_limit"
    assert stopped.lower_bound <= whole.objective <= stopped.objective
