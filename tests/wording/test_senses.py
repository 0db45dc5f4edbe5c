"""Gains are not called costs, and nothing about them is best if it is lowest."""

import numpy as np

from hedgerow import Instance, LocalBudget, alternatives
from hedgerow.problems import Selection
from hedgerow.report.choosing import choosing_html
from tests.cli.conftest import run, write_costs
from tests.report.books import text_of

GAINS = np.array([[1.0, 3.0, 2.0], [4.0, 2.0, 2.5], [5.0, 2.5, 1.0]])


def test_alternatives_of_gains_are_the_highest():
    problem = Selection(3, 1, sense="max")
    found = alternatives(Instance.create(problem, GAINS, uncertainty=LocalBudget(0.5), depth=1), within=0.3)
    reasons = {reason for pick in found.picks for reason in pick.reasons}
    assert "highest worst case" in reasons
    assert not [reason for reason in reasons if "lowest" in reason or "cost" in reason]
    assert "lowest" not in text_of(choosing_html(found))


def test_a_selection_by_word_says_which_way_it_optimises(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_costs(tmp_path / "gains.csv", GAINS, ("a", "b", "c"))
    done = run("fit", "selection:3:1", "gains.csv", "--depth", 0, "--method", "one_solution")
    assert "selection:3:1 makes costs small" in done.stderr
    assert 'sense = "max"' in done.stderr
