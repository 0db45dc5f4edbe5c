"""Worst cases by the relaxed knapsack, against the same as a linear programme."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from hedgerow.methods.search.value import priced_total, relaxed, tree_value


def by_programme(move_cost, slot_loss, limit):
    """Return the largest loss over all ways to divide each sample among the slots that it can afford alone."""
    n_slots, n_samples = move_cost.shape
    allowed = move_cost <= limit
    columns = [(slot, row) for slot in range(n_slots) for row in range(n_samples) if allowed[slot, row]]
    gains = [-slot_loss[column] for column in columns]
    whole = [[float(row == column[1]) for column in columns] for row in range(n_samples)]
    paid = [[move_cost[column] for column in columns]]
    return -linprog(gains, A_ub=paid, b_ub=[limit], A_eq=whole, b_eq=np.ones(n_samples), method="highs").fun


@settings(max_examples=120)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 7), st.sampled_from([0.25, 1.0, 3.0, 40.0]))
def test_therelaxed_worst_case_is_that_of_the_linear_programme(seed, n_slots, n_samples, limit):
    rng = np.random.default_rng(seed)
    move_cost = rng.choice([0.0, 0.5, 1.0, 2.0, 3.5, 60.0], (n_slots, n_samples)) * rng.choice([1.0, 0.01])
    move_cost[rng.integers(n_slots, size=n_samples), np.arange(n_samples)] = 0.0
    slot_loss = rng.integers(-5, 60, (n_slots, n_samples)) * rng.choice([1.0, 0.01])
    expected = by_programme(move_cost, slot_loss, limit)
    value, rate = relaxed(move_cost, slot_loss, limit)
    assert value == pytest.approx(expected, rel=1e-7, abs=1e-7)
    # The rate belongs to it: no bound at another rate is lower.
    assert rate >= 0.0
    assert priced_total(move_cost, slot_loss, limit, rate)[0] + rate * limit == pytest.approx(value, abs=1e-7)
    assert tree_value(move_cost, slot_loss, limit, np.inf)[0] <= value + 1e-7
