"""The leaf problem on a table against trying all choices: value, choice, cut-off and rules."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.leaf_problem import (
    best_leaves,
    best_leaves_local,
    cheapest_against,
    defended,
    hard_leaf_problem,
    new_attacks,
    slot_order,
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


def test_two_samples_that_can_be_confused_get_the_solution_that_suits_both():
    """With a limit of 1 one of them can be sent to the other's slot; without, each has its own best solution."""
    loss, move_cost = np.array([[0.0, 9.0, 3.0], [9.0, 0.0, 3.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    for limit, value in ((0.0, 0.0), (1.0, 6.0)):
        choice = np.full(2, -1)
        assert best_leaves(loss, move_cost, limit, False, np.inf, choice, new_attacks(2, loss), NO_RULES) == value
        assert choice.tolist() == ([0, 1] if limit == 0.0 else [2, 2])


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


@settings(max_examples=80)
@given(tables(), st.integers(1, 4), st.data())
def test_a_local_budget_is_a_global_one_whose_moves_are_free_or_impossible(loss, n_slots, data):
    """Both solvers agree on moves of 0 and ∞."""
    move_cost = data.draw(moves(n_slots, len(loss), local=True))
    given = np.inf, np.full(n_slots, -1), new_attacks(n_slots, loss), NO_RULES
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
    value = best_leaves(loss, move_cost, limit, False, np.inf, choice, new_attacks(4, loss), NO_RULES)
    assert worst_sum(loss.T[choice], move_cost, limit) == pytest.approx(value)
    for slot, solution in product(range(4), range(0, 12, 2)):
        other = np.where(np.arange(4) == slot, solution, choice)
        assert worst_sum(loss.T[other], move_cost, limit) >= value - 1e-9


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


def test_slots_that_most_samples_reach_come_first_and_those_that_none_reaches_not_at_all():
    """Three samples reach the last slot, one the first, none the second within the limit."""
    move_cost = np.array([[0.0, np.inf, np.inf], [np.inf, 1.5, np.inf], [1.0, 0.0, 0.0]])
    assert slot_order(move_cost, 1.0).tolist() == [2, 0]


@pytest.mark.parametrize("seed", range(20))
def test_solutions_are_chosen_against_the_worst_of_some_attacks(seed):
    """The sum is the least of all choices; nothing is said where that takes more work than is allowed."""
    rng = np.random.default_rng(seed)
    attacks = rng.integers(0, 9, (int(rng.integers(1, 4)), 3, int(rng.integers(2, 5)))).astype(float)
    choices = product(range(attacks.shape[2]), repeat=3)
    sums = {choice: attacks[:, range(3), choice].sum(axis=1).max() for choice in choices}
    cutoff = min(sums.values()) + rng.choice([0.0, 0.5, 4.0, np.inf])
    order, choice = rng.permutation(3), np.zeros(3, dtype=np.int64)
    value = cheapest_against(attacks, order, cutoff, choice, np.inf, NO_RULES)
    assert value == min(cutoff, *sums.values())
    assert value == cutoff or sums[tuple(choice)] == value
    assert np.isnan(cheapest_against(attacks, order, np.inf, choice, 1.0, NO_RULES))
