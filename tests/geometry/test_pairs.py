"""Pairs of parallel questions, whose lists have a ray in place of corners."""

import numpy as np
import pytest

from hedgerow.geometry.kernels import geometry_of, pair_cost
from tests.geometry.test_kernels import Asked


def test_parallel_questions_move_together_by_their_factors():
    """All ask for a multiple of one sum, whose cheapest item does; factors of either sign, in any order."""
    factors = np.array([1.0, 2.0, -1.0, 3.0, -0.5, 5.0, 1.0])
    prices = np.array([2.0, 0.5])
    geometry = geometry_of([Asked((0, 1), (factor, 0.5 * factor)) for factor in factors], 2, prices=prices)
    rng, found = np.random.default_rng(0), []
    for first, second in np.ndindex(7, 7):
        if first == second:
            continue
        least, most = -rng.choice([0.0, 1.0, 3.0, np.inf], 2), rng.choice([0.0, 1.0, 3.0, np.inf], 2)
        raised = rng.choice([0.0, 2.0], 2)
        least, most = least + raised, most + raised
        ends = np.sort([least / factors[[first, second]], most / factors[[first, second]]], axis=0)
        low, high = ends[0].max(), ends[1].min()
        expected = np.inf if low > high else 1.0 * max(0.0, low, -high)  # a unit of the sum costs 0.5 / 0.5
        cost = pair_cost(first, least[0], most[0], second, least[1], most[1], geometry)
        assert cost == pytest.approx(expected)
        found.append(expected)
    assert len({*found}) > 4
