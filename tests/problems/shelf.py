"""Tiny problems of every kind, and costs for them."""

from itertools import combinations

import numpy as np
from examples.facility_location import FacilityLocation
from examples.set_cover import SetCover
from examples.spanning_tree import SpanningTree
from examples.travelling_salesman import TravellingSalesman

from hedgerow.problem import CostRows
from hedgerow.problems import (
    Assignment,
    ExplicitSet,
    Knapsack,
    LoadShifting,
    Oracle,
    Problem,
    Scheduling,
    Selection,
    ShortestPath,
)
from tests.problems.models import model_of

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

# Four units from a machine that must be set up, by hand, or bought; the set-up has a cost that is not uncertain.
WORKSHOP = model_of(
    [0, 0, 0, 5],
    ([[1, 1, 1, 0], [1, 0, 0, -3]], [4, -np.inf], [4, 0]),
    [0, 0, 0, 1],
    (0, [4, 3.5, 2.5, 1]),
    names=["machine", "by hand", "bought", "set-up"],
    items=["machine", "by hand", "bought"],
)
ROUNDABOUT = ShortestPath(list("s1221s"), list("121tt2"), "s", "t", unit="min")

# With those that some tests of the shelf don't fit: lists, which say otherwise what is wrong, and what has no list.
KINDS = {
    **SHELF,
    "facility location, capacities": CAPACITATED,
    "roundabout": ROUNDABOUT,
    "selection, gains": Selection(5, 3, sense="max", unit="EUR"),
    "explicit": ExplicitSet([[1, 0, 2], [0, 1, 0.5], [1, 1, -1.5]], solution_names=["a", "b", "c"]),
    "explicit, gains": ExplicitSet([[1, 0, 2], [0, 1, 0], [1, 1, 1]], sense="max"),
    "mixed integer": WORKSHOP,
    "oracle": Oracle(lambda costs: np.eye(3)[np.argmin(costs)], 3),
    "set cover": SetCover(["north", "mid", "south"], [["a", "b"], ["b", "c"], ["c", "d", "a"]], unit="EUR"),
}

# Paths and facilities know costs only; a wrapper stands in for those where gains are wanted.
WITHOUT_SENSE = ("facility location", "grid")


def samples_for(problem, n_samples, seed=0):
    """Costs of any sign, but for demands and on cycles: these are at least zero. Lattice values, so that ties occur."""
    values = np.random.default_rng(seed).integers(-8, 25, (n_samples, len(problem.item_names))) / 4.0
    return np.abs(values) if isinstance(problem, FacilityLocation) or problem is ROUNDABOUT else values


def turned(problem):
    """The same problem with the opposite sense."""
    description = {**problem.to_dict(), "sense": "min" if problem.sense == "max" else "max"}
    return type(problem).from_dict(description)


class Negated(Problem):
    """A problem that minimises, told as one that maximises: its gains are minus the costs of negated samples."""

    def __init__(self, problem):
        super().__init__(problem.item_names, sense="max")
        self._problem = problem

    @property
    def variable_names(self):
        return self._problem.variable_names

    def feasible_set(self):
        return self._problem.feasible_set()

    def cost_rows(self, sample):
        rows = self._problem.cost_rows(-sample)
        return CostRows(-rows.coefficients, -rows.constants)

    def all_solutions(self, limit):
        return self._problem.all_solutions(limit)
