"""Halves under a price, against every half with every pair of solutions and every sample where it is worth most."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance
from hedgerow.engine.priced_halves import best_halves, half_costs, side_costs
from hedgerow.engine.structures.reach import reading_of
from hedgerow.problems import ExplicitSet
from hedgerow.tree.splits import candidate_splits

N_HALVES, N_SAMPLES, N_SOLUTIONS = 5, 12, 4


def world(rng):
    """Return move costs of halves, shares, regrets, and two prices; some samples can't move or don't count."""
    move_cost = rng.choice([0.0, 0.5, 1.0, 2.0, np.inf], (N_HALVES, 2, N_SAMPLES)) * rng.uniform(0.8, 1.2, N_SAMPLES)
    share = rng.choice([0.0, 0.3, 1.0, 2.0], N_SAMPLES)
    regret = rng.uniform(0.0, 6.0, (N_SAMPLES, N_SOLUTIONS))
    regret[np.arange(N_SAMPLES), rng.integers(0, N_SOLUTIONS, N_SAMPLES)] = 0.0
    low = rng.choice([0.0, 0.4, 1.0])
    return move_cost, share, regret, low, low + rng.choice([0.0, 0.3, 1.5])


def worths(move_cost, regret, x, y, high, charged):
    """Return what each sample is worth: where it goes is decided at one price, what it pays at another."""
    losses = np.stack([regret[:, x], regret[:, y], np.zeros(N_SAMPLES)])
    costs = np.vstack([np.where(move_cost < np.inf, move_cost, 1e9), np.zeros(N_SAMPLES)])
    goes = np.argmax(losses - max(high, 1e-6) * costs, axis=0), np.arange(N_SAMPLES)
    return losses[goes] - charged * costs[goes]


def every_cost(move_cost, share, regret, low, high):
    """Return the cost at both prices of every half with every pair of solutions."""
    costs = np.empty((2, N_HALVES, N_SOLUTIONS, N_SOLUTIONS))
    for end, half, x, y in np.ndindex(costs.shape):
        costs[end, half, x, y] = share @ worths(move_cost[half], regret, x, y, high, low if end == 0 else high)
    return costs


@pytest.mark.parametrize("seed", range(8))
def test_the_cheapest_half_is_that_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    move_cost, share, regret, low, high = world(rng)
    costs = every_cost(move_cost, share, regret, low, high)
    picked = np.zeros((2, 3), np.int64)
    picked[1, 0] = rng.integers(N_HALVES)
    least = np.full(2, np.inf)
    arguments = move_cost, share, regret, regret.max(axis=1), low, high
    best_halves(*arguments, least, picked)
    assert least == pytest.approx(costs.min(axis=(1, 2, 3)))
    for end in range(2):
        assert costs[end][tuple(picked[end])] == pytest.approx(least[end])
    best_halves(*arguments, cut := 0.999 * least, picked)
    assert (cut == 0.999 * least).all(), "nothing lies below these cut-offs"


def test_costs_of_halves_are_those_of_two_answers():
    """Single readings: the interval that both answers leave, entered from below with a step of ε."""
    rng, epsilon, prices = np.random.default_rng(0), 0.25, np.array([1.0, 2.0])
    observations = rng.integers(0, 6, (7, 2)) * 1.0
    instance = Instance.create(
        ExplicitSet(np.eye(2)),
        rng.uniform(0.0, 1.0, (7, 2)),
        observed=observations,
        uncertainty=GlobalBudget(3.0, epsilon=epsilon, prices=prices),
    )
    splits = candidate_splits(instance.observations, "midpoints")
    reading = reading_of(instance, splits)

    def cost(answers):
        total = np.zeros(7)
        for item in range(2):
            low = max([-np.inf, *(splits.threshold[s] for s, right in answers if splits.question[s] == item and right)])
            high = min(
                [np.inf, *(splits.threshold[s] for s, right in answers if splits.question[s] == item and not right)]
            )
            value = observations[:, item]
            total += prices[item] * np.where(value > high, value - high, 0.0)
            total += prices[item] * np.where(value <= low, low + epsilon - value, 0.0)
            if low >= high:
                total += np.inf
        return total

    numbers = np.arange(len(splits))
    for root in numbers:
        sides = np.empty((2, 7))
        side_costs(root, reading, sides)
        for side in range(2):
            assert sides[side] == pytest.approx(cost([(root, side)]))
            out = np.empty((len(splits), 2, 7))
            half_costs(root, side, numbers, reading, out)
            for split in numbers:
                for leaf in range(2):
                    assert out[split, leaf] == pytest.approx(cost([(root, side), (split, leaf)]))
