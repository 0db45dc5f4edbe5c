"""The small knapsack kernel: equal to brute force and to the large one, or it says that it gave up."""

from itertools import product

import numpy as np
import pytest

from hedgerow.adversary.knapsack_kernels import worst_assignment
from hedgerow.geometry import reach_limit


def a_case(rng, n_samples, n_slots, digits):
    gain = np.round(rng.normal(0, 5, (n_samples, n_slots)), digits)
    cost = np.round(rng.uniform(0, 5, (n_samples, n_slots)), digits)
    cost[rng.random(cost.shape) < 0.2] = np.inf
    cost[np.arange(n_samples), rng.integers(n_slots, size=n_samples)] = 0.0
    return gain, cost, float(rng.choice([0.0, 0.5, 3.0, 10.0, 1e6]))


def attacked(gain, cost, budget, nodes=10**6):
    choice = np.empty(len(gain), dtype=np.int64)
    return worst_assignment(gain, cost, reach_limit(budget), -np.inf, nodes, -1, choice), choice


@pytest.mark.parametrize("seed", range(100))
def test_it_equals_brute_force(seed):
    """The value is the largest sum within the budget, and the choice attains it; ties and infinities included."""
    rng = np.random.default_rng(seed)
    gain, cost, budget = a_case(rng, rng.integers(1, 6), rng.integers(1, 5), rng.integers(0, 3))
    rows = np.arange(len(gain))
    value, choice = attacked(gain, cost, budget)
    affordable = [
        gain[rows, slots].sum()
        for slots in map(list, product(range(gain.shape[1]), repeat=len(gain)))
        if cost[rows, slots].sum() <= reach_limit(budget)
    ]
    assert value == pytest.approx(max(affordable))
    assert cost[rows, choice].sum() <= reach_limit(budget)
    assert gain[rows, choice].sum() == pytest.approx(value)


def test_it_says_when_it_gives_up():
    """With too few nodes the answer is NaN, never a wrong number."""
    gain, cost, _ = a_case(np.random.default_rng(0), 20, 4, 2)
    assert np.isnan(attacked(gain, cost, 10.0, nodes=3)[0])
