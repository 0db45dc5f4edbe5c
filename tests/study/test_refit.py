"""`refit`: the best rules within a few changes of the old ones, against brute force, and what is said about them."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from hedgerow import (
    GlobalBudget,
    Instance,
    LocalBudget,
    Nominal,
    RobustTree,
    RuleBook,
    Tree,
    Wishes,
    refit,
    worst_case,
)
from hedgerow.errors import InputError
from hedgerow.problems import ExplicitSet, Selection
from hedgerow.tree.questions import values_of
from hedgerow.tree.splits import candidate_splits

OLD = Tree.from_dict(
    {
        "item": 0,
        "threshold": 4.2,
        "left": {"solution": [1, 0, 0]},
        "right": {
            "question": {"name": "x2 less x3", "coefficients": {1: 1.0, 2: -1.0}},
            "threshold": 0.3,
            "left": {"solution": [0, 1, 0]},
            "right": {"solution": [0, 0, 1]},
        },
    }
)
PLANS = np.eye(3)


def changed_once(tree, instance):
    """Yield a tree and all with one change: any split between two rows, or the plan at a leaf."""
    yield tree
    questions = tuple(dict.fromkeys([*instance.questions, *tree.questions]))
    splits = candidate_splits(values_of(questions, instance.observations), questions=questions)
    for node, split in product(np.flatnonzero(tree.is_inner), range(len(splits))):

        def look(place, node=node, split=split):
            if not tree.is_inner[place]:
                return tree.solutions[tree.leaf_number[place]]
            question, threshold, left, right = tree.split(place)
            if place == node:
                question, threshold = splits.question_of(split), float(splits.threshold[split])
            return question, threshold, left, right

        yield Tree.grown(0, look)
    for leaf, plan in product(range(tree.n_leaves), PLANS):
        solutions = tree.solutions.copy()
        solutions[leaf] = plan
        yield tree.replace(solutions=solutions)


def least(tree, instance, n_changes):
    """Return the best worst case within some changes, by looking at all trees."""
    trees = [tree]
    for _ in range(n_changes):
        trees = [each for one in trees for each in changed_once(one, instance)]
    return min(instance.sign * worst_case(each, instance).bound for each in trees)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("budget", [Nominal(), LocalBudget(0.7), LocalBudget(1.5, limits=1.0), GlobalBudget(2.5)])
@pytest.mark.parametrize("sense", ["min", "max"])
def test_one_change_is_the_best_of_all(seed, budget, sense):
    rng = np.random.default_rng(seed)
    costs, weights = rng.uniform(0.0, 9.0, (6, 3)).round(1), rng.integers(1, 4, 6).astype(float)
    problem = ExplicitSet(PLANS, sense=sense)
    old = RuleBook(OLD, ("x1", "x2", "x3"), problem=problem, uncertainty=budget)
    found = refit(old, costs, sample_weight=weights, max_changes=1, iteration_limit=1)
    instance = Instance.create(problem, costs, weights=weights, uncertainty=budget, questions=["items"])
    assert found.cost == pytest.approx(instance.sign * least(OLD, instance, 1))
    assert found.cost == pytest.approx(found.rules.evaluate(costs, sample_weight=weights).robust)
    assert found.cost_of_old == pytest.approx(old.evaluate(costs, sample_weight=weights).robust)
    assert len(found.changes) <= 1


@pytest.mark.parametrize("seed", range(3))
def test_two_changes_come_close_to_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    costs = rng.uniform(0.0, 9.0, (4, 3)).round(1)
    old = RuleBook(OLD, ("x1", "x2", "x3"), problem=ExplicitSet(PLANS))
    found = refit(old, costs, max_changes=2, iteration_limit=1)
    instance = Instance.create(old.problem, costs, questions=["items"])
    best, with_one = least(OLD, instance, 2), refit(old, costs, iteration_limit=1).cost
    assert best <= found.cost <= min(with_one, 1.05 * best)
    assert len(found.changes) <= 2


def test_no_change_is_an_evaluation():
    costs = np.random.default_rng(0).uniform(0.0, 9.0, (12, 3))
    old = RuleBook(OLD, ("x1", "x2", "x3"), problem=ExplicitSet(PLANS), uncertainty=LocalBudget(0.5))
    found = refit(old, costs, max_changes=0, iteration_limit=1)
    assert found.cost == found.cost_of_old == old.evaluate(costs).robust
    assert found.changes == ()
    assert found.to_frame().empty
    assert found.shares_changed[0] == 0.0
    assert found.rules.tree.to_dict() == OLD.to_dict()
    assert "nothing better was found within 0 changes" in found.summary


def test_what_staying_costs_is_against_the_proven_bound():
    history, new = [[1.0, 3.0], [4.0, 2.0]], [[1.0, 3.0], [4.0, 9.0], [8.0, 5.0]]
    model = RobustTree(Selection(2, 1), depth=1, method="exact").fit(history)
    found = refit(model, new, max_changes=1)
    best = RobustTree(Selection(2, 1), depth=1, method="exact").fit(new).result_
    assert best.status == "optimal"
    assert found.cost_of_staying == pytest.approx((found.cost_of_old - best.objective) / best.objective)
    assert found.rules.result.status == "optimal"
    assert RuleBook.from_json(found.rules.to_json()) == found.rules


def test_a_global_budget_grows_with_the_number_of_rows():
    rng = np.random.default_rng(1)
    model = RobustTree(Selection(3, 1), depth=1, uncertainty=GlobalBudget(4.0), iteration_limit=2)
    model.set_params(method="local_search").fit(rng.uniform(0.0, 9.0, (8, 3)))
    found = refit(model, rng.uniform(0.0, 9.0, (24, 3)), max_changes=0, iteration_limit=1)
    assert found.rules.uncertainty.budget == pytest.approx(12.0)


def test_readings_and_context_of_new_rows_are_asked_about():
    rng = np.random.default_rng(2)
    costs = rng.uniform(0.0, 9.0, (40, 2))
    context = pd.DataFrame({"crane": rng.choice(["in", "out"], 40), "wind": rng.uniform(0.0, 5.0, 40)})
    costs[:, 0] += 20.0 * (context["crane"] == "out")
    options = {"depth": 1, "method": "greedy", "uncertainty": LocalBudget(0.1, prices={"wind": 1.0})}
    model = RobustTree(Selection(2, 1), **options).fit(costs, readings=costs + 0.1, context=context[["wind"]])
    found = refit(model, costs, readings=costs + 0.1, context=context, iteration_limit=1)
    read = {"readings": costs + 0.1, "context": context}
    assert found.cost == pytest.approx(found.rules.evaluate(costs, **read).robust)
    assert found.cost_of_old == pytest.approx(model.evaluate(costs, **read).robust)
    by_context = RobustTree(Selection(2, 1), **options).fit(costs, context=context[["wind"]])
    found = refit(by_context, costs, context=context, iteration_limit=1)
    assert [feature.name for feature in found.rules.context] == ["crane is out"]
    assert found.rules.predict(context[:2]).shape == (2, 2)


def test_wishes_hold_for_new_rules():
    rng = np.random.default_rng(3)
    options = {"depth": 1, "method": "greedy", "wishes": Wishes(must_not_ask=["x1", "x2"])}
    model = RobustTree(Selection(3, 1), **options).fit(rng.uniform(0.0, 9.0, (30, 3)))
    found = refit(model, rng.uniform(0.0, 9.0, (30, 3)), max_changes=2, iteration_limit=1)
    assert [question.item for question in found.rules.tree.questions] == [2]


def test_budgets_of_single_samples_are_refused():
    old = RuleBook(OLD, ("x1", "x2", "x3"), problem=ExplicitSet(PLANS), uncertainty=LocalBudget([1.0, 2.0]))
    with pytest.raises(InputError, match="one budget"):
        refit(old, np.ones((2, 3)))
