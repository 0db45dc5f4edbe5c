"""A check for problems of one's own: oracle, feasible set, words and description must say the same."""

__all__ = ["check_problem"]

import json
from typing import Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.table import number_matrix
from hedgerow.problems import problem_from_dict
from hedgerow.problems.base import Problem, registry
from hedgerow.problems.solving import MipOracle
from hedgerow.tolerances import FEASIBILITY

_MOST_LISTED = 1_000


def check_problem(problem: Problem, samples: Any = None) -> None:
    """Try a problem on some costs, and raise `AssertionError` with a sentence if its parts don't fit together.

    The oracle is compared with the MIP over the feasible set and with the list of solutions, costs with their bounds,
    and the problem with what its description is read back as.

    Parameters
    ----------
    problem
        The problem.
    samples
        Costs to try it on, a row per sample; ten random rows from 1 to 10 if left out.

    Examples
    --------
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.testing import check_problem
    >>> check_problem(Selection(4, 2))
    """
    n_items = len(problem.item_names)
    if samples is None:
        samples = np.random.default_rng(0).uniform(1.0, 10.0, (10, n_items)).round(2)
    rows = number_matrix(samples, problem.item_names, "samples", kind="items")
    problem.check_samples(rows)
    solutions = _checked_oracle(problem, rows)
    costs, (low, high) = problem.costs(solutions, rows), problem.cost_bounds(rows)
    slack = FEASIBILITY * np.maximum(1.0, np.abs(costs).max(axis=1))
    within = (costs.min(axis=1) >= low - slack) & (costs.max(axis=1) <= high + slack)
    _require(bool(within.all()), "a cost lies outside cost_bounds")
    wrong = np.full(len(problem.variable_names), np.nan)
    _require(problem.infeasibility(wrong) is not None, "infeasibility must refuse nan")
    description = json.loads(json.dumps(problem.to_dict()))
    if description.get("kind") in registry:
        again = problem_from_dict(description)
        _require(again == problem, "the problem differs from what its description (to_dict) is read back as")


def _checked_oracle(problem: Problem, rows: FloatArray) -> FloatArray:
    """Return the best solution for each row: it is feasible, and none of the MIP or of the list is better."""
    best = [problem.best_solution(row[np.newaxis]) for row in rows]
    solutions = {"best_solution": np.array([each.solution for each in best])}
    listed = problem.all_solutions(_MOST_LISTED)
    if listed is not None:
        solutions["all_solutions"] = listed[np.argmin(problem.sign * problem.costs(listed, rows), axis=1)]
    if not problem.oracle_only:
        mip = MipOracle(problem.feasible_set(), problem.variable_names)
        by_mip = [mip.minimise_worst(problem, row[np.newaxis], np.ones(1)).point for row in rows]
        solutions["feasible_set"] = np.array(by_mip)
    values = np.array([each.value for each in best])
    for source, points in solutions.items():
        for point, row, value in zip(points, rows, values, strict=True):
            problem.describe(point)
            reason = problem.infeasibility(point)
            _require(reason is None, f"infeasibility refuses the best solution of {source}: {reason}")
            cost = float(problem.costs(point[np.newaxis], row[np.newaxis])[0, 0])
            is_equal = np.isclose(cost, value, rtol=FEASIBILITY, atol=FEASIBILITY)
            _require(bool(is_equal), f"best_solution says {value:g}, but the best solution of {source} costs {cost:g}")
    return solutions["best_solution"]


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise AssertionError(f"{sentence}.")
