"""The built-in problems, and the base class for linear problems of your own."""

__all__ = [
    "Assignment",
    "ExplicitSet",
    "FacilityLocation",
    "Knapsack",
    "LinearProblem",
    "LoadShifting",
    "MixedIntegerProblem",
    "Oracle",
    "PlanSets",
    "Scheduling",
    "Selection",
    "ShortestPath",
    "SpanningTree",
    "TravellingSalesman",
    "problem_from_dict",
    "read_problem",
    "sets_by_item",
]

from hedgerow.problems.assignment import Assignment
from hedgerow.problems.explicit import ExplicitSet
from hedgerow.problems.facility_location import FacilityLocation
from hedgerow.problems.knapsack import Knapsack
from hedgerow.problems.linear import LinearProblem
from hedgerow.problems.load_shifting import LoadShifting
from hedgerow.problems.mixed_integer import MixedIntegerProblem
from hedgerow.problems.oracle import Oracle
from hedgerow.problems.plan_sets import PlanSets, sets_by_item
from hedgerow.problems.problem_file import problem_from_dict, read_problem
from hedgerow.problems.scheduling import Scheduling
from hedgerow.problems.selection import Selection
from hedgerow.problems.shortest_path import ShortestPath
from hedgerow.problems.spanning_tree import SpanningTree
from hedgerow.problems.travelling_salesman import TravellingSalesman
