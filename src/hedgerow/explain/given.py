"""What is explained: readings with their labels, what is missing of them, and what advice costs where that is known."""

__all__ = ["Region", "TrueCosts", "labelled_readings", "regions", "true_costs"]

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import values_of
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import printable


def labelled_readings(
    book: RuleBook, readings: Any, labels: Sequence[str] | None, called: str = "observation"
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return readings as a matrix with a column for each, in which some may be missing, and their labels.

    These are as given, a DataFrame's index, or numbers.
    """
    values = book.reading_matrix(readings, gaps=True)
    if labels is None:
        index: Any = getattr(readings, "index", None)
        named = index is not None and not callable(index) and type(index).__name__ != "RangeIndex"
        labels = list(map(str, index)) if named else [f"{called} {row}" for row in range(len(values))]
    if isinstance(labels, str) or len(labels) != len(values):
        raise InputError(f"labels must name each of the {len(values)} observations; got {in_short(labels)}.")
    return values, tuple(printable(str(label)) for label in labels)


class TrueCosts(NamedTuple):
    """Per observation what each leaf's solution truly costs, and the best of all; NaN where that is not known.

    `unread` says which readings are missing that would have to be there to know the costs; it has no columns where
    readings are no costs, or other costs are given.
    """

    leaf: FloatArray
    best: FloatArray
    unread: BoolArray


def true_costs(book: RuleBook, readings: FloatArray, costs: Any = None) -> TrueCosts:
    """Return what the leaves' solutions cost: under the given costs, else under the readings where they are costs.

    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> model = RobustTree(Selection(2, 1), depth=0).fit([[1.0, 3.0], [4.0, 2.0], [1.0, 2.0]])
    >>> known = true_costs(model.rulebook_, np.array([[4.0, 2.0], [np.nan, 1.0]]))
    >>> known.leaf, known.best
    (array([[ 4.], [nan]]), array([ 2., nan]))
    """
    if costs is not None:
        # A missing reading doesn't matter here: what counts is that tree, problem and costs fit together.
        observed = np.nan_to_num(readings)
        return _under(book.tree, Instance.create(book.needed_problem(), costs, context=observed, depth=0))
    n_rows = readings.shape[0]
    leaf, best = np.full((n_rows, book.tree.n_leaves), np.nan), np.full(n_rows, np.nan)
    if book.problem is None or not book.observes_costs:
        return TrueCosts(leaf, best, np.zeros((n_rows, 0), dtype=np.bool_))
    unread = np.isnan(readings)
    complete = ~unread.any(axis=1)
    if complete.any():
        known = _under(book.tree, Instance.create(book.problem, readings[complete], depth=0))
        leaf[complete], best[complete] = known.leaf, known.best
    return TrueCosts(leaf, best, unread)


def _under(tree: Tree, instance: Instance) -> TrueCosts:
    instance.check_tree(tree)
    problem, costs, sign = instance.problem, instance.costs, instance.sign
    leaf = problem.costs(tree.solutions, costs)
    # A solver that ran out of time may have found less than the tree knows; rounding may say so, too.
    best = sign * np.minimum(sign * problem.best_costs(costs), (sign * leaf).min(axis=1))
    return TrueCosts(leaf, best, np.zeros((len(costs), 0), dtype=np.bool_))


_Intervals: TypeAlias = Mapping[int, tuple[float, float]]


class Region(NamedTuple):
    """Values of the missing readings for which the same leaves, all with the same solution, are reached.

    Per question of the tree that matters there is an interval `lower < value <= upper`.
    """

    intervals: _Intervals
    leaves: tuple[int, ...]


def regions(tree: Tree, same_as: IntArray, observation: FloatArray) -> list[Region]:
    """Return the regions of the missing readings (NaN) in an observation, one alone where they don't matter.

    >>> import numpy as np
    >>> tree = Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> for region in regions(tree, np.array([0, 1]), np.array([np.nan])):
    ...     print(region.intervals, region.leaves)
    {0: (-inf, 5.0)} (0,)
    {0: (5.0, inf)} (1,)
    """
    values = values_of(tree.questions, observation[None])[0] if tree.questions else observation
    return _below(tree, same_as, values, 0, {})


def _below(tree: Tree, same_as: IntArray, values: FloatArray, node: int, known: _Intervals) -> list[Region]:
    """Return the regions below a node; a single one without intervals if all leaves there have the same solution."""
    number = int(tree.question[node])
    if number < 0:
        return [Region({}, (int(tree.leaf_number[node]),))]
    threshold, left, right = float(tree.threshold[node]), int(tree.left[node]), int(tree.right[node])
    value = float(values[number])
    lower, upper = known.get(number, (-math.inf, math.inf))
    if value <= threshold or upper <= threshold:
        return _below(tree, same_as, values, left, known)
    if value > threshold or lower >= threshold:
        return _below(tree, same_as, values, right, known)
    sides = ((left, (lower, threshold)), (right, (threshold, upper)))
    found = [_below(tree, same_as, values, child, {**known, number: ends}) for child, ends in sides]
    first, second = found[0][0], found[1][0]
    if not first.intervals and not second.intervals and same_as[first.leaves[0]] == same_as[second.leaves[0]]:
        return [Region({}, first.leaves + second.leaves)]
    return [
        Region({number: ends, **region.intervals}, region.leaves)
        for part, (_, ends) in zip(found, sides, strict=True)
        for region in part
    ]
