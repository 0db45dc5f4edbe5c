"""Gains on the command line: the user's sign in text, JSON and tree file."""

import json
import re

from tests.cli.conftest import run, write_costs

KNAPSACK = 'kind = "knapsack"\nweights = [1, 1, 1]\ncapacity = 2\nitem_names = ["oak", "ash", "elm"]\nunit = "EUR"\n'
GAINS = [[4.0, 1.0, 2.0], [3.0, 5.0, -1.0], [1.0, 2.0, 6.0]]


def test_gains_are_shown_as_gains_and_json_and_evaluation_keep_the_sign(folder):
    (folder / "bag.toml").write_text(KNAPSACK, encoding="utf-8")
    write_costs(folder / "gains.csv", GAINS, ("oak", "ash", "elm"))
    words = ("fit", "bag.toml", "gains.csv", "--depth", 1, "--local", 0.05, "--method", "exact")
    # Each sample at its best earns 6 + 8 + 8; one question comes to 21 of these 22.
    shown = run(*words).stdout
    for row in ("as read", "worst case", "proven bound"):
        assert re.search(rf"^{row} +21 EUR +7 EUR$", shown, re.MULTILINE), shown
    fields = json.loads(run(*words, "--json").stdout)
    assert (fields["objective"], fields["lower_bound"], fields["gap"]) == (21.0, 21.0, 0.0)
    worse = json.loads(run("evaluate", "tree.json", "gains.csv", "--local-budget", 100, "--json").stdout)
    assert worse["nominal"] == 21.0 > worse["robust"]
    assert worse["n_moved"] > 0
