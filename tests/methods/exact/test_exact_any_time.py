"""Whenever it is stopped, the exact method has a valid tree, a valid bound and the right word for why it ended."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.adversary import worst_case
from hedgerow.problems import ShortestPath
from tests.methods.exact.test_exact_paper import ROWS, instance_of
from tests.methods.exact.tiny import on_path

HARD = [row for row in ROWS if float(row["lambda"]) in (0.1, 0.2) and row["seed_id"] in "03"]
IDS = ["-".join((row["set"], row["lambda"], row["seed_id"])) for row in HARD]
MANY_STEPS = HARD[IDS.index("global-0.1-3")]
ON_TABLES = ["tables", "intervals", "listing"]


def assert_valid(result, instance, optimum, stopped):
    """The tree is feasible and worth what it says, the bound is one, the gap fits both, and the status says why."""
    instance.check_shape(result.tree)
    instance.check_solutions(result.tree)
    assert result.tree.depth <= instance.depth
    assert result.objective == pytest.approx(worst_case(result.tree, instance).value, rel=1e-12)
    assert result.lower_bound <= optimum * (1 + 1e-8) <= result.objective * (1 + 2e-8)
    gap = (result.objective - result.lower_bound) / result.objective
    assert result.gap == (pytest.approx(gap, abs=1e-12) if np.isfinite(result.lower_bound) else np.inf)
    assert result.status == ("optimal" if result.gap <= 1e-6 else stopped)
    values, bounds = ([getattr(row, name) for row in result.statistics] for name in ("value", "bound"))
    assert values == sorted(values, reverse=True)
    assert bounds == sorted(bounds)


@pytest.mark.parametrize("row", HARD, ids=IDS)
@pytest.mark.parametrize("seconds", [1e-6, 0.05])
def test_far_too_little_time_leaves_a_valid_tree_and_bound(row, seconds):
    """Time is up before the first tree, or before the proof."""
    instance = instance_of(row)
    solve(
        instance, method="exact", thresholds="midpoints", iteration_limit=1
    )  # kernels that are still to be loaded take time as well
    result = solve(instance, method="exact", thresholds="midpoints", time_limit=seconds, random_state=0)
    assert_valid(result, instance, float(row["optimum_over_midpoints"]), "time_limit")


@pytest.mark.parametrize("budget", [LocalBudget, GlobalBudget])
def test_a_bound_is_told_even_if_time_is_up_before_the_search(budget):
    """That of a clairvoyant, who serves each sample best."""
    costs = np.random.default_rng(1).uniform(1.0, 9.0, (200, 12))
    instance = Instance.create(ShortestPath.grid(3), costs, uncertainty=budget(fraction=0.05))
    result = solve(instance, method="exact", thresholds="midpoints", time_limit=1e-6, random_state=0)
    assert result.status == "time_limit"
    assert result.lower_bound == pytest.approx(instance.losses(instance.problem.all_solutions(100)).min(axis=1).sum())


@pytest.mark.parametrize(
    ("row", "path"),
    [
        pytest.param(row, path, id=f"{name}-{path}")
        for row, name in zip(HARD, IDS, strict=True)
        for path in ON_TABLES
        if path != "intervals" or row["set"] == "local"
    ],
)
def test_one_iteration_leaves_a_valid_tree_and_bound(row, path):
    """One root is settled and no more, without a good tree to begin with.

    Under a global budget the first part that prices settle holds all trees of a root, which takes a minute here.
    """
    instance = instance_of(row)
    with on_path(path, blind=True):
        result = solve(
            instance, method="exact", thresholds="midpoints", iteration_limit=1, time_limit=None, random_state=0
        )
    assert_valid(result, instance, float(row["optimum_over_midpoints"]), "iteration_limit")
    assert result.iterations <= 1
    assert np.isfinite(result.lower_bound)


@pytest.mark.parametrize("path", ON_TABLES)
@pytest.mark.parametrize("rows_seen", [1, 2, 4, 7])
def test_a_monitor_may_stop_it_at_any_row(path, rows_seen):
    """A monitor that returns False ends the run as interrupted, with what is known by then."""
    row = MANY_STEPS
    instance, seen = instance_of(row), []

    def monitor(step):
        seen.append(step)
        return len(seen) < rows_seen

    with on_path(path, blind=True):
        result = solve(
            instance, method="exact", thresholds="midpoints", monitor=monitor, time_limit=None, random_state=0
        )
    assert len(seen) >= rows_seen or result.status == "optimal"
    assert_valid(result, instance, float(row["optimum_over_midpoints"]), "interrupted")


@pytest.mark.parametrize("path", ["oracle", "master"])
@pytest.mark.parametrize("budget", [LocalBudget, GlobalBudget])
def test_models_that_run_out_of_time_claim_no_more_than_they_proved(path, budget):
    """Where MIPs are solved, too little time leaves a valid tree and bound as well."""
    costs = np.random.default_rng(3).uniform(1.0, 9.0, (4, 12))
    instance = Instance.create(ShortestPath.grid(3), costs, uncertainty=budget(fraction=0.1))
    with on_path("tables"):
        optimum = solve(instance, method="exact", thresholds="midpoints", time_limit=None).objective
    with on_path(path, blind=True):
        result = solve(instance, method="exact", thresholds="midpoints", time_limit=0.02, random_state=0)
    assert_valid(result, instance, optimum, "time_limit")


def test_a_gap_limit_ends_the_proof_early():
    """A gap that is wide enough is reached before the proof, and is kept."""
    row = HARD[-1]
    instance = instance_of(row)
    result = solve(instance, method="exact", thresholds="midpoints", gap_limit=0.05, time_limit=None, random_state=0)
    assert result.status in ("gap_limit", "optimal")
    assert result.gap <= 0.05
    assert result.lower_bound <= float(row["optimum_over_midpoints"]) * (1 + 1e-8)
