"""Roots of depth 3 are bounded by the best trees of depth 2 on their sides: never above what a tree costs."""

from dataclasses import replace

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, solve
from hedgerow.engine.deep_trees import DeepTrees, _sides, _Subtree
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.prove import _root_floors, _suits_depth_three
from hedgerow.engine.samples import samples_of
from hedgerow.engine.shares import Answer, improve_shares
from hedgerow.engine.structures.attacks import SetCosts
from hedgerow.engine.structures.branching import Branching
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.engine.structures.subsets import subset_costs, subset_tables
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


def best_below(root, space, cutoff):
    """Return the best value below a root if it is below the cut-off, by going through all structures."""
    loss = space.loss
    prices = SetCosts(subset_tables(subset_costs(loss), 3), loss)
    best = [cutoff]
    for structures, _ in Branching(space, prices).below(root, lambda: min(best), lambda: False):
        found = space.best(structures.copy(), min(best), lambda: False) if len(structures) else None
        best.append(np.inf if found is None else found.value)
    return min(best)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("options", [{}, {"limits": 1.2}], ids=["free", "limited"])
def test_no_root_is_bounded_above_its_best_tree(seed, options):
    """Nor is the run's bound above the best of all, though single roots stay open on the way."""
    instance = world(seed, **options)
    space, run = space_of(instance), Run(instance)
    assert _suits_depth_three(space)
    space.offer_best(space.draw(run.rng, 90), run)
    floors = _root_floors(space, run, np.inf)
    assert floors.min() >= space.loss.min(axis=1).sum() - 1e-9
    rng = np.random.default_rng(seed)
    least = np.inf
    for root in rng.choice(len(floors), min(len(floors), 6), replace=False):
        best = best_below(int(root), space, run.value + 50.0)
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


def test_one_split_and_other_budgets_are_left_to_structures():
    """A margin on thresholds or a limit on leaves is not allowed for."""
    instance = world(0)
    splits, pool = candidate_splits(instance.observations), complete_pool(instance, 10**9, Run(instance))
    for options in ({"max_leaves": 5}, {"threshold_margin": 0.1}):
        assert not _suits_depth_three(SearchSpace(instance, Options(thresholds="midpoints", **options), splits, pool))


def test_samples_go_on_past_crowded_thresholds():
    """Where they arrive right of a root, they are right of each further threshold by ε, or left of it: at 0.5 + ε."""
    rows = np.array([[0.0], [0.2], [0.4], [0.6], [3.0]])
    instance = Instance.create(
        ExplicitSet(np.eye(2)), np.ones((5, 2)), observed=rows, uncertainty=LocalBudget(2.0, epsilon=0.3)
    )
    samples = samples_of(instance, np.zeros((5, 1)), candidate_splits(rows), 0.0)
    spent, (_, right) = _sides(0, 0, 0, samples)
    assert samples.points == pytest.approx([0.1, 0.3, 0.5, 1.8])
    assert (right.values[0, 0], spent[1, 0]) == pytest.approx((0.8, 0.8))
    spent, (left, right) = _sides(0, 1, 1, samples)
    assert spent[1] == pytest.approx([0.8, 0.6, 0.0, 0.0, 0.0])
    assert right.values[0] == pytest.approx([0.8, 0.8, 0.4, 0.6, 3.0])
    assert spent[0] == pytest.approx([0.0, 0.0, 0.1, 0.3, np.inf])
    assert left.values[0] == pytest.approx([0.0, 0.2, 0.3, 0.3, 0.3])
    assert left.room == pytest.approx([2.0, 2.0, 1.9, 1.7, 2.0])


@pytest.mark.parametrize("seed", range(5))
def test_steps_on_shares_come_close_to_the_best_ones(seed):
    """Samples that reach one side only keep their shares."""
    rng = np.random.default_rng(seed)
    left, right = rng.uniform(0.0, 9.0, (2, 4, 6))
    free = np.array([True, True, False, True, False, True])
    given = np.array([0.5, 0.5, 1.0, 0.5, 0.0, 0.5])

    def answer(share):
        trees = left[(left @ share).argmin()], right[(right @ (1.0 - share)).argmin()]
        return Answer(float(trees[0] @ share + trees[1] @ (1.0 - share)), trees[0] - trees[1], None)

    others = np.where(free, rng.uniform(0.0, 1.0, (2000, 6)), given)
    most = max(answer(share).value for share in others)
    share, best = improve_shares(given, free, np.inf, 1.02 * most, 60, answer)
    assert best.value == answer(share).value >= 0.98 * most
    assert share[~free] == pytest.approx(given[~free])
    assert improve_shares(given, free, 0.0, most, 60, answer)[0] is given
    assert improve_shares(given, free, np.inf, most, 60, lambda _: None)[1] is None


@pytest.mark.parametrize("seed", range(5))
def test_a_half_is_the_best_tree_of_depth_2_for_the_samples_that_reach_it(seed):
    """All of them, against the exact method; some of them or shares of them cost less, and none nothing."""
    instance = world(seed)
    samples = samples_of(instance, complete_pool(instance).losses, candidate_splits(instance.observations), 0.0)
    n_samples = instance.n_samples
    nothing, all_here = _Subtree(np.inf, None, np.full(n_samples, np.inf)), np.zeros(n_samples)
    trees = DeepTrees(samples, 3)

    def half(spent, share, cutoff=np.inf, known=nothing):
        return trees._best_below(samples, spent, np.full(n_samples, share), cutoff, known, lambda: False)

    exact = solve(replace(instance, depth=2), method="exact", thresholds="midpoints", round_thresholds=False)
    best = half(all_here, 1.0)
    assert best.value == pytest.approx(exact.objective - instance.costs.min(axis=1).sum(), abs=1e-6)
    assert half(all_here, 0.5).value == pytest.approx(0.5 * best.value)
    assert half(np.append(np.inf, all_here[1:]), 1.0).value <= best.value
    assert (
        half(np.full(n_samples, np.inf), 1.0).value == half(all_here, 0.0).value == half(all_here, 1.0, 0.0).value == 0
    )
    assert half(all_here, 1.0, 0.5 * best.value).value == pytest.approx(0.5 * best.value)
    assert half(all_here, 0.5, known=best).value == pytest.approx(0.5 * best.value)
