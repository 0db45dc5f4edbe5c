"""The kernels of local search against the adversary and against trying everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.adversary import worst_case
from hedgerow.methods.search.candidate import slots_below
from hedgerow.methods.search.parameters import DEFAULTS
from hedgerow.methods.search.value import leaf_sums, price_splits, priced_total, tree_value, worst_outside
from hedgerow.tree.structure import existing_slots, tree_of
from tests.methods.search.worlds import candidates, made_moves


def tree_on(moves, structure, choice):
    return tree_of(structure, moves.splits, moves.pool.solutions[choice])


def with_split(moves, now, node, split):
    structure = now.structure.copy()
    structure[node] = split
    return moves.evaluated(structure, now.choice)


@settings(max_examples=80)
@given(st.data(), st.booleans())
def test_a_candidates_value_is_the_adversarys(data, local):
    moves = data.draw(made_moves(local=local))
    now = data.draw(candidates(moves))
    tree = tree_on(moves, now.structure, now.choice)
    assert now.value == pytest.approx(worst_case(tree, moves.instance).value, abs=1e-7)


@settings(max_examples=150)
@given(st.data(), st.booleans(), st.sampled_from([0.0, 0.4, 3.0]))
def test_prices_are_the_priced_totals_of_every_split(data, local, rate):
    """Whatever the node and the questions above and below it, about the same item, shared ones or others."""
    moves = data.draw(made_moves(local=local))
    now = data.draw(candidates(moves))
    node, rate = data.draw(st.integers(0, moves.n_inner - 1)), 0.0 if local else rate
    begin, end = slots_below(node, moves.n_inner)
    if not existing_slots(now.structure)[begin]:
        return
    reading, limit = moves.space.reading, moves.limit
    outside = worst_outside(now.move_cost, now.slot_loss, limit, rate, begin, end)
    values, every_split = np.full(len(moves.splits), np.nan), np.arange(len(moves.splits))
    price_splits(node, every_split, now.structure, now.slot_loss, outside, rate, reading, values)
    trials = [with_split(moves, now, node, split) for split in every_split]
    expected = [priced_total(trial.move_cost, trial.slot_loss, limit, rate)[0] + rate * limit for trial in trials]
    assert values == pytest.approx(expected, abs=1e-7)
    assert (values >= np.array([trial.value for trial in trials]) - 1e-7).all()
    if local:
        assert values == pytest.approx([trial.value for trial in trials], abs=1e-7)


@settings(max_examples=50)
@given(st.data(), st.booleans(), st.sampled_from([0.0, 0.4, 3.0]))
def test_leaf_sums_are_the_priced_totals_with_every_solution(data, local, rate):
    moves = data.draw(made_moves(local=local))
    now = data.draw(candidates(moves))
    rate = 0.0 if local else rate
    limit, loss = moves.limit, moves.space.table.loss
    for slot in range(moves.n_inner + 1):
        outside = worst_outside(now.move_cost, now.slot_loss, limit, rate, slot, slot + 1)
        sums = leaf_sums(loss, outside, now.move_cost[slot], limit, rate)
        for solution in range(loss.shape[1]):
            slot_loss = now.slot_loss.copy()
            slot_loss[slot] = loss[:, solution]
            total = priced_total(now.move_cost, slot_loss, limit, rate)[0] + rate * limit
            assert sums[solution] == pytest.approx(total, abs=1e-7)


@settings(max_examples=50)
@given(st.data())
def test_the_rate_prices_the_budget_best(data):
    """No other rate gives a lower bound on the knapsack, and none a number below its value."""
    moves = data.draw(made_moves(local=False))
    now = data.draw(candidates(moves))
    value, rate = tree_value(now.move_cost, now.slot_loss, moves.limit, np.inf)
    best = priced_total(now.move_cost, now.slot_loss, moves.limit, rate)[0] + rate * moves.limit
    assert best >= value - 1e-7
    for other in [0.0, rate / 2, 0.99 * rate, 1.01 * rate + 0.01, 5.0]:
        total = priced_total(now.move_cost, now.slot_loss, moves.limit, other)[0] + other * moves.limit
        assert total >= best - 1e-7


@pytest.mark.parametrize("seed", range(6))
def test_with_many_samples_the_value_is_that_of_the_best_rate(seed):
    """The bound is lowest at a rate of 0 or where a sample is as well off at two slots: all such rates are tried."""
    rng = np.random.default_rng(seed)
    n_samples, n_slots, limit = DEFAULTS.few_samples + 5, 3, (0.0, 2.0, 30.0, 3.0, 200.0, 8.0)[seed]
    slot_loss = rng.uniform(0.0, 90.0, (n_slots, n_samples)) * (0.01 if seed == 3 else 1.0)
    move_cost = rng.uniform(0.0, 4.0, (n_slots, n_samples))
    move_cost[rng.integers(n_slots, size=n_samples), np.arange(n_samples)] = 0.0
    rates = [0.0]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        rates += ((slot_loss[one] - slot_loss[other]) / (move_cost[one] - move_cost[other])).tolist()
    least = min(priced_total(move_cost, slot_loss, limit, rate)[0] + rate * limit for rate in rates if rate >= 0.0)
    value, rate = tree_value(move_cost, slot_loss, limit, np.inf)
    assert value == pytest.approx(least)
    assert priced_total(move_cost, slot_loss, limit, rate)[0] + rate * limit == pytest.approx(least)


def test_totals_count_slots_in_reach_at_the_cheapest_of_equal_worth():
    move_cost = np.array([[0.0, 3.0, 0.0], [1.0, 1.0, 9.0], [2.0, 0.0, 1.0]])
    slot_loss = np.array([[1.0, 8.0, 2.0], [5.0, 3.0, 9.0], [7.0, 1.0, 2.0]])
    assert priced_total(move_cost, slot_loss, 3.0, 0.0) == (17.0, 5.0)
    assert priced_total(move_cost, slot_loss, 2.9, 2.0) == (6.0, 1.0)
