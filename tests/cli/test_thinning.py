"""`--max-thresholds` and `--max-samples` on fit and tune: handed on, told in words and as JSON, and saved."""

import csv
import dataclasses
import json

import numpy as np
import pytest

from hedgerow import LocalBudget, RobustTree
from hedgerow.problems import ShortestPath
from hedgerow.rules import RuleBook
from hedgerow.study import tune
from tests.cli.conftest import refused, run, write_costs

COSTS = np.random.default_rng(2).uniform(1.0, 30.0, (40, 4)).round(1)
SEARCH = ("--method", "local_search", "--iteration-limit", "5")


@pytest.fixture
def history(folder):
    """The same folder with costs of forty samples."""
    write_costs(folder / "costs.csv", COSTS)
    return folder


def fitted(*words):
    done = run("fit", "grid:2", "costs.csv", "--depth", "1", "--local", "0.05", *words)
    assert done.exit_code == 0, (done.stderr, done.exception)
    return done


def in_python(method="local_search", **options):
    return RobustTree(
        ShortestPath.grid(2),
        depth=1,
        uncertainty=LocalBudget(fraction=0.05),
        method=method,
        iteration_limit=5 if method == "local_search" else None,
        random_state=0,
        **options,
    )


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (("--max-thresholds", "2"), {"max_thresholds": 2}),
        (("--max-samples", "8"), {"max_samples": 8}),
        (("--max-thresholds", "2", "--max-samples", "8"), {"max_thresholds": 2, "max_samples": 8}),
    ],
)
def test_the_tree_and_what_was_left_out_are_those_that_python_finds(history, words, options):
    fields = json.loads(fitted(*SEARCH, *words, "--json").stdout)
    model = in_python(**options).fit(COSTS)
    saved = RuleBook.load(history / "tree.json")
    assert saved.tree == model.tree_
    assert fields["thinning"] == dataclasses.asdict(saved.result.thinning) == dataclasses.asdict(model.result_.thinning)
    assert fields["message"] == model.result_.message


def test_what_was_left_out_is_told_after_the_figures(history):
    shown = " ".join(fitted("--method", "exact", "--max-thresholds", "1").stdout.split())
    thinning = in_python("exact", max_thresholds=1).fit(COSTS).result_.thinning
    assert thinning.in_words() in shown
    assert "Proven optimal after" in shown
    assert f"the same thresholds (4 of {thinning.n_all_thresholds} midpoints)" in shown


def test_limits_on_leaves_are_told_with_a_proof(history):
    plain = " ".join(fitted("--method", "exact").stdout.split())
    assert "no tree of depth 1 has a better worst case, wherever its thresholds lie" in plain
    few = " ".join(fitted("--method", "exact", "--max-leaves", "1", "--min-samples-leaf", "4").stdout.split())
    assert "no tree of depth 1 with at most 1 leaf and at least 4 samples at each leaf has a better" in few
    options = RuleBook.load(history / "tree.json").result.options
    assert (options.max_leaves, options.min_samples_leaf, options.time_limit) == (1, 4, 60.0)


def test_a_bound_for_all_samples_is_not_about_the_thresholds_of_representatives(history):
    shown = " ".join(fitted("--method", "one_solution", "--max-samples", "8").stdout.split())
    assert "weighted representatives of 40 samples" in shown
    assert "these thresholds only" not in shown


def test_where_nothing_is_left_out_nothing_is_told(history):
    assert json.loads(fitted(*SEARCH, "--max-thresholds", "1000", "--json").stdout)["thinning"] is None
    assert "The search used" not in fitted(*SEARCH, "--max-samples", "40").stdout


def test_tune_fits_with_both(history):
    words = (
        "--depths",
        "1",
        "--questions",
        "items",
        "--fractions",
        "0.05",
        "--folds",
        "2",
        *SEARCH,
        "-o",
        "tuning.csv",
    )
    limits = ("--max-thresholds", "1", "--max-samples", "5")
    done = run("tune", "grid:2", "costs.csv", *words, *limits)
    assert done.exit_code == 0, (done.stderr, done.exception)
    with (history / "tuning.csv").open(encoding="utf-8") as stream:
        values = [float(row["cost"]) for row in csv.DictReader(stream)]
    sets = [LocalBudget(fraction=0.05)]
    for options, same in (({"max_thresholds": 1, "max_samples": 5}, True), ({}, False)):
        expected = tune(in_python(**options), COSTS, depths=(1,), uncertainties=sets, questions=["items"], folds=2)
        assert (values == [score.cost for score in expected.scores]) is same


@pytest.mark.parametrize("command", ["fit", "tune"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--max-thresholds", "0"), "max_thresholds must be an integer from 1 to"),
        (("--max-samples", "-3"), "max_samples must be an integer from 1 to"),
        (("--max-samples", "many"), "Invalid value for '--max-samples'"),
        (("--max-thresholds", "2.5"), "Invalid value for '--max-thresholds'"),
    ],
)
def test_mistakes_are_told_in_one_sentence(history, command, words, told):
    assert told in refused(command, "grid:2", "costs.csv", *words)


@pytest.mark.parametrize("words", [("fit", "--global", "0.05"), ("tune", "--global")])
def test_representatives_are_refused_under_a_global_budget(history, words):
    command, *budget = words
    assert "can't be used with a GlobalBudget" in refused(command, "grid:2", "costs.csv", *budget, "--max-samples", "8")
