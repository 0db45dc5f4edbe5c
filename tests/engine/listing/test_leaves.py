"""Plans at the leaves of one structure, with wishes, against trying all of them."""

from itertools import pairwise, product

import numpy as np
import pytest

from hedgerow.engine.listing.leaves import Rules, go_together, slot_relations, wished_leaves

N_SAMPLES, N_SLOTS, N_PLANS = 5, 4, 3
ASSIGNMENTS = np.array(list(product(range(N_SLOTS), repeat=N_SAMPLES)))


def drawn(seed, local):
    """Return losses, move costs, the limit, own slots, rules, which slots exist, and which lies below which."""
    rng = np.random.default_rng(seed)
    exists = np.array([True, True, True, seed % 3 > 0])
    nominal = rng.integers(0, exists.sum(), N_SAMPLES)
    move_cost = (
        rng.choice([0.0, np.inf], (N_SLOTS, N_SAMPLES)) if local else rng.uniform(0.0, 3.0, (N_SLOTS, N_SAMPLES))
    )
    move_cost[~exists] = np.inf
    move_cost[nominal, np.arange(N_SAMPLES)] = 0.0
    fixed = np.where(rng.random(N_SLOTS) < 0.2, rng.integers(0, N_PLANS, N_SLOTS), -1)
    must = np.array([[], [1], [0, 2]][rng.integers(3)], dtype=np.int64)
    rank = np.array([[-1, 0, 1], [1, 0, 0]])[[seed // 2 % 2]]
    rules = Rules(True, int(rng.choice([0, 2, 3])), must, fixed, np.arange(seed % 2), rank)
    below = np.zeros((1, N_SLOTS, N_SLOTS), dtype=bool)
    below[0, 0, 1] = below[0, 2, 3] = True
    loss = rng.integers(0, 20, (N_SAMPLES, N_PLANS)).astype(float)
    return loss, move_cost, 0.0 if local else 2.0, nominal, rules, exists, below


def keeps(choice, nominal, rules, exists, below):
    slots = np.flatnonzero(exists)
    held = {int(choice[slot]) for slot in slots}
    advised = {int(choice[slot]) for slot in nominal}
    if any(rules.fixed[slot] not in (-1, choice[slot]) for slot in slots):
        return False
    if (rules.max_plans and len(held) > rules.max_plans) or not set(rules.must.tolist()) <= advised:
        return False
    for number in range(rules.questions.size):
        for one, other in product(slots, repeat=2):
            ranks = rules.rank[number, choice[one]], rules.rank[number, choice[other]]
            if below[number, one, other] and choice[one] != choice[other] and (min(ranks) < 0 or ranks[0] > ranks[1]):
                return False
    return True


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
        loss, move_cost, limit, nominal, rules, exists, below = drawn(seed, local)
        values = {}
        for plans in product(range(N_PLANS), repeat=int(exists.sum())):
            choice = np.array((*plans, 0)[:N_SLOTS])
            allowed = keeps(choice, nominal, rules, exists, below)
            assert go_together(choice, nominal, rules, exists, below) == allowed
            if allowed:
                values[plans] = value_of(choice, loss, move_cost, limit, local)
        given = loss, move_cost, limit, local, nominal, rules, exists, below
        least, choice = min(values.values(), default=np.inf), np.full(N_SLOTS, -1)
        assert wished_leaves(*given, np.inf, choice) == least
        if values:
            kept_some += 1
            assert values[tuple(choice[exists])] == least
            assert wished_leaves(*given, least, choice) == np.inf
            assert wished_leaves(*given, least + 0.5, choice) == least
    assert kept_some > 5


def test_slots_exist_where_boxes_do_and_lie_below_others_that_differ_in_one_question_only():
    """Root: first question at 5; left: the first at 2; right: the second at 1, or nothing, or the first at 4."""
    question, threshold = np.array([0, 0, 1, 0]), np.array([5.0, 2.0, 1.0, 4.0])
    rules = Rules(True, 0, np.empty(0, np.int64), np.full(4, -1), np.array([0, 1]), np.zeros((2, 1), np.int64))

    def relations(*splits):
        exists, below = np.zeros(4, dtype=bool), np.zeros((2, 4, 4), dtype=bool)
        slot_relations(np.array(splits), question, threshold, rules, exists, below)
        return exists.tolist(), [set(zip(*map(np.ndarray.tolist, np.nonzero(each)), strict=True)) for each in below]

    crossing = {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)}
    assert relations(0, 1, 2) == ([True] * 4, [crossing, {(2, 3)}])
    assert relations(0, 1, -1) == ([True, True, True, False], [{(0, 1), (0, 2), (1, 2)}, set()])
    assert relations(0, 1, 3) == ([True, True, False, True], [set(pairwise([0, 1, 3])) | {(0, 3)}, set()])
