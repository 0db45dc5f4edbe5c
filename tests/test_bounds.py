"""Bounds that scale: never above what they bound, and close to it."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Instance
from hedgerow.engine.bounds import clairvoyant_losses, k_solutions_bound, spread_out
from hedgerow.problems import Selection
from hedgerow.run import Deadline
from tests.engine.structures.brute_force import tables


def best_of(loss, count):
    """Return what the best `count` columns cost, by trying all."""
    columns = range(loss.shape[1])
    picks = combinations(columns, min(count, loss.shape[1]))
    return min(loss[:, list(picked)].min(axis=1).sum() for picked in picks)


@settings(max_examples=150)
@given(tables(n_samples=st.integers(1, 6), n_solutions=st.integers(1, 6)), st.integers(1, 4))
def test_solutions_without_a_tree_cost_at_least_the_bound(loss, count):
    bound, truth = k_solutions_bound(loss, count), best_of(loss, count)
    assert bound <= truth + 1e-9
    assert bound >= loss.min(axis=1).sum() - 1e-9
    assert loss[:, spread_out(loss, count)].min(axis=1).sum() >= truth - 1e-9


@pytest.mark.parametrize("sense", ["min", "max"])
def test_samples_are_bounded_by_their_optima_as_far_as_time_allows(sense):
    """Weights and sign included."""
    costs = np.array([[1.0, 3.0, -2.0], [4.0, 2.0, 0.5]])
    instance = Instance.create(Selection(3, 2, sense=sense), costs, weights=[1.0, 3.0])
    best = instance.losses(instance.problem.all_solutions(10)).min(axis=1)
    assert clairvoyant_losses(instance) == pytest.approx(best)
    assert (clairvoyant_losses(instance, Deadline(0.0)) == -np.inf).all()
