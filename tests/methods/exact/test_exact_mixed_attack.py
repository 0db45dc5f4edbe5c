"""Bounds by attacks in mixture: never above a structure's value, and as good as the linear programme that they play."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.engine.structures.mixed_attack import mixed_bounds
from hedgerow.engine.structures.reach import reading_of, structure_costs
from hedgerow.problems import Selection
from hedgerow.run import Deadline, Run
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import tree_of
from tests.methods.exact.reference import Reference
from tests.methods.exact.tiny import instances, leaves_of


def bounds_of(instance, structures, target=np.inf, run=None):
    structures = np.array(structures, dtype=np.int64)
    reading = reading_of(instance, candidate_splits(instance.observations))
    given = np.full(len(structures), -np.inf)
    return mixed_bounds(structures, given, instance, reading, run or Run(instance), target)


@settings(max_examples=150)
@given(instances(depths=(2,)), st.integers(0, 99))
def test_a_mixture_never_bounds_above_the_value(instance, seed):
    """Whatever the set, sign and weights."""
    splits = candidate_splits(instance.observations)
    if not len(splits):
        return
    structures = np.random.default_rng(seed).integers(0, len(splits), (4, 3))
    blank = np.zeros((4, len(instance.problem.variable_names)))
    reference = Reference(instance)
    for structure, bound in zip(structures, bounds_of(instance, structures), strict=True):
        value = reference.value(leaves_of(tree_of(structure, splits, blank)))
        assert bound <= value + 1e-9 * max(1.0, abs(value))


def assignments(move_cost, limit):
    """List every affordable assignment of samples to slots."""
    n_slots, n_samples = move_cost.shape
    every = np.array(np.meshgrid(*[range(n_slots)] * n_samples)).reshape(n_samples, -1).T
    return [way for way in every if move_cost[way, np.arange(n_samples)].sum() <= limit]


@pytest.mark.parametrize("seed", range(6))
def test_play_comes_close_to_the_best_mixture(seed):
    """The best mixture is the value of a matrix game, which a linear programme gives."""
    costs = np.random.default_rng(seed).uniform(1.0, 9.0, (4, 4))
    instance = Instance.create(Selection(4, 2), costs, uncertainty=GlobalBudget(3.0))
    splits = candidate_splits(instance.observations)
    structure = np.random.default_rng(seed).integers(0, len(splits), 3)
    move_cost = np.empty((4, 4))
    structure_costs(structure, reading_of(instance, splits), move_cost)
    losses = instance.losses(instance.problem.all_solutions(100))
    ways = assignments(move_cost, 3.0)
    # Each slot mixes its solutions; the largest loss over all assignments is to be least.
    n_solutions = losses.shape[1]
    rows = []
    for way in ways:
        row = np.zeros((4, n_solutions))
        for sample, slot in enumerate(way):
            row[slot] += losses[sample]
        rows.append(np.append(row.ravel(), -1.0))
    one_each = np.hstack([np.kron(np.eye(4), np.ones(n_solutions)), np.zeros((4, 1))])
    best = linprog(np.append(np.zeros(4 * n_solutions), 1.0), np.array(rows), np.zeros(len(rows)), one_each, np.ones(4))
    bound = bounds_of(instance, [structure], target=0.99 * best.fun)[0]
    assert 0.99 * best.fun <= bound <= best.fun + 1e-9


def test_play_stops_at_the_target_and_when_time_is_up():
    """What is known before is never lost."""
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (4, 4))
    instance = Instance.create(Selection(4, 2), costs, uncertainty=GlobalBudget(3.0))
    out_of_time = Run(instance, deadline=Deadline(0.0))
    assert bounds_of(instance, [[0, 1, 2]], run=out_of_time)[0] == -np.inf
    first = bounds_of(instance, [[0, 1, 2]], target=-np.inf)[0]
    assert np.isfinite(first)
    assert bounds_of(instance, [[0, 1, 2]], target=first)[0] == first


class Unlisted(Selection):
    """Selections that can't be listed."""

    def all_solutions(self, limit):
        return None


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize("sense", ["min", "max"])
def test_unlisted_selections_are_proven_as_listed_ones_are(kind, sense):
    """With the oracle, mixtures and leaf MIPs alone."""
    costs = np.random.default_rng(3).uniform(10.0, 30.0, (4, 6)).round(3)
    results = [
        solve(
            Instance.create(problem(6, 3, sense=sense), costs, uncertainty=kind(fraction=0.1)),
            method="exact",
            thresholds="midpoints",
            random_state=0,
            time_limit=None,
        )
        for problem in (Selection, Unlisted)
    ]
    assert [result.status for result in results] == ["optimal"] * 2
    assert results[0].objective == pytest.approx(results[1].objective)
