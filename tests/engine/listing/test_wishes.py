"""Every wish against enumeration of all trees of a tiny instance, alone and in pairs, under both budgets."""

import dataclasses
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from hedgerow import InputError, LocalBudget, RobustTree, RuleBook, Tree, Wishes, evaluate, solve
from hedgerow.engine.listing.demands import _with_given, demands_of
from hedgerow.report import report_html
from hedgerow.run import Options
from hedgerow.run.wishes import WishPrice, broken
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import candidate_splits
from tests.engine.listing.all_trees import ITEMS, PLANS, SAMPLES, kept_rows, tiny

TOP = {"item": "tunnel", "threshold": 3.3, "left": None, "right": None}
PRICES = {"bridge": 0.4, "tunnel": 0.1, "ferry": 0.3}

WISHES = {
    "ask_first": ("ferry", lambda row: row.first == "ferry"),
    "may_ask": (["tunnel", "ferry"], lambda row: row.items <= {"tunnel", "ferry"}),
    "must_not_ask": (["bridge"], lambda row: "bridge" not in row.items),
    "max_items": (1, lambda row: len(row.items) <= 1),
    "item_prices": (PRICES, lambda row: True),
    "complete": (TOP, None),
    "must_not_use": (["north"], lambda row: "north" not in row.plans),
    "max_plans": (2, lambda row: len(row.plans) <= 2),
}


@cache
def rows(budget):
    return kept_rows(tiny(budget), (ITEMS.index("tunnel"), 3.3))


@cache
def keeps(budget, name):
    extra = max(row.structure[0] for row in rows(budget))
    if name is None or name == "complete":
        return np.array([(row.structure[0] == extra) == (name == "complete") for row in rows(budget)])
    return np.array([WISHES[name][1](row) for row in rows(budget)])


@cache
def values(budget, priced):
    return np.array([row.value + priced * sum(PRICES[item] for item in row.items) for row in rows(budget)])


def enumerated(budget, names):
    top = keeps(budget, "complete" if "complete" in names else None)
    allowed = np.logical_and.reduce([top, *(keeps(budget, name) for name in names if name != "complete")])
    return values(budget, "item_prices" in names)[allowed].min(initial=np.inf)


@pytest.mark.parametrize("budget", ["local", "global"])
@pytest.mark.parametrize("names", [*((name,) for name in WISHES), *combinations(WISHES, 2)], ids="+".join)
def test_a_wish_is_granted_at_the_least_cost_of_all_trees_that_keep_it(names, budget):
    instance = tiny(budget)
    best = enumerated(budget, names)
    if np.isinf(best):
        with pytest.raises(InputError) as refused:
            solve(instance, thresholds="midpoints", wishes={name: WISHES[name][0] for name in names})
        assert all(name in str(refused.value) for name in names)
        return
    wishes = Wishes(**{name: WISHES[name][0] for name in names})
    result = solve(instance, method="exact", thresholds="midpoints", wishes=wishes)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(best, rel=1e-9)
    assert broken(result.tree, instance, wishes) == ()
    assert evaluate(result.tree, instance.problem, SAMPLES, instance.uncertainty).robust == pytest.approx(
        result.objective - result.asking_price
    )
    without = [enumerated(budget, ())]
    without += [enumerated(budget, [other for other in names if other != name]) for name in names if len(names) > 1]
    assert [price.low for price in result.wish_prices] == pytest.approx(
        [max(0.0, best - other) for other in without], abs=1e-9
    )
    assert all(0.0 <= price.low <= price.high + 1e-12 for price in result.wish_prices)


def test_ask_first_and_a_forbidden_question_contradict_each_other():
    with pytest.raises(InputError, match="ask_first and must_not_ask contradict each other"):
        Wishes(ask_first="ferry", must_not_ask=["ferry"])
    with pytest.raises(InputError, match="ask_first and may_ask contradict each other"):
        solve(tiny(), wishes=Wishes(ask_first="ferry", may_ask=["bridge"]))
    with pytest.raises(InputError, match="complete and must_not_ask contradict each other"):
        solve(tiny(), wishes=Wishes(complete=TOP, must_not_ask=["tunnel"]))
    with pytest.raises(InputError, match="ask_first and complete contradict each other"):
        solve(tiny(), wishes=Wishes(complete=TOP, ask_first="ferry"))


def test_every_method_keeps_wishes_about_questions_and_plans():
    for method in ("greedy", "local_search", "fix_tree", "scenario_generation", "nominal"):
        result = solve(
            tiny(),
            method=method,
            wishes=Wishes(must_not_ask=["bridge"], must_not_use=["north"]),
            thresholds="midpoints",
            iteration_limit=2,
            random_state=0,
        )
        assert broken(result.tree, tiny(), Wishes(must_not_ask=["bridge"], must_not_use=["north"])) == ()


def test_a_top_may_be_a_tree_or_a_rule_book_and_stays_as_it_is():
    model = RobustTree(tiny().problem, uncertainty=LocalBudget(0.9), depth=1, thresholds="midpoints").fit(SAMPLES)
    tops = [model.tree_, model.rulebook_]
    wished = [Wishes(complete=top) for top in tops]
    found = [solve(tiny(), wishes=each) for each in wished]
    for result in found:
        assert result.tree.questions[result.tree.question[0]] == model.tree_.questions[0]
        assert result.tree.threshold[0] == model.tree_.threshold[0]
        assert result.objective == pytest.approx(found[0].objective)
        assert result.objective <= evaluate(model.tree_, tiny().problem, SAMPLES, LocalBudget(0.9)).robust + 1e-9


