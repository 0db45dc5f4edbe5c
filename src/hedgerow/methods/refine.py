"""Refinement (the paper's post-processing): the best thresholds of a grid around a tree's own, evaluated in batches."""

__all__ = ["RefineParameters", "refine"]

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.instance import Instance
from hedgerow.methods.units import WorkingUnits
from hedgerow.run.result import Refined
from hedgerow.tree.questions import values_of
from hedgerow.tree.splits import GRID_POINTS, Splits, between
from hedgerow.tree.structure import NO_SPLIT, existing_slots
from hedgerow.tree.tree import Tree


@dataclass(frozen=True)
class RefineParameters:
    """How much refinement tries."""

    most_combinations: int = (
        100_000  # up to this many combinations of thresholds all are tried, else one node at a time
    )
    # The same for their work: samples × leaves for each of them; a local budget's attack is this much quicker.
    most_work: float = 20_000_000
    quicker_where_local: float = 100.0
    work_at_once: float = 200_000  # work between two looks at the clock: about a tenth of a second
    most_rounds: int = 50  # rounds over all nodes; each makes the tree better, so that there are few


def refine(
    tree: Tree,
    instance: Instance,
    must_stop: Callable[[], bool] = lambda: False,
    *,
    margin: float = 0.0,
    parameters: RefineParameters | None = None,
) -> Refined:
    """Return the tree with the best worst case over the paper's grid of thresholds around its own.

    Each threshold may move between the two neighbouring sample values, to nine points; structure and solutions stay.
    If nothing is better, as in the example, the tree itself is returned. `must_stop` is asked between pieces of work;
    once it returns True, the best tree so far is returned and marked as incomplete. Each threshold may be moved by the
    margin without a worse worst case.
    """
    before = worst_case(tree, instance, margin=margin)
    inner = np.flatnonzero(tree.is_inner)
    if not inner.size or not instance.uncertainty.can_misread or not instance.uncertainty.is_plain:
        return Refined(tree, before.bound)
    units = WorkingUnits(WorkingUnits.of(instance).losses)
    grid = _Grid(tree, units.scaled(instance), must_stop, margin, parameters or RefineParameters())
    refined = tree.replace(threshold=grid.best_thresholds(instance.sign * units.losses * before.bound))
    after = worst_case(refined, instance, margin=margin)
    # The adversary decides, here as everywhere.
    better = instance.sign * after.bound < instance.sign * before.bound
    return Refined(refined if better else tree, after.bound if better else before.bound, grid.complete)


class _Grid:
    """The thresholds that each node may have, as candidate splits of their own, and trees as combinations of them."""

    def __init__(
        self,
        tree: Tree,
        instance: Instance,
        must_stop: Callable[[], bool],
        margin: float,
        parameters: RefineParameters,
    ) -> None:
        from hedgerow.engine.structures.reach import reading_of  # here, since it loads kernels

        self._tree, self._must_stop, self._parameters = tree, must_stop, parameters
        self._inner = np.flatnonzero(tree.is_inner)
        self._place = tree.level_place[self._inner]
        values, asked = values_of(tree.questions, instance.observations), tree.question[self._inner]
        options = [
            grid_around(values[:, question], float(tree.threshold[node]))
            for question, node in zip(asked, self._inner, strict=True)
        ]
        self._sizes = np.array([option.size for option in options])
        self._first = np.cumsum(self._sizes) - self._sizes
        self._threshold = threshold = np.concatenate(options)
        splits = Splits(np.repeat(asked, self._sizes), threshold, threshold, threshold, tree.questions)
        self._reading = reading_of(instance, splits, margin)
        self._structure = np.full(2**tree.depth - 1, NO_SPLIT, dtype=np.int64)
        self._structure[self._place] = self._first
        self._slot_loss = np.zeros((self._structure.size + 1, instance.n_samples))
        self._slot_loss[existing_slots(self._structure)] = instance.losses(tree.solutions).T
        speed = parameters.quicker_where_local if instance.uncertainty.is_separable else 1.0
        self._work = self._slot_loss.size / speed
        self.complete = True

    def best_thresholds(self, value: float) -> FloatArray:
        """Return the tree's thresholds with the best combination of which the worst case is below `value`."""
        every_node, combinations = np.arange(self._inner.size), float(np.prod(self._sizes, dtype=np.float64))
        work, parameters = combinations * self._work, self._parameters
        # What takes a while, or too long, begins with what is quick: so there is something once time is up.
        for _ in range(parameters.most_rounds if work > parameters.work_at_once else 0):
            before = value
            for node in every_node:
                value = self._try_all(every_node[node : node + 1], value)
            if value >= before or not self.complete:
                break
        if work <= parameters.most_work and combinations <= parameters.most_combinations:
            self._try_all(every_node, value)
        threshold = np.array(self._tree.threshold)
        threshold[self._inner] = self._threshold[self._structure[self._place]]
        return threshold

    def _try_all(self, nodes: IntArray, value: float) -> float:
        """Take the best combination of these nodes' thresholds if it is below `value`; return the new value."""
        from hedgerow.methods.best_structure import best_fixed

        total, start = int(np.prod(self._sizes[nodes])), self._structure
        at_once = max(1, int(self._parameters.work_at_once / self._work))
        for first in range(0, total, at_once):
            if self._must_stop():
                self.complete = False
                break
            numbers = np.unravel_index(np.arange(first, min(total, first + at_once)), self._sizes[nodes])
            structures = np.repeat(start[None], numbers[0].size, axis=0)
            structures[:, self._place[nodes]] = self._first[nodes] + np.stack(numbers, axis=1)
            better = best_fixed(structures, self._reading, self._slot_loss, value, self._must_stop)
            if better is not None:
                self._structure, value = better
        return value


def grid_around(values: FloatArray, threshold: float) -> FloatArray:
    """Return the threshold itself, then the grid between the neighbouring sample values, if it lies between two."""
    below, above = values[values <= threshold], values[values > threshold]
    if not below.size or not above.size:
        return np.array([threshold])
    grid = [float(between(below.max(), above.min(), share)) for share in GRID_POINTS]
    return np.array([threshold, *(point for point in dict.fromkeys(grid) if point != threshold)])
