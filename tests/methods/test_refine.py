"""Refinement: the best thresholds of the paper's grid around a tree's own, by batch."""

import math
from importlib import import_module
from itertools import product

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, Tree, solve, worst_case
from hedgerow.methods import refine as refining
from hedgerow.methods.refine import refine
from hedgerow.problems import ShortestPath
from hedgerow.run import Deadline, Interrupt, Options
from hedgerow.tree.splits import GRID_POINTS

facade = import_module("hedgerow.methods.solve")

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


@KINDS
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("at_once", [1, 400])
def test_piece_by_piece_it_finds_the_same_value(kind, seed, at_once, monkeypatch):
    """Pieces of one combination, or of some, are worth as much together as all at once."""
    tree, instance = a_tree(kind, seed)
    best = refine(tree, instance).objective
    monkeypatch.setattr(refining, "WORK_AT_ONCE", at_once)
    refined = refine(tree, instance)
    assert refined.complete
    assert refined.objective == pytest.approx(best)


@KINDS
def test_one_node_at_a_time_where_samples_make_it_too_much_work(kind, monkeypatch):
    """A hundred combinations are few, yet not with a million samples."""
    asked = []
    monkeypatch.setattr(refining, "WORK_AT_ONCE", 1e-9)  # so that each combination is asked about
    tree, instance = a_tree(kind)
    refine(tree, instance, lambda: asked.append(1) is not None)
    with_all = len(asked)
    asked.clear()
    monkeypatch.setattr(refining, "MOST_WORK", 1e-9)
    assert refine(tree, instance, lambda: asked.append(1) is not None).complete
    assert 0 < len(asked) < with_all / 2


@KINDS
def test_it_is_cut_short_between_pieces_with_the_best_so_far(kind, monkeypatch):
    """However soon it is asked to stop, the tree is no worse than before; the longer it may work, the better."""
    monkeypatch.setattr(refining, "WORK_AT_ONCE", 1e-9)
    tree, instance = a_tree(kind, seed=5)
    values = []
    for patience in (0, 5, 15, 40, 10_000):
        looks = iter(range(20_000))
        refined = refine(tree, instance, lambda looks=looks, patience=patience: next(looks) >= patience)
        assert refined.complete == (patience == 10_000)
        assert refined.objective == pytest.approx(worst_case(refined.tree, instance).value)
        values.append(refined.objective)
    assert values == sorted(values, reverse=True)
    assert values[0] == worst_case(tree, instance).value > values[-1]


@KINDS
def test_the_clock_and_ctrl_c_end_refinement_and_the_message_tells(kind, monkeypatch):
    monkeypatch.setattr(refining, "WORK_AT_ONCE", 1e-9)
    tree, instance = a_tree(kind)
    ticks = iter(range(10_000))
    late, interrupt = Deadline(5.0, clock=lambda: float(next(ticks))), Interrupt()
    monkeypatch.setattr(facade, "Deadline", lambda limit: Deadline(limit, clock=lambda: float(next(ticks))))
    refined, words = facade._refined(tree, instance, Options(), late, interrupt)
    assert not refined.complete
    assert words == "Refinement was cut short, since time was up; its best tree so far is kept."

    def ctrl_c(*_):
        interrupt.request()
        return None, math.inf

    monkeypatch.setattr(facade, "Deadline", Deadline)
    monkeypatch.setattr(refining._Grid, "_best_of_piece", ctrl_c)
    refined, words = facade._refined(tree, instance, Options(), Deadline(), interrupt)
    assert not refined.complete
    assert words == "Refinement was cut short, since the run was stopped; its best tree so far is kept."


def test_the_method_leaves_refinement_a_share_of_the_time():
    whole, of_method = facade._deadlines(Options(time_limit=100.0, refine=True))
    assert 94.0 < of_method.remaining() <= 95.0 < whole.remaining() <= 100.0
    endless = facade._deadlines(Options(time_limit=None, refine=True))
    assert all(deadline.remaining() == math.inf for deadline in endless)
    assert facade._deadlines(Options(time_limit=100.0))[1].remaining() > 99.0


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
