"""`hedgerow refit`: a new tree file, and a page with both rules."""

import numpy as np
import pandas as pd

from hedgerow import RobustTree, RuleBook
from hedgerow.problems import Selection
from tests.cli.conftest import refused, run

PROBLEM = Selection(3, 1, item_names=["north", "south", "west"], unit="min")


def test_it_writes_rules_and_a_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    RobustTree(PROBLEM, depth=1, method="greedy").fit(rng.uniform(0.0, 9.0, (40, 3))).save("rules.json")
    new = pd.DataFrame(rng.uniform(0.0, 9.0, (40, 3)) + np.array([9.0, 0.0, 0.0]), columns=PROBLEM.item_names)
    new.to_csv("new.csv", index=False)
    options = ("--report", "page.html", "-o", "new.json")
    done = run("refit", "rules.json", "new.csv", *options)
    assert done.exit_code == 0, done.stderr
    assert "Staying costs at most" in done.stdout
    rules = RuleBook.load("new.json")
    assert rules.made_by == "hedgerow refit rules.json new.csv " + " ".join(options)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Before and after" in page


def test_a_negative_number_of_changes_is_refused(tree):
    assert "max_changes" in refused("refit", tree, "costs.csv", "--max-changes", -1, "-o", "new.json")
