"""Trees that nothing is misread by: the search over intervals of thresholds finds what brute force finds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Instance, LocalBudget, Nominal, solve
from hedgerow.engine.prove import suits_nominal
from hedgerow.engine.readings import Root, readings_of
from hedgerow.engine.stumps import best_stump, new_workspace
from hedgerow.methods.exact import engine
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits
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
    """A side may cost more with fewer samples, since it can no longer be divided."""
    instance, rows = case
    assert_optimal(instance, Options(min_samples_leaf=rows, thresholds="midpoints"))


@settings(max_examples=40)
@given(instances(**NOMINAL).flatmap(lambda case: st.tuples(st.just(case), leaf_limits(case.n_samples))))
def test_equal_to_brute_force_with_a_limit_on_the_number_of_leaves(case):
    """It ties the two sides of a question together."""
    assert_optimal(*case)


def drawn(seed, depth, n_samples=14, n_values=6):
    """Return an instance with many ties, too large for brute force."""
    rng = np.random.default_rng(seed)
    observations = rng.integers(0, n_values, (n_samples, 4)).astype(float)
    return Instance.create(
        ExplicitSet(np.eye(6)),
        rng.uniform(0.0, 9.0, (n_samples, 6)).round(2),
        context=observations,
        uncertainty=Nominal(),
        depth=depth,
    )


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_equal_to_the_search_for_robust_trees(seed, depth, monkeypatch):
    """Which takes another way altogether."""
    instance = drawn(seed, depth)
    found = solve(instance, method="exact", random_state=0, time_limit=None)
    monkeypatch.setattr(engine, "suits_nominal", lambda *_: False)
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


@pytest.mark.parametrize("seed", range(4))
def test_a_stump_is_the_best_of_all_that_divide_the_samples(seed):
    """At or above the cut-off there is none."""
    rng = np.random.default_rng(seed)
    values, costs = rng.integers(0, 5, (6, 2)).astype(float), rng.integers(0, 9, (6, 3)).astype(float)
    instance = Instance.create(ExplicitSet(np.eye(3)), costs, context=values, uncertainty=Nominal(), depth=1)
    readings = readings_of(instance, costs, candidate_splits(values), 0.0)
    regret, space = readings.regret, new_workspace(readings)
    expected = {-1: regret.sum(axis=0).min()}
    for item, threshold in product(range(2), np.arange(0.5, 4.0)):
        left = values[:, item] <= threshold
        if 0 < left.sum() < 6:
            value = regret[left].sum(axis=0).min() + regret[~left].sum(axis=0).min()
            expected[item] = min(value, expected.get(item, np.inf))
    nothing, best = Root(-1, 0.0, 0.0), min(expected.values())
    assert best_stump(0, nothing, readings, np.inf, space) == best
    assert expected[int(space.question[0, 0])] == best
    assert best_stump(0, nothing, readings, best, space) == best


def test_a_budget_of_nothing_is_not_taken_for_no_budget():
    """Items that cost nothing to misread may be misread without a budget."""
    instance = drawn(0, 1)
    assert suits_nominal(instance, Options())
    free = Instance.create(
        instance.problem, instance.costs, context=instance.observations, uncertainty=LocalBudget(0.0), depth=1
    )
    assert not suits_nominal(free, Options())
