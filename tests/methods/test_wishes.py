"""Wishes in every method that keeps them: search at depth 3 against enumeration, and no method breaks a wish."""

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from hedgerow import GlobalBudget, InputError, Instance, LocalBudget, Tree, Wishes, evaluate, solve
from hedgerow.adversary import move_costs
from hedgerow.methods.solve import solve_once
from hedgerow.problems import ExplicitSet
from hedgerow.run import Interrupt, Options
from hedgerow.run.wishes import keeps
from tests.engine.listing.all_trees import ITEMS, NAMES, tiny, worst_cases

SPLITS = [(0, 1.75), (0, 3.35), (1, 4.0)]
CELLS = np.array([[bridge, tunnel, 2.0] for tunnel in (2.0, 6.0) for bridge in (1.0, 2.5, 4.2)])
READINGS = CELLS[[0, 1, 3, 4, 5]]
COSTS = np.array([[8.0, 1.0, 9.0], [8.0, 9.0, 4.0], [2.0, 5.0, 9.0], [4.0, 9.0, 4.0], [8.0, 3.0, 5.0]])
PLANS = np.eye(3)
WISHES = {
    "ask_first": "tunnel",
    "max_items": 1,
}


def three_deep(budget):
    """Return five samples in six cells of two items; the third item always reads the same."""
    problem = ExplicitSet(PLANS, item_names=ITEMS, solution_names=NAMES)
    uncertainty = LocalBudget(0.8) if budget == "local" else GlobalBudget(0.9)
    read = {"readings": READINGS, "learn_from": "readings"}
    return Instance.create(problem, COSTS, uncertainty=uncertainty, depth=3, **read)


def shapes(depth, cells):
    """Yield every tree over the splits whose questions divide the cells that come to them, leaves left blank."""
    yield {"solution": [0.0]}
    for item, threshold in SPLITS if depth else ():
        goes = CELLS[cells, item] <= threshold
        if goes.any() and not goes.all():
            for left, right in product(shapes(depth - 1, cells[goes]), shapes(depth - 1, cells[~goes])):
                yield {"item": item, "threshold": threshold, "left": left, "right": right}


@cache
def enumerated(budget):
    """Return the value of every tree, and per wish whether it is kept."""
    instance, values, kept = three_deep(budget), [], {name: [] for name in WISHES}
    loss = instance.losses(PLANS)
    for shape in shapes(3, np.arange(6)):
        tree = Tree.from_dict(shape)
        choices = np.array(list(product(range(3), repeat=tree.n_leaves)))
        cost = move_costs(tree, READINGS, instance.uncertainty)
        values.append(worst_cases(cost, loss, choices, instance))
        asked, size = {ITEMS[item] for item in tree.asked_items}, len(choices)
        kept["ask_first"].append(np.full(size, shape.get("item") == 1))
        kept["max_items"].append(np.full(size, len(asked) <= 1))
    return np.concatenate(values), {name: np.concatenate(each) for name, each in kept.items()}


def least(budget, names):
    values, kept = enumerated(budget)
    allowed = np.logical_and.reduce([np.ones(values.size, dtype=bool), *(kept[name] for name in names)])
    return values[allowed].min(initial=np.inf)


def searched(instance, names, method="local_search", iterations=24):
    wishes = Wishes(**{name: WISHES[name] for name in names})
    options = Options(method=method, thresholds="midpoints", wishes=wishes, iteration_limit=iterations)
    result = solve_once(instance, options, np.random.default_rng(1), None, Interrupt())
    assert keeps(result.tree, instance, wishes)
    robust = evaluate(result.tree, instance.problem, COSTS, instance.uncertainty, context=READINGS).robust
    assert result.objective == pytest.approx(robust)
    return result


BOTH = ("local", "global")
CASES = [((name,), budget) for name in WISHES for budget in BOTH]
CASES += [(pair, BOTH[number % 2]) for number, pair in enumerate(combinations(WISHES, 2))]


@pytest.mark.parametrize(("names", "budget"), CASES, ids=lambda each: each if isinstance(each, str) else "+".join(each))
def test_search_at_depth_three_finds_the_best_tree_that_keeps_the_wishes(names, budget):
    best = least(budget, names)
    if np.isinf(best):
        with pytest.raises(InputError) as refused:
            searched(three_deep(budget), names)
        assert all(name in str(refused.value) for name in names)
        return
    result = searched(three_deep(budget), names)
    assert result.objective == pytest.approx(best, rel=1e-9)
    assert result.lower_bound <= best + 1e-9


def test_exact_at_depth_three_searches_with_the_bound_that_holds_without_wishes():
    instance, wishes = three_deep("local"), Wishes(max_items=1)
    result = solve(instance, method="exact", wishes=wishes, thresholds="midpoints", time_limit=None)
    assert result.objective == pytest.approx(least("local", ["max_items"]))
    assert result.lower_bound == pytest.approx(least("local", []))
    assert result.status == "feasible"
    assert "with the bound that holds without them: trees may be at most 2 questions deep" in result.message


@pytest.mark.parametrize("method", ["greedy", "nominal", "auto"])
@pytest.mark.parametrize("name", WISHES)
def test_methods_keep_what_they_can(method, name):
    instance = three_deep("local")
    assert searched(instance, [name], method, 3).objective >= least("local", [name]) - 1e-9


def test_methods_that_cannot_keep_a_wish_name_those_that_can():
    with pytest.raises(InputError, match=r"alternate can't keep the wish max_items; these methods can: auto, exact, "):
        solve(tiny(), method="alternate", wishes=Wishes(max_items=1))
