"""Halves and their slots, against the plainest way to tell what they cost and who comes there."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Instance
from hedgerow.engine.listing.half_pairs import _nominal_slot, half_values
from hedgerow.engine.structures.reach import reading_of
from hedgerow.problems import ExplicitSet
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import nominal_slots
from tests.engine.structures.brute_force import leaf_problem, tables


@settings(max_examples=100)
@given(tables(), st.data())
def test_a_half_costs_what_its_leaf_problem_costs_with_all_samples_and_with_those_that_go_nowhere_else(loss, data):
    """The samples that count are those that can afford a slot; the others are nowhere."""
    regret = np.ascontiguousarray(loss - loss.min(axis=1, keepdims=True))
    n_samples = len(loss)
    amounts = st.sampled_from([0.0, 1.0, 2.0, np.inf])
    cost = np.array([[[data.draw(amounts) for _ in range(n_samples)] for _ in range(2)] for _ in range(2)])
    limits = np.array([data.draw(st.sampled_from([0.0, 1.0, 1.5])) for _ in range(n_samples)])
    others = np.array([data.draw(st.booleans()) for _ in range(n_samples)])
    out = np.full((2, 2), np.nan)
    half_values(cost, limits, regret, others, out)
    for half in range(2):
        for part in range(2):
            counted = np.where((cost[half] <= limits) & ~(others & (part == 1)), 0.0, np.inf)
            rows = np.isfinite(counted).any(axis=0)
            expected = leaf_problem(regret[rows], counted[:, rows], 0.0) if rows.any() else 0.0
            assert out[half, part] == pytest.approx(expected)


def test_samples_come_to_the_slot_of_their_answers():
    """Readings lie on the thresholds as well, and nodes that ask nothing send everyone left."""
    rng = np.random.default_rng(0)
    observations = rng.integers(0, 4, (12, 2)) * 1.0
    instance = Instance.create(ExplicitSet(np.eye(2)), np.ones((12, 2)), observed=observations)
    for splits in (candidate_splits(observations), candidate_splits(observations, "grid")):
        reading = reading_of(instance, splits)
        on_values = reading._replace(threshold=np.floor(reading.threshold))
        for structure in rng.integers(-1, len(splits), (60, 3)):
            expected = nominal_slots(structure, splits, observations)
            assert [_nominal_slot(row, structure, reading) for row in range(12)] == expected.tolist()
            for row in range(12):
                node = 0
                for _ in range(2):
                    split = structure[node]
                    is_right = split >= 0 and observations[row, splits.question[split]] > on_values.threshold[split]
                    node = 2 * node + (2 if is_right else 1)
                assert _nominal_slot(row, structure, on_values) == node - 3
