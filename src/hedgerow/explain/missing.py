"""What may be advised when readings are missing, and what decides between it."""

__all__ = ["Region", "regions"]

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.questions import values_of
from hedgerow.tree import Tree

_Intervals: TypeAlias = Mapping[int, tuple[float, float]]


@dataclass(frozen=True)
class Region:
    """Values of the missing readings for which the same leaves, with one and the same solution, are reached.

    Attributes
    ----------
    intervals
        Per question of the tree that matters here the interval `lower < value <= upper`.
    leaves
        The leaves that may be reached there; all of them hold the same solution.
    """

    intervals: _Intervals
    leaves: tuple[int, ...]


@dataclass(frozen=True)
class _Question:
    number: int
    threshold: float
    left: "_Question | tuple[int, ...]"
    right: "_Question | tuple[int, ...]"


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
    return list(_flat(_open_questions(tree, same_as, values, 0, {}), {}))


def _open_questions(
    tree: Tree, same_as: IntArray, values: FloatArray, node: int, known: _Intervals
) -> _Question | tuple[int, ...]:
    """Return what remains of the tree below a node: the questions without an answer, or leaves of one solution."""
    number = int(tree.question[node])
    if number < 0:
        return (int(tree.leaf_number[node]),)
    threshold, left, right = float(tree.threshold[node]), int(tree.left[node]), int(tree.right[node])
    value = float(values[number])
    lower, upper = known.get(number, (-math.inf, math.inf))
    if value <= threshold or upper <= threshold:
        return _open_questions(tree, same_as, values, left, known)
    if value > threshold or lower >= threshold:
        return _open_questions(tree, same_as, values, right, known)
    below = _open_questions(tree, same_as, values, left, {**known, number: (lower, threshold)})
    above = _open_questions(tree, same_as, values, right, {**known, number: (threshold, upper)})
    if isinstance(below, tuple) and isinstance(above, tuple) and same_as[below[0]] == same_as[above[0]]:
        return below + above
    return _Question(number, threshold, below, above)


def _flat(question: _Question | tuple[int, ...], known: _Intervals) -> Iterator[Region]:
    if isinstance(question, tuple):
        yield Region(known, question)
        return
    lower, upper = known.get(question.number, (-math.inf, math.inf))
    yield from _flat(question.left, {**known, question.number: (lower, question.threshold)})
    yield from _flat(question.right, {**known, question.number: (question.threshold, upper)})
