"""The exact method for many samples and depths 1 and 2: roots are settled by the values of their halves.

Needs a listed feasible set. A global budget is bounded by the local budgets it contains (Γ shared out evenly among the
samples), and its structures are evaluated as they are; so it is right as well, but prunes less.
"""

__all__ = ["settle"]

from dataclasses import dataclass

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.methods.exact.halves import bound_halves, evaluate_halves, side_samples
from hedgerow.methods.tables.reach import Reading
from hedgerow.methods.tables.space import SearchSpace, cutoff_below
from hedgerow.run import Run
from hedgerow.structure import NO_SPLIT
from hedgerow.tolerances import BUDGET

_HALVES_AT_ONCE = 256
_BYTES_PER_HALF = 24


@dataclass(frozen=True)
class _Halves:
    """The halves of one side of a root that may be part of something better: splits and two rows of bounds."""

    splits: IntArray
    values: FloatArray

    @property
    def least(self) -> FloatArray:
        """The least values with and without the free samples; ∞ where no half is left."""
        least: FloatArray = self.values.min(axis=1, initial=np.inf)
        return least

    def where(self, keep: BoolArray) -> "_Halves":
        """Return some of the halves."""
        return _Halves(self.splits[keep], self.values[:, keep])


@dataclass(frozen=True)
class _Root:
    """A root that is not settled yet, with its bound and, if there was room for them, its halves."""

    split: int
    bound: float
    halves: tuple[_Halves, _Halves] | None


def settle(space: SearchSpace, run: Run) -> None:
    """Settle all structures of depth 1 or 2: first every root's bound, then the open roots, least bound first."""
    bounding = _local_part(space.reading)
    open_roots: list[_Root] = []
    room = space.settings.memory_limit // (2 * _BYTES_PER_HALF)
    # A tree of depth 1 is the left half of a root that asks nothing.
    roots = space.candidates if space.instance.depth == 2 else np.array([NO_SPLIT])
    for number, root in enumerate(roots):
        if run.must_stop():
            return
        halves = _bounded_root(int(root), space, bounding, run)
        bound = _pair_bound(*halves)
        if bound < cutoff_below(run.value):
            room -= sum(half.splits.size for half in halves)
            open_roots.append(_Root(int(root), bound, halves if room >= 0 else None))
        run.count(0, f"{number + 1} of {roots.size} roots bounded, {len(open_roots)} open")
    open_roots.sort(key=lambda root: root.bound)
    for number, candidate in enumerate(open_roots):
        run.raise_bound(min(candidate.bound, run.value, space.open_bound))
        if candidate.bound >= cutoff_below(run.value):
            break
        if not run.running or not _settle_root(candidate, space, bounding, run):
            return
        run.count(1, f"{number + 1} of {len(open_roots)} open roots settled")
    run.raise_bound(min(run.value, space.open_bound))


def _local_part(reading: Reading) -> Reading:
    """Return a local budget that the reading's budget contains: itself, or the global one shared out evenly."""
    if reading.budgets.size:
        return reading
    n_samples = reading.observations.shape[0]
    share = max(0.0, reading.limit - BUDGET) / n_samples
    # A local move may exceed its budget by the tolerance; the sum of all must still fit.
    share = max(0.0, share - BUDGET)
    return reading._replace(budgets=np.full(n_samples, share), limit=0.0)


def _bounded_root(root: int, space: SearchSpace, bounding: Reading, run: Run) -> tuple[_Halves, _Halves]:
    """Return the root's left and right halves that their bounds don't exclude."""
    reaches = np.empty((2, space.instance.n_samples), dtype=np.bool_)
    side_samples(root, bounding, reaches)
    left = _bounded_side(root, 0, space, bounding, reaches)
    right = _bounded_side(root, 1, space, bounding, reaches)
    return _mutually_below(left, right, cutoff_below(run.value))


def _bounded_side(root: int, side: int, space: SearchSpace, bounding: Reading, reaches: BoolArray) -> _Halves:
    if side == 1 and root == NO_SPLIT:
        return _Halves(np.array([NO_SPLIT]), np.zeros((2, 1)))
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
    return _Halves(splits, values)


