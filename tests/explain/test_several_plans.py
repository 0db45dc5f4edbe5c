"""Leaves with several plans: explanations against what the rules do with other readings, and totals in all readers."""

import itertools

import numpy as np
import pytest

from hedgerow import LocalBudget, RuleBook, Tree
from hedgerow.explain import explain
from hedgerow.plot import plot_tree
from hedgerow.problems import Selection

PROBLEM = Selection(4, 2, item_names=["a", "b", "c", "d"], unit="min")
PLANS = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 1]], dtype=float)


def card(rows, handicaps, **take):
    plans = [{"solution": PLANS[row], "handicap": each} for row, each in zip(rows, handicaps, strict=True)]
    return {"plans": plans, **take}


def random_rules(seed, sense="min"):
    """Return a tree of one question, three plans at one leaf and two at the other, and how wrong readings may be."""
    random = np.random.default_rng(seed)
    take = {"take": "largest"} if sense == "max" else {}
    one, other = random.permutation(4)[:3], random.permutation(4)[:2]
    left, right = card(one, [0.0, 0.5, 1.0], **take), card(other, [0.0, 0.0], **take)
    tree = Tree.from_dict({"item": int(random.integers(4)), "threshold": 5.0, "left": left, "right": right})
    prices = None if seed % 2 else random.uniform(0.5, 2.0, 4)
    limits = random.uniform(0.5, 4.0, 4) if seed % 3 == 2 else None
    problem = Selection(4, 2, sense=sense, item_names=["a", "b", "c", "d"], unit="min")
    return RuleBook(
        tree, PROBLEM.item_names, problem=problem, uncertainty=LocalBudget(1.0, prices=prices, limits=limits)
    )


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("seed", range(6))
def test_smaller_errors_than_the_radius_change_nothing_and_the_counterfactual_comes_true(seed, sense):
    rules, random = random_rules(seed, sense), np.random.default_rng(100 + seed)
    uncertainty = rules.uncertainty
    prices = np.ones(4) if uncertainty.prices is None else uncertainty.prices
    limits = np.full(4, np.inf) if uncertainty.limits is None else uncertainty.limits
    rows = random.integers(1, 20, (8, 4)) / 2.0
    for found, row in zip(explain(rules, rows), rows, strict=True):
        own = rules.predict(row[None])[0]
        assert found.advice == PROBLEM.describe(own)
        reach = min(found.radius, 100.0)
        shares = random.dirichlet(np.ones(4), 300) * random.choice([-1.0, 1.0], (300, 4))
        errors = np.clip(shares * reach * 0.999 / prices, -0.999 * limits, 0.999 * limits)
        assert (rules.predict(row + errors) == own).all()
        moved = row.copy()
        for change in found.counterfactual.conditions:
            moved[change.item] = change.new_value
            assert f"{change.name} = {change.new_value:.10g} min" in str(found.counterfactual)
        assert (rules.predict(moved[None])[0] != own).any()
        assert found.counterfactual.advice == PROBLEM.describe(rules.predict(moved[None])[0])
        if np.isfinite(found.radius):
            assert np.abs(moved - row) @ prices == pytest.approx(found.radius, abs=0.01)


@pytest.mark.parametrize("seed", range(4))
def test_missing_readings_leave_open_what_they_decide(seed):
    rules, random = random_rules(seed), np.random.default_rng(seed)
    row = random.uniform(1.0, 10.0, 4)
    for gone in itertools.combinations(range(4), 2):
        gaps = row.copy()
        gaps[[*gone]] = np.nan
        (found,) = explain(rules, gaps[None])
        filled = np.tile(row, (3000, 1))
        filled[:, gone] = random.uniform(-30.0, 30.0, (3000, 2))
        advised = {PROBLEM.describe(solution) for solution in rules.predict(filled)}
        said = {found.advice} if found.advice else {each.advice for each in found.possible}
        assert advised == said


def test_totals_are_the_same_in_all_readers_and_the_best_one_leads():
    rules = RuleBook(Tree.from_dict(card([0, 1, 3], [0.0, 0.5, 0.0])), PROBLEM.item_names, problem=PROBLEM)
    row = dict(zip("abcd", (3.0, 4.0, 3.0, 9.0), strict=True))
    (found,) = rules.explain([[*row.values()]])
    assert found.totals == (("a, b", 7.0), ("b, c", 7.5), ("c, d", 12.0))
    text = str(found)
    assert "totals      a, b: 7 min (cheapest by 0.5 min)\n              b, c: 7.5 min (0.5 min more)" in text
    assert "because     the tree asks nothing" in text
    totals = dict(found.totals)
    module = {}
    exec(rules.export("python"), module)
    assert dict(module["advise"](row)["totals"]) == totals
    assert found.to_dict()["totals"][1] == ["b, c", 7.5]


def test_trees_with_several_plans_are_drawn():
    one, two = card([0, 1], [0.0, 0.5]), {"solution": PLANS[2]}
    tree = Tree.from_dict({"item": 0, "threshold": 5.0, "left": one, "right": two})
    rules = RuleBook(tree, PROBLEM.item_names, problem=PROBLEM)
    drawn = [text.get_text() for text in plot_tree(rules).texts]
    assert [text for text in drawn if text.startswith("leaf")] == ["leaf 0, the cheapest of", "leaf 1"]
    assert "b, c, plus 0.5 min" in drawn
    assert "the cheapest by" in rules._repr_html_()
