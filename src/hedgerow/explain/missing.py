"""What may be advised when readings are missing, and what decides between it."""

__all__ = ["Region", "regions"]

import math
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.questions import values_of
from hedgerow.tree import Tree

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
