"""`--max-thresholds` on fit and tune: handed on, told in words and as JSON, and saved."""

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


def test_the_tree_and_what_was_left_out_are_those_that_python_finds(history):
    fields = json.loads(fitted(*SEARCH, "--max-thresholds", "2", "--json").stdout)
    model = in_python(max_thresholds=2).fit(COSTS)
    saved = RuleBook.load(history / "tree.json")
    assert saved.tree == model.tree_
    assert fields["thinning"] == dataclasses.asdict(saved.result.thinning) == dataclasses.asdict(model.result_.thinning)
    assert fields["message"] == model.result_.message


def test_what_was_left_out_is_told_after_the_figures(history):
    shown = " ".join(fitted("--method", "exact", "--max-thresholds", "1").stdout.split())
    thinning = in_python("exact", max_thresholds=1).fit(COSTS).result_.thinning
    assert str(thinning) in shown
    assert "Proven optimal after" in shown
    assert f"the same thresholds (4 of {thinning.n_all_thresholds} midpoints)" in shown


def test_limits_on_leaves_are_told_with_a_proof(history):
    plain = " ".join(fitted("--method", "exact").stdout.split())
    assert "no tree of depth 1 has a better worst case, wherever its thresholds lie" in plain
    few = " ".join(fitted("--method", "exact", "--max-leaves", "1", "--min-samples-leaf", "4").stdout.split())
    assert "no tree of depth 1 with at most 1 leaf and at least 4 samples at each leaf has a better" in few
    options = RuleBook.load(history / "tree.json").result.options
    assert (options.max_leaves, options.min_samples_leaf, options.time_limit) == (1, 4, 60.0)


def test_tune_fits_with_it(history):
    words = ["--depths", "1", "--questions", "items", "--fractions", "0.05", "--folds", "2", "-o", "tuning.csv"]
    done = run("tune", "grid:2", "costs.csv", *words, *SEARCH, "--max-thresholds", "1")
    assert done.exit_code == 0, (done.stderr, done.exception)
    with (history / "tuning.csv").open(encoding="utf-8") as stream:
        values = [float(row["cost"]) for row in csv.DictReader(stream)]
    sets = [LocalBudget(fraction=0.05)]
    for options, same in (({"max_thresholds": 1}, True), ({}, False)):
        expected = tune(in_python(**options), COSTS, depths=(1,), uncertainties=sets, questions=["items"], folds=2)
        assert (values == expected.scores["cost"].tolist()) is same


@pytest.mark.parametrize("command", ["fit", "tune"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--max-thresholds", "0"), "max_thresholds must be an integer from 1 to"),
        (("--max-thresholds", "many"), "Invalid value for '--max-thresholds'"),
    ],
)
def test_mistakes_are_told_in_one_sentence(history, command, words, told):
    assert told in refused(command, "grid:2", "costs.csv", *words)
