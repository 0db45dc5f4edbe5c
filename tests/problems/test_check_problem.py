"""The check for problems of one's own: nothing to say of ours, and a sentence for each thing that is wrong."""

import numpy as np
import pytest
import scipy.sparse as sp
from examples.set_cover import SetCover

from hedgerow.problem import Best, FeasibleSet, RowBlock
from hedgerow.problems import LinearProblem
from hedgerow.testing import check_problem
from tests.problems.shelf import KINDS


@pytest.mark.parametrize("problem", KINDS.values(), ids=list(KINDS))
def test_there_is_nothing_to_say_of_our_own(problem):
    check_problem(problem)


def test_an_uncovered_district_is_named():
    problem = SetCover(["north", "south"], [["dale", "moor"], ["moor"]])
    assert problem.infeasibility(np.array([0.0, 1.0])) == (
        "the number of places in reach of 'dale' is 0; it must be at least 1"
    )


class Two(LinearProblem):
    """Choose one or two of three, by its feasible set alone."""

    kind = "two"

    def __init__(self, least=1):
        self.least = least
        super().__init__(["a", "b", "c"])

    def feasible_set(self):
        return FeasibleSet.of(RowBlock("the number of items", [sp.csr_array(np.ones((1, 3)))], self.least, 2.0))


class Greedy(Two):
    def _minimise(self, costs):
        return np.array([0.0, 0.0, 1.0])


class Lavish(Two):
    def _minimise(self, costs):
        return np.ones(3)


class Boastful(Two):
    def best_solution(self, samples, weights=None, *, time_limit=None):
        best = super().best_solution(samples, weights)
        return Best(best.solution, best.value - 1.0, best.bound)


class Tight(Two):
    def cost_bounds(self, samples):
        low, _ = super().cost_bounds(samples)
        return low, low


class Forgetful(Two):
    kind = "forgetful"

    def __init__(self, least=1):
        super().__init__(least)
        self.least = least + 1


class Bare(Two):
    def all_solutions(self, limit):
        return np.eye(3)[:2]


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (Greedy(), "best_solution says .*, but the best solution of all_solutions costs"),
        (Lavish(), "infeasibility refuses .* of best_solution: the number of items is 3; it must lie from 1 to 2"),
        (Boastful(), "best_solution says .*, but the best solution of best_solution costs"),
        (Tight(), "a cost lies outside cost_bounds"),
        (Bare(), "best_solution says .*, but the best solution of feasible_set costs"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_does_not_fit_together_is_told(problem, message):
    check_problem(Two())
    with pytest.raises(AssertionError, match=message):
        check_problem(problem)


def test_a_description_that_is_read_back_otherwise_is_told():
    with pytest.raises(AssertionError, match="read back"):
        check_problem(Forgetful())
