"""Every wish against enumeration of all trees of a tiny instance, alone and in pairs, under both budgets."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from hedgerow import InputError, Instance, LocalBudget, RobustTree, RuleBook, Wishes, evaluate, solve
from hedgerow.problems import Selection
from hedgerow.report import report_html
from hedgerow.run.wishes import keeps
from tests.engine.listing.all_trees import SAMPLES, kept_rows, tiny

WISHES = {
    "ask_first": ("ferry", lambda row: row.first == "ferry"),
    "may_ask": (["tunnel", "ferry"], lambda row: row.items <= {"tunnel", "ferry"}),
    "must_not_ask": (["bridge"], lambda row: "bridge" not in row.items),
    "max_items": (1, lambda row: len(row.items) <= 1),
}


@cache
def rows(budget):
    return kept_rows(tiny(budget))


@cache
def kept(budget, name):
    return np.array([WISHES[name][1](row) for row in rows(budget)])


@cache
def values(budget):
    return np.array([row.value for row in rows(budget)])


def enumerated(budget, names):
    found = values(budget)
    allowed = np.logical_and.reduce([np.ones(found.size, dtype=bool), *(kept(budget, name) for name in names)])
    return found[allowed].min(initial=np.inf)


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
    assert keeps(result.tree, instance, wishes)
    assert evaluate(result.tree, instance.problem, SAMPLES, instance.uncertainty).robust == pytest.approx(
        result.objective
    )
    cost = max(0.0, best - enumerated(budget, ()))
    assert [result.wish_cost.low, result.wish_cost.extra_cost] == pytest.approx([cost, cost], abs=1e-9)


def test_ask_first_and_a_forbidden_question_contradict_each_other():
    with pytest.raises(InputError, match="ask_first and must_not_ask contradict each other"):
        Wishes(ask_first="ferry", must_not_ask=["ferry"])
    with pytest.raises(InputError, match="ask_first and may_ask contradict each other"):
        solve(tiny(), wishes=Wishes(ask_first="ferry", may_ask=["bridge"]))


def test_every_method_keeps_wishes_about_questions():
    for method in ("greedy", "local_search", "fix_tree", "scenario_generation", "nominal"):
        result = solve(
            tiny(),
            method=method,
            wishes=Wishes(must_not_ask=["bridge"]),
            thresholds="midpoints",
            iteration_limit=2,
            random_state=0,
        )
        assert keeps(result.tree, tiny(), Wishes(must_not_ask=["bridge"]))


def test_wishes_that_no_tree_keeps_are_named():
    pair = Instance.create(
        Selection(4, 2), [[1, 2, 3, 4], [4, 3, 2, 1]], depth=1, questions={"x1 and x2": {"x1": 1.0, "x2": 1.0}}
    )
    with pytest.raises(InputError, match=r"no tree keeps all of these wishes: ask_first, max_items\."):
        solve(pair, method="exact", wishes=Wishes(ask_first="x1 and x2", max_items=1))


def test_wishes_survive_a_rule_book_file():
    model = RobustTree(
        tiny().problem, uncertainty=LocalBudget(0.9), wishes=Wishes(must_not_ask=["bridge"], max_items=2)
    ).fit(SAMPLES)
    again = RuleBook.from_json(model.rulebook_.to_json())
    assert again.result.options.wishes == model.wishes
    assert "no question about bridge" in again.result.summary
    page = report_html(again)
    assert "no question about bridge" in page


def test_a_cost_that_is_not_proven_is_an_interval():
    options = {"wishes": Wishes(must_not_ask=["bridge"]), "thresholds": "midpoints", "random_state": 0}
    cost = solve(tiny(), method="local_search", iteration_limit=1, **options).wish_cost
    assert 0.0 <= cost.low < cost.extra_cost < np.inf
    assert "between" in str(cost)


def test_a_cost_of_which_nothing_is_proven_is_called_unknown():
    result = solve(tiny(), method="greedy", wishes=Wishes(must_not_ask=["bridge"]), thresholds="midpoints")
    assert result.wish_cost.low >= 0.0
    assert result.wish_cost.extra_cost == np.inf
    assert "is not known, since nothing is proven" in result.message
