"""Slow and plain answers to compare with: paths by networkx, optima by enumeration or by a MIP solver."""

import networkx as nx
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from hedgerow.problems import ShortestPath


def random_graph(rng, n_nodes, n_arcs, *, acyclic=False):
    """A random multigraph with paths from node 0 to the last one; with a cycle on the way, or with none anywhere."""
    tails, heads = rng.integers(0, n_nodes, n_arcs), rng.integers(0, n_nodes, n_arcs)
    if acyclic:
        tails, heads = np.minimum(tails, heads), np.maximum(tails, heads)
        tails, heads = tails[tails < heads], heads[tails < heads]
        planted = [(0, n_nodes - 1)]
    else:
        planted = [(0, 1), (1, 2), (2, 1), (2, n_nodes - 1)]
    arcs = rng.permutation([*planted, *zip(tails, heads, strict=True)])
    problem = ShortestPath(arcs[:, 0], arcs[:, 1], 0, n_nodes - 1, nodes=range(n_nodes))
    assert problem.is_acyclic == acyclic
    return problem


def all_paths(problem):
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(problem.nodes)
    for number, (tail, head) in enumerate(problem.arcs):
        graph.add_edge(tail, head, key=number)
    paths = [[key for *_, key in path] for path in nx.all_simple_edge_paths(graph, problem.source, problem.target)]
    solutions = np.zeros((len(paths), problem.n_items))
    for solution, path in zip(solutions, paths, strict=True):
        solution[path] = 1.0
    return solutions


def mip_minimum(problem, cost):
    """The problem's variables at the optimum of its own MIP."""
    feasible = problem.feasible_set()
    objective = np.zeros(feasible.n_columns)
    objective[: problem.n_items] = cost
    answer = milp(
        objective,
        integrality=feasible.integer,
        bounds=Bounds(feasible.lower, feasible.upper),
        constraints=LinearConstraint(feasible.matrix, feasible.row_lower, feasible.row_upper),
        options={"mip_rel_gap": 0.0},
    )
    assert answer.success, answer.message
    return answer.x[: problem.n_items]


def mip_accepts(problem, solution):
    """Whether some values of the auxiliary columns make the solution feasible for the problem's MIP."""
    feasible = problem.feasible_set()
    lower, upper = feasible.lower.copy(), feasible.upper.copy()
    if (solution > upper[: problem.n_items]).any() or (solution < lower[: problem.n_items]).any():
        return False
    lower[: problem.n_items] = upper[: problem.n_items] = solution
    answer = milp(
        np.zeros(feasible.n_columns),
        integrality=feasible.integer,
        bounds=Bounds(lower, upper),
        constraints=LinearConstraint(feasible.matrix, feasible.row_lower, feasible.row_upper),
    )
    return bool(answer.success)


def sorted_rows(matrix):
    return matrix[np.lexsort(matrix.T[::-1])]
