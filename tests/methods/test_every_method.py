"""What holds for every method in the table, whatever it does inside."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, solve, worst_case
from hedgerow.methods import METHODS
from hedgerow.problems import ExplicitSet, Selection, ShortestPath
from hedgerow.run import Options
from tests.helpers import Machines
from tests.problems.shelf import WORKSHOP

RNG = np.random.default_rng(7)
PROBLEMS = {
    "grid": (ShortestPath.grid(3), np.round(RNG.uniform(10, 30, (4, 12)), 2)),
    "selection": (Selection(5, 2), np.round(RNG.normal(0, 5, (4, 5)), 2)),
    "workshop": (WORKSHOP, np.round(RNG.uniform(1, 9, (4, 3)), 1)),
    "machines": (Machines(), np.round(RNG.uniform(1, 9, (4, 4)), 1)),
}
BUDGETS = {"local": LocalBudget, "global": GlobalBudget}
FINDS_ONE_SOLUTION = (
    "exact",
    "fix_tree",
    "alternate",
    "scenario_generation",
    "one_solution",
    "fix_solutions",
    "local_search",
)


def run(instance, method, **options):
    limits = {"iteration_limit": 3, "time_limit": 4.0, "random_state": 0}
    return solve(instance, method=method, **{**limits, **options})


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("method", METHODS)
def test_trees_are_feasible_and_values_are_the_adversarys(method, kind, problem, depth):
    """Leaves are feasible, the objective is the recomputed worst case, and the bound lies below it."""
    instance = Instance.create(*PROBLEMS[problem], uncertainty=BUDGETS[kind](fraction=0.05), depth=depth)
    result = run(instance, method)
    instance.check_shape(result.tree)
    instance.check_solutions(result.tree)
    assert result.tree.depth <= depth
    assert result.tree == result.tree.simplified()
    assert len(result.cells) == result.tree.n_leaves - 1
    assert result.objective == pytest.approx(worst_case(result.tree, instance).value, rel=1e-9)
    assert result.lower_bound <= result.objective + 1e-9 * abs(result.objective)
    assert result.objective >= result.nominal - 1e-9
    assert (result.status == "optimal") == (result.gap <= 1e-6)
    one = run(instance, "one_solution").objective
    if method in FINDS_ONE_SOLUTION:
        assert result.objective <= one + 1e-9 * abs(one)


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("method", [name for name in FINDS_ONE_SOLUTION if name in METHODS])
def test_one_solution_is_optimal_once_every_leaf_is_in_reach(method, kind):
    """With λ > 1 the methods of Corollary 4.2, and those that begin with one solution, find its value (fact 3)."""
    instance = Instance.create(*PROBLEMS["grid"], uncertainty=BUDGETS[kind](fraction=1.01))
    assert run(instance, method).objective == pytest.approx(run(instance, "one_solution").objective)


@pytest.mark.parametrize("method", METHODS)
def test_maximising_mirrors_minimising_the_negated_costs(method):
    """A gain of g is a cost of −g: same trees, opposite signs."""
    costs = PROBLEMS["selection"][1]
    least = run(Instance.create(Selection(5, 2), costs, uncertainty=LocalBudget(fraction=0.05)), method)
    most = Instance.create(Selection(5, 2, sense="max"), -costs, observed=costs, uncertainty=LocalBudget(fraction=0.05))
    greatest = run(most, method)
    assert greatest.objective == pytest.approx(-least.objective)
    assert greatest.lower_bound == pytest.approx(-least.lower_bound)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "costs",
    [[[3.0, 1.0, 2.0]], [[3.0, 1.0, 2.0]] * 3, [[3.0, 1.0, 2.0], [3.0, 2.0, 1.0]]],
    ids=["one sample", "equal samples", "a constant item"],
)
@pytest.mark.parametrize("uncertainty", [Nominal(), LocalBudget(0.0), GlobalBudget(0.0), LocalBudget(5.0)], ids=repr)
def test_small_and_odd_instances_have_answers(method, costs, uncertainty):
    """One sample, equal samples, constant items, budget 0 and depth 0 are answered like anything else."""
    for depth in (0, 2):
        result = run(Instance.create(Selection(3, 1), costs, uncertainty=uncertainty, depth=depth), method)
        assert result.objective >= sum(min(row) for row in costs) - 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("settings", [Options(min_samples_leaf=2), Options(max_leaves=3)], ids=["rows", "leaves"])
def test_limits_on_leaves_are_kept(method, settings):
    """No tree has a leaf with too few unperturbed rows, or too many leaves."""
    costs = np.round(np.random.default_rng(3).uniform(0, 9, (6, 4)), 1)
    instance = Instance.create(Selection(4, 2), costs, uncertainty=LocalBudget(fraction=0.05))
    tree = run(instance, method, options=settings).tree
    rows = np.bincount(tree.apply(costs), minlength=tree.n_leaves)
    assert rows.min() >= settings.min_samples_leaf
    assert tree.n_leaves <= (settings.max_leaves or tree.n_leaves)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_and_iteration_limit_give_the_same_tree(method):
    """Nothing but the seed decides."""
    instance = Instance.create(*PROBLEMS["grid"], uncertainty=GlobalBudget(fraction=0.05))
    first, second = (run(instance, method, random_state=5, time_limit=None).tree for _ in range(2))
    assert first == second


@pytest.mark.parametrize("method", METHODS)
def test_weights_and_other_observations_are_used(method):
    """A tree may ask about features that are no costs, and a sample of weight 0 does not count."""
    costs = np.array([[1.0, 5.0], [5.0, 1.0], [9.0, 0.0]])
    weather = np.array([[0.0], [1.0], [0.4]])
    instance = Instance.create(ExplicitSet(np.eye(2)), costs, observed=weather, weights=[1.0, 2.0, 0.0], depth=1)
    result = run(instance, method)
    assert result.objective == pytest.approx(7.0 if method == "one_solution" else 3.0)
