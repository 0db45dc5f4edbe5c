"""The knapsack kernel against brute force, against a MIP solver, and against what is known in closed form."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from hedgerow.adversary.knapsack import solve_knapsack
from hedgerow.geometry import reach_limit

KINDS = [
    "real",
    "whole",
    "decimal",
    "subset sum",
    "cost plus constant",
    "cost minus constant",
    "equal rows",
    "negative",
]


def knapsack(kind, rows, columns, rng, share):
    """Return gains, move costs and a budget that affords about this share of what all the dearest moves cost."""
    cost = rng.uniform(0.1, 10.0, (rows, columns))
    gain = rng.uniform(-5.0, 10.0, (rows, columns))
    home = rng.integers(0, columns, rows)
    if kind == "whole":
        cost, gain = np.ceil(cost), np.rint(gain)
    elif kind == "decimal":
        cost, gain = np.round(cost, 5), np.round(gain, 5)
    elif kind == "subset sum":
        cost = np.round(cost, 5)
        gain = cost.copy()
    elif kind == "cost plus constant":
        cost = np.round(cost, 5)
        gain = cost + 1.0
    elif kind == "cost minus constant":
        gain = cost - 0.1
    elif kind == "equal rows":
        cost[:], gain[:], home[:] = cost[0], gain[0], home[0]
    elif kind == "negative":
        gain -= 1000.0
    if kind.startswith(("subset", "cost")):
        gain[np.arange(rows), home] = 0.0
    cost[rng.random(cost.shape) < 0.1] = np.inf
    cost[np.arange(rows), home] = 0.0
    return gain, cost, share * np.where(np.isfinite(cost), cost, 0.0).max(axis=1).sum()


def price(move_cost, choice):
    return math.fsum(move_cost[np.arange(len(choice)), choice])


def brute_force(gain, move_cost, budget):
    """Return the optimum by looking at all choices, the best ones first."""
    rows, columns = gain.shape
    choices = np.array(list(itertools.product(range(columns), repeat=rows)))
    values = gain[np.arange(rows), choices].sum(axis=1)
    for which in np.argsort(-values):
        if price(move_cost, choices[which]) <= reach_limit(budget):
            return values[which]
    raise AssertionError("to stay costs nothing")


def by_mip(gain, move_cost, budget):
    """Return the optimum as HiGHS sees it, which may overspend the budget by its tolerances."""
    rows, columns = gain.shape
    finite = np.isfinite(move_cost)
    size = rows * columns
    one_each = csr_array((np.ones(size), (np.repeat(np.arange(rows), columns), np.arange(size))), shape=(rows, size))
    result = milp(
        -gain.ravel(),
        integrality=np.ones(size),
        bounds=Bounds(0.0, finite.ravel().astype(float)),
        constraints=[
            LinearConstraint(one_each, 1.0, 1.0),
            LinearConstraint(np.where(finite, move_cost, 0.0).reshape(1, -1), -np.inf, budget),
        ],
        options={"mip_rel_gap": 0.0},
    )
    assert result.status == 0
    return -result.fun


def by_dynamic_programme(gain, move_cost, budget):
    """Return the optimum where costs are whole numbers: the best value for every amount spent, row by row."""
    best = np.zeros(int(budget) + 1)
    for row_gain, row_cost in zip(gain, move_cost, strict=True):
        after = np.full(best.size, -np.inf)
        for worth, cost in zip(row_gain, row_cost, strict=True):
            if cost < best.size:
                after[int(cost) :] = np.maximum(after[int(cost) :], best[: best.size - int(cost)] + worth)
        best = after
    return best.max()


def near(value, gain):
    """Return what counts as the same value, with rounding errors of large gains that cancel out."""
    return pytest.approx(value, rel=1e-9, abs=1e-9 + 1e-11 * np.abs(gain).max() * len(gain))


def assert_sound(solution, gain, move_cost, budget):
    """A solution is affordable, adds up in row order, and has a bound."""
    assert price(move_cost, solution.choice) <= reach_limit(budget)
    assert solution.value == sum(gain[row, column] for row, column in enumerate(solution.choice))
    assert solution.bound == solution.value if solution.exact else solution.bound >= solution.value


numbers = st.one_of(
    st.integers(-6, 6).map(float),
    st.integers(-40, 40).map(lambda tenths: tenths / 10),
    st.integers(-(10**6), 10**6).map(lambda fifths: fifths / 10**5),
    st.floats(-100.0, 100.0),
    st.sampled_from([0.0, 1e-12, 1e-9, 1e6, -1e6]),
)
costs = st.one_of(numbers.map(abs), st.sampled_from([0.0, np.inf, 1.0, 1.0, 2.0]))


@st.composite
def knapsacks(draw):
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    size = rows * columns
    gain = np.array(draw(st.lists(numbers, min_size=size, max_size=size))).reshape(rows, columns)
    move_cost = np.array(draw(st.lists(costs, min_size=size, max_size=size))).reshape(rows, columns)
    for row in range(rows):
        move_cost[row, draw(st.integers(0, columns - 1))] = 0.0
    sums = sorted({price(move_cost, picks) for picks in itertools.product(range(columns), repeat=rows)} - {np.inf})
    budget = draw(st.one_of(numbers.map(abs), st.sampled_from(sums), st.sampled_from([0.0, 1e-12, 1e12])))
    return gain, move_cost, budget


@settings(max_examples=400)
@given(knapsacks())
def test_the_optimum_is_that_of_brute_force(problem):
    """With ties, zeros, infinite costs, and budgets that are hit exactly."""
    gain, move_cost, budget = problem
    solution = solve_knapsack(gain, move_cost, budget)
    assert_sound(solution, *problem)
    assert solution.exact
    assert solution.value == near(brute_force(*problem), gain)


@pytest.mark.parametrize("kind", KINDS)
def test_the_optimum_is_that_of_brute_force_for_every_kind_of_gain(kind):
    """150 seeded cases of each kind."""
    rng = np.random.default_rng(KINDS.index(kind))
    for case in range(150):
        rows, columns = rng.integers(1, 6), rng.integers(1, 5)
        problem = knapsack(kind, rows, columns, rng, [0.0, 0.1, 0.3, 0.5, 0.9, 2.0][case % 6])
        solution = solve_knapsack(*problem)
        assert_sound(solution, *problem)
        assert solution.exact
        assert solution.value == near(brute_force(*problem), problem[0])


@pytest.mark.parametrize("kind", ["real", "whole", "decimal", "equal rows", "negative"])
def test_the_optimum_is_the_mips_up_to_its_tolerances(kind):
    """A MIP may overspend a little, so that its value lies between those of the budget and of a slightly larger one."""
    rng = np.random.default_rng(100 + KINDS.index(kind))
    for share in (0.05, 0.2, 0.4, 0.6, 0.8):
        gain, move_cost, budget = knapsack(kind, rng.integers(6, 40), rng.integers(2, 9), rng, share)
        found, relaxed = (solve_knapsack(gain, move_cost, amount) for amount in (budget, budget + 1e-4))
        value, slack = by_mip(gain, move_cost, budget), 1e-6 * np.abs(gain).sum()
        assert found.exact
        assert relaxed.exact
        assert found.value - slack <= value <= relaxed.value + slack


@pytest.mark.parametrize("share", [0.003, 0.02, 0.1, 0.3, 0.6])
@pytest.mark.parametrize("kind", ["real", "whole", "decimal", "negative"])
def test_a_thousand_rows_agree_with_the_mip(kind, share):
    gain, move_cost, budget = knapsack(kind, 1000, 4, np.random.default_rng(KINDS.index(kind)), share)
    found, relaxed = (solve_knapsack(gain, move_cost, amount) for amount in (budget, budget + 1e-4))
    assert_sound(found, gain, move_cost, budget)
    assert found.exact
    value = by_mip(gain, move_cost, budget)
    assert found.value - 1e-4 <= value <= relaxed.value + 1e-4


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("constant", [-5.0, 0.0, 10.0])
@pytest.mark.parametrize("unit", [1.0, 0.1, 1 / 3])
def test_gains_close_to_costs_agree_with_a_dynamic_programme(constant, unit, share):
    """Gains are costs plus a constant and a little noise, the hardest there are; costs lie on a grid, or on none."""
    rng = np.random.default_rng(7)
    cost = rng.integers(1, 201, (100, 4)).astype(float)
    gain = cost + constant + rng.normal(0.0, 0.05, cost.shape)
    cost[:, 0] = gain[:, 0] = 0.0
    budget = np.floor(share * cost.max(axis=1).sum())
    solution = solve_knapsack(gain, cost * unit, budget * unit)
    assert_sound(solution, gain, cost * unit, budget * unit)
    optimum = by_dynamic_programme(gain, cost, budget)
    assert solution.value <= optimum + 1e-9 * optimum
    assert solution.bound >= optimum - 1e-9 * optimum
    assert solution.bound <= (1.0 + 1e-2) * solution.value
    if solution.exact:
        assert solution.value == near(optimum, gain)


def test_the_tolerance_of_a_budget_is_kept_to_the_last_bit():
    """Half a billionth beyond the budget is affordable, two billionths are not, however the sum is made up."""
    gain = np.tile([0.0, 1.0], (10, 1))
    for excess, moved in ((0.5e-9, 10), (2e-9, 9)):
        move_cost = np.tile([0.0, 0.1], (10, 1))
        move_cost[3, 1] += excess
        assert solve_knapsack(gain, move_cost, 1.0).value == moved


@pytest.mark.parametrize("tiny", [3e-152, 5e-324])
@pytest.mark.parametrize("budget", [0.1, 1.0, np.inf])
def test_a_move_that_costs_next_to_nothing_is_affordable(budget, tiny):
    """Beside costs on a grid, whose step is larger than the budget or not."""
    solution = solve_knapsack(np.array([[-1.0, 0.0, 0.0]]), np.array([[0.0, 2.0, tiny]]), budget)
    assert (solution.value, solution.exact) == (0.0, True)
