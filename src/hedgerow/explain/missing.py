"""What may be advised when readings are missing, and what decides between it."""

__all__ = ["Region", "regions"]

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.tree import Tree

_Intervals: TypeAlias = Mapping[int, tuple[float, float]]


@dataclass(frozen=True)
class Region:
    """Values of the missing readings for which the same leaves, with one and the same solution, are reached.

    Attributes
    ----------
    intervals
        Per missing item that matters here the interval `lower < value <= upper`.
    leaves
        The leaves that may be reached there; all of them hold the same solution.
    """

    intervals: _Intervals
    leaves: tuple[int, ...]


@dataclass(frozen=True)
class _Question:
    item: int
    threshold: float
    left: "_Question | tuple[int, ...]"
    right: "_Question | tuple[int, ...]"


def regions(tree: Tree, same_as: IntArray, observation: FloatArray) -> list[Region]:
    """Return the regions of the missing readings (NaN) in an observation, one alone where they don't matter.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import Tree
    >>> from hedgerow.explain.missing import regions
    >>> tree = Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> for region in regions(tree, np.array([0, 1]), np.array([np.nan])):
    ...     print(region.intervals, region.leaves)
    {0: (-inf, 5.0)} (0,)
    {0: (5.0, inf)} (1,)
    """
    return list(_flat(_open_questions(tree, same_as, observation, 0, {}), {}))


def _open_questions(
    tree: Tree, same_as: IntArray, observation: FloatArray, node: int, known: _Intervals
) -> _Question | tuple[int, ...]:
    """Return what remains of the tree below a node: the questions without an answer, or leaves of one solution."""
    item = int(tree.item[node])
    if item < 0:
        return (int(tree.leaf_number[node]),)
    threshold, left, right = float(tree.threshold[node]), int(tree.left[node]), int(tree.right[node])
    value = float(observation[item])
    lower, upper = known.get(item, (-math.inf, math.inf))
    if value <= threshold or upper <= threshold:
        return _open_questions(tree, same_as, observation, left, known)
    if value > threshold or lower >= threshold:
        return _open_questions(tree, same_as, observation, right, known)
    below = _open_questions(tree, same_as, observation, left, {**known, item: (lower, threshold)})
    above = _open_questions(tree, same_as, observation, right, {**known, item: (threshold, upper)})
    if isinstance(below, tuple) and isinstance(above, tuple) and same_as[below[0]] == same_as[above[0]]:
        return below + above
    return _Question(item, threshold, below, above)


def _flat(question: _Question | tuple[int, ...], known: _Intervals) -> Iterator[Region]:
    if isinstance(question, tuple):
        yield Region(known, question)
        return
    lower, upper = known.get(question.item, (-math.inf, math.inf))
    yield from _flat(question.left, {**known, question.item: (lower, question.threshold)})
    yield from _flat(question.right, {**known, question.item: (question.threshold, upper)})
