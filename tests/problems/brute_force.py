"""Slow and plain answers to compare with: paths and optima by enumeration or by a MIP solver."""

import numpy as np
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint, milp

from hedgerow.problems import ShortestPath

_PLAIN = {"presolve": False}  # that of SciPy before 1.17 can lose the optimum


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
    """All simple paths, one row each: every walk is continued by every arc to a node that it hasn't visited."""
    paths, walks = [], [((problem.source,), ())]
    while walks:
        visited, taken = walks.pop()
        if visited[-1] == problem.target:
            paths.append(list(taken))
            continue
        for number, (tail, head) in enumerate(problem.arcs):
            if tail == visited[-1] and head not in visited:
                walks.append(((*visited, head), (*taken, number)))
    solutions = np.zeros((len(paths), problem.n_items))
    for solution, path in zip(solutions, paths, strict=True):
        solution[path] = 1.0
    return solutions


def mip_minimum(problem, cost):
    """The problem's variables at the optimum of its own MIP for one sample."""
    return mip_optima(problem, cost[np.newaxis])[0]


def mip_optima(problem, samples):
    """The problem's variables at the optimum of its own MIP for each sample: independent copies in one model.

    A sample's cost is the worst of its rows, so each copy has one more column, u, that is at least every row.
    """
    feasible, sign = problem.feasible_set(), problem.sign
    n, n_variables, k = feasible.n_columns, len(problem.variable_names), len(samples)
    worst, constants = [], []
    for sample in samples:
        rows = problem.cost_rows(sample)
        n_rows = len(rows.constants)
        auxiliary = sp.csr_array((n_rows, n - n_variables))
        worst.append(sp.hstack([sp.csr_array(-sign * rows.coefficients), auxiliary, np.ones((n_rows, 1))]))
        constants.append(sign * rows.constants)
    copy = sp.hstack([feasible.matrix, sp.csr_array((feasible.matrix.shape[0], 1))])
    answer = milp(
        np.tile(np.append(np.zeros(n), 1.0), k),
        integrality=np.tile(np.append(feasible.integer, False), k),
        bounds=Bounds(np.tile(np.append(feasible.lower, -np.inf), k), np.tile(np.append(feasible.upper, np.inf), k)),
        constraints=[
            LinearConstraint(sp.block_diag([copy] * k), np.tile(feasible.row_lower, k), np.tile(feasible.row_upper, k)),
            LinearConstraint(sp.block_diag(worst), np.concatenate(constants), np.inf),
        ],
        options=_PLAIN | {"mip_rel_gap": 0.0},
    )
    assert answer.success, answer.message
    return answer.x.reshape(k, n + 1)[:, :n_variables]


def mip_accepts(problem, solution):
    """Whether some values of the auxiliary columns make the solution feasible for the problem's MIP."""
    feasible = problem.feasible_set()
    lower, upper = feasible.lower.copy(), feasible.upper.copy()
    n = len(problem.variable_names)
    if (solution > upper[:n]).any() or (solution < lower[:n]).any():
        return False
    lower[:n] = upper[:n] = solution
    answer = milp(
        np.zeros(feasible.n_columns),
        integrality=feasible.integer,
        bounds=Bounds(lower, upper),
        # SciPy's older versions take no sparse matrix with 64-bit indices.
        constraints=LinearConstraint(feasible.matrix.toarray(), feasible.row_lower, feasible.row_upper),
        options=_PLAIN,
    )
    return bool(answer.success)


def sorted_rows(matrix):
    return matrix[np.lexsort(matrix.T[::-1])]
