"""`hedgerow fit`: options become an instance, the tree is saved, and every mistake is one sentence."""

import dataclasses
import json

import numpy as np
import pytest

from hedgerow import GlobalBudget, LocalBudget, Nominal, RobustTree, evaluate
from hedgerow.problems import ShortestPath
from hedgerow.rules import RuleBook
from tests.cli.conftest import COSTS, NAMES, refused, run

DRAW = ("--method", "draw", "--iteration-limit", "10")


def fitted(*words):
    done = run("fit", "grid:2", "costs.csv", *DRAW, *words)
    assert done.exit_code == 0, done.stderr
    return done


def test_the_tree_is_the_one_that_python_finds(folder):
    fitted("--depth", "1", "--local", "0.05", "--seed", "3", "-o", "out.json")
    model = RobustTree(
        ShortestPath.grid(2),
        depth=1,
        uncertainty=LocalBudget(fraction=0.05),
        method="draw",
        iteration_limit=10,
        random_state=3,
    ).fit(COSTS)
    saved = RuleBook.load(folder / "out.json")
    assert saved.tree == model.tree_
    assert saved.uncertainty == model.uncertainty_
    ours, theirs = (
        dataclasses.replace(book, made_by="", result=dataclasses.replace(book.result, runtime=0.0))
        for book in (saved, model.rulebook_)
    )
    assert ours == theirs


def test_json_has_the_fields_of_the_result(folder):
    done = fitted("--local-budget", "1.5", "--json")
    fields = json.loads(done.stdout)
    assert {"objective", "lower_bound", "gap", "status", "runtime", "method", "nominal", "robust"} <= set(fields)
    assert fields["method"] == "draw"
    assert fields["status"] == "iteration_limit"
    assert fields["lower_bound"] is None
    assert fields["robust"] == fields["objective"]
    again = evaluate(RuleBook.load(folder / "tree.json").tree, ShortestPath.grid(2), COSTS, LocalBudget(1.5))
    assert (fields["nominal"], fields["robust"]) == pytest.approx((again.nominal, again.robust))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), Nominal()),
        (("--local", "0.05"), LocalBudget(fraction=0.05)),
        (("--local-budget", "1.5"), LocalBudget(1.5)),
        (("--global", "0.1"), GlobalBudget(fraction=0.1)),
        (("--global", "0"), GlobalBudget(fraction=0.0)),
        (("--global-budget", "2"), GlobalBudget(2.0)),
        (("--local-budget", "1.5", "--limits", "2"), LocalBudget(1.5, limits=2.0)),
        (("--local-budget", "1.5", "--limits", "2,3,4,5"), LocalBudget(1.5, limits=[2.0, 3.0, 4.0, 5.0])),
        (("--local", "0.05", "--prices", "range"), LocalBudget(fraction=0.05, prices="range")),
        (("--local", "0.05", "--prices", "1,2,1,2"), LocalBudget(fraction=0.05, prices=[1.0, 2.0, 1.0, 2.0])),
    ],
)
def test_budget_options_become_an_uncertainty_set(folder, words, expected):
    done = run("fit", "grid:2", "costs.csv", "--method", "one_solution", *words)
    assert done.exit_code == 0, done.stderr
    saved = RuleBook.load(folder / "tree.json")
    assert saved.uncertainty == expected.bind(COSTS, 2)
    assert saved.uncertainty_as_given == expected


def test_order_and_further_columns_do_not_matter(folder):
    fitted("-o", "plain.json")
    shuffled = np.array([2, 0, 3, 1])
    rows = [["date", *(NAMES[i] for i in shuffled), "id"]]
    rows += [[f"day {j}", *(str(COSTS[j, i]) for i in shuffled), str(j)] for j in range(len(COSTS))]
    (folder / "costs.csv").write_text("\ufeff" + "\r\n".join(",".join(row) for row in rows) + "\r\n\r\n", "utf-8")
    done = fitted("-o", "shuffled.json")
    assert "not used: 'date', 'id'" in done.stderr
    assert RuleBook.load(folder / "plain.json").tree == RuleBook.load(folder / "shuffled.json").tree


def test_limits_are_handed_on(folder):
    done = fitted("--max-leaves", "1", "--min-samples-leaf", "2")
    assert "Stopped at the iteration limit" in done.stdout
    done = run("fit", "grid:2", "costs.csv", "--method", "idle", "--time-limit", "0.05", "--json")
    assert json.loads(done.stdout)["status"] == "time_limit"
    assert "best single solution" in done.stderr
    assert run("fit", "grid:2", "costs.csv", "--time-limit", "inf", *DRAW).exit_code == 0


def test_auto_says_what_it_picked(folder):
    done = run("fit", "grid:2", "costs.csv", "--depth", "0", "--json")
    assert done.stderr.count("auto picked one_solution") == 1
    assert "auto picked one_solution" in json.loads(done.stdout)["message"]


def test_a_failing_solver_is_told_and_the_tree_saved(folder):
    done = run("fit", "grid:2", "costs.csv", "--method", "fail_midway")
    assert done.exit_code == 0
    assert "lost its licence" in done.stderr
    assert RuleBook.load(folder / "tree.json").tree.depth == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("grid:2", "costs.csv", "--min-samples-leaf", "7"), "min_samples_leaf must be at most"),
        (("grid:2", "costs.csv", "--seed", "-1"), "Invalid value for '--seed'"),
        (("grid:2", "costs.csv", "--questions", "riddles"), "riddles"),
        (("grid:3", "costs.csv"), "costs.csv: costs have no column for '0-3', '1-2'"),
        (("grid:1", "costs.csv"), "the grid's size must be"),
        (("grid:four", "costs.csv"), "PROBLEM must be grid:4"),
        (("selection:4", "costs.csv"), "PROBLEM must be grid:4"),
        (("maze", "costs.csv"), "PROBLEM must be grid:4"),
        (("model.mps.gz", "costs.csv"), "model.mps.gz: there is no such model file"),
        (("bad.toml", "costs.csv"), "bad.toml can't be read as a problem file"),
        (("odd.toml", "costs.csv"), "odd.toml: a problem's kind must be one of"),
    ],
)
def test_bad_use_is_one_sentence_and_nothing_is_written(folder, words, message):
    (folder / "bad.toml").write_text("kind = ")
    (folder / "odd.toml").write_text('kind = "maze"')
    before = sorted(folder.iterdir())
    assert message in refused("fit", *words)
    assert sorted(folder.iterdir()) == before


def test_categories_are_asked_about_and_texts_that_name_rows_are_not(folder):
    lines = ["id,weekday", *(f"{day}{row},{day}" for row, day in enumerate(["Mon", "Tue", "Sat", "Mon", "Tue", "Sat"]))]
    (folder / "seen.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = fitted("--context", "seen.csv")
    assert "asking about 'weekday'" in done.stderr
    assert "weekday is" in done.stdout


def test_wishes_are_kept_and_what_they_cost_is_printed(folder):
    wishes = '{"must_not_ask": ["2-3", "0-1"]}'
    done = run("fit", "grid:2", "costs.csv", "--local", 0.05, "--method", "exact", "--wishes", wishes)
    assert done.exit_code == 0, done.stderr
    assert not {"2-3", "0-1"} & set(RuleBook.load(folder / "tree.json").asked_names)
    assert "The wish for no question about 2-3, 0-1 costs " in done.stdout
    assert run("fit", "grid:2", "costs.csv", "--wishes", '{"max_items": 1, "ask_first": "1-3"}').exit_code == 0
    assert RuleBook.load(folder / "tree.json").asked_names == ("1-3",)
