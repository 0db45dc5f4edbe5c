"""What advice costs where the true costs are known, and what would have been best."""

__all__ = ["TrueCosts", "true_costs"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray
from hedgerow.instance import Instance
from hedgerow.rulebook import RuleBook
from hedgerow.tree import Tree


@dataclass(frozen=True, eq=False)
class TrueCosts:
    """What solutions truly cost, in the problem's own sign; NaN for observations whose costs are not known.

    Attributes
    ----------
    leaf
        Per observation and leaf the cost of the leaf's solution.
    best
        Per observation the cost of the best of all solutions.
    unread
        Per observation and feature whether a reading is missing that would have to be there to know the costs; without
        columns where readings are no costs, or other costs are given.
    """

    leaf: FloatArray
    best: FloatArray
    unread: BoolArray


def true_costs(book: RuleBook, readings: FloatArray, costs: Any = None) -> TrueCosts:
    """Return what the leaves' solutions cost: under the given costs, else under the readings where they are costs.

    >>> import numpy as np
    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> model = RobustTree(Selection(2, 1), depth=0).fit([[1.0, 3.0], [4.0, 2.0], [1.0, 2.0]])
    >>> known = true_costs(model.rulebook_, np.array([[4.0, 2.0], [np.nan, 1.0]]))
    >>> known.leaf, known.best
    (array([[ 4.], [nan]]), array([ 2., nan]))
    """
    n_rows = readings.shape[0]
    none_unread = np.zeros((n_rows, 0), dtype=np.bool_)
    unknown = TrueCosts(np.full((n_rows, book.tree.n_leaves), np.nan), np.full(n_rows, np.nan), none_unread)
    if costs is not None:
        # A missing reading doesn't matter here: what counts is that tree, problem and costs fit together.
        observed = np.nan_to_num(readings)
        return _under(book.tree, Instance.create(book.needed_problem(), costs, observations=observed, depth=0))
    if book.problem is None or not book.observes_costs:
        return unknown
    unread = np.isnan(readings)
    complete = ~unread.any(axis=1)
    if complete.all():
        return _under(book.tree, Instance.create(book.problem, readings, depth=0))
    if complete.any():
        known = _under(book.tree, Instance.create(book.problem, readings[complete], depth=0))
        unknown.leaf[complete], unknown.best[complete] = known.leaf, known.best
    return TrueCosts(unknown.leaf, unknown.best, unread)


def _under(tree: Tree, instance: Instance) -> TrueCosts:
    instance.check_tree(tree)
    leaf = instance.problem.costs(tree.solutions, instance.costs)
    return TrueCosts(leaf, _best(instance, leaf), np.zeros((instance.n_samples, 0), dtype=np.bool_))


def _best(instance: Instance, leaf_cost: FloatArray) -> FloatArray:
    from hedgerow.problems import LinearProblem

    problem, costs, sign = instance.problem, instance.costs, instance.sign
    if isinstance(problem, LinearProblem):
        found = np.einsum("ji,ji->j", costs, problem.best_solutions(costs))
    else:
        found = np.array([problem.best_solution(costs[[row]]).value for row in range(len(costs))])
    # A solver that ran out of time may have found less than the tree knows; rounding may say so, too.
    best: FloatArray = sign * np.minimum(sign * found, (sign * leaf_cost).min(axis=1))
    return best
