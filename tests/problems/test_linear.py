"""What every linear problem does alike, and what a subclass need not write."""

import json

import numpy as np
import pytest
import scipy.sparse as sp

from hedgerow.problem import FeasibleSet, RowBlock
from hedgerow.problems import LinearProblem, Problem
from tests.problems.shelf import KINDS

PROBLEMS = {name: KINDS[name] for name in ("selection, gains", "explicit", "explicit, gains", "grid", "roundabout")}


@pytest.fixture(params=PROBLEMS.values(), ids=list(PROBLEMS))
def problem(request):
    return request.param


class Anything(LinearProblem):
    """As little as a subclass can be: amounts from 0 to 3."""

    def feasible_set(self):
        return FeasibleSet.of(RowBlock("the sum", [sp.csr_array(np.ones((1, self.n_items)))], 0.0, 7.0), most=3.0)


def test_a_subclass_needs_its_feasible_set_only():
    problem = Anything(["a", "b", "c"], unit="t", sense="max")
    assert isinstance(problem, Problem)
    best = problem.best_solution(np.array([[1.0, -1.0, 2.0]]))
    assert best.value == best.bound == 9.0
    low, high = problem.cost_bounds(np.array([[1.0, -1.0, 2.0]]))
    assert low == pytest.approx(-3.0, abs=1e-5)
    assert high == pytest.approx(9.0, abs=1e-5)
    assert problem.infeasibility(best.solution) is None
    assert problem.infeasibility(np.array([3.0, 3.0, 3.0])) == "the sum is 9; it must lie from 0 to 7"
    assert problem.infeasibility(np.array([0.0, 0.0, 4.0])) == "'c' is used 4 times; it must lie from 0 to 3"
    assert problem.describe(best.solution) == "3 × a, 3 × c"
    assert problem.describe(np.array([1.0 + 1e-9, 0.5, -1e-9])) == "a, 0.5 × b"
    assert problem.describe(np.zeros(3)) == "nothing"
    assert repr(problem) == "Anything(3 items, unit='t', sense='max')"
    assert len(problem.all_solutions(60)) == 60
    assert problem.all_solutions(59) is None
    assert json.loads(json.dumps(problem.to_dict()))["kind"] == "custom"
