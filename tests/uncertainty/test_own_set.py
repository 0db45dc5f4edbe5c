"""The uncertainty set in examples/group_budget.py: samples of one group share a budget."""

from itertools import product

import numpy as np
import pytest
from examples.group_budget import GroupBudget

from hedgerow import Instance, RobustTree, Tree, solve, worst_case
from hedgerow.adversary import move_costs
from hedgerow.errors import InputError
from hedgerow.problems import Selection
from hedgerow.run import Options
from hedgerow.uncertainty import uncertainty_from_dict
from hedgerow.wording.verdicts import uncertainty_in_words

PROBLEM = Selection(3, 1)


def drawn(seed, *, depth=2, n_samples=6):
    rng = np.random.default_rng(seed)
    costs = rng.integers(1, 10, (n_samples, 3)).astype(float)
    budget = GroupBudget(float(rng.uniform(0.5, 5.0)), groups=tuple(rng.integers(0, 3, n_samples).tolist()))
    return Instance.create(PROBLEM, costs, uncertainty=budget, depth=depth)


def random_tree(rng, depth):
    inner, solutions = (1 << depth) - 1, np.eye(3)[rng.integers(0, 3, 1 << depth)]
    return Tree.full(rng.integers(0, 3, inner), rng.integers(1, 10, inner) + 0.5, solutions)


def brute_force(tree, instance):
    """Try all ways to send the samples to leaves."""
    price, loss = move_costs(tree, instance.observations, instance.uncertainty), instance.losses(tree.solutions)
    rows, budget = np.arange(instance.n_samples), instance.uncertainty.budget
    within = [
        loss[rows, leaves].sum()
        for leaves in product(range(tree.n_leaves), repeat=instance.n_samples)
        if (np.bincount(instance.uncertainty.groups, weights=price[rows, leaves]) <= budget * (1.0 + 1e-9)).all()
    ]
    return max(within)


@pytest.mark.parametrize("seed", range(30))
def test_its_worst_case_is_that_of_brute_force(seed):
    instance, rng = drawn(seed), np.random.default_rng(seed)
    tree = random_tree(rng, 1 + seed % 2)
    attack = worst_case(tree, instance)
    assert attack.exact
    assert attack.value == pytest.approx(brute_force(tree, instance))
    assert tree.apply(attack.observations).tolist() == attack.leaf.tolist()
    assert instance.uncertainty.affords(attack.price)


@pytest.mark.parametrize("seed", range(3))
def test_scenario_generation_proves_the_best_tree_of_one_question(seed):
    instance = drawn(seed, depth=1, n_samples=5)
    result = solve(instance, Options(method="scenario_generation", time_limit=60.0))
    midpoints = [(item, value) for item in range(3) for value in _midpoints(instance.costs[:, item])]
    trees = [
        Tree.full([item], [value], np.eye(3)[list(plans)])
        for item, value in midpoints
        for plans in product(range(3), repeat=2)
    ]
    best = min(brute_force(tree, instance) for tree in [*trees, *(Tree.single(plan) for plan in np.eye(3))])
    assert result.status == "optimal"
    assert result.objective == pytest.approx(best)


def _midpoints(values):
    distinct = np.unique(values)
    return (distinct[:-1] + distinct[1:]) / 2.0


@pytest.mark.parametrize("method", ["exact", "local_search", "greedy"])
def test_methods_that_know_budgets_per_sample_or_for_all_say_so(method):
    with pytest.raises(InputError, match="needs one budget per sample, or one for all of them"):
        solve(drawn(0), Options(method=method, time_limit=5.0))


def test_it_is_read_from_files_described_and_kept_by_an_estimator():
    budget = GroupBudget(2.0, groups=(0, 0, 1))
    assert uncertainty_in_words(budget) == "each group of samples may be misread by up to 2 in total"
    assert repr(budget) == "GroupBudget(2.0, groups=(0, 0, 1))"
    assert uncertainty_from_dict({**budget.to_dict(), "groups": (0, 0, 1)}) == budget
    model = RobustTree(PROBLEM, uncertainty=budget, method="scenario_generation", depth=1)
    model.fit([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 3.0, 1.0]])
    assert model.uncertainty_ == budget
    assert "GroupBudget" in repr(model.set_params(uncertainty=budget.replace(budget=1.0)))
