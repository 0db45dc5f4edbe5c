"""The halves of a root: which splits of its two sides may be part of something better, as far as bounds tell."""

__all__ = ["Halves", "bounded_root", "local_part", "mutually_below", "pair_bound"]

from dataclasses import dataclass

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.structures.halves import bound_halves, side_samples
from hedgerow.engine.tables.reach import Reading
from hedgerow.engine.tables.space import SearchSpace
from hedgerow.structure import NO_SPLIT
from hedgerow.tolerances import VALUE


@dataclass(frozen=True)
class Halves:
    """The halves of one side of a root that may be part of something better: splits and two rows of bounds."""

    splits: IntArray
    values: FloatArray

    @property
    def least(self) -> FloatArray:
        """The least values with and without the free samples; ∞ where no half is left."""
        least: FloatArray = self.values.min(axis=1, initial=np.inf)
        return least

    def where(self, keep: BoolArray) -> "Halves":
        """Return some of the halves."""
        return Halves(self.splits[keep], self.values[:, keep])


def local_part(reading: Reading) -> Reading:
    """Return a local budget that the reading's budget contains: itself, or the global one shared out evenly."""
    if reading.budgets.size:
        return reading
    n_samples = reading.observations.shape[0]
    # Rounded down, so that the sum of all moves fits.
    share = reading.limit / n_samples * (1.0 - VALUE)
    return reading._replace(budgets=np.full(n_samples, share), limit=0.0)


def bounded_root(root: int, space: SearchSpace, bounding: Reading, target: float) -> tuple[Halves, Halves]:
    """Return the root's left and right halves that may lead below the target, as far as their bounds tell."""
    reaches = np.empty((2, space.instance.n_samples), dtype=np.bool_)
    side_samples(root, bounding, reaches)
    left = _bounded_side(root, 0, space, bounding, reaches)
    right = _bounded_side(root, 1, space, bounding, reaches)
    return mutually_below(left, right, target)


def _bounded_side(root: int, side: int, space: SearchSpace, bounding: Reading, reaches: BoolArray) -> Halves:
    if side == 1 and root == NO_SPLIT:
        return Halves(np.array([NO_SPLIT]), np.zeros((2, 1)))
    n_splits = len(space.splits)
    values = np.empty((2, n_splits))
    bound_halves(root, side, bounding, space.table.loss, reaches, values[0], values[1])
    splits = np.arange(n_splits)
    if space.constrained:
        forced = reaches[side] & ~reaches[1 - side]
        single = [space.table.loss[rows].sum(axis=0).min() for rows in (reaches[side], forced)]
        splits, values = np.append(splits, NO_SPLIT), np.column_stack([values, single])
        keep = np.array([_half_allowed(root, side, int(split), space) for split in splits], dtype=bool)
        splits, values = splits[keep], values[:, keep]
    return Halves(splits, values)


def _half_allowed(root: int, side: int, split: int, space: SearchSpace) -> bool:
    """Return whether the leaves of a half keep `min_samples_leaf`; the number of leaves is looked at for pairs only."""
    smallest = space.options.min_samples_leaf
    observations, splits = space.instance.question_values, space.splits
    here = np.ones(len(observations), dtype=bool)
    if root != NO_SPLIT:
        here = (observations[:, splits.question[root]] > splits.threshold[root]) == bool(side)
    if split == NO_SPLIT:
        return int(here.sum()) >= smallest
    goes_right = observations[:, splits.question[split]] > splits.threshold[split]
    return min(int((here & goes_right).sum()), int((here & ~goes_right).sum())) >= smallest


def pair_bound(left: Halves, right: Halves) -> float:
    """Return a bound on all pairs: free samples all to the left, or all to the right."""
    on_left, on_right = left.least, right.least
    return float(max(on_left[0] + on_right[1], on_left[1] + on_right[0]))


def mutually_below(left: Halves, right: Halves, target: float) -> tuple[Halves, Halves]:
    """Return the halves that stay below the target with the best half on the other side."""
    left = left.where((left.values[0] + right.least[1] < target) & (left.values[1] + right.least[0] < target))
    right = right.where((right.values[0] + left.least[1] < target) & (right.values[1] + left.least[0] < target))
    return left, right
