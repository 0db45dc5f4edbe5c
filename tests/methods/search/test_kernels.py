"""The kernels of local search against the adversary and against trying everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.methods.search.tree_state import slots_below
from hedgerow.methods.search.value import leaf_sums, price_splits, priced_total, worst_outside
from hedgerow.tree.structure import existing_slots
from tests.methods.search.worlds import candidates, made_moves


def with_split(moves, now, node, split):
    structure = now.structure.copy()
    structure[node] = split
    return moves.evaluated(structure, now.choice)


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
    limit, loss = moves.limit, moves.space.loss
    for slot in range(moves.n_inner + 1):
        outside = worst_outside(now.move_cost, now.slot_loss, limit, rate, slot, slot + 1)
        sums = leaf_sums(loss, outside, now.move_cost[slot], limit, rate)
        for solution in range(loss.shape[1]):
            slot_loss = now.slot_loss.copy()
            slot_loss[slot] = loss[:, solution]
            total = priced_total(now.move_cost, slot_loss, limit, rate)[0] + rate * limit
            assert sums[solution] == pytest.approx(total, abs=1e-7)