def test_a_leaf_of_the_top_keeps_its_plan():
    top = {"item": "bridge", "threshold": 3.0, "left": {"solution": [0.0, 1.0, 0.2]}, "right": {}}
    result = solve(tiny(), wishes=Wishes(complete=top))
    assert result.tree.solutions[0].tolist() == [0.0, 1.0, 0.2]
    assert broken(result.tree, tiny(), Wishes(complete=top)) == ()


def test_a_question_that_only_the_top_asks_is_asked_nowhere_else():
    question = Question.of({0: 1.0, 1: 1.0}, "bridge and tunnel")
    top = {"question": question.to_dict(), "threshold": 6.0, "left": None, "right": None}
    demands = demands_of(tiny(), Options(wishes=Wishes(complete=top), thresholds="midpoints"))
    extra = demands.splits.question == len(ITEMS)
    assert demands.allowed[:, :-1][:, extra].sum(axis=1).tolist() == [1, 0, 0]
    assert demands.allowed[1, :-1][~extra].all()


def test_wishes_that_no_tree_keeps_are_named():
    wishes = Wishes(complete=TOP | {"left": {"solution": PLANS[0]}, "right": {"solution": PLANS[1]}}, max_plans=1)
    with pytest.raises(InputError, match=r"no tree keeps all of these wishes: complete, max_plans\."):
        solve(dataclasses.replace(tiny(), depth=1), method="exact", wishes=wishes)


def test_wishes_survive_a_rule_book_file():
    model = RobustTree(
        tiny().problem, uncertainty=LocalBudget(0.9), wishes=Wishes(must_not_ask=["bridge"], max_plans=2)
    ).fit(SAMPLES)
    again = RuleBook.from_json(model.rulebook_.to_json())
    assert again.result.options.wishes == model.wishes
    assert "no question about bridge" in again.result.summary
    page = report_html(again)
    assert "no question about bridge" in page


def test_an_unproven_price_is_an_interval():
    options = {"wishes": Wishes(must_not_ask=["bridge"]), "thresholds": "midpoints", "random_state": 0}
    price = solve(tiny(), method="local_search", iteration_limit=1, **options).wish_prices[0]
    assert 0.0 <= price.low < price.high < np.inf
    assert "between" in price.in_words()


def test_a_price_of_which_nothing_is_proven_is_called_unknown():
    result = solve(tiny(), method="greedy", wishes=Wishes(must_not_ask=["bridge"]), thresholds="midpoints")
    price = result.wish_prices[0]
    assert price.low >= 0.0
    assert price.high == np.inf
    assert "is not known, since nothing is proven" in result.message


def test_prices_per_sample_count_once_for_each_unit_of_weight():
    once = solve(tiny(), wishes=Wishes(item_prices={"bridge": 0.4, "tunnel": 0.4, "ferry": 0.4}))
    each = solve(tiny(), wishes=Wishes(item_prices={"bridge": 0.1, "tunnel": 0.1, "ferry": 0.1}, per_sample=True))
    assert once.objective == pytest.approx(each.objective)
    assert Tree.single([1.0, 0.0, 0.3]).asked_items.size == 0


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("plan", [0, 2])
def test_advice_that_is_given_stays_at_its_leaf(plan, depth, side):
    """At depth 1 the given leaf is one of two, at depth 2 it stands above the last level."""
    top = TOP | {side: {"solution": PLANS[plan]}}
    tree = solve(dataclasses.replace(tiny(), depth=depth), wishes=Wishes(complete=top)).tree
    assert tree.to_dict()[side] == {"solution": PLANS[plan]}


@pytest.mark.parametrize(
    ("low", "high", "without", "words"),
    [
        (2.0, 2.0, 20.0, "costs 2 (10 %)"),
        (2.0 - 1e-7, 2.0, 20.0, "costs 2 (10 %)"),
        (2.0 - 1e-3, 2.0, 20.0, "costs between 1.999 and 2 (at most 10 %)"),
        (1.5, 2.0, -20.0, "costs between 1.5 and 2 (at most 10 %)"),
        (0.0, 0.01, 0.1, "costs between 0 and 0.01 (at most 10 %)"),
        (0.0, 1e-9, 1e-8, "costs between 0 and 1e-09 (at most 10 %)"),
    ],
)
def test_the_price_of_a_wish_is_one_number_where_it_is_known(low, high, without, words):
    price = WishPrice("two items", without + high, without + low, without, without, low, high)
    assert words in price.in_words()


def test_given_questions_are_put_among_the_splits_in_order():
    """Two of them: one between candidate thresholds, one about a question that no other node may ask."""
    questions = (Question.of_item(0), Question.of_item(1), Question((0, 1), (1.0, 1.0), "both"))
    values = np.array([[0.0, 1.0, 1.0], [2.0, 3.0, 5.0], [4.0, 5.0, 9.0]])
    splits = candidate_splits(values[:, :2], "midpoints", None, questions[:2])
    given = {0: (1, 2.5), 2: (2, 7.0), 1: (0, 0.5)}
    free, every, fixed = _with_given(splits, 2, given)
    assert {place: (every.question[number], every.threshold[number]) for place, number in fixed.items()} == given
    assert every.threshold[free].tolist() == splits.threshold.tolist()
    assert every.question[free].tolist() == splits.question.tolist()
    assert len(every) == len(splits) + 3
    assert list(zip(every.question, every.threshold, strict=True)) == sorted(
        zip(every.question, every.threshold, strict=True)
    )
