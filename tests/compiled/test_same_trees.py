"""Small instances give the same trees in plain Python and compiled."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, evaluate, solve
from hedgerow.compiled import running
from hedgerow.methods import METHODS
from hedgerow.problems import ShortestPath

KINDS = {"none": Nominal(), "local": LocalBudget(2.0), "global": GlobalBudget(6.0)}


def fitted(way, method, uncertainty):
    costs = np.random.default_rng(3).uniform(5.0, 15.0, (4, 12)).round(2)
    instance = Instance.create(ShortestPath.grid(3), costs, uncertainty=uncertainty)
    with running(way):
        return solve(instance, method=method, iteration_limit=2, time_limit=None, refine=True, random_state=0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", [name for name in METHODS if not METHODS[name].needs_mip])
def test_plain_python_and_compiled_code_give_the_same_tree(method, kind):
    plain, compiled = (fitted(way, method, KINDS[kind]) for way in ("plain", "compiled"))
    assert plain.tree == compiled.tree
    assert (plain.objective, plain.lower_bound) == (compiled.objective, compiled.lower_bound)
    assert plain.refined.tree == compiled.refined.tree


def test_plain_python_and_compiled_code_find_the_same_worst_case_of_many_samples():
    rng = np.random.default_rng(1)
    problem = ShortestPath.grid(3)
    costs = rng.uniform(5.0, 15.0, (40, 12)).round(2)
    tree = solve(Instance.create(problem, costs[:5]), method="greedy", random_state=0).tree
    found = []
    for way in ("plain", "compiled"):
        with running(way):
            found.append(evaluate(tree, problem, costs, GlobalBudget(20.0)))
    assert found[0].robust == found[1].robust
    assert np.array_equal(found[0].attack.leaf, found[1].attack.leaf)
