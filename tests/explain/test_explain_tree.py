"""`explain_tree`: the use of leaves, the worth of questions, and whom the adversary hurts."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, HedgerowError, InputError, LocalBudget, Nominal, RobustTree, RuleBook, Tree, evaluate
from hedgerow.datasets import motivating_example
from hedgerow.explain import explain, explain_tree
from hedgerow.problems import ExplicitSet, ShortestPath
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


@given(worlds(max_depth=4, max_samples=1))
def test_without_a_question_all_answers_are_the_same(world):
    tree = world.tree
    for node in np.flatnonzero(tree.item >= 0).tolist():
        for left in (True, False):
            expected = _replaced(tree.to_dict(), [node], left=left)
            assert tree.without_question(node, goes_left=left) == Tree.from_dict(expected)


def _replaced(nested, countdown, *, left):
    """Walk depth-first, and put a child in its parent's place where the countdown of nodes is at zero."""
    here = countdown[0]
    countdown[0] -= 1
    if here == 0:
        return nested["left" if left else "right"]
    if "solution" in nested:
        return nested
    below = {side: _replaced(nested[side], countdown, left=left) for side in ("left", "right")}
    return {**nested, **below}


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
    assert found.leaves.n_samples.tolist() == model.training_.leaf_samples.tolist()
    assert (found.nominal, len(found.hurt)) == (None, 0)
    assert "5 samples" in str(found)
    bare = explain_tree(saved())
    assert (bare.n_samples, bare.leaves.n_samples[0], bare.questions.nominal[0]) == (None, None, None)
    assert explain_tree(model, context=COSTS[:2]).n_samples == 2


def test_readings_have_their_unit_where_they_are_costs():
    problem = ShortestPath(["s", "1", "s", "2"], ["1", "t", "2", "t"], "s", "t", unit="min")
    file = RuleBook(ROBUST, problem.item_names, problem=problem)
    assert "may be misread by up to 5 min in total" in str(explain_tree(file, COSTS, GlobalBudget(5.0)))
    assert "wrong by less than 1 min in total" in str(explain(file, [[4.0, 1.0, 1.0, 1.0]])[0])


def test_labels_come_from_the_index():
    table = pd.DataFrame(COSTS, columns=PROBLEM.item_names, index=[f"day {day}" for day in "abcde"])
    assert explain_tree(saved(), table, GlobalBudget(5.0)).hurt.label[0] == "day b"


def test_one_leaf_has_no_questions():
    found = explain_tree(saved(tree=Tree.single(WAYS[0])), COSTS, LocalBudget(1.0))
    assert not len(found.questions)
    assert "0 questions, 1 leaf, 1 different solution, 5 samples" in str(found)
    assert "s → 1 → t always" in str(found)


def test_a_leaf_that_nobody_can_reach_says_so():
    tree = Tree.full([0, 0, 0], [5.0, 7.0, 8.0], [WAYS[0], WAYS[1], WAYS[0], WAYS[1]])
    assert explain_tree(saved(tree=tree)).leaves.rule[1] == "never, since no reading has e1 > 7 and e1 ≤ 5"


@pytest.mark.parametrize("relative", [LocalBudget(1.0, prices="range"), LocalBudget(fraction=0.1)])
@pytest.mark.parametrize("costs", [None, COSTS])
def test_a_bare_file_asks_for_budget_and_prices_in_numbers(relative, costs):
    """It keeps no ranges, to which both refer."""
    with pytest.raises(
        HedgerowError, match="keeps no ranges of the training data; give the budget, and prices, as numbers"
    ):
        explain_tree(saved(), costs, relative)


def test_bad_input_is_refused():
    other = saved(training=Training(1, 1, np.zeros(4), np.ones(4), 1.0, observes_costs=False))
    with pytest.raises(InputError, match="pass the context, too"):
        explain_tree(other, COSTS)
    with pytest.raises(InputError, match=r"must be Nominal, LocalBudget or GlobalBudget; got 1\.5"):
        explain_tree(saved(), COSTS, 1.5)
    with pytest.raises(InputError, match="must not be missing"):
        explain_tree(saved(), context=[[np.nan] * 4])
    with pytest.raises(InputError, match="one budget for each of its 2 samples"):
        explain_tree(saved(), COSTS, LocalBudget([1.0, 2.0]))
    with pytest.raises(InputError, match="one row for each of the 5 samples"):
        explain_tree(other, COSTS, context=COSTS[:2])
