"""Plans at the leaves of one structure, with wishes, against trying all of them."""

from itertools import product

import numpy as np
import pytest

from hedgerow.engine.listing.leaves import Rules, go_together, mark_slots, wished_leaves

N_SAMPLES, N_SLOTS, N_PLANS = 5, 4, 3
ASSIGNMENTS = np.array(list(product(range(N_SLOTS), repeat=N_SAMPLES)))


def drawn(seed, local):
    """Return losses, move costs, the limit, own slots, rules, and which slots exist."""
    rng = np.random.default_rng(seed)
    exists = np.array([True, True, True, seed % 3 > 0])
    nominal = rng.integers(0, exists.sum(), N_SAMPLES)
    move_cost = (
        rng.choice([0.0, np.inf], (N_SLOTS, N_SAMPLES)) if local else rng.uniform(0.0, 3.0, (N_SLOTS, N_SAMPLES))
    )
    move_cost[~exists] = np.inf
    move_cost[nominal, np.arange(N_SAMPLES)] = 0.0
    fixed = np.where(rng.random(N_SLOTS) < 0.2, rng.integers(0, N_PLANS, N_SLOTS), -1)
    rules = Rules(True, int(rng.choice([0, 1, 2, 3])), fixed)
    loss = rng.integers(0, 20, (N_SAMPLES, N_PLANS)).astype(float)
    return loss, move_cost, 0.0 if local else 2.0, nominal, rules, exists


def keeps(choice, rules, exists):
    slots = np.flatnonzero(exists)
    if any(rules.fixed[slot] not in (-1, choice[slot]) for slot in slots):
        return False
    return not rules.max_plans or len({int(choice[slot]) for slot in slots}) <= rules.max_plans


def value_of(choice, loss, move_cost, limit, local):
    paid = np.where(limit >= move_cost.T, loss[:, choice], -np.inf)
    if local:
        return paid.max(axis=1).sum()
    rows = np.arange(N_SAMPLES)
    affordable = move_cost.T[rows, ASSIGNMENTS].sum(axis=1) <= limit
    return paid[rows, ASSIGNMENTS[affordable]].sum(axis=1).max()


@pytest.mark.parametrize("local", [True, False])
def test_the_best_plans_that_keep_to_the_rules_are_found(local):
    kept_some = 0
    for seed in range(12):
        loss, move_cost, limit, nominal, rules, exists = drawn(seed, local)
        values = {}
        for plans in product(range(N_PLANS), repeat=int(exists.sum())):
            choice = np.array((*plans, 0)[:N_SLOTS])
            allowed = keeps(choice, rules, exists)
            assert go_together(choice, rules, exists) == allowed
            if allowed:
                values[plans] = value_of(choice, loss, move_cost, limit, local)
        given = loss, move_cost, limit, local, nominal, rules, exists
        least, choice = min(values.values(), default=np.inf), np.full(N_SLOTS, -1)
        assert wished_leaves(*given, np.inf, choice) == least
        if values:
            kept_some += 1
            assert values[tuple(choice[exists])] == least
            assert wished_leaves(*given, least, choice) == np.inf
            assert wished_leaves(*given, least + 0.5, choice) == least
    assert kept_some > 5


@pytest.mark.parametrize(
    ("splits", "expected"),
    [((0, 1, 2), [True] * 4), ((0, 1, -1), [True, True, True, False]), ((0, 1, 3), [True, True, False, True])],
)
def test_slots_exist_where_boxes_do(splits, expected):
    """Root: first question at 5; left: the first at 2; right: the second at 1, or nothing, or the first at 4."""
    exists = np.zeros(4, dtype=bool)
    mark_slots(np.array(splits), np.array([0, 0, 1, 0]), np.array([5.0, 2.0, 1.0, 4.0]), exists)
    assert exists.tolist() == expected
