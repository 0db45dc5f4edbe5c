"""The problems that come with Hedgerow, and the base class for one's own linear ones."""

__all__ = [
    "ExplicitSet",
    "LinearProblem",
    "MixedIntegerProblem",
    "Oracle",
    "Selection",
    "ShortestPath",
    "problem_from_dict",
    "read_problem",
]

from hedgerow.problems.explicit import ExplicitSet
from hedgerow.problems.kinds import problem_from_dict
from hedgerow.problems.linear import LinearProblem
from hedgerow.problems.mixed_integer import MixedIntegerProblem
from hedgerow.problems.oracle import Oracle
from hedgerow.problems.problem_file import read_problem
from hedgerow.problems.selection import Selection
from hedgerow.problems.shortest_path import ShortestPath
