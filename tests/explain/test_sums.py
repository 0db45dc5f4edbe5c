"""Explanations of trees that ask about several readings at a time, against what the tree does with other readings."""

import numpy as np
import pytest

from hedgerow import LocalBudget, RobustTree, Tree
from hedgerow.explain import explain, explain_tree
from hedgerow.explain.stability import stability
from hedgerow.problems import LoadShifting
from hedgerow.tree.questions import Question

PROBLEM = LoadShifting(8, run=3, min_run=3, unit="EUR/MWh")


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    waves = np.cos((np.arange(8) + rng.normal(size=(30, 1))) * np.pi / 4.0)
    prices = 40.0 + 10.0 * waves + rng.normal(size=(30, 8))
    model = RobustTree(
        PROBLEM, depth=2, uncertainty=LocalBudget(0.5), questions="plans:4", method="local_search", iteration_limit=5,
        random_state=0,
    ).fit(prices)  # fmt: skip
    assert not model.tree_.asks_single_items
    return model, prices


def test_smaller_errors_than_the_radius_never_change_the_advice(fitted):
    model, prices = fitted
    rng = np.random.default_rng(1)
    for found, row in zip(explain(model, prices[:8]), prices, strict=False):
        error = rng.dirichlet(np.ones(8), 200) * rng.choice([-1.0, 1.0], (200, 8)) * found.radius * 0.999
        assert (model.predict(row + error) == model.predict(row[None])).all()
        moved = row.copy()
        for change in found.counterfactual.changes:
            moved[change.item] = change.new_value
        assert model.apply(moved[None])[0] == found.counterfactual.leaf
        assert np.abs(moved - row).sum() == pytest.approx(found.radius, abs=0.0011 * model.tree_.depth)


def test_one_reading_alone_changes_the_advice_just_beyond_its_bounds(fitted):
    model, prices = fitted
    n_bounds = 0
    for found, row in zip(explain(model, prices[:8]), prices, strict=False):
        advice = model.predict(row[None])
        for alone in found.items:
            for bound, leaf, outwards in ((alone.lower, alone.leaf_below, -1.0), (alone.upper, alone.leaf_above, 1.0)):
                if leaf is None:
                    continue
                trial = np.repeat(row[None], 2, axis=0)
                trial[:, alone.item] = bound + outwards * np.array([-1e-6, 1e-6])
                inside, outside = model.predict(trial)
                assert (inside == advice).all()
                assert not (outside == advice).all()
                assert model.apply(trial)[1] == leaf
                n_bounds += 1
    assert n_bounds > 10


def test_missing_readings_leave_open_what_they_decide(fitted):
    model, prices = fitted
    row = prices[:1].copy()
    row[0, model.tree_.asked_items[0]] = np.nan
    found = explain(model, row)[0]
    assert found.missing == (PROBLEM.item_names[model.tree_.asked_items[0]],)
    filled = np.repeat(row, 200, axis=0)
    filled[:, model.tree_.asked_items[0]] = np.linspace(-300.0, 300.0, 200)
    assert set(model.apply(filled).tolist()) <= set(found.leaves)


def test_answers_and_questions_have_the_names_of_plans(fitted):
    model, prices = fitted
    answer = explain(model, prices[:1])[0].path[0]
    question = model.tree_.questions[model.tree_.question[0]]
    assert answer.name == question.name
    assert answer.value == question.values(prices[:1])[0]
    assert {question.name for question in explain_tree(model, prices).questions} >= {question.name}


def test_a_leaf_that_no_reading_reaches_does_not_set_the_radius():
    """A > B and B > C leave no room for A <= C, the only leaf with other advice."""
    pairs = {"ab": (0, 1), "bc": (1, 2), "ac": (0, 2)}
    ab, bc, ac = (Question(items, (1.0, -1.0), name) for name, items in pairs.items())
    nodes = {0: (ab, 0.0, 1, 2), 2: (bc, 0.0, 3, 4), 4: (ac, 0.0, 5, 6)}
    plans = {1: [0.0, 1.0], 3: [0.0, 1.0], 5: [1.0, 0.0], 6: [0.0, 1.0]}
    tree = Tree.grown(0, lambda node: nodes[node] if node in nodes else np.array(plans[node]))
    found = stability(tree, np.array([0, 0, 2, 0]), np.array([[4.0, 2.0, 1.5]]))
    assert (found.leaf[0], found.radius[0]) == (-1, np.inf)
    other = stability(tree, np.array([0, 1, 2, 3]), np.array([[4.0, 2.0, 1.5]]))
    assert (other.leaf[0], other.radius[0]) == (1, 0.5)
