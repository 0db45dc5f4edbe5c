"""The optima of the paper's first five instances, known from other programs, are found and proven."""

import csv
from functools import cache
from pathlib import Path

import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.datasets import paper_shortest_path

DATA = Path(__file__).parents[2] / "data" / "optima_4x4_N5_seeds0-4.csv"
ROWS = list(csv.DictReader(DATA.read_text().splitlines()))
BUDGETS = {"local": LocalBudget, "global": GlobalBudget}


@cache
def data(seed):
    return paper_shortest_path(seed, n_samples=5, grid=4)[:2]


def instance_of(row):
    problem, costs = data(int(row["seed_id"]))
    return Instance.create(problem, costs, uncertainty=BUDGETS[row["set"]](fraction=float(row["lambda"])))


def test_the_list_of_optima_is_complete():
    """Five instances, two sets, sixteen values of λ."""
    assert len(ROWS) == 160


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("seed", range(5))
def test_all_optima_of_one_instance_are_found_and_proven(seed, kind):
    """For every λ the optimum, its bound, and the best single solution as the optimum of depth 0."""
    rows = [row for row in ROWS if int(row["seed_id"]) == seed and row["set"] == kind]
    assert len(rows) == 16
    for row in rows:
        instance = instance_of(row)
        result = solve(instance, method="exact", thresholds="midpoints", random_state=0, time_limit=None)
        expected = float(row["optimum_over_midpoints"])
        assert result.status == "optimal", row
        assert result.objective == pytest.approx(expected, rel=1e-6), row
        assert result.lower_bound == pytest.approx(expected, rel=1e-6), row
        assert result.lower_bound <= result.objective + 1e-9
        instance.check_shape(result.tree)
        instance.check_solutions(result.tree)
        for step in result.statistics:
            assert step.bound <= expected * (1 + 1e-6)
            assert step.value >= expected * (1 - 1e-6)
    one = solve(instance.under(instance.uncertainty, depth=0), method="exact")
    assert one.objective == one.lower_bound == pytest.approx(float(rows[0]["one_solution"]), rel=1e-6)
