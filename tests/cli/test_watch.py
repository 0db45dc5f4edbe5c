"""`hedgerow watch`: a verdict and an exit status."""

import json

import numpy as np
import pandas as pd
import pytest

from hedgerow import RobustTree
from hedgerow.problems import Selection
from tests.cli.conftest import refused, run

PROBLEM = Selection(3, 1, item_names=["north", "south", "west"], unit="min")


def write(folder, name, n_rows, seed, shift=0.0, begin=0):
    costs = np.random.default_rng(seed).uniform(0.0, 9.0, (n_rows, 3)) + shift
    frame = pd.DataFrame(costs, columns=PROBLEM.item_names)
    frame.insert(0, "day", [f"day {begin + row}" for row in range(n_rows)])
    frame.to_csv(folder / name, index=False)
    return costs


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "old.csv", 200, 1)
    training = write(tmp_path, "training.csv", 50, 0)
    RobustTree(PROBLEM, depth=1, method="greedy").fit(training).save(tmp_path / "rules.json")
    write(tmp_path, "new.csv", 40, 2)
    write(tmp_path, "changed.csv", 40, 3, shift=12.0, begin=40)
    return tmp_path


def test_it_says_whether_the_rules_hold_and_since_when_they_do_not(place):
    call = ("watch", "rules.json", "--reference", "old.csv", "--costs")
    first = run(*call, "new.csv")
    assert first.exit_code == 0, first.stderr
    assert "The rules hold: no change in 40 rows." in first.stdout
    pd.concat([pd.read_csv("new.csv"), pd.read_csv("changed.csv")]).to_csv("both.csv", index=False)
    changed = run(*call, "both.csv")
    assert changed.exit_code == 3
    assert "no longer hold as before: since about day" in " ".join(changed.stdout.split())
    described = run(*call, "both.csv", "--json")
    assert described.exit_code == 3
    assert json.loads(described.stdout)["verdict"] == "alarm"


def test_bad_use_is_one_sentence(place):
    call = ("watch", "rules.json", "--costs", "new.csv")
    assert "not used in the fit" in refused(*call, "--reference", "training.csv")
    assert "more than 50 new rows; got 40" in refused(*call)
    assert "Missing option '--costs'" in refused("watch", "rules.json")
