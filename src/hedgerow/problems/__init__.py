"""The built-in problems, and the base classes for problems of your own."""

__all__ = [
    "Assignment",
    "ExplicitSet",
    "Knapsack",
    "LinearModel",
    "LinearProblem",
    "LoadShifting",
    "MixedIntegerProblem",
    "Oracle",
    "Problem",
    "Scheduling",
    "Selection",
    "ShortestPath",
    "problem_from_dict",
    "read_problem",
]

from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems.assignment import Assignment
from hedgerow.problems.base import LinearProblem, Problem
from hedgerow.problems.explicit import ExplicitSet
from hedgerow.problems.knapsack import Knapsack
from hedgerow.problems.load_shifting import LoadShifting
from hedgerow.problems.mixed_integer import MixedIntegerProblem
from hedgerow.problems.oracle import Oracle
from hedgerow.problems.problem_file import problem_from_dict, read_problem
from hedgerow.problems.scheduling import Scheduling
from hedgerow.problems.selection import Selection
from hedgerow.problems.shortest_path import ShortestPath
