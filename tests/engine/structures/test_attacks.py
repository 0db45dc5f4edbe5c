"""The greedy attack is a bound: never above the value of the structure, never below its nominal part."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.structures.attacks import (
    Frontier,
    exclude_all,
    exclude_like,
    frontier_bound,
    new_kept_attacks,
)
from hedgerow.engine.structures.subsets import subset_costs, subset_tables
from tests.engine.structures.brute_force import leaf_problem, moves, tables


def bound_of(loss, move_cost, limit, target=np.inf, levels=None, depth=1):
    n_slots = len(move_cost)
    levels = np.zeros(n_slots, dtype=np.int64) if levels is None else levels
    made = subset_tables(subset_costs(loss), depth)
    at = np.empty(len(loss), dtype=np.int64)
    return frontier_bound(Frontier(np.arange(n_slots), levels, move_cost), made, limit, target, at)


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


N_SAMPLES, N_SLOTS, N_SPLITS = 4, 4, 5


def attacks(number):
    slot = st.integers(0, N_SLOTS - 1)
    one = st.tuples(st.lists(slot, min_size=N_SAMPLES, max_size=N_SAMPLES), st.sampled_from([5.0, 7.0, 9.0]))
    return st.lists(one, max_size=number)


def spent(at, move_cost):
    return sum(move_cost[slot, row] for row, slot in enumerate(at))


@settings(max_examples=100)
@given(attacks(6), st.integers(0, 99), st.sampled_from([0.0, 2.0, 4.0]), st.sampled_from([6.0, 7.0, 8.0]))
def test_splits_of_the_last_node_are_excluded_by_what_each_of_them_costs_the_attack(drawn, seed, limit, target):
    """Attacks kept one by one, and all of them once more below other splits and for another list."""
    rng, kept = np.random.default_rng(seed), new_kept_attacks(1, N_SPLITS, N_SAMPLES)
    for _ in range(3):
        last = rng.integers(0, 3, (rng.integers(1, N_SPLITS + 1), 2, N_SAMPLES)).astype(float)
        kept.known[:] = False
        for _ in range(2):
            above = rng.integers(0, 3, (N_SLOTS - 2, N_SAMPLES)).astype(float)
            slots = np.vstack([above, np.full((2, N_SAMPLES), np.nan)])
            exclude_all(limit, target, slots, last, kept)
            expected = excluded(kept.place[0], kept.worth[0], above, last, limit, target)
            assert kept.excluded[: len(last)].tolist() == expected
            for at, worth in drawn:
                exclude_like(np.array(at), worth, limit, slots, last, kept)
                now = excluded([at], [worth], above, last, limit, -np.inf)
                expected = [one or other for one, other in zip(expected, now, strict=True)]
            assert kept.excluded[: len(last)].tolist() == expected


def excluded(places, worths, above, last, limit, target):
    """Say by plain sums which splits an attack excludes."""
    return [
        any(
            worth >= target and worth > -np.inf and spent(at, np.vstack([above, costs])) <= limit
            for at, worth in zip(places, worths, strict=True)
        )
        for costs in last
    ]
