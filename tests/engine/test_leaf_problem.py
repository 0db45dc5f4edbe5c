"""The leaf problem on a table against trying all choices: value, choice, cut-off and rules."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.leaf_problem import (
    best_leaves,
    best_leaves_local,
    defended,
    hard_leaf_problem,
    new_attacks,
)
from tests.engine.structures.brute_force import leaf_problem, moves, tables, worst_sum

NO_RULES = 0
LIMITS = st.sampled_from([0.0, 0.5, 1.0, 2.5, 6.0])


def assert_solves(solver, loss, move_cost, limit):
    """With room above the optimum it is found with its solutions; at or below it nothing is said."""
    expected = leaf_problem(loss, move_cost, limit)
    for room in (np.inf, 1.0, 1e-6):
        choice = np.full(len(move_cost), -1)
        assert solver(loss, move_cost, expected + room, choice) == pytest.approx(expected, abs=1e-9)
        reached = (move_cost <= limit).any(axis=1)
        assert (choice[reached] >= 0).all()
        assert (choice[~reached] == -1).all()
        held = loss.T[np.where(reached, choice, 0)]
        assert worst_sum(held, move_cost, limit) == pytest.approx(expected, abs=1e-9)
    for cutoff in (expected, expected - 1e-6, expected - 5.0):
        assert solver(loss, move_cost, cutoff, np.full(len(move_cost), -1)) == np.inf


@settings(max_examples=150)
@given(tables(), st.integers(1, 4), st.data())
def test_local_leaves_equal_enumeration(loss, n_slots, data):
    """Each sample is sent to the costliest of its slots, whatever the signs of the losses."""
    move_cost = data.draw(moves(n_slots, len(loss), local=True))
    assert_solves(lambda *given: best_leaves_local(*given, np.inf, NO_RULES), loss, move_cost, 0.0)


@settings(max_examples=150)
@given(tables(), st.integers(1, 4), LIMITS, st.data())
def test_global_leaves_equal_enumeration_whatever_attacks_are_known(loss, n_slots, limit, data):
    """Moves share one limit; the pool has attacks on another structure, some of which are affordable here."""
    other, move_cost = (data.draw(moves(n_slots, len(loss), local=False)) for _ in range(2))
    attacks = new_attacks(n_slots, loss)
    defended(loss, other, limit, np.inf, np.empty(n_slots, dtype=np.int64), attacks, NO_RULES)

    def solver(loss, move_cost, cutoff, choice):
        return best_leaves(loss, move_cost, limit, False, cutoff, choice, attacks, NO_RULES)

    assert_solves(solver, loss, move_cost, limit)


@settings(max_examples=80)
@given(tables(), st.integers(1, 4), LIMITS, st.data())
def test_hard_leaves_equal_enumeration(loss, n_slots, limit, data):
    """The full knapsack answers in place of the built-in one."""

    def solver(loss, move_cost, cutoff, choice):
        leaves = hard_leaf_problem(loss, move_cost, limit, cutoff)
        assert leaves.bound == np.inf
        choice[:] = -1 if leaves.choice is None else leaves.choice
        return leaves.value if leaves.choice is not None else np.inf

    assert_solves(solver, loss, data.draw(moves(n_slots, len(loss), local=False)), limit)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("local", [True, False])
def test_the_best_solutions_that_keep_to_the_rules_are_found(local, seed):
    """A limit on different solutions counts the slots that a sample can reach."""
    rng = np.random.default_rng(seed)
    loss, limit = rng.integers(0, 20, (4, 3)).astype(float), 0.0 if local else 2.0
    move_cost = rng.choice([0.0, np.inf], (4, 4)) if local else rng.uniform(0.0, 3.0, (4, 4))
    move_cost[3] = np.inf if seed % 3 else move_cost[3]
    move_cost[rng.integers(0, 3, 4), np.arange(4)] = 0.0
    rules = int(rng.choice([0, 1, 2, 3]))
    counts = (move_cost <= limit).any(axis=1)
    values = {}
    for choice in product(range(3), repeat=4):
        held = np.array(choice)
        if not rules or np.unique(held[counts]).size <= rules:
            values[tuple(held[counts])] = worst_sum(loss.T[held], move_cost, limit)
    least = min(values.values(), default=np.inf)
    for cutoff, expected in ((np.inf, least), (least, np.inf), (least + 0.5, least)):
        choice = np.full(4, -1)
        assert best_leaves(loss, move_cost, limit, local, cutoff, choice, new_attacks(4, loss), rules) == expected
        if np.isfinite(expected):
            assert values[tuple(choice[counts])] == least
            assert (choice[~counts] == -1).all()
