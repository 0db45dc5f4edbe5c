"""The demo: it runs, fits a terminal, and its figures are the library's."""

import io
import re

import pytest
from rich.console import Console

from hedgerow import GlobalBudget, Tree, evaluate
from hedgerow.datasets import motivating_example
from hedgerow.demo import run_demo


@pytest.fixture(scope="module")
def told():
    text = io.StringIO()
    run_demo(Console(file=text, width=80))
    return text.getvalue()


def plain(told):
    """Return the text in one line, without frames: what a person reads."""
    return re.sub(r"[\s│─╭╮╰╯]+", " ", told)


def test_it_fits_80_columns(told):
    assert max(map(len, told.splitlines())) <= 80


def test_it_tells_the_graph_and_the_samples(told):
    assert "Way A goes s → 1 → t and takes e1 + e2." in told
    _, costs = motivating_example()
    for day, row in enumerate(costs, start=1):
        assert re.search(rf"^\s*{day}\s+" + r"\s+".join(f"{value:g}" for value in row), told, re.MULTILINE)
    assert "would spend 36 min" in plain(told)


def test_it_shows_both_trees_with_what_they_cost(told):
    problem, costs = motivating_example()
    a, b = [1, 1, 0, 0], [0, 0, 1, 1]
    hedged = {"item": 1, "threshold": 6.5, "left": {"solution": a}, "right": {"solution": b}}
    for left in ({"solution": a}, hedged):
        tree = Tree.from_dict({"item": 0, "threshold": 5.0, "left": left, "right": {"solution": b}})
        result = evaluate(tree, problem, costs, GlobalBudget(5.0))
        assert re.search(rf"as read\s+{result.nominal:g} min", told)
        assert re.search(rf"at worst\s+{result.robust:g} min", told)
    assert "e1 ≤ 5?" in told
    assert "├─ yes: e2 ≤ 6.5?" in told


def test_it_tells_how_the_first_tree_is_hurt(told):
    assert re.search(r"5\s+e1\s+5\s+10\s+A, not B\s+18 min\s+4 min", told)
    assert "50 min instead of 36" in plain(told)


def test_it_tells_why_the_same_fails_at_the_second_and_what_is_left(told):
    assert "2 readings must be wrong, by 6.5 min in all" in plain(told)
    assert re.search(r"2\s+e2\s+6\.501\s+5\s+B, not A\s+13 min\s+6 min", told)
    assert "36 + 7 = 43 min at worst, instead of 50." in told


def test_it_corrects_the_papers_figure(told):
    assert "The paper's text says 41. 43 is right: this move adds 7, not 5." in plain(told)


def test_it_finds_such_a_tree_by_itself_and_proves_it(told):
    assert "43 min at worst, proven to be the best" in plain(told)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_it_runs_in_any_terminal(width):
    for colours in (True, False):
        run_demo(Console(file=io.StringIO(), width=width, force_terminal=colours))
