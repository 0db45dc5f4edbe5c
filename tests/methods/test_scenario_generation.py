"""Scenario generation finds and proves the optimum that brute force finds."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.datasets import paper_shortest_path
from hedgerow.methods import solve
from hedgerow.methods.scenario_generation import scenario_generation
from hedgerow.problems import ExplicitSet, Selection, ShortestPath
from hedgerow.run import Deadline, Options, Run, StopRunError
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


def test_integers_that_the_solver_leaves_almost_whole_are_rounded_and_the_rest_solved_again() -> None:
    """A binary that is off by 1e-7 times a coefficient of 144 once made a model's solution count as no solution."""
    gains = [[1.0, -2.0, 9.0, 1.0], [-2.0, -6.0, 12.0, 8.0], [8.0, 9.0, -3.0, 1.0], [5.0, 14.0, -3.0, 5.0]]
    instance = Instance.create(
        ExplicitSet(np.eye(4), sense="max"),
        gains,
        observed=[[2.0, 0.0], [0.0, 4.0], [1.0, 4.0], [3.0, 8.0]],
        uncertainty=LocalBudget([3.0, 7.0, 4.0, 1.0], epsilon=1.00001),
        depth=2,
    )
    result = solve(instance, method="scenario_generation", thresholds="midpoints", time_limit=60.0, random_state=537)
    assert (result.status, result.objective) == ("optimal", 19.0)
