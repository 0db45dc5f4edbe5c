"""A check for problems of one's own: oracle, feasible set, words and description must say the same."""

__all__ = ["check_problem"]

import json
from typing import Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.data.table import number_matrix
from hedgerow.errors import InputError
from hedgerow.problem import Problem, is_oracle_only, missing_parts, sign_of
from hedgerow.problems import problem_from_dict
from hedgerow.problems._mip_oracle import MipOracle
from hedgerow.problems.base import registry
from hedgerow.tolerances import FEASIBILITY

_MOST_LISTED = 1_000


def check_problem(problem: Any, samples: Any = None) -> None:
    """Try a problem on some costs, and raise `AssertionError` with a sentence if its parts don't fit together.

    The oracle is compared with the MIP over the feasible set and with the list of solutions, costs with their rows and
    bounds, and the problem with what its description is read back as.

    Parameters
    ----------
    problem
        An object that fulfils `hedgerow.problem.Problem`.
    samples
        Costs to try it on, a row per sample; ten random rows from 1 to 10 if left out.

    Raises
    ------
    InputError
        If the object lacks a part of the protocol.

    Examples
    --------
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.testing import check_problem
    >>> check_problem(Selection(4, 2))
    """
    missing = missing_parts(problem)
    if missing:
        raise InputError(f"problem must fulfil hedgerow.problem.Problem; it lacks {list_some(missing)}.")
    n_items = len(problem.item_names)
    if samples is None:
        samples = np.random.default_rng(0).uniform(1.0, 10.0, (10, n_items)).round(2)
    rows = number_matrix(samples, problem.item_names, "samples", kind="items")
    problem.check_samples(rows)
    for sample in rows:
        _check_oracle(problem, sample[np.newaxis])
    _check_costs(problem, rows)
    _check_description(problem)


def _check_oracle(problem: Problem, sample: FloatArray) -> None:
    """Check the best solution for one sample: it is feasible, and no solution of the MIP or of the list is better."""
    best, sign = problem.best_solution(sample), sign_of(problem)
    reason = problem.infeasibility(best.solution)
    _require(reason is None, f"best_solution returned what infeasibility refuses: {reason}")
    own = float(problem.costs(best.solution[np.newaxis], sample)[0, 0])
    _require(_equal(own, best.value), f"best_solution says {best.value:g}, but its solution costs {own:g}")
    problem.describe(best.solution)
    references = {}
    listed = problem.all_solutions(_MOST_LISTED)
    if listed is not None:
        references["of the listed solutions"] = listed[int(np.argmin(sign * problem.costs(listed, sample)[0]))]
    if not is_oracle_only(problem):
        mip = MipOracle(problem.feasible_set(), problem.variable_names)
        references["of the MIP over feasible_set"] = mip.minimise_worst(problem, sample, np.ones(1)).point
    for where, solution in references.items():
        reason = problem.infeasibility(solution)
        _require(reason is None, f"the best {where} is refused by infeasibility: {reason}")
        cost = float(problem.costs(solution[np.newaxis], sample)[0, 0])
        _require(_equal(cost, own), f"the best {where} costs {cost:g}, that of best_solution {own:g}")


def _check_costs(problem: Problem, samples: FloatArray) -> None:
    """Check that costs lie between their bounds, and are the worst of their rows."""
    solutions = np.array([problem.best_solution(sample[np.newaxis]).solution for sample in samples])
    costs, (low, high) = problem.costs(solutions, samples), problem.cost_bounds(samples)
    slack = FEASIBILITY * np.maximum(1.0, np.abs(costs))
    within = (costs >= low[:, np.newaxis] - slack) & (costs <= high[:, np.newaxis] + slack)
    _require(bool(within.all()), "a cost lies outside cost_bounds")
    for sample, row in zip([] if is_oracle_only(problem) else samples, costs, strict=False):
        linear = problem.cost_rows(sample)
        values = linear.coefficients @ solutions.T + linear.constants[:, np.newaxis]
        worst = values.max(axis=0) if problem.sense == "min" else values.min(axis=0)
        _require(np.allclose(worst, row), "costs differ from the worst of cost_rows")


def _check_description(problem: Problem) -> None:
    wrong = np.full(len(problem.variable_names), np.nan)
    _require(problem.infeasibility(wrong) is not None, "infeasibility must refuse nan")
    description = json.loads(json.dumps(problem.to_dict()))
    if description.get("kind") in registry:
        again = problem_from_dict(description)
        _require(again == problem, "the problem differs from what its description (to_dict) is read back as")


def _equal(first: float, second: float) -> bool:
    return abs(first - second) <= FEASIBILITY * max(1.0, abs(first), abs(second))


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise AssertionError(f"{sentence}.")
