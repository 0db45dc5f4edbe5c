"""Explanations of rows and of whole rule books for every kind of problem."""

import json

import numpy as np
import pytest
from examples.plan_sets import PlanSets, sets_by_item

from hedgerow import LocalBudget, RobustTree
from hedgerow.explain import explain, explain_tree
from hedgerow.problems import ExplicitSet, Oracle, Selection
from tests.problems.models import model_of
from tests.problems.shelf import CAPACITATED, SHELF

# Four units from a machine that must be set up, by hand, or bought; the set-up has a cost that is not uncertain.
WORKSHOP = model_of(
    [0, 0, 0, 5],
    ([[1, 1, 1, 0], [1, 0, 0, -3]], [4, -np.inf], [4, 0]),
    [0, 0, 0, 1],
    (0, [4, 3.5, 2.5, 1]),
    names=["machine", "by hand", "bought", "set-up"],
    items=["machine", "by hand", "bought"],
)
KINDS = {
    **SHELF,
    "facility location, capacities": CAPACITATED,
    "mixed integer, extra variables": WORKSHOP,
    "explicit set": ExplicitSet([[1, 0, 0], [0, 1, 1]]),
    "sets of plans": PlanSets(Selection(4, 2), sets_by_item(Selection(4, 2), ["x1"])),
    "oracle": Oracle(lambda costs: np.eye(3)[np.argmin(costs)], 3),
}


@pytest.mark.parametrize("problem", KINDS.values(), ids=list(KINDS))
def test_rows_and_rule_books_are_explained_whatever_the_problem(problem):
    samples = np.random.default_rng(0).integers(0, 25, (6, len(problem.item_names))) / 4.0
    model = RobustTree(
        problem, uncertainty=LocalBudget(fraction=0.02), method="local_search", iteration_limit=2, random_state=0
    )
    model.fit(samples)
    best = [problem.best_solution(row[None]).value for row in samples]
    leaf = model.tree_.apply(samples)
    sign = 1.0 if problem.sense == "min" else -1.0
    for row, found in enumerate(explain(model, samples)):
        paid = problem.costs(model.tree_.solutions[[leaf[row]]], samples[[row]])[0, 0]
        assert found.leaf == leaf[row]
        assert found.cost == pytest.approx(paid)
        assert sign * found.best == pytest.approx(min(sign * best[row], sign * paid))
        json.dumps(found.to_dict())
        assert found.label in str(found)
    whole = explain_tree(model, samples)
    assert whole.leaves.n_samples.sum() == 6
    json.dumps(whole.to_dict())
    assert "Leaves" in str(whole)
