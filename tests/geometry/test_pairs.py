"""The lists of pairs: corners against linear programmes where lists are many."""

import numpy as np
import pytest

from hedgerow.geometry.kernels import geometry_of, pair_cost
from hedgerow.geometry.pairs import NOT_LINKED, list_pairs
from tests.geometry.test_kernels import Asked, lp_cost


def lists(questions, prices):
    scaled = np.zeros((len(questions), len(prices)))
    for row, question in zip(scaled, questions, strict=True):
        row[list(question.items)] = question.coefficients
    return list_pairs(scaled / prices)


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


@pytest.mark.parametrize("kind", ["whole", "any"])
def test_many_pairs_cost_what_linear_programmes_say(kind):
    rng, n_items = np.random.default_rng(len(kind)), 5
    prices = rng.choice([0.5, 1.0, 2.0], n_items)
    matrix = rng.integers(-2, 3, (16, n_items)) * (rng.uniform(0.5, 2.0, (16, n_items)) if kind == "any" else 1.0)
    matrix[~matrix.any(axis=1), 0] = 1.0
    questions = [Asked(tuple(np.flatnonzero(row).tolist()), tuple(row[row != 0.0].tolist())) for row in matrix]
    geometry = geometry_of(questions, n_items, prices=prices)
    pair, first_corner, corners, rays = lists(questions, prices)
    assert rays.shape == (first_corner.size - 1, 2)
    assert len(rays) > 64
    assert len(corners) == first_corner[-1] > 128
    for first, second in np.ndindex(pair.shape):
        together = first != second and bool((matrix[first] * matrix[second]).any())
        assert (pair[first, second] != NOT_LINKED) == together
    for _ in range(50):
        first, second = rng.choice(16, 2, replace=False)
        least = rng.choice([-np.inf, -2.0, 1.0, 3.0], 2)
        most = np.maximum(least, -3.0) + rng.choice([0.5, 4.0, np.inf], 2)
        expected = lp_cost(matrix[[first, second]], prices, np.full(n_items, np.inf), least, most)
        cost = pair_cost(first, least[0], most[0], second, least[1], most[1], geometry)
        assert cost == pytest.approx(expected, abs=1e-9)
