"""The leaf problem (LSAP): facts 7 and 9 of the model, by table and by MIP."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.engine.models.leaf_mip import solve_leaves
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.problems import Selection, ShortestPath
from hedgerow.run import Options, Run
from hedgerow.tree.splits import Splits, candidate_splits
from hedgerow.tree.structure import nominal_slots

KINDS = pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])


def space_of(splits, instance):
    return SearchSpace(instance, Options(), splits, complete_pool(instance))


def by_mip(structure, splits, instance):
    return solve_leaves(structure, space_of(splits, instance), Run(instance)).value


def by_table(structure, splits, instance):
    return space_of(splits, instance).best(structure[None]).value


@KINDS
@pytest.mark.parametrize("solve", [by_mip, by_table])
@pytest.mark.parametrize("weights", [[1, 2, 3, 4], [3, 5, 6, 8], [1, 1, 1, 4], [2, 3, 7, 9]])
def test_partition_reduces_to_it(solve, kind, weights):
    """The optimum is (p + ½)·W exactly when the weights can be split evenly into halves of p items (fact 9)."""
    p, total = len(weights) // 2, sum(weights)
    large = 3.0 * p * total
    costs = np.array(
        [
            [total - weight for weight in weights] + [large] * p,
            [large] * len(weights) + [0.0] * p,
            [2.0 * weight for weight in weights] + [float(total)] + [0.0] * (p - 1),
        ]
    )
    instance = Instance.create(Selection(len(weights) + p, p), costs, uncertainty=kind(1.0), depth=1)
    split = Splits(np.array([len(weights)]), np.array([float(total)]), np.zeros(1), np.zeros(1))
    value = solve(np.array([0]), split, instance)
    halves = {weights[0] + other for other in weights[1:]}
    assert (value == pytest.approx((p + 0.5) * total)) == (total / 2 in halves)
    assert value >= (p + 0.5) * total - 1e-6


@KINDS
@pytest.mark.parametrize("solve", [by_mip, by_table])
def test_without_a_budget_it_falls_apart_into_one_problem_per_leaf(solve, kind):
    """Budget 0: each leaf is the nominal problem on its own samples (fact 7)."""
    rng = np.random.default_rng(1)
    problem = ShortestPath.grid(3)
    instance = Instance.create(problem, np.round(rng.uniform(1, 9, (6, 12)), 1), uncertainty=kind(0.0))
    splits = candidate_splits(instance.observations)
    structure = rng.integers(len(splits), size=3)
    slot = nominal_slots(structure, splits, instance.observations)
    apart = sum(problem.best_solution(instance.costs[slot == leaf]).value for leaf in np.unique(slot))
    assert solve(structure, splits, instance) == pytest.approx(apart)
