"""Gains on the command line: the user's sign in text, JSON and tree file."""

import json
import re

import pytest

from tests.cli.conftest import run, write_costs

KNAPSACK = 'kind = "knapsack"\nweights = [1, 1, 1]\ncapacity = 2\nitem_names = ["oak", "ash", "elm"]\nunit = "EUR"\n'
GAINS = [[4.0, 1.0, 2.0], [3.0, 5.0, -1.0], [1.0, 2.0, 6.0]]


@pytest.fixture
def bag(folder):
    (folder / "bag.toml").write_text(KNAPSACK, encoding="utf-8")
    write_costs(folder / "gains.csv", GAINS, ("oak", "ash", "elm"))
    return folder


def fitted(*words):
    done = run("fit", "bag.toml", "gains.csv", "--depth", 1, "--local", 0.05, "--method", "exact", *words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_gains_are_shown_as_gains(bag):
    words = fitted()
    # Each sample at its best earns 6 + 8 + 8; one question comes to 21 of these 22.
    for row in ("as read", "worst case", "proven bound"):
        assert re.search(rf"^{row} +21 EUR +7 EUR$", words, re.MULTILINE), words


def test_json_and_evaluation_keep_the_sign(bag):
    fields = json.loads(fitted("--json"))
    assert fields["objective"] == fields["lower_bound"] == 21.0
    assert fields["gap"] == 0.0
    done = run("evaluate", "tree.json", "gains.csv", "--local-budget", 100, "--json")
    worse = json.loads(done.stdout)
    assert worse["nominal"] == 21.0
    assert worse["robust"] < 21.0
    assert worse["n_moved"] > 0
