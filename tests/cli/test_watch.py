"""`hedgerow watch`: a verdict, an exit status, and a state that counts each row once."""

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


def test_it_can_be_called_every_morning(place):
    call = ("watch", "rules.json", "--reference", "old.csv", "--state", "state.json", "--costs")
    first = run(*call, "new.csv")
    assert first.exit_code == 0, first.stderr
    assert "The rules hold" in first.stdout
    assert "Rows so far: 40, 40 of them new." in first.stdout
    assert "not used" not in first.stderr
    again = run(*call, "new.csv")
    assert "Rows so far: 40, 0 of them new." in again.stdout
    assert "--reference is not used" in " ".join(again.stderr.split())
    changed = run(*call, "changed.csv")
    assert changed.exit_code == 3
    assert "no longer hold as before: since about day" in " ".join(changed.stdout.split())
    described = run(*call, "changed.csv", "--json")
    assert described.exit_code == 3
    assert json.loads(described.stdout)["verdict"] == "alarm"


def test_bad_use_is_one_sentence(place):
    call = ("watch", "rules.json", "--costs", "new.csv")
    assert run(*call, "--state", "good.json").exit_code == 0
    good = (place / "good.json").read_text()
    infinite, unknown = good.replace("[", "[1e999, ", 1), good.replace("block", "blocks")
    for text in ("", "no JSON", "[]", "[" * 5000, good[:-9], infinite, unknown):
        (place / "bad.json").write_text(text)
        assert "bad.json: th" in refused(*call, "--state", "bad.json")
    (place / "bad.json").write_bytes(b"\xff\xfe\xfa")
    assert "bad.json is not a state of hedgerow watch: it is not text" in refused(*call, "--state", "bad.json")
    assert "Missing option '--costs'" in refused("watch", "rules.json")
    pd.DataFrame(np.ones((3, 3)), columns=PROBLEM.item_names).to_csv(place / "bare.csv", index=False)
    assert run("watch", "rules.json", "--costs", "bare.csv", "--state", "s.json").exit_code == 0
    again = run("watch", "rules.json", "--costs", "bare.csv", "--state", "s.json")
    assert "all of its rows count as new" in " ".join(again.stderr.split())
    assert "Rows so far: 6" in again.stdout
    assert "not used" not in again.stderr
