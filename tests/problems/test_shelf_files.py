"""Trees for every problem on the shelf outlive the program that found them."""

import numpy as np
import pytest

from hedgerow import LocalBudget, RobustTree, evaluate
from hedgerow.rules import RuleBook
from tests.problems.shelf import CAPACITATED, SHELF, samples_for

PROBLEMS = {**SHELF, "facility location, capacities": CAPACITATED}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_saved_tree_is_opened_evaluated_and_told_as_before(name, tmp_path):
    problem = PROBLEMS[name]
    samples = samples_for(problem, 4, seed=9)
    model = RobustTree(problem, depth=1, uncertainty=LocalBudget(0.5), method="exact", random_state=0).fit(samples)
    model.save(tmp_path / "tree.json")
    saved = RuleBook.load(tmp_path / "tree.json")
    assert saved.problem == problem
    assert saved.variable_names == problem.variable_names
    assert saved.advice == tuple(problem.describe(solution) for solution in model.tree_.solutions)
    again = evaluate(saved.tree, saved.problem, samples, saved.uncertainty)
    assert again.robust == pytest.approx(model.result_.objective)
    assert (saved.tree.predict(samples) == model.predict(samples)).all()
    assert np.isfinite(model.score(samples))
