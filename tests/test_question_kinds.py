"""What `questions=` stands for, and trees that ask such questions from fit to file."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import Instance, RobustTree
from hedgerow.errors import InputError
from hedgerow.problems import Scheduling, Selection
from hedgerow.study import tune
from hedgerow.tree.question_kinds import good_plans
from hedgerow.tree.questions import Question

COSTS = np.array([[1.0, 2.0, 4.0, 9.0], [5.0, 3.0, 4.0, 1.0], [5.0, 6.0, 2.0, 8.0], [2.0, 2.5, 7.0, 3.0]])


def questions_of(spec, problem=None, costs=COSTS):
    return Instance.create(problem or Selection(4, 2), costs, questions=spec).questions


def test_items_are_the_default():
    assert questions_of("items") == questions_of(None) == tuple(map(Question.of_item, range(4)))


def test_good_plans_lower_the_cost_of_taking_the_best_of_them_the_most():
    problem = Selection(4, 2)
    everything = problem.all_solutions(100)
    loss = problem.costs(everything, COSTS)
    own = {int(np.argmin(row)) for row in loss} | {int(np.argmin(loss.sum(axis=0)))}
    plans = good_plans(problem, COSTS, np.ones(4), 3)
    best = np.full(4, np.inf)
    for plan in plans:
        worth = {place: np.minimum(best, loss[:, place]).sum() for place in own}
        best = np.minimum(best, problem.costs(plan[None], COSTS)[:, 0])
        assert best.sum() == pytest.approx(min(worth.values()))


def test_plans_are_compared_by_the_items_that_differ():
    problem = Selection(4, 2)
    plans = good_plans(problem, COSTS, np.ones(4), 3)
    questions = Instance.create(problem, COSTS, depth=0, questions="plans:3").questions
    assert len(questions) == 3
    values = problem.costs(plans, COSTS)
    expected = [values[:, 0] - values[:, 1], values[:, 0] - values[:, 2], values[:, 1] - values[:, 2]]
    for question, difference in zip(questions, expected, strict=True):
        assert question.values(COSTS) == pytest.approx(difference)
        assert " less " in question.name


def test_levels_pairs_names_and_mixtures():
    levels = questions_of("levels")
    assert np.column_stack([question.values(COSTS) for question in levels]) == pytest.approx(
        COSTS - COSTS.mean(axis=1, keepdims=True)
    )
    pairs = questions_of("pairs")
    assert [question.items for question in pairs] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    name = Selection(4, 2).item_names[3]
    own = {"first and last": {0: 1.0, name: 2.0}}
    assert questions_of(own) == (Question((0, 3), (1.0, 2.0), "first and last"),)
    mixed = questions_of(["items", own, "pairs", {"turned": {1: -3.0, 2: 3.0}}, {"twice": {2: 2.0}}])
    assert len(mixed) == 4 + 1 + 6, "what differs by a factor only is asked once"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("plan", 'questions must be "items"'),
        ("plans:1", "takes a number from 2 to"),
        ("plans:many", "takes a number from 2 to"),
        ("levels:5", 'questions must be "items"'),
        ({"north": {"there": 1.0}}, "reads the item 'there'"),
        ({"north": 3.0}, "must be given per item"),
        ({"nothing": {0: 0.0}}, "at least one reading"),
        ({}, "at least one question"),
        ([Question.of_item(4)], "reads item 4, but there are only 4"),
        (7, "questions must be"),
    ],
)
def test_other_questions_are_refused_in_words(spec, words):
    with pytest.raises(InputError, match=words):
        questions_of(spec)


def test_plans_need_costs_that_are_sums_and_are_read():
    with pytest.raises(InputError, match="sums over items"):
        questions_of("plans", Scheduling(4, 2))
    with pytest.raises(InputError, match="compares readings; pass them beside the context"):
        Instance.create(Selection(4, 2), COSTS, context=COSTS[:, :2], questions="plans")


@pytest.mark.parametrize(("about", "expected"), [("level", "plans"), ("one item", "items")])
@pytest.mark.parametrize("learn_from", ["truth", "readings", "resampled"])
def test_auto_takes_plans_unless_other_questions_cost_clearly_less_on_rows_held_out(about, expected, learn_from):
    rng = np.random.default_rng(0)
    costs = 10.0 + 0.5 * rng.normal(size=(40, 3))
    if about == "level":
        costs += 5.0 * rng.normal(size=(40, 1))  # which single readings say little about the best plan
        readings = costs
    else:
        # What else is read says nothing.
        costs[:, 0] += rng.choice([-3.0, 3.0], 40)
        readings = np.column_stack([costs[:, 0], rng.normal(10.0, 9.0, (40, 2))])
    model = RobustTree(Selection(3, 1), depth=1, learn_from=learn_from, method="greedy", random_state=0)
    fitted = model.fit(costs, readings=readings)
    assert f'questions="{expected}' in fitted.result_.message
    assert fitted.fit(costs, readings=readings).rulebook_.result.questions == expected
    assert "too few rows" in fitted.fit(costs[:5], readings=readings[:5]).result_.message


def test_without_readings_auto_asks_about_items_or_context():
    costs = np.random.default_rng(0).normal(10.0, 1.0, (12, 3))
    model = RobustTree(Selection(3, 1), depth=1, method="greedy", random_state=0)
    assert model.fit(costs).result_.questions == "items"
    assert model.fit(costs, context=pd.DataFrame({"day": ["Mon", "Tue"] * 6})).result_.questions == "context"


def test_where_one_plan_is_best_on_all_rows_nothing_is_asked():
    """A part of a history may be like that, so `tune` and `compare` must not end there."""
    costs = np.arange(24.0).reshape(12, 2) + np.array([0.0, 5.0])
    model = RobustTree(Selection(2, 1), depth=2, questions="plans", method="greedy").fit(costs)
    assert model.tree_.n_leaves == 1
    assert tune(model, costs, questions=["items", "plans"], depths=[0, 1], folds=3).chosen.depth == 0
