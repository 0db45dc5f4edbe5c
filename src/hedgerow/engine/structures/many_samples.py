"""The exact method for many samples and depths 1 and 2: roots are settled by the values of their halves.

Needs a listed feasible set. A global budget is bounded by the local budgets it contains (Γ shared out evenly among the
samples), and its structures are evaluated as they are; so it is right as well, but prunes less.
"""

__all__ = ["settle"]

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from hedgerow.arrays import BoolArray, IntArray
from hedgerow.engine.structures.halves import evaluate_halves, side_samples
from hedgerow.engine.structures.root_halves import Halves, bounded_root, local_part, mutually_below, pair_bound
from hedgerow.engine.structures.rounds import Root, RootTask, SettledRoot, settle_in_rounds, settled_root
from hedgerow.engine.tables.reach import Reading
from hedgerow.engine.tables.space import SearchSpace, cutoff_below
from hedgerow.run import Deadline, Interrupt, Run
from hedgerow.run.workers import Workers
from hedgerow.structure import NO_SPLIT

_HALVES_AT_ONCE = 256
_BYTES_PER_HALF = 24
_ROOTS_AT_ONCE = 16
_BLOCKS_PER_ROUND = 8

_Known: TypeAlias = tuple[Halves, Halves] | None
"""A root's halves, if there was room to keep them."""


@dataclass(frozen=True, eq=False)
class _Unbounded:
    """Roots whose bounds are wanted, and what is to be undercut."""

    splits: IntArray
    target: float


def settle(space: SearchSpace, run: Run, *, stay_here: bool = False) -> None:
    """Settle all structures of depth 1 or 2: first every root's bound, then the open roots, least bound first."""
    n_jobs = space.options.n_jobs
    bounding = Workers(_Bounding, space, n_jobs, run.deadline, run.interrupt, stay_here=stay_here)
    roots = _open_roots(space, run, bounding)
    if roots is None:
        return
    settling = Workers(_Settling, space, n_jobs, run.deadline, run.interrupt, stay_here=stay_here)
    settle_in_rounds(roots, run, settling)


def _open_roots(
    space: SearchSpace, run: Run, workers: "Workers[SearchSpace, _Unbounded, list[Root[_Known]] | None]"
) -> list[Root[_Known]] | None:
    """Return the roots that their bounds don't exclude; None if time was up before."""
    # A tree of depth 1 is the left half of a root that asks nothing.
    splits = space.candidates if space.instance.depth == 2 else np.array([NO_SPLIT])
    room = space.options.memory_limit // (2 * _BYTES_PER_HALF)
    open_roots: list[Root[_Known]] = []
    n_bounded = 0
    while n_bounded < splits.size:
        ends = range(n_bounded, min(splits.size, n_bounded + _BLOCKS_PER_ROUND * _ROOTS_AT_ONCE), _ROOTS_AT_ONCE)
        blocks = [_Unbounded(splits[first : first + _ROOTS_AT_ONCE], cutoff_below(run.value)) for first in ends]
        for block, roots in zip(blocks, workers.results(blocks), strict=True):
            if roots is None:
                return None
            for root in roots:
                room -= sum(half.splits.size for half in root.known or ())
                open_roots.append(root if room >= 0 else Root(root.split, root.bound, None))
            n_bounded += block.splits.size
            run.count(0, f"{n_bounded} of {splits.size} roots bounded, {len(open_roots)} open")
    return open_roots


class _Bounding:
    """Bounds roots by their halves."""

    def __init__(self, space: SearchSpace) -> None:
        self._space, self._bounding = space, local_part(space.reading)

    def __call__(self, task: _Unbounded, deadline: Deadline, interrupt: Interrupt) -> list[Root[_Known]] | None:
        """Return the roots that are open, or None if time was up before all were looked at."""
        roots: list[Root[_Known]] = []
        for split in task.splits:
            if interrupt.requested or deadline.passed():
                return None
            halves = bounded_root(int(split), self._space, self._bounding, task.target)
            bound = pair_bound(*halves)
            if bound < task.target:
                roots.append(Root(int(split), bound, halves))
        return roots


class _Settling:
    """Settles one root after the other."""

    def __init__(self, space: SearchSpace) -> None:
        self._space, self._bounding = space, local_part(space.reading)

    def __call__(self, task: RootTask[_Known], deadline: Deadline, interrupt: Interrupt) -> SettledRoot:
        """Settle the root, as far as time allows."""
        return settled_root(task, self._space, deadline, interrupt, self._settle)

    def _settle(self, root: Root[_Known], run: Run) -> bool:
        return _settle_root(root, self._space, self._bounding, run)


def _settle_root(root: Root[_Known], space: SearchSpace, bounding: Reading, run: Run) -> bool:
    """Evaluate the root's halves, then the pairs that are left; return False if the run had to stop on the way."""
    target = cutoff_below(run.value)
    left, right = bounded_root(root.split, space, bounding, target) if root.known is None else root.known
    left, right = mutually_below(left, right, target)
    reaches = np.empty((2, space.instance.n_samples), dtype=np.bool_)
    side_samples(root.split, bounding, reaches)
    for side in (0, 1):
        this, other = (left, right) if side == 0 else (right, left)
        evaluated = _evaluated(root.split, side, this, other, space, bounding, reaches, run)
        if evaluated is None:
            return False
        left, right = (evaluated, right) if side == 0 else (left, evaluated)
        left, right = mutually_below(left, right, cutoff_below(run.value))
    if pair_bound(left, right) >= cutoff_below(run.value):
        return True
    return _settle_pairs(root.split, left, right, space, run)


def _evaluated(
    root: int,
    side: int,
    halves: Halves,
    others: Halves,
    space: SearchSpace,
    bounding: Reading,
    reaches: BoolArray,
    run: Run,
) -> Halves | None:
    """Return the halves with their exact values, without those excluded or dominated; None if time is up."""
    if side == 1 and root == NO_SPLIT:
        return halves
    # Under a global budget it is the true reading that decides who dominates, and limits on leaves need all halves.
    prune = bounding is space.reading and space.options.max_leaves is None
    least = others.least
    parts: list[Halves] = []
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
        parts.append(Halves(splits[:count], values[:, :count]))
    if not parts:
        return Halves(np.empty(0, dtype=np.int64), np.empty((2, 0)))
    return Halves(np.concatenate([part.splits for part in parts]), np.hstack([part.values for part in parts]))


def _settle_pairs(root: int, left: Halves, right: Halves, space: SearchSpace, run: Run) -> bool:
    """Evaluate the pairs of halves as whole structures; return False if the run had to stop on the way."""
    for number in np.argsort(left.values[0], kind="stable"):
        if run.must_stop():
            return False
        target = cutoff_below(run.value)
        sums = left.values[:, number, None] + right.values[::-1]
        partners = right.splits[(sums < target).all(axis=0)]
        structures = np.empty((partners.size, 3), dtype=np.int64)
        structures[:, 0], structures[:, 1], structures[:, 2] = root, left.splits[number], partners
        if space.options.max_leaves is not None:
            structures = structures[(structures != NO_SPLIT).sum(axis=1) < space.options.max_leaves]
        space.take_best(structures if space.n_inner == 3 else structures[:, 1:2], run, "better pair")
    return not run.must_stop()
