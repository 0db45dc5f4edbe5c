"""Tiny problems of every kind on the shelf, and costs for them."""

from itertools import combinations

import numpy as np
from examples.facility_location import FacilityLocation
from examples.spanning_tree import SpanningTree
from examples.travelling_salesman import TravellingSalesman

from hedgerow.problems import (
    Assignment,
    Knapsack,
    LoadShifting,
    Scheduling,
    Selection,
    ShortestPath,
)

UNIT_COSTS = [[1.0, 4.0, 2.0], [2.5, 3.0, 1.0], [5.0, 1.0, 2.0], [3.0, 3.5, 0.5]]

SHELF = {
    "knapsack": Knapsack([3, 2, 0, 4], 6, item_names=["tent", "stove", "map", "boat"], unit="EUR"),
    "knapsack, any weights": Knapsack([0.1, 0.2, 0.35, 0.3], 0.3),
    "assignment": Assignment(3),
    "assignment, more tasks": Assignment(["Ann", "Bob"], ["shop", "bar", "port"], unit="min"),
    "assignment, more workers": Assignment(3, 2),
    "spanning tree": SpanningTree(*zip(*combinations("1234", 2), strict=True)),
    "spanning tree, parallel edges": SpanningTree(list("abcaab"), list("bcabac"), unit="km"),
    "scheduling": Scheduling(4, 2, unit="h"),
    "scheduling, three machines": Scheduling(["a", "b", "c", "d"], 3),
    "scheduling, one machine": Scheduling(3, 1),
    "load shifting": LoadShifting(7, 4, min_run=2, max_runs=2, unit="EUR/MWh"),
    "load shifting, any runs": LoadShifting(5, 2),
    "facility location": FacilityLocation(UNIT_COSTS, [2.0, 1.0, 3.0], unit="EUR"),
    "travelling salesman": TravellingSalesman(5),
    "travelling salesman, three cities": TravellingSalesman(["Ayr", "Bute", "Cove"]),
    "selection": Selection(4, 2),
    "grid": ShortestPath.grid(3),
}
CAPACITATED = FacilityLocation(UNIT_COSTS, [2.0, 1.0, 3.0], capacities=[2, 3, 1], sites=["north", "south", "west"])

# Paths and facilities know costs only; a wrapper stands in for those where gains are wanted.
WITHOUT_SENSE = ("facility location", "grid")


def samples_for(problem, n_samples, seed=0):
    """Costs of any sign, but demands: these are at least zero. Lattice values, so that ties occur."""
    values = np.random.default_rng(seed).integers(-8, 25, (n_samples, problem.n_items)) / 4.0
    return np.abs(values) if isinstance(problem, FacilityLocation) else values


def turned(problem):
    """The same problem with the opposite sense."""
    description = {**problem.to_dict(), "sense": "min" if problem.sense == "max" else "max"}
    return type(problem).from_dict(description)


class Negated:
    """A problem that minimises, told as one that maximises: its gains are minus the costs of negated samples."""

    sense = "max"

    def __init__(self, problem):
        self._problem = problem

    def __getattr__(self, name):
        return getattr(self._problem, name)

    def check_samples(self, samples):
        self._problem.check_samples(-samples)

    def costs(self, solutions, samples):
        return -self._problem.costs(solutions, -samples)

    def best_solution(self, samples, weights=None, *, time_limit=None):
        best = self._problem.best_solution(-samples, weights, time_limit=time_limit)
        return type(best)(best.solution, -best.value, -best.bound)

    def best_costs(self, samples):
        return -self._problem.best_costs(-samples)

    def cost_bounds(self, samples):
        low, high = self._problem.cost_bounds(-samples)
        return -high, -low

    def cost_rows(self, sample):
        rows = self._problem.cost_rows(-sample)
        return type(rows)(-rows.coefficients, -rows.constants)
