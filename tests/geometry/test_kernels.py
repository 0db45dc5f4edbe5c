"""Move costs of questions against linear programmes, for every mixture of questions, prices, limits and intervals."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import linprog

from hedgerow.geometry import affordable, entry_from_below, reach_limit
from hedgerow.geometry.kernels import geometry_of
from hedgerow.geometry.least_change import least_change
from hedgerow.geometry.path_kernels import leaf_costs


class Asked(NamedTuple):
    items: tuple[int, ...]
    coefficients: tuple[float, ...]


def lp_cost(matrix, price, limit, least, most):
    """Return the least price of a change within limits that brings each row into its range, by HiGHS."""
    if (least > most).any():
        return np.inf
    rows = np.hstack([matrix, -matrix])
    lower, upper = np.isfinite(least), np.isfinite(most)
    found = linprog(
        np.tile(price, 2),
        A_ub=np.vstack([rows[upper], -rows[lower], np.zeros((1, rows.shape[1]))]),
        b_ub=np.concatenate([most[upper], -least[lower], [0.0]]),
        bounds=[(0.0, None if np.isinf(most_here) else most_here) for most_here in np.tile(limit, 2)],
    )
    return found.fun if found.status == 0 else np.inf


def reference_range(value, lower, upper, epsilon):
    """The ε rule written a second time."""
    if lower >= upper or (value <= lower and lower + epsilon > upper):
        return 1.0, 0.0
    floor = lower + epsilon if value <= lower else min(lower + epsilon, value, upper)
    return floor - value, upper - value


def draw_question(rng, n_items, kind):
    size = 1 if rng.random() < 0.2 else int(rng.integers(1, n_items + 1))
    items = np.sort(rng.choice(n_items, size, replace=False))
    signs = rng.choice([-1.0, 1.0], size)
    numbers = {"plans": signs, "whole": signs * rng.integers(1, 4, size), "any": rng.normal(size=size)}[kind]
    return Asked(tuple(items.tolist()), tuple((np.ones(1) if size == 1 else numbers).tolist()))


@pytest.mark.parametrize("kind", ["plans", "whole", "any"])
@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("priced", [False, True])
def test_leaf_costs_are_those_of_a_linear_programme(kind, limited, priced):
    rng = np.random.default_rng([len(kind), limited, priced])
    outcomes = set()
    for _ in range(40):
        n_items, n_questions = int(rng.integers(2, 7)), int(rng.integers(2, 6))
        questions = [draw_question(rng, n_items, kind) for _ in range(n_questions)]
        prices = rng.random(n_items) + 0.1 if priced else np.ones(n_items)
        limits = np.where(rng.random(n_items) < 0.3, np.inf, rng.integers(0, 5, n_items))
        limits = limits if limited else np.full(n_items, np.inf)
        epsilon = float(rng.choice([0.001, 0.5]))
        geometry = geometry_of(questions, n_items, prices=prices, limits=limits if limited else None, epsilon=epsilon)
        matrix = np.zeros((n_questions, n_items))
        for row, question in enumerate(questions):
            matrix[row, list(question.items)] = question.coefficients
        values = rng.integers(-4, 5, (2, n_items)) @ matrix.T
        count = int(rng.integers(1, min(n_questions, 4) + 1))
        asked = rng.choice(n_questions, count, replace=False)
        lower = np.where(rng.random(count) < 0.5, -np.inf, rng.integers(-4, 5, count))
        upper = np.where(np.isinf(lower), 0.0, lower) + rng.integers(0, 5, count) / 2
        upper = np.where(rng.random(count) < 0.5, np.inf, upper)
        out = np.empty((2, 1))
        leaf_costs(values, asked[None], lower[None], upper[None], geometry, np.inf, out)
        for row in range(2):
            boxes = zip(asked, lower, upper, strict=True)
            ranges = [reference_range(values[row, question], *box, epsilon) for question, *box in boxes]
            expected = lp_cost(matrix[asked], prices, reach_limit(limits), *np.array(ranges).T)
            assert out[row, 0] == pytest.approx(expected, rel=1e-8, abs=1e-8)
            outcomes.add((np.sign(expected), np.isinf(expected)))
    assert len(outcomes) == 3, "free, priced and impossible moves must all occur"


def test_single_items_cost_bit_for_bit_what_price_times_distance_is():
    rng = np.random.default_rng(0)
    prices = rng.random(3)
    geometry = geometry_of([Asked((item,), (1.0,)) for item in range(3)], 3, prices=prices)
    values, lower = rng.random((50, 3)), np.full((1, 3), 0.5)
    out = np.empty((50, 1))
    leaf_costs(values, np.arange(3)[None], lower, np.full((1, 3), np.inf), geometry, np.inf, out)
    expected = np.zeros(50)
    for item in range(3):
        expected += prices[item] * np.where(values[:, item] <= 0.5, 0.501 - values[:, item], 0.0)
    assert out[:, 0].tolist() == expected.tolist()


def test_ties_do_not_keep_the_linear_programme_from_ending():
    matrix = np.tile([[1.0, -1.0]], (4, 10))
    change = np.empty(20)
    cost = least_change(matrix, np.ones(20), np.full(20, 0.25), np.full(4, 2.0), np.full(4, 2.0), change)
    assert cost == pytest.approx(2.0)
    assert matrix[0] @ change == pytest.approx(2.0)
    assert np.abs(change).max() <= 0.25


def test_a_budget_of_zero_affords_no_move_and_any_other_a_rounding_error():
    costs = np.array([0.0, 1e-10, 1.0 + 1e-10, 1.1])
    assert affordable(costs, 0.0).tolist() == [True, False, False, False]
    assert affordable(costs, 1.0).tolist() == [True, True, True, False]
    assert affordable(costs, np.array([0.0, 1.0, 1.0, 0.0])).tolist() == [True, True, True, False]


def test_an_interval_is_entered_from_below_by_epsilon_or_not_at_all():
    entry = entry_from_below(np.array([3.0, 3.0, -np.inf]), np.array([5.0, 3.0005, 5.0]), 0.001)
    assert entry.tolist() == [3.001, np.inf, -np.inf]