def _half_allowed(root: int, side: int, split: int, space: SearchSpace) -> bool:
    """Return whether the leaves of a half keep `min_samples_leaf`; the number of leaves is looked at for pairs only."""
    smallest = space.settings.min_samples_leaf
    observations, splits = space.instance.observations, space.splits
    here = np.ones(len(observations), dtype=bool)
    if root != NO_SPLIT:
        here = (observations[:, splits.item[root]] > splits.threshold[root]) == bool(side)
    if split == NO_SPLIT:
        return int(here.sum()) >= smallest
    goes_right = observations[:, splits.item[split]] > splits.threshold[split]
    return min(int((here & goes_right).sum()), int((here & ~goes_right).sum())) >= smallest


def _pair_bound(left: _Halves, right: _Halves) -> float:
    """Return a bound on all pairs: free samples all to the left, or all to the right."""
    on_left, on_right = left.least, right.least
    return float(max(on_left[0] + on_right[1], on_left[1] + on_right[0]))


def _mutually_below(left: _Halves, right: _Halves, target: float) -> tuple[_Halves, _Halves]:
    """Return the halves that stay below the target with the best half on the other side."""
    left = left.where((left.values[0] + right.least[1] < target) & (left.values[1] + right.least[0] < target))
    right = right.where((right.values[0] + left.least[1] < target) & (right.values[1] + left.least[0] < target))
    return left, right


def _settle_root(root: _Root, space: SearchSpace, bounding: Reading, run: Run) -> bool:
    """Evaluate the root's halves, then the pairs that are left; return False if the run had to stop on the way."""
    halves = _bounded_root(root.split, space, bounding, run) if root.halves is None else root.halves
    left, right = _mutually_below(*halves, cutoff_below(run.value))
    reaches = np.empty((2, space.instance.n_samples), dtype=np.bool_)
    side_samples(root.split, bounding, reaches)
    for side in (0, 1):
        this, other = (left, right) if side == 0 else (right, left)
        evaluated = _evaluated(root.split, side, this, other, space, bounding, reaches, run)
        if evaluated is None:
            return False
        left, right = (evaluated, right) if side == 0 else (left, evaluated)
        left, right = _mutually_below(left, right, cutoff_below(run.value))
    if _pair_bound(left, right) >= cutoff_below(run.value):
        return True
    return _settle_pairs(root.split, left, right, space, run)


def _evaluated(
    root: int,
    side: int,
    halves: _Halves,
    others: _Halves,
    space: SearchSpace,
    bounding: Reading,
    reaches: BoolArray,
    run: Run,
) -> _Halves | None:
    """Return the halves with their exact values, without those excluded or dominated; None if time is up."""
    if side == 1 and root == NO_SPLIT:
        return halves
    # Under a global budget it is the true reading that decides who dominates, and limits on leaves need all halves.
    prune = bounding is space.reading and space.settings.max_leaves is None
    least = others.least
    parts: list[_Halves] = []
    order = np.argsort(halves.values[0], kind="stable")
    for start in range(0, order.size, _HALVES_AT_ONCE):
        if run.must_stop():
            return None
        block = order[start : start + _HALVES_AT_ONCE]
        splits, values = halves.splits[block].copy(), np.ascontiguousarray(halves.values[:, block])
        target = cutoff_below(run.value)
        count = evaluate_halves(
            root,
            side,
            splits,
            bounding,
            space.table.loss,
            reaches,
            target - least[1],
            target - least[0],
            prune,
            values[0],
            values[1],
        )
        parts.append(_Halves(splits[:count], values[:, :count]))
    if not parts:
        return _Halves(np.empty(0, dtype=np.int64), np.empty((2, 0)))
    return _Halves(np.concatenate([part.splits for part in parts]), np.hstack([part.values for part in parts]))


def _settle_pairs(root: int, left: _Halves, right: _Halves, space: SearchSpace, run: Run) -> bool:
    """Evaluate the pairs of halves as whole structures; return False if the run had to stop on the way."""
    for number in np.argsort(left.values[0], kind="stable"):
        if run.must_stop():
            return False
        target = cutoff_below(run.value)
        sums = left.values[:, number, None] + right.values[::-1]
        partners = right.splits[(sums < target).all(axis=0)]
        structures = np.empty((partners.size, 3), dtype=np.int64)
        structures[:, 0], structures[:, 1], structures[:, 2] = root, left.splits[number], partners
        if space.settings.max_leaves is not None:
            structures = structures[(structures != NO_SPLIT).sum(axis=1) < space.settings.max_leaves]
        space.take_best(structures if space.n_inner == 3 else structures[:, 1:2], run, "better pair")
    return not run.must_stop()
