"""Small instances give the same trees in plain Python and compiled."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, evaluate, solve
from hedgerow.compiled import running
from hedgerow.engine.tables.reach import path_costs, reading_of
from hedgerow.methods import METHODS
from hedgerow.problems import ShortestPath
from hedgerow.tree.splits import candidate_splits

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


@pytest.mark.parametrize("kind", KINDS)
def test_move_costs_of_whole_arrays_are_those_of_the_loop_over_samples(kind):
    """Values lie on a coarse grid, so that many are equal to thresholds or within ε of them."""
    rng = np.random.default_rng(5)
    costs = rng.integers(1, 6, (7, 12)).astype(float)
    epsilon = {} if kind == "none" else {"epsilon": 0.6, "prices": rng.uniform(0.5, 2.0, 12)}
    uncertainty = Nominal() if kind == "none" else type(KINDS[kind])(2.0, **epsilon)
    instance = Instance.create(ShortestPath.grid(3), costs, uncertainty=uncertainty)
    splits = candidate_splits(costs)
    reading = reading_of(instance, splits)
    for _ in range(300):
        count, below = int(rng.integers(1, 5)), int(rng.integers(0, 3))
        path, answers = rng.integers(-1, 9, count), rng.integers(0, 2, count)
        by_arrays, by_loop, compiled = np.empty((3, 7))
        with running("plain"):
            path_costs(count, path, answers, reading, below, by_arrays)
            path_costs.function(count, path, answers, reading, below, by_loop)
        with running("compiled"):
            path_costs(count, path, answers, reading, below, compiled)
        assert np.array_equal(by_arrays, compiled)
        assert np.array_equal(by_loop, compiled)
