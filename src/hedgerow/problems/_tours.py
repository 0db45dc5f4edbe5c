"""The cheapest round tour: by a dynamic programme for few cities, by a MIP with cuts for more."""

import time
from itertools import combinations
from typing import Final

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.mip import MipModel
from hedgerow.problem import FeasibleSet
from hedgerow.problems._mip_oracle import Cheapest, cheapest_point, model_of

MAX_TABULATED: Final = 12
"""Most cities for which the dynamic programme's table is filled."""

_BLOCK: Final = 2_000_000
"""Entries of the largest level of the table that are held at a time."""


def cheapest_tours(distances: FloatArray) -> IntArray:
    """Return the cheapest round tour for each matrix of distances, cities in order of travel from city 0.

    `distances[row]` is a symmetric matrix over at most `MAX_TABULATED` cities. This is the dynamic programme of Held
    and Karp (doi:10.1137/0110015): of all ways from city 0 through a set of cities to one of them only the cheapest
    counts. Sets are treated size by size, all of one size at once.
    """
    n_rows, n = distances.shape[:2]
    rows_at_once = max(1, _BLOCK // (2 ** (n - 1) * n))
    starts = range(0, n_rows, rows_at_once)
    tours = [_by_table(distances[start : start + rows_at_once]) for start in starts]
    return np.concatenate(tours) if tours else np.empty((0, n), dtype=np.int64)


def _by_table(distances: FloatArray) -> IntArray:
    n_rows, n = distances.shape[:2]
    others = n - 1  # cities 1 to n − 1 are the bits 0 to n − 2
    between = distances[:, 1:, 1:]
    least = np.full((n_rows, 1 << others, others), np.inf)
    for city in range(others):
        least[:, 1 << city, city] = distances[:, 0, city + 1]
    for size in range(2, n):
        members = np.array(list(combinations(range(others), size)))
        sets = (1 << members).sum(axis=1)
        for place in range(size):
            last = members[:, place]
            through = least[:, sets ^ (1 << last)] + between[:, :, last].transpose(0, 2, 1)
            least[:, sets, last] = through.min(axis=2)
    rows, tours = np.arange(n_rows), np.zeros((n_rows, n), dtype=np.int64)
    remaining = np.full(n_rows, (1 << others) - 1)
    last = np.argmin(least[:, -1] + distances[:, 1:, 0], axis=1)
    for place in range(n - 1, 0, -1):
        tours[:, place] = last + 1
        remaining ^= 1 << last
        last = np.argmin(least[rows, remaining] + between[rows, :, last], axis=1)
    return tours


def tour_by_cuts(
    costs: FloatArray, tails: IntArray, heads: IntArray, n_cities: int, start: FloatArray, time_limit: float | None
) -> Cheapest:
    """Return the cheapest tour as edges, by a MIP in which subtours are forbidden as they turn up."""
    end = None if time_limit is None else time.monotonic() + time_limit
    model = _two_edges_each(tails, heads, n_cities)
    while True:
        found = cheapest_point(model, costs, start, None if end is None else end - time.monotonic())
        parts = _parts(found.point, tails, heads, n_cities)
        if parts.max() == 0:
            return found
        if end is not None and time.monotonic() >= end:
            # The subtours' cost is a bound that the tour itself may not attain.
            return Cheapest(start, min(found.bound, float(costs @ found.point)))
        for part in range(int(parts.max()) + 1):
            inside = np.flatnonzero((parts[tails] == part) & (parts[heads] == part))
            model.add_row(inside, np.ones(inside.size), -np.inf, np.count_nonzero(parts == part) - 1.0)


def _two_edges_each(tails: IntArray, heads: IntArray, n_cities: int) -> MipModel:
    """Return the model in which every city has two edges; what else a tour needs is added as it is missed."""
    m = len(tails)
    edges = np.tile(np.arange(m), 2)
    matrix = sp.csr_array((np.ones(2 * m), (np.concatenate([tails, heads]), edges)), shape=(n_cities, m))
    return model_of(FeasibleSet.of(([matrix], 2.0, 2.0)))


def _parts(point: FloatArray, tails: IntArray, heads: IntArray, n_cities: int) -> IntArray:
    """Return per city the number of the round that it is on; all 0 for a tour."""
    used = np.flatnonzero(point > 0.5)
    graph = sp.csr_array((np.ones(used.size), (tails[used], heads[used])), shape=(n_cities, n_cities))
    return np.asarray(csgraph.connected_components(graph, directed=False)[1], dtype=np.int64)
