"""Move costs and worst cases of cards against their definition: one linear programme per sample and plan."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from hedgerow import GlobalBudget, InputError, Instance, LocalBudget, Tree
from hedgerow.adversary import move_costs, worst_case
from hedgerow.geometry import reach_limit
from hedgerow.problems import ExplicitSet

N_ITEMS = 3
CASES_IN_THE_SUITE = 300


def drawn_case(rng):
    """Return a tree with cards, an instance without a budget, and options; values lie on a lattice, so ties occur."""
    sense = rng.choice(["min", "max"])
    solutions = np.unique(rng.integers(0, 3, (int(rng.integers(2, 6)), N_ITEMS)), axis=0).astype(float)
    problem = ExplicitSet(solutions.tolist(), sense=sense)

    def node(depth):
        if depth == 0 or rng.random() < 0.2:
            plans = solutions[rng.integers(len(solutions), size=int(rng.integers(1, 5)))]  # equal ones among them
            handicaps = rng.integers(0, 4, len(plans)) * 0.25 * rng.integers(0, 2)
            handicaps -= handicaps.min()
            if len(plans) == 1:
                return {"solution": plans[0].tolist()}
            listed = [{"solution": plan.tolist(), "handicap": h} for plan, h in zip(plans, handicaps, strict=True)]
            return {"plans": listed, **({"take": "largest"} if sense == "max" else {})}
        terms = {str(item): float(rng.choice([-1.0, 1.0, 2.0])) for item in rng.permutation(N_ITEMS)[:2]}
        several = {"question": {"name": "a sum", "coefficients": terms}}
        asked = several if rng.random() < 0.5 else {"item": int(rng.integers(N_ITEMS))}
        return {**asked, "threshold": rng.integers(-4, 8) * 0.25, "left": node(depth - 1), "right": node(depth - 1)}

    tree = Tree.from_dict(node(int(rng.integers(0, 3))))
    n_samples = int(rng.integers(1, 4))
    costs, readings = rng.integers(-4, 9, (2, n_samples, N_ITEMS)) * 0.25
    options = {"epsilon": float(rng.choice([0.001, 0.125, 0.5]))}
    if rng.random() < 0.4:
        options["limits"] = rng.choice([0.0, 0.5, 1.25, np.inf], N_ITEMS)
    if rng.random() < 0.4:
        options["prices"] = rng.choice([0.5, 1.0, 3.0], N_ITEMS)
    weights = rng.choice([0.5, 1.0, 2.0], n_samples)
    return tree, Instance.create(problem, costs, observed=readings, weights=weights), options


def conditions(tree, row):
    """Return what must hold where a row of the solutions is followed: coefficients, constant and interval, or None."""

    def dense(question):
        return np.bincount(question.items, question.coefficients, N_ITEMS) if question.items else np.zeros(N_ITEMS)

    leaf = tree.leaf_of[row]
    held = [(dense(question), 0.0, low, high) for question, low, high in tree.intervals_at(leaf)]
    sign = -1.0 if tree.takes_largest else 1.0
    for other in np.flatnonzero(tree.leaf_of == leaf).tolist():
        less = sign * (dense(tree.sums[row]) - dense(tree.sums[other]))
        more = tree.handicap[row] - tree.handicap[other]
        if other > row:
            held.append((less, more, -np.inf, 0.0))  # at most as much as what is listed later
        elif other < row:
            held.append((-less, -more, 0.0, np.inf))  # less than what is listed before
    return held


def least_change(tree, readings, row, limits, prices, epsilon):
    """Return the least priced change with which the row is followed, by the definition."""
    price = np.ones(N_ITEMS) if prices is None else prices
    limit = np.full(N_ITEMS, np.inf) if limits is None else reach_limit(np.asarray(limits))
    matrix, bounds = [], []
    for coefficients, constant, low, high in conditions(tree, row):
        value = coefficients @ readings + constant
        if low >= high or (value <= low and low + epsilon > high):
            return np.inf
        least = low + epsilon - value if value <= low else min(low + epsilon, value, high) - value
        matrix += [coefficients, -coefficients]
        bounds += [high - value, -least]
    kept = [place for place, bound in enumerate(bounds) if np.isfinite(bound)]
    if not kept:
        return 0.0
    rows = np.array(matrix)[kept]
    found = linprog(
        np.concatenate([price, price]),
        A_ub=np.hstack([rows, -rows]),
        b_ub=np.array(bounds)[kept],
        bounds=[(0.0, None if np.isinf(most) else most) for most in (*limit, *limit)],
        method="highs",
    )
    return found.fun if found.status == 0 else np.inf


def check(rng):
    """Compare one case with brute force."""
    tree, instance, options = drawn_case(rng)
    readings, prices, limits = instance.observations, options.get("prices"), options.get("limits")
    expected = np.array(
        [
            [least_change(tree, row, plan, limits, prices, options["epsilon"]) for plan in range(len(tree.solutions))]
            for row in readings
        ]
    )
    samples, nominal = np.arange(len(readings)), tree.choose(readings)
    assert (expected[samples, nominal] == 0.0).all()
    assert (np.delete(expected, nominal[0], axis=1)[0] > 0.0).all()
    found = move_costs(tree, readings, LocalBudget(1.0, **options))
    assert found == pytest.approx(expected, abs=1e-7)
    loss = instance.losses(tree.solutions)
    budget = float(rng.choice([0.0, rng.uniform(0.0, 4.0), 50.0]))
    for kind in (LocalBudget, GlobalBudget):
        bound = instance.under(kind(budget, **options))
        attack = worst_case(tree, bound)
        within = expected <= reach_limit(budget) + 1e-9
        if kind is LocalBudget:
            worst = np.where(within, loss, -np.inf).max(axis=1).sum()
        else:
            choices = itertools.product(*(np.flatnonzero(row) for row in within))
            paid = [(expected[samples, each].sum(), loss[samples, each].sum()) for each in map(list, choices)]
            worst = max(value for price, value in paid if price <= reach_limit(budget) + 1e-9)
        assert instance.sign * attack.bound == pytest.approx(worst, abs=1e-7)
        assert tree.choose(attack.observations).tolist() == attack.row.tolist()
        change = np.abs(attack.observations - readings)
        spent = (change * (1.0 if prices is None else prices)).sum(axis=1)
        assert spent == pytest.approx(attack.price, abs=1e-7)
        assert limits is None or (change <= reach_limit(limits) + 1e-9).all()


@pytest.mark.parametrize("part", range(3))
def test_worst_cases_of_cards_equal_brute_force(part):
    for seed in range(part, CASES_IN_THE_SUITE, 3):
        check(np.random.default_rng(seed))


BRIDGE, TUNNEL, FERRY = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
CARD = {"plans": [{"solution": BRIDGE}, {"solution": TUNNEL, "handicap": 0.5}, {"solution": FERRY, "handicap": 1.0}]}


def test_the_cheapest_total_is_followed_and_the_first_of_equal_ones():
    tree = Tree.from_dict(CARD)
    readings = [[4.0, 3.5, 3.0], [4.0, 3.25, 3.0], [9.0, 9.0, 1.0]]
    assert tree.choose(readings).tolist() == [0, 1, 2]
    assert tree.apply(readings).tolist() == [0, 0, 0]
    assert tree.predict(readings).tolist() == [BRIDGE, TUNNEL, FERRY]
    assert tree.asked_items.tolist() == [0, 1, 2]
    assert Tree.from_dict({**CARD, "take": "largest"}).choose(readings).tolist() == [0, 0, 0]
    assert Tree.from_dict({**CARD, "take": "largest"}).choose([[4.0, 4.5, 5.0], [4.0, 4.75, 5.5]]).tolist() == [0, 2]


def test_a_card_is_described_as_it_was_given():
    leaf = {"solution": BRIDGE}
    tree = Tree.from_dict({"item": 2, "threshold": 4.0, "left": leaf, "right": CARD})
    assert (tree.n_leaves, tree.has_cards, tree.leaf_of.tolist()) == (2, True, [0, 1, 1, 1])
    again = Tree.from_dict(tree.to_dict())
    assert again == tree
    assert hash(again) == hash(tree)
    assert tree.to_dict()["left"] == leaf
    assert tree.to_dict()["right"]["plans"][1] == {"solution": TUNNEL, "handicap": 0.5}
    assert tree.without_question(0, goes_left=False) == Tree.from_dict(CARD)
    assert Tree.from_dict({"item": 0, "threshold": 4.0, "left": CARD, "right": CARD}).simplified().n_leaves == 1
    assert tree.simplified() == tree


@pytest.mark.parametrize(
    ("leaf", "reason"),
    [
        ({"plans": []}, "a list of 1 to 100 plans"),
        ({"plans": "AB"}, "a list of 1 to 100 plans"),
        ({"plans": [{"handicap": 1.0}]}, 'a plan must have "solution"'),
        ({"plans": [{"solution": [1.0], "price": 2.0}]}, 'a plan must have "solution"'),
        ({"plans": [{"solution": [1.0]}, {"solution": [1.0, 2.0]}]}, "equally many entries"),
        ({"plans": [{"solution": [1.0], "handicap": -1.0}, {"solution": [2.0]}]}, "the smallest of them zero"),
        ({"plans": [{"solution": [1.0], "handicap": 1.0}, {"solution": [2.0], "handicap": 2.0}]}, "smallest of them"),
        ({"plans": [{"solution": [1.0], "handicap": float("nan")}]}, "must be a finite number"),
        ({"plans": [{"solution": [1.0], "coefficients": {"0": "x"}}]}, "must be finite numbers"),
        ({"plans": [{"solution": [1.0], "coefficients": [1.0]}]}, "must be given per item"),
        ({"plans": [{"solution": [1.0]}], "take": "smallest"}, '"take": "largest"'),
    ],
)
def test_damaged_cards_are_refused(leaf, reason):
    with pytest.raises(InputError, match=reason):
        Tree.from_dict(leaf)
