"""The leaf problem on a table against trying all choices: value, choice and cut-off."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.tables.leaves import (
    begin_choice,
    best_leaves,
    best_leaves_global,
    best_leaves_local,
    cheapest_against,
    continue_choice,
    no_attacks,
    slot_order,
)
from tests.engine.tables.brute_force import leaf_problem, moves, tables, worst_sum


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


def test_two_samples_that_can_be_confused_get_the_solution_that_suits_both():
    """With a limit of 1 one of them can be sent to the other's slot; without, each has its own best solution."""
    loss, move_cost = np.array([[0.0, 9.0, 3.0], [9.0, 0.0, 3.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    for limit, value in ((0.0, 0.0), (1.0, 6.0)):
        choice = np.full(2, -1)
        assert best_leaves_global(loss, move_cost, limit, np.inf, choice, no_attacks(2, 2)) == value
        assert choice.tolist() == ([0, 1] if limit == 0.0 else [2, 2])


@settings(max_examples=150)
@given(tables(), st.integers(1, 4), st.data())
def test_local_leaves_equal_enumeration(loss, n_slots, data):
    """Each sample is sent to the costliest of its slots, whatever the signs of the losses."""
    move_cost = data.draw(moves(n_slots, len(loss), local=True))
    assert_solves(lambda *given: best_leaves_local(*given, np.inf), loss, move_cost, 0.0)


@settings(max_examples=150)
@given(tables(), st.integers(1, 4), st.sampled_from([0.0, 0.5, 1.0, 2.5, 6.0]), st.data())
def test_global_leaves_equal_enumeration(loss, n_slots, limit, data):
    """Moves share one limit."""
    move_cost = data.draw(moves(n_slots, len(loss), local=False))
    known = no_attacks(3, len(loss))
    assert_solves(lambda *given: best_leaves_global(*given[:2], limit, *given[2:], known), loss, move_cost, limit)


@settings(max_examples=80)
@given(tables(), st.integers(1, 4), st.sampled_from([0.0, 1.0, 2.5]), st.data())
def test_attacks_that_are_known_from_other_structures_change_nothing(loss, n_slots, limit, data):
    """Some of them are affordable and some not; what is found is put in front."""
    move_cost, slots = data.draw(moves(n_slots, len(loss), local=False)), st.integers(0, n_slots - 1)
    drawn = data.draw(st.lists(st.lists(slots, min_size=len(loss), max_size=len(loss)), max_size=4))
    known = no_attacks(4, len(loss))
    known[: len(drawn)] = np.array(drawn, dtype=np.int64).reshape(-1, len(loss))
    assert_solves(lambda *given: best_leaves_global(*given[:2], limit, *given[2:], known), loss, move_cost, limit)
    assert sorted(map(tuple, known.tolist())).count((-1,) * len(loss)) <= 4 - len(drawn)


@settings(max_examples=80)
@given(tables(), st.integers(1, 4), st.data())
def test_a_local_budget_is_a_global_one_whose_moves_are_free_or_impossible(loss, n_slots, data):
    """Both solvers agree on moves of 0 and ∞."""
    move_cost = data.draw(moves(n_slots, len(loss), local=True))
    given = np.inf, np.full(n_slots, -1), no_attacks(2, len(loss))
    values = [best_leaves(loss, move_cost, 0.0, local, *given) for local in (True, False)]
    assert values[0] == pytest.approx(values[1], abs=1e-9)


@pytest.mark.parametrize("limit", [0.0, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_no_single_change_makes_the_solutions_of_a_larger_table_better(seed, limit):
    """Twelve solutions and five samples: too many choices to try all, but not all that differ in one slot."""
    rng = np.random.default_rng(seed)
    loss = rng.integers(-20, 50, (5, 12)) / 4.0
    move_cost = rng.integers(0, 8, (4, 5)) / 2.0
    move_cost[rng.integers(0, 4, 5), np.arange(5)] = 0.0
    choice = np.full(4, -1)
    value = best_leaves_global(loss, move_cost, limit, np.inf, choice, no_attacks(2, 5))
    assert worst_sum(loss.T[choice], move_cost, limit) == pytest.approx(value)
    for slot, solution in product(range(4), range(0, 12, 2)):
        other = np.where(np.arange(4) == slot, solution, choice)
        assert worst_sum(loss.T[other], move_cost, limit) >= value - 1e-9


def test_slots_that_most_samples_reach_come_first_and_those_that_none_reaches_not_at_all():
    """Three samples reach the last slot, one the first, none the second within the limit."""
    move_cost = np.array([[0.0, np.inf, np.inf], [np.inf, 1.5, np.inf], [1.0, 0.0, 0.0]])
    assert slot_order(move_cost, 1.0).tolist() == [2, 0]


@pytest.mark.parametrize("seed", range(20))
def test_a_choice_of_solutions_may_be_interrupted_at_any_time(seed):
    """However small the pieces: the sum is that of all choices, and its solutions are as in one go."""
    rng = np.random.default_rng(seed)
    scenarios = rng.integers(0, 9, (int(rng.integers(1, 4)), 3, int(rng.integers(2, 5)))).astype(float)
    n_solutions = scenarios.shape[2]
    sums = {
        choice: scenarios[:, range(3), choice].sum(axis=1).max() for choice in product(range(n_solutions), repeat=3)
    }
    cutoff = min(sums.values()) + rng.choice([0.0, 0.5, 4.0, np.inf])
    whole = np.zeros(3, dtype=np.int64)
    assert cheapest_against(scenarios, cutoff, whole, np.inf) == min(cutoff, *sums.values())
    for piece in (scenarios.shape[0] * n_solutions, 3 * scenarios.shape[0] * n_solutions + 1):
        state, picked, n_pieces, value = begin_choice(scenarios, cutoff), np.zeros(3, dtype=np.int64), 0, np.nan
        while np.isnan(value):
            value, n_pieces = continue_choice(scenarios, picked, piece, state), n_pieces + 1
        assert (value, picked.tolist()) == (min(cutoff, *sums.values()), whole.tolist())
        assert n_pieces > 1 or value == cutoff or piece > scenarios.shape[0] * n_solutions
    assert value == cutoff or sums[tuple(picked)] == value
