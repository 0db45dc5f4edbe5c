"""Memory: a search on a long history needs a few times what the history takes."""

import tracemalloc

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.problems import ShortestPath

MOST = 13.0
"""Times the data. All thresholds with their questions and neighbours take four, and the knapsack's arrays three."""


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
def test_a_long_history_takes_a_few_times_its_size(kind):
    costs = np.random.default_rng(0).uniform(10.0, 30.0, (30_000, 12))
    costs.flags.writeable = False

    def search(n_rows):
        instance = Instance.create(
            ShortestPath.grid(3), costs[:n_rows].copy(), uncertainty=kind(fraction=0.05), depth=2
        )
        solve(instance, method="greedy", iteration_limit=1, random_state=0)

    search(300)  # what is loaded once does not count
    tracemalloc.start()
    try:
        search(len(costs))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST * costs.nbytes
