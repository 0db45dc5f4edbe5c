"""Scenario generation finds and proves the optimum that brute force finds."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal
from hedgerow.datasets import paper_shortest_path
from hedgerow.engine.models.master import Master
from hedgerow.methods import solve
from hedgerow.methods.scenario_generation import scenario_generation
from hedgerow.methods.start import offer_tree
from hedgerow.mip.model import outside
from hedgerow.problems import ExplicitSet, Selection, ShortestPath
from hedgerow.run import Deadline, Options, Run, StopRunError
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import structure_allowed, structure_of
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty
from tests.helpers import Machines, brute_force

OPTIMA = Path(__file__).parents[1] / "data" / "optima_4x4_N5_seeds0-4.csv"
GRID = ShortestPath.grid(3)
SIGNS = ("positive", "negative", "mixed")
BUDGETS = (LocalBudget, GlobalBudget)


def grid_costs(seed: int, sign: str) -> np.ndarray:
    """Return three samples of a 3 × 3 grid; with negated costs the cheapest path is the longest way through a DAG."""
    costs = np.random.default_rng(seed).uniform(1.0, 10.0, (3, 12))
    return {"positive": costs, "negative": -costs, "mixed": costs - 5.5}[sign]


def assert_optimal(instance: Instance) -> None:
    result = solve(instance, method="scenario_generation", time_limit=60.0)
    expected = instance.sign * brute_force(instance)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(expected, rel=1e-6)
    assert result.lower_bound == pytest.approx(expected, rel=1e-5)
    assert instance.sign * result.lower_bound <= instance.sign * result.objective


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("fraction", [0.05, 0.1])
def test_equals_brute_force_on_grids_under_a_local_budget(fraction: float, sign: str) -> None:
    assert_optimal(Instance.create(GRID, grid_costs(1, sign), uncertainty=LocalBudget(fraction=fraction)))


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(
    "uncertainty",
    [LocalBudget(fraction=0.2), GlobalBudget(fraction=0.05), GlobalBudget(fraction=0.1), GlobalBudget(fraction=0.2)],
)
def test_equals_brute_force_on_grids_where_every_second_arc_is_observed(uncertainty: Uncertainty, sign: str) -> None:
    # Large budgets are hard on scenario generation; instances that it proves within seconds.
    seed = 3 if uncertainty.kind == "local" else 0 if sign == "negative" else 1
    costs = grid_costs(seed, sign)
    assert_optimal(Instance.create(GRID, costs, observed=costs[:, ::2], uncertainty=uncertainty))


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("sense", ["min", "max"])
def test_equals_brute_force_where_the_cost_is_not_linear(sense: str, budget: type) -> None:
    costs = np.random.default_rng(4).uniform(1.0, 9.0, (3, 4))
    assert_optimal(Instance.create(Machines(4, sense), costs, uncertainty=budget(fraction=0.1)))


@pytest.mark.parametrize("budget", BUDGETS)
def test_equals_brute_force_with_weights_features_prices_and_a_gain_to_be_maximised(budget: type) -> None:
    rng = np.random.default_rng(8)
    instance = Instance.create(
        Selection(4, 2, sense="max"),
        rng.uniform(-5.0, 5.0, (4, 4)),
        observed=rng.normal(size=(4, 3)),
        weights=[1.0, 0.0, 2.5, 1.0],
        uncertainty=budget(fraction=0.15, prices="range"),
    )
    assert_optimal(instance)


@pytest.mark.parametrize("uncertainty", [Nominal(), LocalBudget(0.0), GlobalBudget(0.0)])
@pytest.mark.parametrize("depth", [1, 2])
def test_equals_brute_force_without_uncertainty(uncertainty: Uncertainty, depth: int) -> None:
    assert_optimal(Instance.create(GRID, grid_costs(5, "mixed"), uncertainty=uncertainty, depth=depth))


@pytest.mark.parametrize("scale", [1e-3, 1e6])
def test_costs_of_any_size_are_solved_with_a_proof(scale: float) -> None:
    uncertainty = LocalBudget(fraction=0.1, epsilon=1e-3 * scale)
    assert_optimal(Instance.create(GRID, scale * grid_costs(1, "mixed"), uncertainty=uncertainty))


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_budget_that_reaches_every_leaf_leaves_one_solution(budget: type) -> None:
    instance = Instance.create(GRID, grid_costs(6, "positive"), uncertainty=budget(fraction=1.01))
    result = solve(instance, method="scenario_generation", time_limit=60.0)
    one = GRID.best_solution(instance.costs)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(one.value)


def test_leaf_limits_hold_and_do_not_hinder_the_optimum() -> None:
    instance = Instance.create(GRID, grid_costs(7, "positive"), uncertainty=LocalBudget(fraction=0.02))
    splits = candidate_splits(instance.observations)
    free = solve(instance, method="scenario_generation")
    for settings in (Options(min_samples_leaf=1), Options(max_leaves=3), Options(min_samples_leaf=1, max_leaves=2)):
        result = solve(instance, method="scenario_generation", options=settings, round_thresholds=False)
        structure = structure_of(result.tree, splits, instance.depth)
        assert result.status == "optimal"
        assert structure_allowed(structure, splits, instance.observations, settings)
        assert result.objective >= free.objective - 1e-9
    # Two leaves are what a tree of depth 1 has; the budget is the same absolute one.
    depth_one = Instance.create(GRID, instance.costs, uncertainty=instance.uncertainty, depth=1)
    assert result.objective == pytest.approx(
        solve(depth_one, method="scenario_generation", options=Options(min_samples_leaf=1)).objective
    )


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("seed", [0, 1])
def test_it_proves_the_known_optimum_of_paper_instances(seed: int, budget: type) -> None:
    problem, train, _ = paper_shortest_path(seed_id=seed, n_samples=5, grid=4)
    known = pd.read_csv(OPTIMA, index_col=["seed_id", "set", "lambda"])["optimum_over_midpoints"]
    instance = Instance.create(problem, train, uncertainty=budget(fraction=0.01))
    result = solve(instance, method="scenario_generation", time_limit=120.0)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(known[seed, budget.kind, 0.01], rel=1e-6)


def test_a_master_out_of_time_claims_its_dual_bound_only() -> None:
    instance = Instance.create(GRID, grid_costs(0, "positive"), uncertainty=LocalBudget(fraction=0.1))
    result = solve(instance, method="scenario_generation", time_limit=1e-6)
    assert result.status == "time_limit"
    assert result.lower_bound < result.objective


def test_the_master_accepts_a_tree_as_warm_start_and_is_never_worse() -> None:
    instance = Instance.create(GRID, grid_costs(0, "mixed"), uncertainty=GlobalBudget(fraction=0.1))
    run, splits = Run(instance), candidate_splits(instance.observations)
    master = Master(instance, splits, Options())
    single = Tree.single(GRID.best_solution(instance.costs).solution)
    values = master._values_of(single)
    assert np.isfinite(values).all()
    assert values[master._worst] * master._writer.scale == pytest.approx(instance.losses(single.solutions).sum())
    solved = master.solve(run, incumbent=single)
    assert solved.tree is not None
    attack = offer_tree(solved.tree, instance, run)
    assert master.add_scenario(attack.observations) == bool(attack.moved.size)
    assert not master.add_scenario(attack.observations)
    arrays, values = master._model, master._values_of(solved.tree)
    assert master._tree_of(values).to_dict() == solved.tree.to_dict()
    assert not outside(values, arrays.lower, arrays.upper).any()
    assert not outside(arrays.matrix() @ values, arrays.row_lower, arrays.row_upper).any()


def test_a_model_too_large_for_the_time_is_not_built_to_the_end():
    """Time that is up while the first master is built ends the run with the best tree known."""
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (6, 4))
    instance = Instance.create(Selection(4, 2), costs, uncertainty=LocalBudget(0.5))
    clock = iter(range(1000))
    run = Run(instance, deadline=Deadline(3.0, clock=lambda: float(next(clock))))
    with pytest.raises(StopRunError):
        scenario_generation(instance, run, Options())
    assert run.tree is not None
    assert run.status == "time_limit"


def test_listed_solutions_come_back_as_they_were_listed():
    """Not a billionth beside them, which would be better than the optimum."""
    instance = Instance.create(
        ExplicitSet(np.eye(4), sense="max"),
        [[6.5, -1.0, 5.5, 1.0], [0.5, 3.5, 4.5, 3.5], [2.0, 6.0, -2.0, 7.0]],
        observed=[[1.5, 0.0], [0.5, 4.0], [1.0, 2.0]],
        weights=[2.0, 1.0, 2.0],
        uncertainty=LocalBudget(2.55, epsilon=1.0, prices=[0.5, 2.0]),
    )
    result = solve(instance, method="scenario_generation", thresholds="midpoints", random_state=118)
    assert set(map(tuple, result.tree.solutions)) <= set(map(tuple, np.eye(4)))
    assert result.objective == 20.5


def test_a_model_is_not_begun_whose_entries_are_too_many_for_the_time_left():
    """Every sample has an entry per node and candidate question: 100 × 3 × 17,820 on a 10 × 10 grid."""
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (100, 180))
    instance = Instance.create(ShortestPath.grid(10), costs, uncertainty=LocalBudget(0.5))
    run = Run(instance, deadline=Deadline(1.0, clock=lambda: 0.0))
    with pytest.raises(StopRunError):
        scenario_generation(instance, run, Options())
    assert "5,346,000 entries" in run.message
