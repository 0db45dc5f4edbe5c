"""`--questions` on fit: what Python asks, the command line asks, and so does the tree that it saves."""

import numpy as np
import pytest

from hedgerow import LocalBudget, RobustTree
from hedgerow.problems import ShortestPath
from hedgerow.rules import RuleBook
from tests.cli.conftest import refused, run, write_costs

COSTS = np.random.default_rng(2).uniform(1.0, 30.0, (12, 4)).round(1)
FIT = ("fit", "grid:2", "costs.csv", "--depth", "1", "--local-budget", "1", "--method", "exact", "--seed", "0")


@pytest.fixture(autouse=True)
def history(folder):
    write_costs(folder / "costs.csv", COSTS)
    return folder


def test_plans_are_compared_as_in_python(history):
    done = run(*FIT, "--questions", "plans", "-o", "tree.json")
    assert done.exit_code == 0, (done.stderr, done.exception)
    model = RobustTree(
        ShortestPath.grid(2),
        depth=1,
        uncertainty=LocalBudget(1.0),
        method="exact",
        questions="plans",
        random_state=0,
    ).fit(COSTS)
    saved = RuleBook.load(history / "tree.json")
    assert saved.tree == model.tree_
    assert [len(question.items) for question in saved.tree.questions] == [4]


def test_an_unknown_kind_is_refused():
    assert "riddles" in refused(*FIT, "--questions", "riddles", "-o", "tree.json")
