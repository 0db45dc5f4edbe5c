"""Trees whose leaves hold several plans: found by greedy and local_search, and never better than brute force allows."""

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest

from hedgerow import GlobalBudget, InputError, Instance, LocalBudget, Nominal, RobustTree, RuleBook, solve
from hedgerow.adversary import worst_case
from hedgerow.problems import ExplicitSet, LinearModel, LoadShifting, MixedIntegerProblem, Scheduling, Selection
from hedgerow.tree.questions import Card, Question
from hedgerow.tree.tree import Tree


def small_case(seed, uncertainty, sense="min"):
    """Return an instance with five plans over four items, whose readings are wrong."""
    rng = np.random.default_rng(seed)
    plans = np.array([[1, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]], dtype=float)
    costs = rng.uniform(1.0, 9.0, (12, 4)).round(1)
    readings = costs + rng.normal(0.0, 1.5, costs.shape).round(1)
    return Instance.create(
        ExplicitSet(plans, sense=sense),
        costs,
        readings=readings,
        learn_from="readings",
        uncertainty=uncertainty,
        depth=0,
    )


def best_of_all_cards(instance, count):
    """Return the least worst case of all cards without handicaps, in any order, by the adversary."""
    plans = instance.problem.all_solutions(100)
    sums = [Question.total(dict(enumerate(plan))) for plan in plans.tolist()]
    losses = []
    for size in range(1, count + 1):
        for chosen in (order for some in combinations(range(len(plans)), size) for order in permutations(some)):
            card = Card(plans[[*chosen]], tuple(sums[plan] for plan in chosen), np.zeros(size), instance.sign < 0.0)
            tree = Tree.grown(0, lambda _, card=card: card if len(card.solutions) > 1 else card.solutions[0])
            losses.append(instance.sign * worst_case(tree, instance).bound)
    return min(losses)


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("uncertainty", [Nominal(), LocalBudget(0.8), GlobalBudget(4.0)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_local_search_finds_cards_as_good_as_brute_force(seed, uncertainty, sense):
    instance = small_case(seed, uncertainty, sense)
    result = solve(instance, method="local_search", plans_per_leaf=2, iteration_limit=150, random_state=0)
    assert instance.sign * result.objective <= best_of_all_cards(instance, 2) + 1e-9
    assert instance.sign * (result.objective - result.lower_bound) >= -1e-9
    assert np.isfinite(result.lower_bound)


def market(n_rows=80):
    """Return a problem, true prices, forecasts and weekdays, on which another plan is good at weekends."""
    rng = np.random.default_rng(7)
    weekend = np.arange(n_rows) % 7 >= 5
    peak = np.where(weekend, 6.0, 2.0)[:, None]
    truth = 50.0 + 20.0 * np.exp(-((np.arange(8) - peak) ** 2) / 4.0) + rng.normal(0.0, 5.0, (n_rows, 8))
    problem = LoadShifting(8, 3, min_run=1, max_runs=2)
    days = pd.DataFrame({"weekend": weekend.astype(float)})
    tables = [
        pd.DataFrame(table, columns=problem.item_names) for table in (truth, truth + rng.normal(0, 4.0, truth.shape))
    ]
    return problem, *tables, days


@pytest.mark.parametrize("method", ["auto", "greedy"])
def test_a_model_with_cards_goes_through_its_whole_life(method, tmp_path):
    problem, truth, forecast, days = market()
    model = RobustTree(problem, depth=1, plans_per_leaf=4, method=method, learn_from="readings", random_state=0)
    model.fit(truth, readings=forecast, context=days)
    assert model.tree_.has_cards
    assert model.tree_.depth <= 1
    assert np.diff(model.tree_.first_row).max() <= 4
    frame = pd.concat([forecast, days], axis=1)
    advised = model.predict(frame)
    cost = model.evaluate(truth, readings=forecast, context=days)
    assert cost.nominal == pytest.approx(float((advised * truth.to_numpy()).sum()))
    assert cost.nominal == pytest.approx(model.result_.nominal)
    assert model.result_.lower_bound <= model.result_.objective
    model.save(tmp_path / "rules.json")
    rules = RuleBook.load(tmp_path / "rules.json")
    assert rules.predict(frame).tolist() == advised.tolist()
    single = RobustTree(problem, depth=1, method="greedy", learn_from="readings", random_state=0)
    assert model.result_.objective < single.fit(truth, readings=forecast, context=days).result_.objective


def test_depth_zero_is_one_card_and_larger_cards_cost_no_more():
    problem, truth, forecast, _ = market()
    values = []
    for count in (1, 2, 4, 8):
        model = RobustTree(problem, depth=0, plans_per_leaf=count, method="greedy", learn_from="readings")
        model.fit(truth, readings=forecast)
        assert (model.tree_.n_leaves, model.tree_.depth) == (1, 0)
        values.append(model.result_.objective)
    assert values == sorted(values, reverse=True)
    assert values[-1] < values[0]


def test_equal_seeds_make_equal_trees():
    problem, truth, forecast, _ = market()
    options = {"plans_per_leaf": 3, "depth": 1, "uncertainty": LocalBudget(2.0), "iteration_limit": 20}
    models = [
        RobustTree(problem, **options, method="local_search", time_limit=None, random_state=5).fit(
            truth, readings=forecast
        )
        for _ in range(2)
    ]
    assert models[0].tree_ == models[1].tree_
    assert models[0].result_.objective <= (
        RobustTree(problem, **options, method="greedy", random_state=5).fit(truth, readings=forecast).result_.objective
    )


def test_constants_of_costs_become_handicaps():
    model = LinearModel.create(
        ["machine", "by hand", "set-up"],
        cost=[0, 0, 5],
        matrix=[[1, 1, 0], [1, 0, -3]],
        row_lower=[4, -np.inf],
        row_upper=[4, 0],
        upper=[4, 4, 1],
        integer=[0, 0, 1],
    )
    problem = MixedIntegerProblem(model, items=["machine", "by hand"])
    costs = np.array([[1.0, 9.0], [9.0, 1.0], [2.0, 3.0], [1.0, 3.0]])
    result = solve(Instance.create(problem, costs, depth=0), method="greedy", plans_per_leaf=2)
    assert sorted(result.tree.handicap.tolist()) == [0.0, 5.0]
    assert result.objective == pytest.approx(
        float(np.minimum(4 * costs[:, 1], 3 * costs[:, 0] + costs[:, 1] + 5).sum())
    )


@pytest.mark.parametrize(
    ("problem", "options", "reason"),
    [
        (Selection(3, 1), {"method": "exact"}, "works with the methods auto, greedy and local_search"),
        (Selection(3, 1), {"plans_per_leaf": 0}, "plans_per_leaf must be an integer from 1"),
        (Scheduling(3, 2), {}, "compares costs that are sums over items"),
    ],
)
def test_what_has_no_cards_says_why(problem, options, reason):
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (10, 3))
    with pytest.raises(InputError, match=reason):
        RobustTree(problem, **{"plans_per_leaf": 3, **options}).fit(costs)


def test_cards_need_readings_of_the_costs():
    problem, truth, _, days = market()
    with pytest.raises(InputError, match="readings of the costs"):
        RobustTree(problem, plans_per_leaf=3).fit(truth, context=days)
