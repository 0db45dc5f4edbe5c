"""The leaf problem on a table against trying all choices: value, choice and cut-off."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.leaf_problem import (
    best_leaves,
    best_leaves_local,
    defended,
    new_attacks,
)
from tests.engine.structures.brute_force import leaf_problem, moves, tables, worst_sum

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
    assert_solves(lambda *given: best_leaves_local(*given, np.inf), loss, move_cost, 0.0)


@settings(max_examples=150)
@given(tables(), st.integers(1, 4), LIMITS, st.data())
def test_global_leaves_equal_enumeration_whatever_attacks_are_known(loss, n_slots, limit, data):
    """Moves share one limit; the pool has attacks on another structure, some of which are affordable here."""
    other, move_cost = (data.draw(moves(n_slots, len(loss), local=False)) for _ in range(2))
    attacks = new_attacks(n_slots, loss)
    defended(loss, other, limit, np.inf, np.empty(n_slots, dtype=np.int64), attacks)

    def solver(loss, move_cost, cutoff, choice):
        value, is_value = best_leaves(loss, move_cost, limit, False, cutoff, choice, attacks)
        assert is_value or value >= cutoff
        return value if value < cutoff else np.inf

    assert_solves(solver, loss, move_cost, limit)
