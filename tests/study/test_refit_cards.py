"""`refit` of rules with several plans at a leaf, against brute force over all single changes."""

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, Nominal, RobustTree, RuleBook, Tree, refit, worst_case
from hedgerow.problems import Selection
from hedgerow.tree.questions import Card, Question
from hedgerow.tree.splits import candidate_splits

PLANS = np.eye(4)


def card(plans, handicap, sense):
    sums = tuple(Question.total(dict(enumerate(PLANS[plan].tolist()))) for plan in plans)
    handicap = np.array(handicap, dtype=float)
    return Card(PLANS[list(plans)], sums, handicap - handicap.min(), takes_largest=sense == "max")


def grown(split, cards, sense):
    """The tree with one question and a card on either side, or one card."""

    def look(place):
        if split is not None and place == 0:
            return *split, 1, 2
        plans, handicap = cards[place - (split is not None)]
        return PLANS[plans[0]] if len(plans) == 1 else card(plans, handicap, sense)

    return Tree.grown(0, look)


def other_cards(plans, handicap, most):
    """Yield all cards with one plan more, less, or another one, without a change of handicaps."""
    others = [plan for plan in range(len(PLANS)) if plan not in plans]
    if len(plans) < most:
        yield from (([*plans, other], [*handicap, 0.0]) for other in others)
    for gone in range(len(plans)):
        rest, kept = plans[:gone] + plans[gone + 1 :], handicap[:gone] + handicap[gone + 1 :]
        if rest:
            yield rest, kept
        yield from (([*rest, other], [*kept, 0.0]) for other in others)


def with_other_handicaps(plans, handicap, steps):
    for place in range(len(plans) if len(plans) > 1 else 0):
        for step in steps:
            yield plans, [*handicap[:place], step, *handicap[place + 1 :]]


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("budget", [Nominal(), LocalBudget(0.7)])
@pytest.mark.parametrize("seed", range(5))
def test_one_change_is_about_the_best_of_all(seed, budget, sense):
    rng = np.random.default_rng(seed)
    truth, readings = rng.uniform(0.0, 10.0, (2, 14, 4)).round(1)
    problem = Selection(4, 1, sense=sense)
    cards = [([0, 1], [0.0, 0.5]), ([2], [0.0])]
    data = Instance.create(problem, truth, readings=readings, learn_from="readings", uncertainty=budget, depth=1)
    splits = candidate_splits(readings, questions=data.questions)
    old = data.questions[0], 4.2
    tree = grown(old, cards, sense)
    trees = [
        grown((splits.question_of(each), float(splits.threshold[each])), cards, sense) for each in range(len(splits))
    ]
    steps = np.arange(-8.0, 8.0, 0.25)
    tuned = []
    for leaf in (0, 1):
        for changed, into in (
            (other_cards(*cards[leaf], 2), trees),
            (with_other_handicaps(*cards[leaf], steps), tuned),
        ):
            into += [
                grown(old, [each if leaf == place else cards[place] for place in (0, 1)], sense) for each in changed
            ]
    value = [data.sign * worst_case(each, data).bound for each in (tree, *trees)]
    lowest = min([*value, *(data.sign * worst_case(each, data).bound for each in tuned)])
    rules = RuleBook(tree, tuple(problem.item_names), problem=problem, uncertainty=budget)
    found = refit(rules, truth, readings=readings, max_changes=1, iteration_limit=1)
    cost = data.sign * found.cost
    assert cost >= lowest - 0.5 - 1e-9  # handicaps between those that were tried
    assert found.cost == pytest.approx(worst_case(found.rules.tree, data).bound)
    assert len(found.changes) <= 1
    if not budget.can_misread:
        assert cost <= min(value) + 1e-9
    else:  # of each question only the thresholds that are best as read are looked at
        assert cost <= np.sort(value)[len(value) // 20] + 1e-9


def test_rules_chosen_for_forecasts_are_refitted_and_each_change_is_told():
    rng = np.random.default_rng(3)
    base = np.array([5.0, 6.0, 7.0, 9.0])
    readings = rng.normal(base, 2.0, (60, 4))
    problem = Selection(4, 1, item_names=["bridge", "tunnel", "ferry", "detour"], unit="min")
    model = RobustTree(problem, depth=0, plans_per_leaf=2, random_state=0).fit(readings + 0.1, readings=readings)
    later = readings[:, [3, 1, 2, 0]]  # the detour has become the quickest way
    stay, one, two = (refit(model, later, readings=later, max_changes=most) for most in (0, 1, 2))
    assert stay.cost == stay.cost_of_old > one.cost >= two.cost >= one.free.lower_bound
    assert one.changes == ("leaf 0: bridge → detour",)
    assert one.to_frame().values.tolist() == [["leaf 0", "bridge", "detour"]]
    assert one.rules.tree.has_cards
