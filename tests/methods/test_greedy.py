"""Greedy trees: the best single question, never worse than one solution, and known to searches that follow."""

import itertools

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, solve
from hedgerow.datasets import paper_shortest_path
from hedgerow.problems import Selection, ShortestPath
from hedgerow.tree.splits import candidate_splits

BUDGETS = (Nominal(), LocalBudget(2.0), GlobalBudget(8.0))


def instance(uncertainty, depth, seed=0, n_samples=12):
    costs = np.random.default_rng(seed).uniform(10, 30, (n_samples, 12)).round(2)
    return Instance.create(ShortestPath.grid(3), costs, uncertainty=uncertainty, depth=depth)


@pytest.mark.parametrize("seed", range(3))
def test_one_question_is_the_best_one(seed):
    """Against all questions with all pairs of solutions."""
    rng = np.random.default_rng(seed)
    costs = rng.uniform(0, 9, (9, 3)).round(1)
    found = solve(Instance.create(Selection(3, 1), costs, depth=1), method="greedy", random_state=0)
    splits = candidate_splits(costs)
    values = []
    for item, threshold in zip(splits.question, splits.threshold, strict=True):
        left = costs[:, item] <= threshold
        values += [costs[left, x].sum() + costs[~left, y].sum() for x, y in itertools.product(range(3), repeat=2)]
    assert found.objective == pytest.approx(min(values))


@pytest.mark.parametrize("uncertainty", BUDGETS)
def test_it_is_never_worse_than_one_solution_and_the_same_each_time(uncertainty):
    given = instance(uncertainty, depth=3)
    one, again = (solve(given, method="greedy", random_state=0) for _ in range(2))
    assert one.tree == again.tree
    assert one.objective <= solve(given, method="one_solution").objective + 1e-9
    assert one.iterations == (1 if isinstance(uncertainty, Nominal) else 3)


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
def test_a_budget_that_leaves_nothing_to_ask_is_named(kind):
    large, small = (solve(instance(kind(size), 2), random_state=0) for size in (5000.0, 0.001))
    assert (large.tree.n_leaves, large.status) == (1, "optimal")
    assert "There is no tree that is better than one solution under this budget" in large.message
    assert small.tree.n_leaves > 1
    assert "no tree" not in small.message


def test_without_a_proof_it_is_said_that_no_tree_was_found():
    problem, costs, _ = paper_shortest_path(0, 20, 4)
    hard = Instance.create(problem, costs, uncertainty=GlobalBudget(fraction=0.05), depth=2)
    result = solve(hard, method="local_search", iteration_limit=1, random_state=0)
    assert result.status != "optimal"
    assert "The search found no tree that is better" in result.message
