"""Refinement (the paper's post-processing): move a tree's thresholds inside their intervals, evaluated in one batch."""

__all__ = ["refine"]

import itertools

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.arrays import FloatArray, IntArray
from hedgerow.instance import Instance
from hedgerow.run.result import Refined
from hedgerow.splits import GRID_POINTS, Splits, between
from hedgerow.structure import existing_slots, structure_of
from hedgerow.tolerances import VALUE
from hedgerow.tree import Tree
from hedgerow.uncertainty import Nominal

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
        from hedgerow.methods.tables.reach import reading_of

        options = [_options(instance.observations[:, tree.item[node]], float(tree.threshold[node])) for node in inner]
        sizes = [option.size for option in options]
        starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
        items = np.repeat(tree.item[inner], sizes)
        thresholds = np.concatenate(options)
        self._splits = Splits(items, thresholds, thresholds, thresholds)
        self._choices = [np.arange(start, start + size) for start, size in zip(starts, sizes, strict=True)]
        self._reading = reading_of(instance, self._splits)
        # Where in the full shape the tree's inner nodes stand, found by a tree that asks each its own question.
        marked = tree.replace(threshold=np.where(tree.item >= 0, np.arange(tree.n_nodes), np.nan))
        numbers = inner.astype(np.float64)
        marks = Splits(tree.item[inner], numbers, numbers, numbers)
        shape = structure_of(marked, marks, tree.depth)
        self._shape = shape
        self._places = np.array([int(np.flatnonzero(shape == number)[0]) for number in range(inner.size)])
        slot_loss = np.zeros((shape.size + 1, instance.n_samples))
        slot_loss[existing_slots(shape)] = instance.losses(tree.solutions).T
        self._slot_loss = slot_loss

    def best(self, value: float) -> FloatArray | None:
        """Return the thresholds of the best combination that is better than `value`, if there is one."""
        start = np.array([choices[0] for choices in self._choices])
        if np.prod([float(choices.size) for choices in self._choices]) <= MOST_COMBINATIONS:
            combinations = np.array(list(itertools.product(*self._choices)), dtype=np.int64)
            chosen, _ = self._best_of(combinations, value)
        else:
            chosen = self._descend(start, value)
        return None if chosen is None else np.asarray(self._splits.threshold[chosen])

    def _descend(self, current: IntArray, value: float) -> IntArray | None:
        """Improve one node's threshold at a time until nothing changes."""
        changed: IntArray | None = None
        for _ in range(_MOST_ROUNDS):
            before = value
            for node, choices in enumerate(self._choices):
                trials = np.repeat(current[None], choices.size, axis=0)
                trials[:, node] = choices
                chosen, value = self._best_of(trials, value)
                if chosen is not None:
                    changed = current = chosen
            if value >= before:
                break
        return changed

    def _best_of(self, combinations: IntArray, value: float) -> tuple[IntArray | None, float]:
        from hedgerow.methods.tables.fixed import best_fixed_of
        from hedgerow.methods.tables.large_leaves import large_attack

        structures = np.repeat(self._shape[None], len(combinations), axis=0)
        structures[:, self._places] = combinations
        cutoff = value - VALUE * max(1.0, abs(value))
        undecided = np.empty(len(structures), dtype=np.int64)
        number, better, n_undecided = best_fixed_of(structures, self._reading, self._slot_loss, cutoff, undecided)
        for candidate in undecided[:n_undecided]:
            attacked = large_attack(structures[candidate], self._reading, self._slot_loss)
            if attacked < better:
                number, better = candidate, attacked
        return (None, value) if number < 0 else (combinations[number], better)


def _options(values: FloatArray, threshold: float) -> FloatArray:
    """Return the threshold itself, then the grid between the neighbouring sample values, if it lies between two."""
    below, above = values[values <= threshold], values[values > threshold]
    if not below.size or not above.size:
        return np.array([threshold])
    low, high = below.max(), above.min()
    grid = [float(between(low, high, share)) for share in GRID_POINTS]
    return np.array([threshold, *(point for point in dict.fromkeys(grid) if point != threshold)])
