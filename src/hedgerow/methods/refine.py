"""Refinement (the paper's post-processing): move a tree's thresholds inside their intervals, evaluated in one batch."""

__all__ = ["refine"]

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.arrays import FloatArray, IntArray
from hedgerow.instance import Instance
from hedgerow.run.result import Refined
from hedgerow.splits import GRID_POINTS, Splits, between
from hedgerow.structure import NO_SPLIT, existing_slots
from hedgerow.tolerances import VALUE
from hedgerow.tree import Tree
from hedgerow.uncertainty import Nominal

if TYPE_CHECKING:
    from hedgerow.methods.refine_kernel import Options

MOST_COMBINATIONS = 100_000
"""Up to so many combinations of thresholds all are tried; beyond, one node at a time."""

_MOST_ROUNDS = 50


def refine(tree: Tree, instance: Instance) -> Refined:
    """Return the tree with the best worst case over the paper's grid of thresholds around its own.

    Each threshold may move between the two neighbouring sample values, to nine points; structure and solutions stay.
    If nothing is better, as in the example, the tree itself is returned.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, Instance, Tree
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.methods.refine import refine
    >>> problem, costs = motivating_example()
    >>> tree = Tree.from_dict(
    ...     {"item": 0, "threshold": 5.0, "left": {"solution": [1, 1, 0, 0]}, "right": {"solution": [0, 0, 1, 1]}}
    ... )
    >>> refined = refine(tree, Instance.create(problem, costs, uncertainty=GlobalBudget(5.0)))
    >>> refined.objective, float(refined.tree.threshold[0])
    (50.0, 5.0)
    """
    before = worst_case(tree, instance)
    inner = np.flatnonzero(tree.item >= 0)
    if not inner.size or isinstance(instance.uncertainty, Nominal):
        return Refined(tree, before.bound)
    grid = _Grid(tree, inner, instance)
    found = grid.best(instance.sign * before.bound)
    if found is None:
        return Refined(tree, before.bound)
    threshold = np.array(tree.threshold)
    threshold[inner] = found
    refined = tree.replace(threshold=threshold)
    after = worst_case(refined, instance)
    # The adversary has the last word, here as everywhere.
    better = instance.sign * after.bound < instance.sign * before.bound
    return Refined(refined, after.bound) if better else Refined(tree, before.bound)


class _Grid:
    """The thresholds that each node may have, as candidate splits of their own, and trees as combinations of them."""

    def __init__(self, tree: Tree, inner: IntArray, instance: Instance) -> None:
        # Compiled kernels are loaded only by those who use them.
        from hedgerow.methods.refine_kernel import Options
        from hedgerow.methods.tables.reach import reading_of

        options = [_options(instance.observations[:, tree.item[node]], float(tree.threshold[node])) for node in inner]
        count = np.array([option.size for option in options])
        first = np.cumsum(count) - count
        threshold = np.concatenate(options)
        self._threshold = threshold
        self._reading = reading_of(instance, Splits(np.repeat(tree.item[inner], count), *[threshold] * 3))
        place = _places(tree)[inner]
        shape = np.full(2**tree.depth - 1, NO_SPLIT, dtype=np.int64)
        shape[place] = first
        lowest = first + np.array([np.argmin(option) for option in options])
        highest = first + np.array([np.argmax(option) for option in options])
        self._options = Options(shape, place, first, count, lowest, highest)
        self._slot_loss = np.zeros((shape.size + 1, instance.n_samples))
        self._slot_loss[existing_slots(shape)] = instance.losses(tree.solutions).T

    def best(self, value: float) -> FloatArray | None:
        """Return the thresholds of the best combination that is better than `value`, if there is one."""
        combinations = float(np.prod(self._options.n_options, dtype=np.float64))
        chosen = self._best_of(self._options, value)[0] if combinations <= MOST_COMBINATIONS else self._descend(value)
        return None if chosen is None else self._threshold[chosen]

    def _descend(self, value: float) -> IntArray | None:
        """Improve one node's threshold at a time until nothing changes."""
        current, changed = self._options.first, None
        for _ in range(_MOST_ROUNDS):
            before = value
            for node in range(current.size):
                only = np.arange(current.size) == node
                trials = self._options._replace(
                    first=np.where(only, self._options.first, current),
                    n_options=np.where(only, self._options.n_options, 1),
                    lowest=np.where(only, self._options.lowest, current),
                    highest=np.where(only, self._options.highest, current),
                )
                chosen, value = self._best_of(trials, value)
                if chosen is not None:
                    changed = current = chosen
            if value >= before:
                break
        return changed

    def _best_of(self, options: "Options", value: float) -> tuple[IntArray | None, float]:
        from hedgerow.methods.refine_kernel import best_combination
        from hedgerow.methods.tables.large_leaves import large_attack

        cutoff = value - VALUE * max(1.0, abs(value))
        best = np.full(options.place.size, -1, dtype=np.int64)
        undecided = np.empty((int(options.n_options.prod()), best.size), dtype=np.int64)
        better, n_undecided = best_combination(options, self._reading, self._slot_loss, cutoff, best, undecided)
        for combination in undecided[:n_undecided]:
            structure = options.shape.copy()
            structure[options.place] = combination
            attacked = large_attack(structure, self._reading, self._slot_loss)
            if attacked < better:
                best, better = combination.copy(), attacked
        return (best, better) if better < cutoff else (None, value)


def _places(tree: Tree) -> IntArray:
    """Return where in the full shape, numbered level by level, each of the tree's nodes stands."""
    place = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in np.flatnonzero(tree.item >= 0):
        place[tree.left[node]], place[tree.right[node]] = 2 * place[node] + 1, 2 * place[node] + 2
    return place


def _options(values: FloatArray, threshold: float) -> FloatArray:
    """Return the threshold itself, then the grid between the neighbouring sample values, if it lies between two."""
    below, above = values[values <= threshold], values[values > threshold]
    if not below.size or not above.size:
        return np.array([threshold])
    low, high = below.max(), above.min()
    grid = [float(between(low, high, share)) for share in GRID_POINTS]
    return np.array([threshold, *(point for point in dict.fromkeys(grid) if point != threshold)])
