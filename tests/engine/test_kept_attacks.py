"""Kept attacks exclude what they can be afforded in, and nothing else."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.structures.kept_attacks import (
    exclude_all,
    exclude_like,
    keep,
    kept_bound,
    new_attacks,
    new_last_node,
)

N_SAMPLES, N_SLOTS, N_SPLITS = 4, 4, 5


def attacks(number):
    slot = st.integers(0, N_SLOTS - 1)
    one = st.tuples(st.lists(slot, min_size=N_SAMPLES, max_size=N_SAMPLES), st.sampled_from([5.0, 7.0, 9.0]))
    return st.lists(one, max_size=number)


def spent(at, move_cost):
    return sum(move_cost[slot, row] for row, slot in enumerate(at))


@settings(max_examples=100)
@given(attacks(40), st.integers(0, 99), st.sampled_from([0.0, 2.0, 4.0]), st.sampled_from([6.0, 7.0, 8.0, 10.0]))
def test_a_kept_attack_bounds_where_it_is_affordable_and_reaches_the_target(drawn, seed, limit, target):
    """More attacks are given than there is room for, so that some are forgotten."""
    kept = new_attacks(2, N_SAMPLES)
    for at, worth in drawn:
        keep(1, np.array(at), worth, kept)
    move_cost = np.random.default_rng(seed).integers(0, 3, (N_SLOTS, N_SAMPLES)).astype(float)
    nodes = np.arange(N_SLOTS)
    assert kept_bound(0, nodes, move_cost, limit, target, kept) == -np.inf
    may_be = [worth for at, worth in drawn if worth >= target and spent(at, move_cost) <= limit]
    found = kept_bound(1, nodes, move_cost, limit, target, kept)
    assert found in may_be or found == -np.inf
    assert (found > -np.inf) == bool(may_be) or len(drawn) > 16


@settings(max_examples=100)
@given(attacks(6), st.integers(0, 99), st.sampled_from([0.0, 2.0, 4.0]), st.sampled_from([6.0, 7.0, 8.0]))
def test_splits_of_the_last_node_are_excluded_by_what_each_of_them_costs_the_attack(drawn, seed, limit, target):
    """Attacks kept one by one, and all of them once more below other splits and for another list."""
    rng = np.random.default_rng(seed)
    kept, last = new_attacks(1, N_SAMPLES), new_last_node(N_SPLITS, N_SAMPLES)
    for _ in range(3):
        last.sizes[0] = rng.integers(1, N_SPLITS + 1)
        last.known[:] = False
        last.move_cost[:] = rng.integers(0, 3, last.move_cost.shape)
        for _ in range(2):
            above = rng.integers(0, 3, (N_SLOTS - 2, N_SAMPLES)).astype(float)
            slots = np.vstack([above, np.full((2, N_SAMPLES), np.nan)])
            exclude_all(0, limit, target, slots, kept, last)
            at_once = last.excluded.copy()
            expected = excluded(kept.place[0], kept.worth[0], above, last, limit, target)
            assert at_once.tolist() == expected
            for at, worth in drawn:
                exclude_like(0, np.array(at), worth, limit, slots, kept, last)
                expected = [
                    before or now
                    for before, now in zip(expected, excluded([at], [worth], above, last, limit, -np.inf), strict=True)
                ]
            assert last.excluded.tolist() == expected


def excluded(places, worths, above, last, limit, target):
    """Say by plain sums which splits an attack excludes."""
    result = [False] * len(last.excluded)
    for split in range(last.sizes[0]):
        slots = np.vstack([above, last.move_cost[split]])
        result[split] = any(
            worth >= target and worth > -np.inf and spent(at, slots) <= limit
            for at, worth in zip(places, worths, strict=True)
        )
    return result
