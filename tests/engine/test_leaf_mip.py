"""The leaf problem by MIP: cut-offs, time, and costs that are not linear."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve, worst_case
from hedgerow.engine.models.leaf_mip import solve_leaves
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.problems import Knapsack
from hedgerow.run import Deadline, Options, Run
from hedgerow.tree.splits import candidate_splits
from tests.helpers import Machines
from tests.methods.exact.tiny import on_path

KINDS = pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
STRUCTURE = np.array([4, 1, 7])


def a_case(kind, sense="min", fraction=0.2):
    costs = np.round(np.random.default_rng(5).uniform(1.0, 9.0, (5, 4)), 1)
    instance = Instance.create(
        Machines(4, sense), costs, weights=[1.0, 2.0, 0.0, 1.5, 1.0], uncertainty=kind(fraction=fraction)
    )
    return SearchSpace(instance, Options(), candidate_splits(instance.observations), complete_pool(instance))


@KINDS
@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("fraction", [0.0, 0.1, 0.2, 0.4])
def test_it_agrees_with_the_table_where_the_cost_is_the_worst_of_several_functions(kind, sense, fraction):
    space = a_case(kind, sense, fraction)
    instance = space.instance
    solved = solve_leaves(STRUCTURE, space, Run(instance))
    assert solved.proven
    assert solved.value == pytest.approx(space.best(STRUCTURE[None]).value)
    assert solved.bound <= solved.value
    attacked = worst_case(solved.tree, instance).value
    assert instance.sign * attacked == pytest.approx(solved.value)


@KINDS
def test_a_cut_off_that_nothing_stays_below_is_proven_to_be_one(kind):
    space, run = a_case(kind), Run(a_case(kind).instance)
    value = solve_leaves(STRUCTURE, space, run).value
    nothing = solve_leaves(STRUCTURE, space, run, cutoff=value - 0.01)
    assert nothing.tree is None
    assert nothing.proven
    assert nothing.bound == pytest.approx(value - 0.01)
    assert solve_leaves(STRUCTURE, space, run, cutoff=value + 0.01).value == pytest.approx(value)


@KINDS
def test_without_time_nothing_is_claimed(kind):
    space = a_case(kind)
    solved = solve_leaves(STRUCTURE, space, Run(space.instance, deadline=Deadline(1e-9)))
    assert solved.tree is None
    assert not solved.proven


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_best_tree_that_costs_nothing_is_proven(size):
    """Gains and losses cancel, so that a gap relative to the value says nothing."""
    costs = size * np.array([[0.1, -0.4], [0.6, -0.2], [-0.4, 1.1], [-0.1, -0.1]])
    instance = Instance.create(
        Knapsack([1.0, 2.0], 2.0, sense="min"),
        costs,
        observed=[[0.4], [1.4], [1.1], [0.3]],
        weights=[2.0, 2.0, 2.0, 1.0],
        uncertainty=LocalBudget([0.21, 0.31, 0.41, 0.21]),
        depth=1,
    )
    with on_path("oracle", blind=True):
        result = solve(instance, method="exact", thresholds="midpoints")
    assert (result.status, result.objective, result.lower_bound) == ("optimal", 0.0, 0.0)
