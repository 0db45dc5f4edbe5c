"""Refinement: the best thresholds of the paper's grid around a tree's own."""

from itertools import product

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve, worst_case
from hedgerow.methods.refine import grid_around, refine
from hedgerow.problems import Selection, ShortestPath
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import tree_of

KINDS = pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])


def a_tree(kind, seed=0, depth=2, fraction=0.15):
    costs = np.round(np.random.default_rng(seed).uniform(1, 20, (5, 12)), 1)
    instance = Instance.create(ShortestPath.grid(3), costs, uncertainty=kind(fraction=fraction), depth=depth)
    return solve(instance, method="nominal", time_limit=20.0).tree, instance


@KINDS
def test_it_never_harms_and_keeps_structure_and_solutions(kind):
    """The refined tree asks about the same items, holds the same solutions, and its nominal routing is the same."""
    tree, instance = a_tree(kind)
    refined = refine(tree, instance)
    assert refined.objective <= worst_case(tree, instance).value + 1e-9
    assert np.array_equal(refined.tree.item, tree.item)
    assert np.array_equal(refined.tree.solutions, tree.solutions)
    assert np.array_equal(refined.tree.apply(instance.observations), tree.apply(instance.observations))


@KINDS
def test_it_is_cut_short_between_pieces_with_the_best_so_far(kind):
    """However soon it is asked to stop, the tree is no worse than before; the longer it may work, the better."""
    tree, instance = a_tree(kind, seed=5)
    values = []
    for patience in (0, 5, 15, 40, 10_000):
        looks = iter(range(20_000))
        refined = refine(
            tree,
            instance,
            lambda looks=looks, patience=patience: next(looks) >= patience,
        )
        assert refined.complete == (patience == 10_000)
        assert refined.objective == pytest.approx(worst_case(refined.tree, instance).value)
        values.append(refined.objective)
    assert values == sorted(values, reverse=True)
    assert values[0] == worst_case(tree, instance).value > values[-1]


def test_the_result_keeps_it_beside_its_own_tree():
    """`refine=True` leaves tree, objective and bound alone."""
    _, instance = a_tree(LocalBudget, fraction=0.2)
    plain = solve(instance, method="exact")
    both = solve(instance, method="exact", refine=True)
    assert both.tree == plain.tree
    assert both.lower_bound == plain.lower_bound
    assert both.refined.objective <= both.objective


def one_by_one(tree, instance):
    """Return the first combination of thresholds that none is better than, each attacked on its own."""
    inner = np.flatnonzero(tree.item >= 0)
    options = [grid_around(instance.observations[:, tree.item[node]], tree.threshold[node]) for node in inner]
    best, value = tree, instance.sign * worst_case(tree, instance).value
    below = value - VALUE * max(1.0, abs(value))
    for thresholds in product(*options):
        moved = np.array(tree.threshold)
        moved[inner] = thresholds
        candidate = tree.replace(threshold=moved)
        attacked = instance.sign * worst_case(candidate, instance).value
        if attacked < below - 1e-12:
            best, below = candidate, attacked
    return worst_case(best, instance).value


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize("seed", range(6))
def test_it_equals_trying_every_combination_one_by_one(kind, seed):
    """Few features, so that paths ask about one twice; trees of any shape; with entry limits and a wide step too."""
    rng = np.random.default_rng(seed)
    n_samples, sense = int(rng.integers(3, 8)), ("min", "max")[seed % 2]
    observations = np.round(rng.normal(0.0, 3.0, (n_samples, 2)), 1)
    instance = Instance.create(
        Selection(4, 2, sense=sense),
        np.round(rng.uniform(-5.0, 9.0, (n_samples, 4)), 1),
        observed=observations,
        uncertainty=kind(
            fraction=rng.uniform(0.02, 0.3), epsilon=(0.001, 0.3)[seed % 2], limits=(None, None, 2.0)[seed % 3]
        ),
    )
    splits = candidate_splits(observations)
    for _ in range(4):
        structure = rng.integers(-1, len(splits), 3)
        tree = tree_of(structure, splits, Selection(4, 2).all_solutions(10)[rng.integers(6, size=4)])
        assert refine(tree, instance).objective == pytest.approx(one_by_one(tree, instance))
