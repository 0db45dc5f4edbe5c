"""A few good plans for a history, and the questions which of two of them is cheaper."""

import math
from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.tolerances import VALUE
from hedgerow.tree.questions import Question

if TYPE_CHECKING:
    from hedgerow.problems import Problem

MOST_PLANS: Final = 40
_MOST_ROWS: Final = 300
_MOST_LEVELS: Final = 4
_LINEAR: Final = 1e-9
_LEAST_SECONDS: Final = 1.0
"""For the first plan, without which there is nothing to ask, even if time is up."""


def best_for_each(
    problem: "Problem", costs: FloatArray, seconds_left: Callable[[], float] = lambda: math.inf
) -> FloatArray:
    """Return the best solution for each row of costs; for the first rows only, if no seconds are left.

    >>> from hedgerow.problems import Selection
    >>> best_for_each(Selection(2, 1), np.array([[1.0, 3.0], [4.0, 2.0]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    best: list[FloatArray] = []
    for row in costs:
        left = seconds_left()
        if left <= 0.0:
            break
        plan = problem.best_solution(row[None], time_limit=left).solution
        if left < math.inf and seconds_left() <= 0.0:  # the plan may not be the best one
            break
        best.append(plan)
    return np.array(best).reshape(-1, len(problem.variable_names))


def good_plans(
    problem: "Problem",
    costs: FloatArray,
    weights: FloatArray,
    count: int,
    depth: int = 0,
    seconds_left: Callable[[], float] = lambda: math.inf,
) -> FloatArray:
    """Return good plans, the best first: each lowers the cost of always taking the best of those chosen the most.

    They are chosen from the best plan for all samples and the samples' own best plans. A greedy tree of that depth,
    though of at most four levels, then asks which of two of them is cheaper, and the best plans for its leaves are
    added, at most as many again: what is best for all samples at a leaf need not be best for any one of them.
    Once no seconds are left, the plans found so far have to do.
    """
    chosen = np.flatnonzero(weights > 0.0)
    if chosen.size > _MOST_ROWS:
        chosen = chosen[np.linspace(0, chosen.size - 1, _MOST_ROWS).round().astype(np.int64)]
    rows, weight = costs[chosen], weights[chosen]

    def best(*samples: IntArray) -> FloatArray:
        """Return the best plans for groups of samples, each once, as far as time allows."""
        plans: list[FloatArray] = []
        for group in samples:
            left = seconds_left()
            if plans and left <= 0.0:
                break
            limit = max(left, _LEAST_SECONDS)
            plans.append(problem.best_solution(rows[group], weight[group], time_limit=limit).solution)
        return np.unique(np.array(plans) + 0.0, axis=0)

    every_sample = np.arange(len(rows))
    own = best(every_sample, *every_sample[:, None])
    loss = problem.sign * weight[:, None] * problem.costs(own, rows)
    picked = _picked(loss, count, np.full(len(rows), np.inf))
    plans = own[picked]
    most = min(len(plans), MOST_PLANS - len(plans))
    if depth == 0 or most == 0:
        return plans
    leaves = _leaves(problem.costs(plans, rows), loss, min(depth, _MOST_LEVELS))
    used = best(*leaves)
    new = used[~(used[:, None] == plans).all(axis=2).any(axis=1)]
    added = problem.sign * weight[:, None] * problem.costs(new, rows)
    return np.concatenate([plans, new[_picked(added, most, loss[:, picked].min(axis=1))]])


def _picked(loss: FloatArray, count: int, best: FloatArray) -> list[int]:
    """Return up to `count` plans (columns), each of which lowers most what the best of them costs each row.

    `best` is what the rows cost before.
    """
    picked: list[int] = []
    while len(picked) < min(count, loss.shape[1]):
        sums = np.minimum(best[:, None], loss).sum(axis=0)
        sums[picked] = np.inf
        picked.append(int(np.argmin(sums)))
        best = np.minimum(best, loss[:, picked[-1]])
    return picked


def _leaves(values: FloatArray, loss: FloatArray, depth: int) -> list[IntArray]:
    """Return the rows at each leaf of a greedy tree.

    It asks about differences between two columns of `values`, and advises columns of `loss`.
    """
    leaves = [np.arange(len(values))]
    for _ in range(depth):
        leaves = [part for rows in leaves for part in _halves(rows, values[rows], loss[rows])]
    return leaves


def _halves(rows: IntArray, values: FloatArray, loss: FloatArray) -> list[IntArray]:
    """Return the rows on either side of the best question; all of them where none is better than one plan."""
    total = loss.sum(axis=0)
    best, step = float(total.min()), VALUE * float(np.abs(loss).sum(axis=0).max())
    found = [rows]
    for one, two in combinations(range(values.shape[1]), 2):
        difference = values[:, one] - values[:, two]
        order = np.argsort(difference, kind="stable")
        places = np.flatnonzero(np.diff(difference[order]) > 0.0)
        before = np.cumsum(loss[order], axis=0)[places]
        sums = before.min(axis=1) + (total - before).min(axis=1)
        if sums.size and sums.min() < best - step:
            best, place = float(sums.min()), int(places[np.argmin(sums)]) + 1
            found = [rows[order[:place]], rows[order[place:]]]
    return found


def plan_questions(problem: "Problem", plans: FloatArray) -> list[Question]:
    """Return the differences between the costs of every two plans, as functions of the items' costs.

    Where one plan is best on all rows nothing needs to be asked, and single items stand in for questions.
    """
    coefficients, _ = cost_coefficients(problem, plans, 'questions="plans"')
    noise = VALUE * float(np.abs(coefficients).max())  # of solvers, in plans that are the same
    questions = []
    for one, two in combinations(range(len(plans)), 2):
        difference = coefficients[one] - coefficients[two]
        items = np.flatnonzero(np.abs(difference) > noise)
        if items.size == 1:
            questions.append(Question.of_item(int(items[0])))
        elif items.size:
            name = f"{problem.describe(plans[one])} less {problem.describe(plans[two])}"
            questions.append(Question.of({int(item): float(difference[item]) for item in items}, name))
    return questions or [Question.of_item(item) for item in range(len(problem.item_names))]


def cost_coefficients(problem: "Problem", plans: FloatArray, what: str) -> tuple[FloatArray, FloatArray]:
    """Return per plan what each item's cost is multiplied by, and the constant; `InputError` where costs aren't linear.

    `what` compares plans by their sums.
    """
    n_items = len(problem.item_names)
    base = problem.costs(plans, np.zeros((1, n_items)))
    coefficients: FloatArray = (problem.costs(plans, np.eye(n_items)) - base).T
    probe = np.linspace(1.0, 2.0, n_items)
    off = problem.costs(plans, probe[None])[0] - base[0] - coefficients @ probe
    if (np.abs(off) > _LINEAR * (1.0 + np.abs(coefficients) @ probe)).any():
        raise InputError(f"{what} compares costs that are sums over items; those of this problem are not.")
    return coefficients, base[0]
