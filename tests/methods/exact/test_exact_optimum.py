"""Every way that the exact method may take against brute force, on hundreds of tiny instances.

Most tests keep good first trees from the method: a bound that is too high then costs the optimum.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, solve
from hedgerow.problems import ExplicitSet, Selection, ShortestPath
from hedgerow.run import Options
from tests.helpers import Machines
from tests.methods.exact.tiny import (
    LONG_EPSILONS,
    NEAR_ONE_ANOTHER,
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

LINEAR = {"kinds": ("explicit", "table", "selection", "grid"), "max_samples": 3}
GRAPH = {"kinds": ("grid",)}
DEEP = {"depths": (3,), "max_samples": 3, "max_features": 1}


@st.composite
def on_the_grid(draw):
    """Draw an instance whose questions have nine thresholds per interval."""
    instance = draw(instances(depths=(1, 2), max_samples=3, max_features=1))
    limits = draw(st.sampled_from([{}, {}, {"min_samples_leaf": min(1, instance.n_samples)}, {"max_leaves": 3}]))
    return instance, Options(thresholds="grid", **limits)


CASES = {
    "any": (instances(), {"tables": 250, "intervals": 200}),
    "limits on leaves": (with_leaf_limits(), {"tables": 150, "intervals": 150}),
    "grid": (on_the_grid(), {"tables": 60, "intervals": 40}),
    "steps beyond the next threshold": (instances(epsilons=LONG_EPSILONS), {"tables": 100, "intervals": 100}),
    "readings nearer than a step": (instances(values=[NEAR_ONE_ANOTHER]), {"tables": 80, "intervals": 80}),
    "narrow boxes": (narrow_instances(), {"tables": 150, "intervals": 150}),
    "depth 3": (instances(kinds=("table", "explicit"), **DEEP), {"tables": 60}),
    "depth 3, two features": (instances(kinds=("pair",), **{**DEEP, "max_features": 2}), {"tables": 12}),
    "depth 3, limits on leaves": (with_leaf_limits(kinds=("table",), **DEEP), {"tables": 40}),
    "paths": (instances(**GRAPH), {"listing": 80}),
    "no list": (instances(**LINEAR), {"oracle": 40}),
    "no list, limits on leaves": (with_leaf_limits(**LINEAR), {"oracle": 25}),
    "no list, makespan": (instances(kinds=("machines",), max_samples=3), {"oracle": 15}),
}
"""What is drawn, and how often on which path."""

WITH_FIRST_TREES = {
    "any": (instances(), {"intervals": 100}),
    "paths": (instances(**GRAPH), {"listing, intervals": 40}),
    "paths, limits on leaves": (with_leaf_limits(**GRAPH), {"listing": 40}),
}


def check(strategy, path, n_examples, blind):
    @settings(max_examples=n_examples)
    @given(strategy)
    def each_equals_the_reference(case):
        assert_exact(*(case if isinstance(case, tuple) else (case,)), path=path, blind=blind)

    each_equals_the_reference()


@pytest.mark.parametrize(("what", "path"), [(what, path) for what in CASES for path in CASES[what][1]])
def test_equals_the_reference_without_help(what, path):
    """With one solution as the only first tree."""
    strategy, n_examples = CASES[what]
    check(strategy, path, n_examples[path], blind=True)


@pytest.mark.parametrize("what", WITH_FIRST_TREES)
def test_equals_the_reference(what):
    """With good first trees, as users call it."""
    strategy, ((path, n_examples),) = WITH_FIRST_TREES[what][0], WITH_FIRST_TREES[what][1].items()
    check(strategy, path, n_examples, blind=False)


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
    problem, depth = ShortestPath.grid(3), 2
    if path == "master":
        problem, costs, depth = ShortestPath.grid(2), costs[:3, :4], 1
    instance = Instance.create(problem, costs, uncertainty=uncertainty, depth=depth)
    with on_path(path, blind=True) as spy:
        result = solve(instance, method="exact", thresholds="midpoints", random_state=0, time_limit=None)
    assert spy.called
    assert result.status == "optimal" or path == "prices"  # which may leave a gap


@pytest.mark.parametrize("budget", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize(
    "problem", [Selection(3, 1, sense="max"), ExplicitSet(np.eye(3)), Machines(3)], ids=["max", "explicit", "machines"]
)
def test_the_master_is_what_is_left_where_nothing_can_be_listed(problem, budget):
    """Too many samples for the oracle: scenario generation, which proves the same optimum."""
    costs = np.random.default_rng(2).integers(0, 9, (3, 3)).astype(float)
    assert_exact(Instance.create(problem, costs, uncertainty=budget(0.8), depth=1), path="master")
