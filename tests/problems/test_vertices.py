"""The vertices of continuous models: all of them, and fits that begin with them."""

import numpy as np
import pytest
from scipy.optimize import linprog

from hedgerow import LocalBudget, Nominal, RobustTree
from hedgerow.problems import ExplicitSet
from tests.problems.models import model_of

HEXAGON = [[0, 2, 4], [0, 4, 2], [2, 0, 4], [2, 4, 0], [4, 0, 2], [4, 2, 0]]


def hexagon(**options):
    return model_of([0, 0, 0], ([[1, 1, 1]], 6, 6), 0, (0, 4), **options)


def fitted(problem, costs, uncertainty, depth=2):
    options = {"depth": depth, "uncertainty": uncertainty, "method": "exact", "random_state": 0}
    return RobustTree(problem, **options, time_limit=60).fit(costs).result_


def test_the_vertices_of_a_hexagon():
    assert hexagon().vertices(6).tolist() == HEXAGON
    assert hexagon().vertices(5) is None
    assert hexagon().all_solutions(100) is None


@pytest.mark.parametrize("seed", range(10))
def test_the_best_vertex_is_what_an_lp_solver_finds(seed):
    """With a repeated equation, a free variable and sides that are missing."""
    rng = np.random.default_rng(seed)
    matrix = np.vstack([[1.0, 1.0, 1.0, 0.0], [2.0, 2.0, 2.0, 0.0], rng.integers(-3, 4, (2, 4))])
    low, high = np.array([4.0, 8.0, -np.inf, -20.0]), np.array([4.0, 8.0, 9.0, 20.0])
    lower, upper = np.array([0.0, 0.0, -np.inf, -5.0]), np.array([3.0, 3.0, np.inf, 5.0])
    problem = model_of(np.zeros(4), (matrix, low, high), 0, (lower, upper))
    vertices = problem.vertices(1000)
    assert all(problem.infeasibility(vertex) is None for vertex in vertices)
    below, above = np.isfinite(high), np.isfinite(low)
    sides = np.vstack([matrix[below], -matrix[above]]), np.append(high[below], -low[above])
    for cost in rng.normal(size=(20, 4)):
        best = linprog(cost, *sides, bounds=list(zip(lower, upper, strict=True)))
        assert (vertices @ cost).min() == pytest.approx(best.fun)


@pytest.mark.parametrize("sense", ["min", "max"])
def test_where_nothing_is_misread_a_model_is_settled_like_the_list_of_its_vertices(sense):
    costs = np.random.default_rng(0).uniform(10, 50, (40, 3)).round(1)
    model = fitted(hexagon(sense=sense), costs, Nominal())
    listed = fitted(ExplicitSet(HEXAGON, sense=sense), costs, Nominal())
    assert (model.status, listed.status) == ("optimal", "optimal")
    assert model.objective == pytest.approx(listed.objective)
    assert model.lower_bound == pytest.approx(listed.lower_bound)


@pytest.mark.parametrize("seed", [0, 2])
def test_under_a_budget_the_best_tree_over_vertices_is_a_tree_and_not_a_proof(seed):
    """With seed 2 a solution between vertices lowers the worst case of the same tree to 5787.82."""
    costs = np.random.default_rng(seed).uniform(10, 50, (40, 3)).round(1)
    model = fitted(hexagon(), costs, LocalBudget(3.0))
    listed = fitted(ExplicitSet(HEXAGON), costs, LocalBudget(3.0))
    assert listed.status == "optimal"
    assert model.objective <= listed.objective + 1e-6
    assert model.lower_bound <= (5787.82 if seed == 2 else model.objective)
    assert "between them may be better" in model.message
