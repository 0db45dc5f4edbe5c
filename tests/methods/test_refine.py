"""Refinement: the best thresholds of the paper's grid around a tree's own, by batch."""

from itertools import product

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, Tree, solve, worst_case
from hedgerow.methods import refine as refining
from hedgerow.methods.refine import refine
from hedgerow.problems import ShortestPath
from hedgerow.splits import GRID_POINTS

KINDS = pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])


def a_tree(kind, seed=0, depth=2, fraction=0.15):
    costs = np.round(np.random.default_rng(seed).uniform(1, 20, (5, 12)), 1)
    instance = Instance.create(ShortestPath.grid(3), costs, uncertainty=kind(fraction=fraction), depth=depth)
    return solve(instance, method="nominal", time_limit=20.0).tree, instance


def grid_of(tree, node, observations):
    values = np.sort(observations[:, tree.item[node]])
    low, high = values[values <= tree.threshold[node]].max(), values[values > tree.threshold[node]].min()
    return [tree.threshold[node], *(share * low + (1 - share) * high for share in GRID_POINTS)]


@KINDS
@pytest.mark.parametrize("seed", range(3))
def test_it_equals_trying_every_combination(kind, seed):
    """No combination of grid points has a better worst case than the refined tree."""
    tree, instance = a_tree(kind, seed)
    inner = np.flatnonzero(tree.item >= 0)
    values = []
    for thresholds in product(*(grid_of(tree, node, instance.observations)[::3] for node in inner)):
        moved = np.array(tree.threshold)
        moved[inner] = thresholds
        values.append(worst_case(tree.replace(threshold=moved), instance).value)
    refined = refine(tree, instance)
    assert refined.objective <= min(values) + 1e-9
    assert refined.objective == pytest.approx(worst_case(refined.tree, instance).value)


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
def test_one_node_at_a_time_where_combinations_are_too_many(kind, monkeypatch):
    """Coordinate descent, used for many nodes, ends no worse than it began and no better than all combinations."""
    tree, instance = a_tree(kind)
    best = refine(tree, instance).objective
    monkeypatch.setattr(refining, "MOST_COMBINATIONS", 1)
    assert best - 1e-9 <= refine(tree, instance).objective <= worst_case(tree, instance).value + 1e-9


def test_it_helps_where_a_threshold_stands_too_close():
    """A sample that one midpoint leaves in reach is out of reach of a threshold nearer to its neighbour."""
    problem, costs = ShortestPath.grid(2), np.array([[1.0, 9.0, 1.0, 9.0], [9.0, 1.0, 9.0, 1.0]])
    instance = Instance.create(problem, costs, uncertainty=LocalBudget([1.0, 4.5]), depth=1)
    first, second = problem.best_solutions(costs)
    tree = Tree.full([0], [5.0], np.array([first, second]))
    refined = refine(tree, instance)
    assert worst_case(tree, instance).value > refined.objective == worst_case(refined.tree, instance).nominal_cost.sum()


def test_nothing_to_refine_is_no_error():
    """Depth 0 and certain readings come back as they were."""
    tree, instance = a_tree(LocalBudget)
    single = Tree.single(tree.solutions[0])
    assert refine(single, instance).tree == single
    certain = Instance.create(instance.problem, instance.costs, uncertainty=Nominal())
    assert refine(tree, certain).tree == tree


def test_the_result_keeps_it_beside_its_own_tree():
    """`refine=True` leaves tree, objective and bound alone."""
    _, instance = a_tree(LocalBudget, fraction=0.2)
    plain = solve(instance, method="exact")
    both = solve(instance, method="exact", refine=True)
    assert both.tree == plain.tree
    assert both.lower_bound == plain.lower_bound
    assert both.refined.objective <= both.objective
