"""What is watched of rules, row by row: regret, leaf, errors beyond the budget, and further notes."""

__all__ = ["row_scores"]

from typing import Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import finite_matrix
from hedgerow.data.columns import selected
from hedgerow.errors import InputError
from hedgerow.geometry import affordable
from hedgerow.problem import sign_of
from hedgerow.rules import RuleBook
from hedgerow.study.contenders import best_for_each
from hedgerow.study.coverage import effective_errors
from hedgerow.tolerances import FEASIBILITY
from hedgerow.uncertainty import GlobalBudget, Nominal


def row_scores(book: RuleBook, costs: Any, readings: Any) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Return what is watched, per row; and, for the reader, readings beyond their range and new best plans.

    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.problems import Selection
    >>> rules = RuleBook(Tree.single([1.0, 0.0]), ("x1", "x2"), {"problem": Selection(2, 1).to_dict()})
    >>> row_scores(rules, [[1.0, 3.0], [4.0, 2.0]], None)[0]
    {'regret': [0.0, 2.0], 'leaf': [0, 0]}
    """
    problem = book.needed_problem()
    true = finite_matrix(selected(costs, problem.item_names, "costs"), "costs")
    if readings is None and not book.observes_costs:
        raise InputError("these rules ask about other readings than the costs; pass the readings, too.")
    read = np.nan_to_num(book.readings(true if readings is None else readings))
    tree, sign = book.tree, sign_of(problem)
    leaf = tree.apply(read)
    paid = problem.costs(tree.solutions, true)[np.arange(len(true)), leaf]
    best = best_for_each(problem, true)
    least = np.array([problem.costs(best[[row]], true[[row]])[0, 0] for row in range(len(true))])
    regret = np.maximum(sign * (paid - least), 0.0)
    scores = {"regret": regret.tolist(), "leaf": leaf.tolist()}
    if readings is not None and book.observes_costs and not isinstance(book.uncertainty, Nominal):
        scores["outside"] = _outside(book, read, true).tolist()
    beyond = {}
    if book.training is not None and len(book.training.ranges):
        counts = book.training.outside(read).sum(axis=0)
        beyond = {name: int(counts[item]) for item, name in book.asked.items() if counts[item]}
    return scores, {"outside": beyond, "plans": _unknown(book, best, regret)}


def _outside(book: RuleBook, read: FloatArray, true: FloatArray) -> FloatArray:
    """Return per row 1 if its error led where the budget doesn't allow; a global budget is shared out evenly."""
    budget = book.uncertainty
    assert not isinstance(budget, Nominal)
    if np.ndim(budget.budget):
        raise InputError("a budget per sample belongs to its samples; watching needs one budget.")
    allowed = float(budget.budget)
    if isinstance(budget, GlobalBudget) and book.training is not None:
        allowed /= book.training.n_samples
    within = affordable(effective_errors(book.tree, read, true, budget), allowed)
    return np.where(within, 0.0, 1.0)


def _unknown(book: RuleBook, best: FloatArray, regret: FloatArray) -> dict[str, list[float]]:
    """Return the best plans that no leaf has, in words, with their number of rows and what they would have saved."""
    found: dict[str, list[float]] = {}
    for row in np.flatnonzero(regret > FEASIBILITY).tolist():
        if np.abs(book.tree.solutions - best[row]).max(axis=1).min() > FEASIBILITY:
            entry = found.setdefault(book.needed_problem().describe(best[row]), [0, 0.0])
            entry[0], entry[1] = entry[0] + 1, entry[1] + float(regret[row])
    return found
