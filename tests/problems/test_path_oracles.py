"""The path oracles, the MIP and the list of all paths against brute force, on random graphs of every sort."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.problems import ShortestPath
from hedgerow.tree.question_kinds import best_for_each
from tests.problems.brute_force import all_paths, mip_accepts, mip_minimum, random_graph, sorted_rows

DAG, CYCLIC = "acyclic", "cyclic"


@st.composite
def graphs(draw, sort):
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n_nodes = draw(st.integers(2 if sort == DAG else 4, 6))
    return random_graph(rng, n_nodes, draw(st.integers(0, 3 * n_nodes)), acyclic=sort == DAG), rng


def random_costs(problem, rng, n_rows):
    """Whole numbers, so that ties and zeros abound; negative ones wherever the problem allows."""
    costs = rng.integers(-3, 6, (n_rows, problem.n_items)).astype(float)
    return costs if problem.is_acyclic else np.maximum(costs, 0.0)


@pytest.mark.parametrize("sort", [DAG, CYCLIC])
def test_the_oracle_finds_a_path_of_least_cost(sort):
    @given(graphs(sort))
    @settings(max_examples=150, deadline=None)
    def holds(graph):
        problem, rng = graph
        costs = random_costs(problem, rng, 5)
        problem.check_samples(costs)
        found = best_for_each(problem, costs)
        assert all(problem.infeasibility(path) is None for path in found)
        expected = (costs @ all_paths(problem).T).min(axis=1)
        assert (np.einsum("ji,ji->j", costs, found) == expected).all()
        low, high = problem.cost_bounds(costs)
        assert (low == expected).all()
        assert (high >= (costs @ all_paths(problem).T).max(axis=1)).all()

    holds()


@pytest.mark.parametrize("sort", [DAG, CYCLIC])
def test_all_solutions_are_all_simple_paths_in_order(sort):
    @given(graphs(sort))
    @settings(max_examples=150, deadline=None)
    def holds(graph):
        problem, _ = graph
        expected = all_paths(problem)
        listed = problem.all_solutions(len(expected))
        assert (sorted_rows(listed) == sorted_rows(expected)).all()
        walks = [problem._walk(path) for path in listed]
        assert walks == sorted(walks)
        assert problem.all_solutions(len(expected) - 1) is None

    holds()


@pytest.mark.parametrize(("sort", "seed"), [(sort, seed) for sort in (DAG, CYCLIC) for seed in range(8)])
def test_the_mip_has_the_same_solutions(sort, seed):
    rng = np.random.default_rng(seed)
    problem = random_graph(rng, 5, 12, acyclic=sort == DAG)
    paths = all_paths(problem)
    assert all(mip_accepts(problem, path) for path in paths)
    # Negative costs everywhere: cycles would pay off if the rows let them in.
    for cost in rng.normal(size=(12, problem.n_items)):
        found = mip_minimum(problem, cost)
        assert problem.infeasibility(found) is None
        assert found @ cost == pytest.approx((paths @ cost).min(), abs=1e-6)


def test_a_cycle_beside_the_path_is_kept_out_of_the_mip_even_at_no_cost():
    problem = ShortestPath(["s", "1", "2", "1", "2"], ["1", "2", "1", "t", "t"], "s", "t")
    path, cycle = np.array([1.0, 0.0, 0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0, 0.0, 0.0])
    assert mip_accepts(problem, path)
    assert not mip_accepts(problem, path + cycle)
