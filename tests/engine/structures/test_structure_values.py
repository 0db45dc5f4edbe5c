"""Structures whose solutions are given: greedy attacks, and the best structure, against all assignments."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.engine.structures.attacks import Frontier, fixed_attack
from hedgerow.engine.structures.reach import reading_of, structure_costs
from hedgerow.engine.structures.structure_values import best_fixed_of
from hedgerow.problems import ExplicitSet
from hedgerow.tree.splits import candidate_splits
from tests.engine.structures.brute_force import worst_sum


def test_a_greedy_attack_moves_what_gains_most_per_cost():
    """Node 1 is left out; samples start where it costs least, at the worst of equal nodes."""
    nodes, at = np.array([0, 2, 3]), np.empty(3, dtype=np.int64)
    move_cost = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [2.0, 1.0, 0.5], [3.0, 0.0, 2.5]])
    loss = np.array([[1.0, 1.0, 0.0], [99.0, 99.0, 99.0], [7.0, 3.0, 1.0], [9.0, 2.0, 4.0]])
    frontier = Frontier(nodes, np.zeros(3, dtype=np.int64), move_cost)
    # Starts: node 0 for sample 0 (1), node 3 for sample 1 (2), node 2 for sample 2 (1), which costs 0.5.
    for limit, expected in [(0.5, 4.0), (1.4, 4.0), (1.5, 5.0), (2.5, 10.0), (3.5, 12.0), (4.5, 13.0), (5.5, 15.0)]:
        assert fixed_attack(frontier, loss, limit, np.inf, at) == expected
    assert fixed_attack(frontier, loss, 5.5, 9.0, at) == 10.0, "the target is reached before the budget is spent"
    assert fixed_attack(frontier, loss, 5.5, 10.0, at) == 10.0


@pytest.mark.parametrize("seed", range(5))
def test_a_greedy_attack_is_affordable_and_the_worst_under_local_budgets(seed):
    rng = np.random.default_rng(seed)
    for local in (False, True):
        move_cost = rng.choice([0.0, np.inf] if local else [0.5, 1.0, 2.0, np.inf], (3, 5))
        move_cost[rng.integers(0, 3, 5), np.arange(5)] = 0.0
        loss = rng.integers(0, 9, (3, 5)).astype(float)
        limit = 0.0 if local else 2.5
        frontier, at = Frontier(np.arange(3), np.zeros(3, dtype=np.int64), move_cost), np.empty(5, dtype=np.int64)
        found, worst = fixed_attack(frontier, loss, limit, np.inf, at), worst_sum(loss, move_cost, limit)
        assert found == worst if local else found <= worst


@pytest.mark.parametrize("uncertainty", [GlobalBudget(2.0), LocalBudget(0.8)])
def test_the_best_structure_for_given_solutions(uncertainty):
    rng = np.random.default_rng(4)
    values = rng.permuted(np.tile(np.arange(5.0), (2, 1)), axis=1).T
    instance = Instance.create(
        ExplicitSet(np.eye(2)), np.ones((5, 2)), observed=values, uncertainty=uncertainty, depth=2
    )
    splits = candidate_splits(values, "midpoints")
    reading, slot_loss = reading_of(instance, splits), rng.integers(0, 20, (4, 5)).astype(float)
    structures, expected = rng.integers(0, len(splits), (12, 3)), []
    for structure in structures:
        cost = np.empty((4, 5))
        structure_costs(structure, reading, cost)
        expected.append(worst_sum(slot_loss, cost, reading.limit))
    undecided = np.empty(12, np.int64)
    best, value, n_undecided = best_fixed_of(structures, reading, slot_loss, np.inf, undecided)
    assert (best, value, n_undecided) == (int(np.argmin(expected)), pytest.approx(min(expected)), 0)
    assert best_fixed_of(structures, reading, slot_loss, min(expected), undecided) == (-1, min(expected), 0)
