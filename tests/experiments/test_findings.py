"""Tables and checks, from results made by hand."""

import pandas as pd
import pytest

from experiments import Plan
from experiments import generalisation as experiment_3
from experiments.paper_figures import paper_figure

PLAN = Plan("smoke")


def named(findings, name):
    return next(table for table in findings.tables if table.name == name)


def entry(table, keys, column):
    """The entry in the row that begins with the keys."""
    row = next(row for row in table.rows if tuple(row[: len(keys)]) == keys)
    return row[table.header.index(column)]


def generalised(method, trained_on, draw, local, seed_id=0, objective=None):
    values = {f"{data}_{measure}": local for data in ("train", "test") for measure in ("nominal", "local", "global")}
    return {
        "method": method,
        "trained_on": trained_on,
        "seed_id": seed_id,
        "draw": draw,
        "size": 4,
        "n_samples": 5,
        **values,
        "objective": local if objective is None else objective,
        "gap": 0.0,
    }


@pytest.fixture
def generalisation():
    rows = []
    for seed_id, scale in ((0, 1.0), (1, 2.0)):
        rows += [
            generalised("nominal", "none", 0, 100.0 * scale, seed_id),
            generalised("nominal", "none", 1, 80.0 * scale, seed_id),
            generalised("nominal", "none", 2, 160.0 * scale, seed_id),
            generalised("one_solution", "none", 0, 120.0 * scale, seed_id),
            generalised("exact", "local", 0, 72.0 * scale, seed_id),
            generalised("exact", "global", 0, 80.0 * scale, seed_id),
            generalised("fix_tree", "local", 0, 90.0 * scale, seed_id),
            generalised("fix_tree", "global", 0, 80.0 * scale, seed_id),
        ]
    return rows


def test_values_are_relative_to_the_methods_own_nominal_tree_with_the_papers_beside(generalisation):
    table = named(experiment_3.findings(pd.DataFrame(generalisation), PLAN), "relative_robust_to_nominal")
    row = ("train", 5, 4)
    assert entry(table, row, "fix_tree_local") == pytest.approx(-10.0)
    assert entry(table, row, "fix_tree_local, paper") == -11.1712
    assert entry(table, row, "fix_tree_local, difference") == pytest.approx(1.1712)
    assert entry(table, row, "exact_local") == pytest.approx(-28.0)
    assert "exact_local, paper" not in table.header


def test_the_papers_own_figures_are_as_printed():
    assert paper_figure("shortest-path", "correlation", "N", "0.05") == 0.92
    assert sum(sum(paper_figure("shortest-path", "solved", kind).values()) for kind in ("local", "global")) == 134
    assert paper_figure("shortest-path", "robust", "test 5 4", "fix_tree_local") == -6.4182
    assert paper_figure("scheduling", "robust", "test 5 4", "fix_tree_local") is None
