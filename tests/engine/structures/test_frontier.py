"""Bounds over open nodes without tables of subsets, against sums told a second time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.structures.frontier import frontier_bound, prices_of
from tests.engine.tables.brute_force import moves, tables


@settings(max_examples=150)
@given(tables(), st.integers(1, 4), st.data())
def test_samples_that_stay_bound_what_open_nodes_cost(loss, n_nodes, data):
    """A leaf serves its samples with one solution, an open node each with its best; the first of equals is taken."""
    move_cost = data.draw(moves(n_nodes + 1, len(loss), local=False))
    nodes = np.array(data.draw(st.permutations(range(n_nodes + 1)))[:n_nodes])
    levels = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n_nodes, max_size=n_nodes)))
    own = move_cost[nodes].argmin(axis=0)
    expected = 0.0
    for place in range(n_nodes):
        here = loss[own == place]
        expected += here.sum(axis=0).min() if levels[place] == 0 else here.min(axis=1, initial=np.inf).sum()
    at = np.empty(len(loss), dtype=np.int64)
    found = frontier_bound(nodes, levels, n_nodes, move_cost, prices_of(loss=loss), 1.0, np.inf, at)
    assert found == pytest.approx(expected)


def test_without_a_list_of_solutions_nodes_cost_nothing_that_is_known():
    prices = prices_of(loss=np.empty((2, 1)))._replace(loss=np.empty((2, 0)), alone=np.array([3.0, 4.0]))
    at, zeros = np.empty(2, dtype=np.int64), np.zeros(1, dtype=np.int64)
    assert frontier_bound(zeros, zeros, 1, np.zeros((1, 2)), prices, 0.0, np.inf, at) == 7.0
