"""Refinement (the paper's post-processing): move a tree's thresholds inside their intervals, evaluated in batches."""

__all__ = ["refine"]

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.instance import Instance
from hedgerow.methods.units import Units
from hedgerow.run.result import Refined
from hedgerow.tolerances import VALUE
from hedgerow.tree.questions import values_of
from hedgerow.tree.splits import GRID_POINTS, Splits, between
from hedgerow.tree.structure import NO_SPLIT, existing_slots
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal

if TYPE_CHECKING:
    from hedgerow.methods.refine_kernel import Options

MOST_COMBINATIONS = 100_000
"""Up to this many combinations of thresholds, all are tried; beyond, one node at a time."""

MOST_WORK = 20_000_000
"""Most work for all combinations, samples times leaves for each of them; beyond, one node at a time."""

WORK_AT_ONCE = 200_000
"""Work between two looks at the clock: about a tenth of a second with a thousand samples."""

_QUICKER_WHERE_LOCAL = 100.0

_MOST_ROUNDS = 50


def refine(
    tree: Tree, instance: Instance, must_stop: Callable[[], bool] = lambda: False, *, margin: float = 0.0
) -> Refined:
    """Return the tree with the best worst case over the paper's grid of thresholds around its own.

    Each threshold may move between the two neighbouring sample values, to nine points; structure and solutions stay.
    If nothing is better, as in the example, the tree itself is returned. `must_stop` is asked between pieces of work;
    once it returns True, the best tree so far is returned and marked as incomplete. Each threshold may be moved by the
    margin without a worse worst case.
    """
    before = worst_case(tree, instance, margin=margin)
    inner = np.flatnonzero(tree.is_inner)
    if not inner.size or isinstance(instance.uncertainty, Nominal):
        return Refined(tree, before.bound)
    unit = Units.of(instance).losses
    grid = _Grid(tree, inner, Units(unit).scaled(instance), must_stop, margin)
    found = grid.best(instance.sign * unit * before.bound)
    if found is None:
        return Refined(tree, before.bound, grid.complete)
    threshold = np.array(tree.threshold)
    threshold[inner] = found
    refined = tree.replace(threshold=threshold)
    after = worst_case(refined, instance, margin=margin)
    # The adversary decides, here as everywhere.
    better = instance.sign * after.bound < instance.sign * before.bound
    return Refined(refined, after.bound, grid.complete) if better else Refined(tree, before.bound, grid.complete)


