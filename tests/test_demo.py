"""The demo: it runs, fits a terminal, and its figures are the library's."""

import re
from pathlib import Path

import pytest

from hedgerow import GlobalBudget, Instance, Tree, evaluate, solve
from hedgerow.datasets import motivating_example
from tests.commands import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def printed(folder):
    done = run("demo", "-o", folder / "page.html")
    assert done.exit_code == 0, done.stderr
    return done.stdout


def plain(printed):
    """Return the text in one line: what a person reads."""
    return " ".join(printed.split())


def test_it_shows_samples_and_how_the_first_rule_is_hurt(printed):
    assert max(len(line) for line in printed.splitlines() if "page.html" not in line) <= 80
    problem, costs = motivating_example()
    for day, row in enumerate(costs, start=1):
        assert re.search(rf"^\s*{day}\s+" + r"\s+".join(f"{value:g}" for value in row), printed, re.MULTILINE)
    tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    result = evaluate(tree, problem, costs, GlobalBudget(5.0))
    assert f"as read {result.nominal:g} {result.nominal_mean:g} worst case {result.robust:g}" in plain(printed)
    assert re.search(r"5\s+e1: 10 as 5\s+s → 1 → t\s+s → 2 → t\s+18\s+4", printed)


def test_it_finds_the_best_rule_and_proves_it(printed):
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(5.0), depth=2)
    result = solve(instance, method="exact", random_state=0, time_limit=None)
    assert (result.objective, result.status) == (43.0, "optimal")
    assert "no rule with at most 2 questions in a row can promise less than 43 min" in plain(printed)


def test_the_report_of_a_town_is_written(printed, folder):
    assert f"{folder / 'page.html'}" in printed
    assert "Market Street ≤ " in printed
    assert "Proven optimal after" in plain(printed)
    assert printed.rstrip().endswith("hedgerow fit PROBLEM costs.csv --local 0.05")
    page = Path(folder / "page.html").read_text(encoding="utf-8")
    assert "Aldermere" in page
    assert "Proven optimal" in page
    assert [path.name for path in folder.iterdir()] == ["page.html"]
