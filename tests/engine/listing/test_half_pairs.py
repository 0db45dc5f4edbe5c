"""Halves and their slots, against the plainest way to tell what they cost and who comes there."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.listing.half_pairs import half_values
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