class _Grid:
    """The thresholds that each node may have, as candidate splits of their own, and trees as combinations of them."""

    def __init__(
        self, tree: Tree, inner: IntArray, instance: Instance, must_stop: Callable[[], bool], margin: float
    ) -> None:
        # Compiled kernels are loaded only by those who use them.
        from hedgerow.engine.tables.reach import reading_of
        from hedgerow.methods.refine_kernel import Options

        values, asked = values_of(tree.questions, instance.observations), tree.question[inner]
        options = [
            _options(values[:, question], float(tree.threshold[node]))
            for question, node in zip(asked, inner, strict=True)
        ]
        count = np.array([option.size for option in options])
        first = np.cumsum(count) - count
        threshold = np.concatenate(options)
        self._threshold = threshold
        self._reading = reading_of(
            instance, Splits(np.repeat(asked, count), threshold, threshold, threshold, tree.questions), margin
        )
        place = _places(tree)[inner]
        shape = np.full(2**tree.depth - 1, NO_SPLIT, dtype=np.int64)
        shape[place] = first
        lowest = first + np.array([np.argmin(option) for option in options])
        highest = first + np.array([np.argmax(option) for option in options])
        self._options = Options(shape, place, first, count, lowest, highest)
        self._slot_loss = np.zeros((shape.size + 1, instance.n_samples))
        self._slot_loss[existing_slots(shape)] = instance.losses(tree.solutions).T
        # Under a local budget every sample is attacked on its own; a knapsack takes far longer.
        self._work = self._slot_loss.size / (_QUICKER_WHERE_LOCAL if self._reading.budgets.size else 1.0)
        self._must_stop = must_stop
        self.complete = True

    def best(self, value: float) -> FloatArray | None:
        """Return the thresholds of the best combination that is better than `value`, if there is one."""
        combinations = _combinations(self._options)
        work = combinations * self._work
        structure = None
        # What takes a while, or too long, begins with what is quick: so there is something once time is up.
        if work > WORK_AT_ONCE or combinations > MOST_COMBINATIONS:
            structure, value = self._descend(value)
        if work <= MOST_WORK and combinations <= MOST_COMBINATIONS:
            found, _ = self._best_of(self._options, value)
            structure = structure if found is None else found
        return None if structure is None else self._threshold[structure[self._options.place]]

    def _descend(self, value: float) -> tuple[IntArray | None, float]:
        """Improve one node's threshold at a time until nothing changes; return the structure, if new, and its value."""
        current, changed = self._options.shape, None
        for _ in range(_MOST_ROUNDS):
            before = value
            for node in range(self._options.place.size):
                chosen, value = self._best_of(_only(self._options, node, current), value)
                if chosen is not None:
                    changed = current = chosen
            if value >= before or not self.complete:
                break
        return changed, value

    def _best_of(self, options: "Options", value: float) -> tuple[IntArray | None, float]:
        """Return the first of the best structures and its value, or None and the value that none is better than."""
        best = None
        for piece in _pieces(options, max(1.0, WORK_AT_ONCE / self._work)):
            if self._must_stop():
                self.complete = False
                break
            found, value = self._best_of_piece(piece, value)
            best = best if found is None else found
        return best, value

    def _best_of_piece(self, options: "Options", value: float) -> tuple[IntArray | None, float]:
        from hedgerow.engine.tables.large_leaves import large_attack
        from hedgerow.methods.refine_kernel import best_combination

        cutoff = value - VALUE * max(1.0, abs(value))
        best = np.full(options.place.size, -1, dtype=np.int64)
        undecided = np.empty((int(options.n_options.prod()), best.size), dtype=np.int64)
        better, n_undecided = best_combination(options, self._reading, self._slot_loss, cutoff, best, undecided)
        for combination in undecided[:n_undecided]:
            if self._must_stop():
                self.complete = False
                break
            attacked = large_attack(_structure(options, combination), self._reading, self._slot_loss)
            if attacked < better:
                best, better = combination.copy(), attacked
        return (_structure(options, best), better) if better < cutoff else (None, value)


def _combinations(options: "Options") -> float:
    return float(np.prod(options.n_options, dtype=np.float64))


def _structure(options: "Options", combination: IntArray) -> IntArray:
    structure = options.shape.copy()
    structure[options.place] = combination
    return structure


def _only(options: "Options", node: int, structure: IntArray) -> "Options":
    """Return the options of one node alone; the others are as in the structure."""
    here = slice(node, node + 1)
    return type(options)(structure, *(values[here] for values in options[1:]))


def _pieces(options: "Options", most: float) -> "Iterator[Options]":
    """Divide the combinations, in their order, into pieces of at most this size."""
    if _combinations(options) <= most:
        yield options
        return
    first, count = int(options.first[0]), int(options.n_options[0])
    for option in range(first, first + count):
        chosen = np.array([option])
        if options.place.size == 1:
            yield options._replace(first=chosen, n_options=np.ones(1, dtype=np.int64), lowest=chosen, highest=chosen)
        else:
            structure = options.shape.copy()
            structure[options.place[0]] = option
            yield from _pieces(type(options)(structure, *(values[1:] for values in options[1:])), most)


def _places(tree: Tree) -> IntArray:
    """Return where in the full shape, numbered level by level, each of the tree's nodes stands."""
    place = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in np.flatnonzero(tree.is_inner):
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
