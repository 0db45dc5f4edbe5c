"""`explain_tree`: the use of leaves, the worth of questions, and whom the adversary hurts."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, InputError, LocalBudget, Nominal, RobustTree, RuleBook, Tree, evaluate
from hedgerow.datasets import motivating_example
from hedgerow.explain import explain_tree
from hedgerow.problems import ExplicitSet
from hedgerow.rules import Training
from tests.worlds import amounts, worlds

PROBLEM, COSTS = motivating_example()
WAYS = [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
ROBUST = Tree.from_dict(
    {
        "item": 0,
        "threshold": 5.0,
        "left": {"item": 1, "threshold": 6.5, "left": {"solution": WAYS[0]}, "right": {"solution": WAYS[1]}},
        "right": {"solution": WAYS[1]},
    }
)


def saved(problem=PROBLEM, tree=ROBUST, **fields):
    return RuleBook(tree, problem.item_names, problem=problem, **fields)


def test_the_motivating_example_in_words():
    found = explain_tree(saved(), COSTS, GlobalBudget(5.0))
    assert (found.nominal, found.robust) == (36.0, 43.0)
    assert found.leaves.n_samples.tolist() == [2, 0, 3]
    assert found.leaves.same_as.tolist() == [None, None, 1]
    (hurt,) = found.hurt.itertuples()
    assert (hurt.sample, hurt.loss, hurt.cost, hurt.nominal_cost) == (1, 7.0, 13.0, 6.0)
    text = str(found)
    assert (
        "sample 1: e2 read as 6.501 instead of 5 leads to s → 2 → t instead of s → 1 → t, +7 (13 instead of 6)" in text
    )
    assert "2 questions, 3 leaves, 2 different solutions, 5 samples; cost 36 as read, 43 at worst" in text
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_second_question_is_worth_something_only_at_worst():
    questions = explain_tree(saved(), COSTS, GlobalBudget(5.0)).questions
    worth = {question.question: (question.nominal, question.robust) for question in questions.itertuples()}
    assert worth["e2 ≤ 6.5?"] == (0.0, 7.0)
    nominal = explain_tree(saved(), COSTS, Nominal())
    assert {question.question: question.robust for question in nominal.questions.itertuples()}["e2 ≤ 6.5?"] == 0.0
    assert "e2 ≤ 6.5? nothing  (2 samples asked)" in str(nominal)
    assert "No sample is hurt" in str(nominal)
    assert "e2 ≤ 6.5? nothing" in nominal._repr_html_()


@given(worlds(max_depth=3, max_samples=4), amounts, st.booleans())
def test_figures_agree_with_evaluate(world, budget, together):
    uncertainty = GlobalBudget(budget) if together else LocalBudget(budget)
    features = tuple(f"feature {number}" for number in range(world.instance().n_features))
    source = RuleBook(world.tree, features, problem=world.problem)
    observed = world.costs if world.observations is None else world.observations
    found = explain_tree(source, world.costs, uncertainty, readings=observed)

    def total(tree):
        result = evaluate(tree, world.problem, world.costs, uncertainty, context=observed)
        return world.sign * result.robust, world.sign * result.nominal

    before = total(world.tree)
    assert (world.sign * found.robust, world.sign * found.nominal) == pytest.approx(before)
    assert (
        found.leaves.n_samples.tolist()
        == np.bincount(world.tree.apply(observed), minlength=world.tree.n_leaves).tolist()
    )
    assert len(found.questions) == world.tree.n_leaves - 1
    for question in found.questions.itertuples():
        others = [total(world.tree.without_question(question.node, goes_left=left)) for left in (True, False)]
        assert question.robust == pytest.approx(min(others)[0] - before[0])
    losses = found.hurt.loss.tolist()
    assert losses == sorted(losses, reverse=True)
    assert all(loss > 0.0 for loss in losses)
    assert sum(losses) == pytest.approx(before[0] - before[1])
    for each in found.hurt.itertuples():
        misread = observed[each.sample].copy()
        for change in each.changes:
            assert change.value == misread[change.item]
            misread[change.item] = change.new_value
        assert world.tree.apply([misread])[0] == each.leaf


def test_gains_that_are_lost():
    problem = ExplicitSet([[1, 0], [0, 1]], solution_names=["early", "late"], unit="EUR", sense="max")
    tree = Tree.full([0], [5.0], [[0.0, 1.0], [1.0, 0.0]])
    found = explain_tree(saved(problem, tree), [[5.5, 1.0], [1.0, 3.0]], LocalBudget(1.0))
    (hurt,) = found.hurt.itertuples()
    assert (hurt.loss, hurt.cost, hurt.nominal_cost) == (4.5, 1.0, 5.5)
    text = str(found)
    assert "gain 8.5 EUR as read, 4 EUR at worst" in text
    assert "leads to late instead of early, −4.5 EUR (1 instead of 5.5)" in text
    assert found.to_dict()["sense"] == "max"


def test_without_samples_the_training_data_count():
    model = RobustTree(PROBLEM, depth=1, method="exact", random_state=0, uncertainty=LocalBudget(0.5)).fit(COSTS)
    found = explain_tree(model)
    assert found.leaves.n_samples.tolist() == model.rulebook_.training.leaf_samples.tolist()
    assert (found.nominal, len(found.hurt)) == (None, 0)
    assert "5 samples" in str(found)
    bare = explain_tree(saved())
    assert (bare.n_samples, bare.leaves.n_samples[0], bare.questions.nominal[0]) == (None, None, None)
    assert explain_tree(model, context=COSTS[:2]).n_samples == 2


def test_bad_input_is_refused():
    other = saved(training=Training(1, 1, np.zeros(4), np.ones(4), 1.0, observes_costs=False))
    with pytest.raises(InputError, match="pass the context, too"):
        explain_tree(other, COSTS)
    with pytest.raises(InputError, match=r"must be Nominal, LocalBudget or GlobalBudget; got 1\.5"):
        explain_tree(saved(), COSTS, 1.5)
    with pytest.raises(InputError, match="must not be missing"):
        explain_tree(saved(), context=[[np.nan] * 4])
