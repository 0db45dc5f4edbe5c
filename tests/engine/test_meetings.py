"""Samples that can be read as others: costs hold for every tree, and the bound is one."""

from dataclasses import replace

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, Tree, solve
from hedgerow.adversary import move_costs
from hedgerow.datasets import paper_shortest_path
from hedgerow.engine.bounds import k_solutions_bound, listed_losses
from hedgerow.engine.meetings import bound_by_meetings, meeting_costs
from hedgerow.engine.samples import samples_of
from hedgerow.tree.splits import candidate_splits
from tests.engine.worlds import world
from tests.methods.exact.reference import Reference
from tests.reference.thresholds_anywhere import ThresholdsAnywhere


def _never():
    return False


def _bound(instance, splits, margin=0.0, count=None):
    count = 1 << instance.depth if count is None else count
    return bound_by_meetings(instance, listed_losses(instance), splits, margin, count, _never)


@pytest.mark.parametrize("thresholds", ["midpoints", "grid"])
@pytest.mark.parametrize("seed", range(40))
def test_no_tree_makes_a_meeting_dearer(seed, thresholds):
    """The leaf to which a sample belongs takes no more to get to than was said, in random trees."""
    rng = np.random.default_rng(seed)
    instance, _ = world(rng, most_samples=6)
    depth = int(rng.integers(1, 4))
    splits = candidate_splits(instance.question_values, thresholds)
    if not len(splits):
        return
    instance = replace(instance, depth=depth)
    samples = samples_of(instance, listed_losses(instance), splits, 0.0)
    said = meeting_costs(samples, depth, _never)
    for _ in range(30):
        drawn = rng.integers(len(splits), size=(1 << depth) - 1)
        solutions = np.repeat(instance.problem.all_solutions(9)[:1], 1 << depth, axis=0)
        tree = Tree.full(splits.question[drawn], splits.threshold[drawn], solutions)
        taken = move_costs(tree, instance.observations, instance.uncertainty)[:, tree.apply(instance.observations)]
        assert (taken <= said + 1e-9).all()


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_is_not_above_the_best_tree_over_candidates(seed):
    instance, options = world(np.random.default_rng(seed), kind=GlobalBudget, most_samples=3)
    options = options.replace(thresholds="midpoints", threshold_margin=None, min_samples_leaf=0, max_leaves=None)
    splits = candidate_splits(instance.question_values)
    assert _bound(instance, splits) <= Reference(instance, options).optimum() + 1e-9


@pytest.mark.parametrize("margin", [0.0, 0.002, 0.25])
@pytest.mark.parametrize("seed", range(20))
def test_the_bound_is_not_above_the_best_tree_over_all_thresholds(seed, margin):
    instance, options = world(np.random.default_rng(seed), kind=GlobalBudget, most_samples=3)
    options = options.replace(threshold_margin=margin, min_samples_leaf=0, max_leaves=None)
    optimum = ThresholdsAnywhere(instance, options, margin=margin).optimum()
    assert _bound(instance, None, margin) <= optimum + 1e-9


@pytest.mark.parametrize("seed", [0, 5, 9])
def test_deep_trees_are_bounded_better_than_without_a_tree(seed):
    problem, train, _ = paper_shortest_path(seed_id=seed, n_samples=20)
    for depth in (3, 5):
        instance = Instance.create(problem, train, uncertainty=GlobalBudget(fraction=0.1), depth=depth)
        bound = _bound(instance, candidate_splits(instance.question_values))
        found = solve(instance, method="local_search", thresholds="midpoints", iteration_limit=4, random_state=0)
        alone = k_solutions_bound(listed_losses(instance), 1 << depth)
        assert alone + 0.03 * (found.objective - alone) < bound <= found.objective
        assert found.lower_bound == pytest.approx(bound, rel=1e-3)
