"""The demo: it runs, fits a terminal, and its figures are the library's."""

import io
import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

from hedgerow import GlobalBudget, Instance, Tree, evaluate, solve
from hedgerow.cli.demo import DEFAULT_NAME, report_of_a_town, run_demo
from hedgerow.datasets import motivating_example


@pytest.fixture(scope="module")
def printed():
    text = io.StringIO()
    run_demo(Console(file=text, width=80))
    return text.getvalue()


def plain(printed):
    """Return the text in one line, without frames: what a person reads."""
    return re.sub(r"[\s│─╭╮╰╯]+", " ", printed)


def test_it_fits_80_columns(printed):
    assert max(map(len, printed.splitlines())) <= 80


def test_it_shows_the_samples(printed):
    _, costs = motivating_example()
    for day, row in enumerate(costs, start=1):
        assert re.search(rf"^\s*{day}\s+" + r"\s+".join(f"{value:g}" for value in row), printed, re.MULTILINE)


def test_it_shows_how_the_first_rule_is_hurt(printed):
    problem, costs = motivating_example()
    tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    result = evaluate(tree, problem, costs, GlobalBudget(5.0))
    assert re.search(rf"as read\s+{result.nominal:g} min", printed)
    assert re.search(rf"at worst\s+{result.robust:g} min", printed)
    assert re.search(r"5\s+e1: 10 as 5\s+A, not B\s+18 min\s+4 min", printed)


def test_it_finds_the_best_rule_proves_it_and_compares_it_with_the_paper(printed):
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(5.0), depth=2)
    result = solve(instance, method="exact", random_state=0, time_limit=None)
    assert (result.objective, result.status, result.threshold_margin) == (43.0, "optimal", 0.002)
    assert "no rule with at most 2 questions in a row can promise less than 43 min" in plain(printed)
    assert "The first rule promises 50." in plain(printed)
    assert "The paper's text says 41. 43 is right: this move adds 7, not 5." in plain(printed)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_it_runs_in_any_terminal(width):
    for colours in (True, False):
        text = io.StringIO()
        run_demo(Console(file=text, width=width, force_terminal=colours))
        assert ("\x1b[" in text.getvalue()) == colours
        assert "43 min" in re.sub(r"\x1b\[[0-9;]*m", "", text.getvalue())


def last_chapter(path=None):
    text = io.StringIO()
    place = report_of_a_town(Console(file=text, width=80), path)
    return place, text.getvalue()


def test_it_ends_with_a_report_and_says_where_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    place, printed = last_chapter()
    assert place == tmp_path / DEFAULT_NAME
    assert printed.rstrip().endswith(str(place))
    page = place.read_text(encoding="utf-8")
    assert "Aldermere" in page
    assert "No, that is proven." in page
    assert "Market Street ≤ " in printed


def test_the_report_goes_where_it_is_wanted(tmp_path):
    assert last_chapter(tmp_path / "mine.html")[0].read_text(encoding="utf-8").startswith("<!doctype html>")


def test_where_nothing_can_be_written_the_report_goes_to_a_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / DEFAULT_NAME).mkdir()  # what even root can't overwrite
    place, printed = last_chapter()
    assert place.parent != tmp_path
    assert place.is_file()
    assert str(place) in printed.replace("\n", "")
    place.unlink()
    place.parent.rmdir()


def test_without_jinja2_the_demo_still_ends_well(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    place, printed = last_chapter(tmp_path / "page.html")
    assert place is None
    assert "pip install 'hedgerow[report]'" in plain(printed)


def test_the_command_tells_the_story_and_writes_the_report(tmp_path, monkeypatch):
    from tests.commands import run

    monkeypatch.chdir(tmp_path)
    done = run("demo", "-o", "page.html")
    assert done.exit_code == 0, done.stderr
    assert "page.html" in done.stdout
    assert Path("page.html").stat().st_size > 10_000
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
