"""The paper's heuristics: the best tree over given solutions, and thresholds on large histories."""

from itertools import product

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, worst_case
from hedgerow.engine.pool import optima_pool
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.methods.restarts import best_over
from hedgerow.problems import Selection
from hedgerow.run import Options, Run, RunState
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT, structure_allowed, tree_of
from tests.helpers import Machines

KINDS = pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
PROBLEMS = {"selection": Selection(4, 2), "gains": Selection(4, 2, sense="max"), "machines": Machines()}


def a_case(kind, problem, seed, settings=None):
    """Return structures over a few splits, and two solutions."""
    rng = np.random.default_rng(seed)
    instance = Instance.create(
        PROBLEMS[problem],
        np.round(rng.uniform(1.0, 9.0, (3, 4)), 1),
        context=np.round(rng.normal(0.0, 3.0, (3, 2)), 1),
        uncertainty=kind(fraction=0.06),
    )
    splits, solutions = candidate_splits(instance.observations), PROBLEMS[problem].all_solutions(100)
    space = SearchSpace(
        instance, settings or Options(thresholds="midpoints"), splits, optima_pool(instance, Run(instance))
    )
    return space, solutions[rng.choice(len(solutions), 2, replace=False)]


def by_trying_all(space, solutions):
    instance, trees = space.instance, []
    for structure in product([NO_SPLIT, *range(len(space.splits))], repeat=3):
        if structure_allowed(np.array(structure), space.splits, instance.observations, space.options):
            choices = (list(choice) for choice in product(range(2), repeat=4))
            trees += [tree_of(np.array(structure), space.splits, solutions[choice]) for choice in choices]
    return min(instance.sign * worst_case(tree, instance).value for tree in trees)


@KINDS
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("limits", [{}, {"min_samples_leaf": 1}, {"max_leaves": 3}], ids=["free", "rows", "leaves"])
def test_the_best_tree_that_holds_some_solutions_is_the_best_of_all(kind, problem, limits):
    space, solutions = a_case(kind, problem, 3, Options(thresholds="midpoints", **limits))
    tree, value = best_over(space, solutions, Run(space.instance), RunState(None, np.inf))
    assert value == pytest.approx(by_trying_all(space, solutions))
    assert space.instance.sign * worst_case(tree, space.instance).value == pytest.approx(value)
    assert best_over(space, solutions, Run(space.instance), RunState(tree, value - 1e-6)) is None
