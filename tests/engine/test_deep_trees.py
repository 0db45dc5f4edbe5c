"""Roots of depth 3 are bounded by the best trees of depth 2 on their sides: never above what a tree costs."""

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, solve
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.prove import _root_floors, _suits_depth_three
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options, Run
from hedgerow.tree.splits import candidate_splits

EPSILON = 0.001


def world(seed, **options):
    """Return readings on lattices that are wider than ε or narrower, and five solutions of which each costs its own."""
    rng = np.random.default_rng(seed)
    n_samples, n_items = rng.integers(4, 8), rng.integers(2, 4)
    fine = rng.integers(0, 8, (n_samples, n_items)) * rng.choice([1.0, 0.8 * EPSILON, 1.5 * EPSILON])
    observations = fine + rng.integers(0, 3, (n_samples, n_items))
    budget = LocalBudget(rng.choice([0.5, 1.0, 1.5, 2.0 * EPSILON]) * rng.integers(1, 3, n_samples), **options)
    costs = rng.integers(1, 30, (n_samples, 5)).astype(float)
    return Instance.create(ExplicitSet(np.eye(5)), costs, observed=observations, uncertainty=budget, depth=3)


def space_of(instance):
    splits = candidate_splits(instance.observations)
    pool = complete_pool(instance, 10**9, Run(instance))
    return SearchSpace(instance, Options(thresholds="midpoints"), splits, pool)


def best_of_some(root, space, rng):
    """Return the best value of many random structures with a root."""
    structures = rng.integers(0, len(space.splits), (2_000, 7))
    structures[:, 0] = root
    return space.best(structures).value


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("options", [{}, {"limits": 1.2}], ids=["free", "limited"])
def test_no_root_is_bounded_above_its_best_tree(seed, options):
    """Nor is the run's bound, though single roots stay open on the way."""
    instance = world(seed, **options)
    space, run = space_of(instance), Run(instance)
    assert _suits_depth_three(space)
    space.offer_best(space.draw(run.rng, 90), run)
    floors = _root_floors(space, run, np.inf)
    assert floors.min() >= space.loss.min(axis=1).sum() - 1e-9
    rng, least = np.random.default_rng(seed), np.inf
    for root in rng.choice(len(floors), min(len(floors), 6), replace=False):
        best = best_of_some(int(root), space, rng)
        assert floors[root] <= best + 1e-6
        least = min(least, best)
    assert run.bound <= least + 1e-6
    assert run.bound <= min(run.value, floors.min() + 1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_exact_finds_at_depth_3_what_structures_alone_find(seed, monkeypatch):
    """With bounds on roots and without."""
    instance = world(100 + seed)
    with_floors = solve(instance, method="exact", thresholds="midpoints")
    monkeypatch.setattr("hedgerow.engine.prove._suits_depth_three", lambda _: False)
    without = solve(instance, method="exact", thresholds="midpoints")
    assert with_floors.status == without.status == "optimal"
    assert with_floors.objective == pytest.approx(without.objective)
