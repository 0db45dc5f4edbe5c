"""The adversary's MIP finds the best choice of leaves that the budget affords."""

import itertools

import numpy as np
import pytest

from benchmarks.adversary_model import solve_knapsack_mip
from hedgerow.errors import InputError
from hedgerow.geometry import reach_limit


def instance(seed: int):
    """Return gains, move costs with some leaves out of reach, and a budget that some choice spends to the last bit."""
    rng = np.random.default_rng(seed)
    n_samples, n_leaves = int(rng.integers(2, 6)), int(rng.integers(2, 5))
    gain = np.round(rng.uniform(0, 20, (n_samples, n_leaves)), seed % 3)
    move_cost = np.round(rng.uniform(0, 5, (n_samples, n_leaves)), 1)
    move_cost[rng.random(gain.shape) < 0.2] = np.inf
    move_cost[np.arange(n_samples), rng.integers(0, n_leaves, n_samples)] = 0.0
    finite = np.where(np.isfinite(move_cost), move_cost, 0.0)
    return gain, move_cost, float(finite[:, 0].sum())


def best_by_hand(gain, move_cost, budget):
    rows = np.arange(gain.shape[0])
    choices = itertools.product(range(gain.shape[1]), repeat=gain.shape[0])
    return max(
        gain[rows, leaf].sum() for leaf in map(list, choices) if move_cost[rows, leaf].sum() <= reach_limit(budget)
    )


@pytest.mark.parametrize("seed", range(6))
def test_it_agrees_with_trying_every_choice(solver, seed):
    gain, move_cost, budget = instance(seed)
    rows = np.arange(gain.shape[0])
    for limit in (budget, max(0.0, budget - 1e-7), 0.0):
        value, leaf = solve_knapsack_mip(gain, move_cost, limit, solver=solver)
        assert value == pytest.approx(best_by_hand(gain, move_cost, limit))
        assert value == gain[rows, leaf].sum()
        assert move_cost[rows, leaf].sum() <= limit + 1e-9


def test_a_sample_without_any_leaf_is_refused():
    with pytest.raises(InputError, match="nominal leaf"):
        solve_knapsack_mip(np.ones((1, 2)), np.full((1, 2), np.inf), 5.0)
