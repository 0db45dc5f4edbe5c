"""The greedy attack is a bound: never above the value of the structure, never below its nominal part."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.tables.attack_bound import _best_merger, _best_single_move, attack_bound
from hedgerow.engine.tables.subsets import subset_costs, subset_tables
from tests.engine.tables.brute_force import leaf_problem, moves, tables


def bound_of(loss, move_cost, limit, target=np.inf, levels=None, depth=1):
    n_slots = len(move_cost)
    levels = np.zeros(n_slots, dtype=np.int64) if levels is None else levels
    made = subset_tables(subset_costs(loss), depth)
    at = np.empty(len(loss), dtype=np.int64)
    return attack_bound(np.arange(n_slots), levels, n_slots, move_cost, made, limit, target, at)


def nominal_bound(loss, move_cost):
    own = move_cost.argmin(axis=0)
    return sum(loss[own == slot].sum(axis=0).min() for slot in range(len(move_cost)) if (own == slot).any())


@settings(max_examples=200)
@given(tables(), st.integers(1, 4), st.booleans(), st.sampled_from([0.0, 0.5, 1.0, 2.5, 6.0]), st.data())
def test_it_never_exceeds_the_value_of_the_structure(loss, n_slots, local, limit, data):
    """Weak duality, for both kinds of budget."""
    move_cost = data.draw(moves(n_slots, len(loss), local=local))
    limit = 0.0 if local else limit
    bound = bound_of(loss, move_cost, limit)
    assert bound <= leaf_problem(loss, move_cost, limit) + 1e-9
    if (np.count_nonzero(move_cost == 0.0, axis=0) == 1).all():
        assert bound >= nominal_bound(loss, move_cost) - 1e-9


@settings(max_examples=80)
@given(tables(), st.integers(1, 4), st.sampled_from([0.0, 1.0, 2.5]), st.integers(-20, 40), st.data())
def test_it_may_stop_at_the_target_but_says_the_same_below_it(loss, n_slots, limit, target, data):
    """Stopping early returns a bound at or above the target, which is still one; otherwise nothing changes."""
    move_cost = data.draw(moves(n_slots, len(loss), local=False))
    full, early = bound_of(loss, move_cost, limit), bound_of(loss, move_cost, limit, float(target))
    if full < target:
        assert early == pytest.approx(full)
    else:
        assert early >= target
    assert early <= leaf_problem(loss, move_cost, limit) + 1e-9


@settings(max_examples=60)
@given(tables(n_samples=st.integers(1, 3), n_solutions=st.integers(1, 2)), st.sampled_from([0.0, 1.0, 2.5]), st.data())
def test_open_nodes_are_bounded_by_what_may_still_stand_below_them(loss, limit, data):
    """A node with one level to come costs at least what its samples cost with two solutions, however divided."""
    move_cost = data.draw(moves(2, len(loss), local=False))
    bound = bound_of(loss, move_cost, limit, levels=np.array([1, 0]), depth=2)
    # The open node's two slots cost the same to reach, or more for some: then the adversary is weaker and yet bounded.
    below = np.stack([move_cost[0], move_cost[0], move_cost[1]])
    dearer = data.draw(st.lists(st.sampled_from([0, 1]), min_size=len(loss), max_size=len(loss)))
    below[dearer, np.arange(len(loss))] += data.draw(st.sampled_from([0.0, 1.0, np.inf]))
    assert bound <= leaf_problem(loss, below, limit) + 1e-9


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6, 1e12])
def test_it_ends_where_moves_gain_nothing_but_rounding(scale):
    """Samples that are copies of one another, in sizes where sums of them round: no move is made for ever."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        loss = np.repeat(scale * rng.random((1, 3)), 6, axis=0) * (1.0 + 1e-16 * rng.integers(0, 4, (6, 3)))
        bound = bound_of(loss, np.zeros((4, 6)), 0.0)
        assert bound == pytest.approx(loss.sum(axis=0).min(), rel=1e-9)


def moves_by_trying(masks, levels, at, move_cost, made, limit, *, together):
    """Yield gain, price, samples, source and sink of every affordable move of one sample, or of a whole node."""
    count = len(masks)
    for here in range(count):
        rows = [row for row in range(len(at)) if at[row] == here]
        for moved in [rows] if together and rows else [[row] for row in rows]:
            bits = sum(1 << row for row in moved)
            for sink in range(count):
                price = sum(move_cost[sink, row] - move_cost[here, row] for row in moved)
                if sink == here or price > limit:
                    continue
                after = made[levels[here], masks[here] ^ bits] + made[levels[sink], masks[sink] | bits]
                gain = after - made[levels[here], masks[here]] - made[levels[sink], masks[sink]]
                if gain > 1e-12:
                    yield gain, price, bits, here, sink


def test_the_best_move_of_one_sample_or_of_a_node_is_the_one_that_trying_finds():
    """Prices are often as large as the limit, gains often equal, and prices below 1 make rates exceed gains."""
    rng = np.random.default_rng(0)
    for _ in range(600):
        n_samples, n_slots, by_rate = int(rng.integers(1, 5)), int(rng.integers(2, 5)), bool(rng.integers(2))
        limit = float(rng.choice([0.0, 0.25, 0.5, 1.0, 2.0]))
        loss = rng.integers(0, 10, (n_samples, 3)) * 1.0
        move_cost = rng.choice([0.0, 0.25, 0.25, 0.5, 1.0, 2.0, np.inf], (n_slots, n_samples))
        at = rng.integers(n_slots, size=n_samples)
        move_cost[at, np.arange(n_samples)] = rng.choice([0.0, 0.25], n_samples)  # some have been moved before
        levels = rng.integers(0, 2, n_slots)
        made = subset_tables(subset_costs(loss), 2)
        masks = np.array([sum(1 << row for row in range(n_samples) if at[row] == slot) for slot in range(n_slots)])
        known = np.arange(n_slots), levels, n_slots, move_cost, made, limit, by_rate, masks, at, made[levels, masks]
        for together, found in ((False, _best_single_move(*known)), (True, _best_merger(*known, 0.0))):
            tried = list(moves_by_trying(masks, levels, at, move_cost, made, limit, together=together))
            rates = [gain / max(price, 1e-9) if by_rate else gain for gain, price, *_ in tried]
            assert found[0] == pytest.approx(max(rates, default=0.0))
            if tried:
                first = tried[rates.index(max(rates))] if together else None
                same = [each for each in tried if each == pytest.approx((found[4], found[5], *found[1:4]))]
                assert same
                assert first is None or same[0] == first  # of equal mergers the first
        best = max(found[0], 0.0)
        assert _best_merger(*known, best)[1] == 0  # what is to be beaten is not
