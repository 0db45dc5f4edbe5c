"""The round tour through all cities: a courier, a drill over a circuit board, a picker in a warehouse."""

import math
from itertools import combinations, pairwise, permutations

import numpy as np
import scipy.sparse as sp

from hedgerow.errors import InfeasibleProblemError
from hedgerow.problem import FeasibleSet, RowBlock
from hedgerow.problems import LinearProblem


class TravellingSalesman(LinearProblem):
    """Visit all cities once and return to the first; the items are the connections of any two cities."""

    kind = "travelling_salesman"

    def __init__(self, cities, *, sense="min", **units):
        self.cities = tuple(map(str, range(1, cities + 1) if isinstance(cities, int) else cities))
        if len(self.cities) < 3:
            raise InfeasibleProblemError(f"there is no round tour through fewer than 3 cities; got {len(self.cities)}.")
        self._ends = list(combinations(range(len(self.cities)), 2))
        super().__init__([f"{self.cities[a]}-{self.cities[b]}" for a, b in self._ends], sense=sense, **units)

    def feasible_set(self):
        """Return X: connections, their two directions, and the cities' places on the tour.

        A direction in use leads to a later place unless it leads back to the first city (Miller, Tucker and Zemlin,
        doi:10.1145/321043.321046). The second city comes before the third, which leaves one of a tour's two ways round.
        """
        n, m = len(self.cities), self.n_items
        directions = [*self._ends, *((head, tail) for tail, head in self._ends)]
        leaves, enters = np.zeros((n, 2 * m)), np.zeros((n, 2 * m))
        for number, (tail, head) in enumerate(directions):
            leaves[tail, number] = enters[head, number] = 1.0
        later = [number for number, ends in enumerate(directions) if 0 not in ends]
        places = (leaves - enters)[1:, later].T
        one_way = np.append([1.0, -1.0], np.zeros(n - 3))[np.newaxis]
        both = sp.hstack([sp.eye_array(m), sp.eye_array(m)])
        cities, touches = [f"'{city}'" for city in self.cities], leaves[:, :m] + enters[:, :m]
        return FeasibleSet.of(
            RowBlock([f"the number of connections at {city}" for city in cities], [touches, None, None], 2, 2),
            RowBlock("a connection less its directions", [sp.eye_array(m), -both, None], 0.0, 0.0),
            RowBlock([f"the number of ways out of {city}" for city in cities], [None, leaves, None], 1.0, 1.0),
            RowBlock([f"the number of ways into {city}" for city in cities], [None, enters, None], 1.0, 1.0),
            RowBlock("the order on a tour", [None, (n - 1) * np.eye(2 * m)[later], places], -np.inf, n - 2),
            RowBlock("the order of the second and the third city", [None, None, one_way], -np.inf, -1.0),
            most=np.repeat([1.0, n - 2.0], [3 * m, n - 1]),
            n_whole=3 * m,
        )

    def all_solutions(self, limit):
        n = len(self.cities)
        if math.factorial(n - 1) // 2 > limit:
            return None
        tours = [(0, *order, 0) for order in permutations(range(1, n)) if order[0] < order[-1]]
        used = [{tuple(sorted(ends)) for ends in pairwise(tour)} for tour in tours]
        return np.array([[float(ends in tour) for ends in self._ends] for tour in used])

    def describe(self, solution):
        if self.infeasibility(solution) is not None:
            return super().describe(solution)
        left = [self._ends[connection] for connection in np.flatnonzero(np.rint(solution))]
        tour = [0]
        while left:
            ends = next(ends for ends in left if tour[-1] in ends)
            left.remove(ends)
            tour.append(sum(ends) - tour[-1])
        return " → ".join(self.cities[city] for city in tour)
