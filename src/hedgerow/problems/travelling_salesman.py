"""The round tour through all cities: by a dynamic programme for few of them, by a MIP with cuts for more."""

__all__ = ["TravellingSalesman"]

import math
import time
from collections.abc import Iterable, Mapping
from itertools import combinations, permutations
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.errors import InfeasibleProblemError
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._graph import adjacency
from hedgerow.problems._graph_names import distinct_names
from hedgerow.problems._mip_oracle import Cheapest, SolvedByMip, cheapest_point, model_of
from hedgerow.problems._named import AllOrNothing, Units, named_or_numbered

_MAX_CITIES: Final = 500

_MAX_TABULATED: Final = 12
"""Most cities for which the dynamic programme's table is filled."""

_BLOCK: Final = 2_000_000
"""Entries of the largest level of the table that are held at a time."""


class TravellingSalesman(AllOrNothing, SolvedByMip):
    """Visit all cities once and return to the first.

    Examples are the rounds of couriers and technicians, a drill over a circuit board, a picker in a warehouse. The
    items are the connections of any two cities, in the order 1-2, 1-3, …, 2-3, …; a connection costs the same both
    ways. It is an example of a hard oracle: for up to twelve cities a dynamic programme is instant, for more a MIP
    takes seconds or minutes.

    Parameters
    ----------
    cities
        Names of the cities, three at least, or how many there are (they are then called 1, 2, …).
    unit, reading_unit, sense
        As in `LinearProblem`.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import TravellingSalesman
    >>> problem = TravellingSalesman(["Ayr", "Bute", "Cove", "Deal"], unit="km")
    >>> problem.item_names
    ('Ayr-Bute', 'Ayr-Cove', 'Ayr-Deal', 'Bute-Cove', 'Bute-Deal', 'Cove-Deal')
    >>> best = problem.best_solution(np.array([[5.0, 2.0, 9.0, 9.0, 2.0, 3.0]]))
    >>> problem.describe(best.solution), best.value
    ('Ayr → Bute → Deal → Cove → Ayr', 12.0)
    """

    _thing = "a connection"

    def __init__(self, cities: int | Iterable[Any], *, sense: Sense = "min", **units: Unpack[Units]) -> None:
        self.cities: Final = named_or_numbered(cities, "cities", "", _MAX_CITIES)
        n = len(self.cities)
        if n < 3:
            raise InfeasibleProblemError(f"there is no round tour through fewer than 3 cities; got {n}.")
        self._tails, self._heads = (ends.astype(np.int64) for ends in np.triu_indices(n, 1))
        super().__init__(distinct_names(combinations(self.cities, 2)), **units, sense=sense)

    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        if self.has_quick_oracle:
            return self._rows(_cheapest_tours(self._distances(cost_vectors)))
        return super()._minimise(cost_vectors)

    @property
    def has_quick_oracle(self) -> bool:
        """Whether no MIP solver is needed."""
        return len(self.cities) <= _MAX_TABULATED

    def _cheapest(self, cost_vectors: Iterable[FloatArray], time_limit: float | None = None) -> list[Cheapest]:
        ends = self._tails, self._heads, len(self.cities)
        return [_tour_by_cuts(costs, *ends, self._start(costs), time_limit) for costs in cost_vectors]

    def _start(self, costs: FloatArray) -> FloatArray:
        """Return a tour that always goes on to the nearest city that is left."""
        distances = self._distances(costs[np.newaxis])[0]
        tour, left = [0], set(range(1, len(self.cities)))
        while left:
            tour.append(min(left, key=lambda city: (distances[tour[-1], city], city)))
            left.remove(tour[-1])
        start: FloatArray = self._rows(np.array([tour]))[0]
        return start

    def _distances(self, cost_vectors: FloatArray) -> FloatArray:
        n = len(self.cities)
        distances = np.zeros((len(cost_vectors), n, n))
        distances[:, self._tails, self._heads] = distances[:, self._heads, self._tails] = cost_vectors
        return distances

    def _rows(self, tours: IntArray) -> FloatArray:
        """Return tours, given by their cities in order of travel, as 0/1 vectors of edges."""
        n = len(self.cities)
        edge = np.zeros((n, n), dtype=np.int64)
        edge[self._tails, self._heads] = edge[self._heads, self._tails] = np.arange(self.n_items)
        solutions = np.zeros((len(tours), self.n_items))
        np.put_along_axis(solutions, edge[tours, np.roll(tours, -1, axis=1)], 1.0, axis=1)
        return solutions

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, the costs of the cheapest and the most expensive tour; for many cities, bounds.

        These add up the two cheapest, or most expensive, edges of each city; every edge belongs to two.
        """
        if self.has_quick_oracle:
            return super().cost_bounds(samples)
        distances = self._distances(samples)
        own = np.eye(len(self.cities), dtype=np.bool_)
        two_cheapest = np.sort(np.where(own, np.inf, distances), axis=2)[:, :, :2]
        two_dearest = np.sort(np.where(own, -np.inf, distances), axis=2)[:, :, -2:]
        return two_cheapest.sum(axis=(1, 2)) / 2.0, two_dearest.sum(axis=(1, 2)) / 2.0

    def _fault(self, chosen: FloatArray) -> str | None:
        used = np.flatnonzero(chosen)
        visits = np.bincount(np.concatenate([self._tails[used], self._heads[used]]), minlength=len(self.cities))
        if (visits != 2).any():
            city = int(np.argmax(visits != 2))
            return f"{visits[city]} connections meet at '{self.cities[city]}'; it must be two"
        tour = self._tour(chosen)
        if len(tour) < len(self.cities):
            return f"the tour from '{self.cities[0]}' is back after {len(tour)} of {len(self.cities)} cities"
        return None

    def _tour(self, chosen: FloatArray) -> list[int]:
        """Return the cities in order from the first one, on to the neighbour that is named first, until it is back."""
        neighbours: list[list[int]] = [[] for _ in self.cities]
        for edge in np.flatnonzero(chosen):
            tail, head = int(self._tails[edge]), int(self._heads[edge])
            neighbours[tail].append(head)
            neighbours[head].append(tail)
        tour, city = [0], min(neighbours[0])
        while city != 0:
            first, second = neighbours[city]
            tour.append(city)
            city = second if first == tour[-2] else first
        return tour

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries per connection, and as auxiliary columns both its directions and the cities' places.

        A direction in use leads to a later place unless it leads back to the first city (Miller, Tucker and Zemlin,
        doi:10.1145/321043.321046). The second city comes before the third, which leaves one of a tour's two ways round.
        """
        n, m = len(self.cities), self.n_items
        tails = np.concatenate([self._tails, self._heads])
        heads = np.concatenate([self._heads, self._tails])
        arcs = np.arange(2 * m)
        leaves = sp.csr_array((np.ones(2 * m), (tails, arcs)), shape=(n, 2 * m))
        enters = sp.csr_array((np.ones(2 * m), (heads, arcs)), shape=(n, 2 * m))
        inner = np.flatnonzero((tails > 0) & (heads > 0))
        # place_tail − place_head + (n − 1) y ≤ n − 2, for places 0 … n − 2 of the cities but the first
        uses = sp.csr_array((np.full(inner.size, n - 1.0), (np.arange(inner.size), inner)), shape=(inner.size, 2 * m))
        places = (leaves - enters)[1:, inner].T
        one_way = sp.csr_array(([1.0, -1.0], ([0, 0], [0, 1])), shape=(1, n - 1))
        both_ways = sp.hstack([-sp.eye_array(m), -sp.eye_array(m)])
        return FeasibleSet.of(
            ([sp.eye_array(m), both_ways, None], 0.0, 0.0),
            ([None, leaves, None], 1.0, 1.0),
            ([None, enters, None], 1.0, 1.0),
            ([None, uses, places], -np.inf, n - 2.0),
            ([None, None, one_way], -np.inf, -1.0),
            most=np.repeat([1.0, n - 2.0], [3 * m, n - 1]),
            n_whole=3 * m,
        )

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every round tour once (one per row) if there are at most `limit`, else None."""
        n = len(self.cities)
        if math.factorial(n - 1) // 2 > limit:
            return None
        orders = [order for order in permutations(range(1, n)) if order[0] < order[-1]]
        return self._rows(np.array([(0, *order) for order in orders]))

    def _in_words(self, chosen: FloatArray) -> str:
        return " → ".join(self.cities[city] for city in [*self._tour(chosen), 0])

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        return self._described("travelling_salesman", cities=list(self.cities))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        options = reading.options(data, "cities")
        cities = reading.texts(data, "cities")
        reading.at_most(len(cities), "cities", _MAX_CITIES)
        return cls(cities, **options)

    def __repr__(self) -> str:
        return f"TravellingSalesman({len(self.cities)} cities{self._options_in_words()})"


def _cheapest_tours(distances: FloatArray) -> IntArray:
    """Return the cheapest round tour for each matrix of distances, cities in order of travel from city 0.

    `distances[row]` is a symmetric matrix over at most `_MAX_TABULATED` cities. This is the dynamic programme of Held
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


def _tour_by_cuts(
    costs: FloatArray, tails: IntArray, heads: IntArray, n_cities: int, start: FloatArray, time_limit: float | None
) -> Cheapest:
    """Return the cheapest tour as edges, by a MIP in which subtours are forbidden as they turn up."""
    end = None if time_limit is None else time.monotonic() + time_limit
    # Every city has two edges; what else a tour needs is added as it is missed.
    m = len(tails)
    ends = np.concatenate([tails, heads]), np.tile(np.arange(m), 2)
    model = model_of(FeasibleSet.of(([sp.csr_array((np.ones(2 * m), ends), shape=(n_cities, m))], 2.0, 2.0)))
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


def _parts(point: FloatArray, tails: IntArray, heads: IntArray, n_cities: int) -> IntArray:
    """Return per city the number of the round that it is on; all 0 for a tour."""
    used = np.flatnonzero(point > 0.5)
    graph = adjacency(tails[used], heads[used], n_cities)
    return np.asarray(csgraph.connected_components(graph, directed=False)[1], dtype=np.int64)
