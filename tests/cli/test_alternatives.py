"""`hedgerow alternatives`: counts, a handful with extra costs, files and the page."""

import signal
from pathlib import Path

import pytest

from hedgerow import RuleBook
from hedgerow.good_trees import collection
from tests.cli.conftest import refused, run
from tests.engine.listing.all_trees import ITEMS, NAMES, PLANS, SAMPLES

BUDGET = ("--local-budget", "0.9")


@pytest.fixture
def plans(folder):
    lines = [
        'kind = "explicit"',
        f"solutions = {PLANS}",
        f"item_names = {list(ITEMS)}",
        f"solution_names = {list(NAMES)}",
    ]
    (folder / "plan.toml").write_text("\n".join(lines).replace("'", '"'), encoding="utf-8")
    rows = [",".join(ITEMS), *(",".join(map(str, row)) for row in SAMPLES)]
    (folder / "costs.csv").write_text("\n".join(rows), encoding="utf-8")


def test_a_handful_is_shown_saved_and_put_on_a_page(plans):
    words = ("--within", "0.3", "--report", "choose.html", "--save", "pick")
    done = run("alternatives", "plan.toml", "costs.csv", *BUDGET, *words)
    assert "structures are within 30 % of the best worst case, proven to be all" in done.stdout
    assert "lowest worst case" in done.stdout
    rules = RuleBook.load("pick-1.json")
    assert f"{rules.result.objective:g}" in done.stdout
    assert "Build your own" in Path("choose.html").read_text(encoding="utf-8")


def test_wishes_are_options(plans):
    wishes = '{"must_not_ask": ["bridge"], "max_items": 1}'
    done = run("alternatives", "plan.toml", "costs.csv", *BUDGET, "--wishes", wishes)
    assert "bridge" not in done.stdout.partition("\n1.\n")[2]
    run("fit", "plan.toml", "costs.csv", *BUDGET, "--wishes", '{"ask_first": "ferry"}', "-o", "tree.json")
    assert "ferry" in run("export", "tree.json", "--to", "text").stdout.splitlines()[0]
    assert "there is no wish 'colour'" in refused(
        "fit", "plan.toml", "costs.csv", *BUDGET, "--wishes", '{"colour": "green"}'
    )
    wishes = '{"ask_first": "ferry", "must_not_ask": ["ferry"]}'
    assert "ask_first and must_not_ask contradict each other" in refused(
        "alternatives", "plan.toml", "costs.csv", *BUDGET, "--wishes", wishes
    )


def test_the_first_ctrl_c_shows_what_was_found_and_starts_nothing_new(plans, monkeypatch):
    solve_once = collection.solve_once

    def interrupted(*arguments):
        signal.raise_signal(signal.SIGINT)
        return solve_once(*arguments)

    monkeypatch.setattr(collection, "solve_once", interrupted)
    done = run("alternatives", "plan.toml", "costs.csv", *BUDGET, "--report", "choose.html")
    assert done.exit_code == 130
    assert "it was stopped" in done.stdout
    assert "≤" in done.stdout or "north" in done.stdout
    assert not Path("choose.html").exists()
