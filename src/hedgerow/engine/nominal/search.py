"""The exact method where nothing is misread: each side of a question is a problem of its own.

The best tree for a set of samples is the best question with the best trees for its two sides. Thresholds of an item
are settled from the middle outwards: the fewer samples a side has, the less it costs, so that what is known at one
threshold bounds both sides of all others. The search runs over open intervals of thresholds, least bound first, and
that bound holds for all that is open. Mazumder, Meng and Wang (2022) use quantiles of an item in this way for
classification (https://proceedings.mlr.press/v162/mazumder22a.html).
"""

__all__ = ["settle_nominal", "suits_nominal"]

import heapq
import math
from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.engine.nominal.kernel import best_pair, best_split, boundaries, part
from hedgerow.engine.pool import SolutionPool
from hedgerow.instance import Instance
from hedgerow.run import Options, Run, StopRunError
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, nominal_slots, tree_of
from hedgerow.uncertainty import Nominal

_WORK_OF_ITEMS = 200_000_000
"""Sums of regrets between two looks at the clock."""

_WORK_OF_A_PAIR = 1 << 28
"""Largest product of samples, items, solutions and thresholds for which two levels are left to one kernel call."""


class _Interval(NamedTuple):
    """Thresholds `first` to `last` of an item that are open, and what the sides cost there at least."""

    bound: float
    item: int
    first: int
    last: int
    left: float
    right: float


class _Found(NamedTuple):
    """What a set of samples costs, or the cut-off, and the structure that attains it, if any is below."""

    value: float
    structure: IntArray | None


def suits_nominal(instance: Instance, options: Options) -> bool:
    """Return whether nothing is misread, and a set of samples never costs more than a larger one.

    It may cost more if leaves must have two samples or more: the larger set can then be divided where this one can't.
    """
    nothing_moves = isinstance(instance.uncertainty, Nominal) and options.margin_on(instance) == 0.0
    may_be_divided = options.min_samples_leaf <= 1 or instance.depth <= 1
    return nothing_moves and may_be_divided and options.max_leaves is None


def settle_nominal(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle all structures where the pool holds every solution that matters."""
    search = _Search(instance, run, options, splits, pool)
    try:
        search.settle_root()
    except StopRunError:
        return


class _Search:
    """The samples' ranks and regrets, and the recursion over sets of samples."""

    def __init__(self, instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
        self._instance, self._run, self._splits, self._pool = instance, run, splits, pool
        self._min_samples = options.min_samples_leaf
        alone = pool.losses.min(axis=1)
        self._regret = np.ascontiguousarray(pool.losses - alone[:, None])
        self._base = float(alone.sum())
        self._items, self._first_split = splits.asked, splits.first
        ends = np.append(self._first_split[1:], len(splits))
        self._rank = np.stack(
            [
                np.searchsorted(splits.threshold[start:end], instance.question_values[:, item], side="left")
                for item, start, end in zip(self._items, self._first_split, ends, strict=True)
            ]
        ).astype(np.int64)

    def settle_root(self) -> None:
        """Find the best tree for all samples, and report trees and bounds on the way."""
        order = np.argsort(self._rank, axis=1, kind="stable")
        self._run.raise_bound(self._base)
        found = self._best(order, self._instance.depth, self._cutoff(), at_root=True)
        if found.structure is not None:
            self._offer(found.structure)
        self._run.raise_bound(self._run.value)

    def _cutoff(self) -> float:
        value = self._run.value
        return value - VALUE * max(1.0, abs(value)) - self._base if math.isfinite(value) else math.inf

    def _offer(self, structure: IntArray) -> None:
        slot_of = nominal_slots(structure, self._splits, self._instance.question_values)
        sums = np.zeros((structure.size + 1, len(self._pool)))
        np.add.at(sums, slot_of, self._pool.losses)
        tree = tree_of(structure, self._splits, self._pool.solutions[sums.argmin(axis=1)])
        self._run.offer(tree, float(sums.min(axis=1).sum()), "better structure")

    def _best(self, order: IntArray, depth: int, cutoff: float, *, at_root: bool = False) -> _Found:
        """Return the least regret of the set with a number of levels of questions if it is below the cut-off."""
        if depth <= 1 or (depth == 2 and not at_root and self._is_quick(order)):
            return self._by_kernel(order, depth, cutoff)
        best = self._best(order, depth - 1, cutoff)
        if best.structure is not None:
            best = _Found(best.value, _deeper(best.structure))
        open_intervals = self._all_thresholds(order)
        heapq.heapify(open_intervals)
        places = np.empty(order.shape[1], dtype=np.int64)
        while open_intervals:
            self._run.heed()
            interval = heapq.heappop(open_intervals)
            if interval.bound >= best.value:
                break
            if at_root:
                self._run.raise_bound(min(self._base + interval.bound, self._run.value))
                self._run.count(1, f"{len(open_intervals)} intervals of thresholds open")
                if not self._run.running:
                    raise StopRunError
            boundaries(order, self._rank, interval.item, self._min_samples, places)
            better, left, right = self._at_middle(order, depth, interval, places, best.value)
            if better.structure is not None:
                best = better
                if at_root:
                    self._offer(better.structure)
            for piece in _halved(interval, left, right):
                if piece.bound < best.value:
                    heapq.heappush(open_intervals, piece)
        return best

    def _by_kernel(self, order: IntArray, depth: int, cutoff: float) -> _Found:
        """Return what one kernel call finds with one or two levels of questions."""
        split = np.empty(2, dtype=np.int64)
        if depth == 1:
            value = self._best_split(order, cutoff, split)
        else:
            value = best_pair(order, self._rank, self._regret, self._min_samples, cutoff, split)
        if value >= cutoff:
            return _Found(cutoff, None)
        item, threshold = int(split[0]), int(split[1])
        if item < 0:
            return _Found(value, np.full(2**depth - 1, NO_SPLIT, dtype=np.int64))
        number = int(self._first_split[item]) + threshold
        if depth == 1:
            return _Found(value, np.array([number]))
        n_left = int((self._rank[item, order[item]] <= threshold).sum())
        sides = [
            self._side(order, item, threshold, size, depth, math.inf, right=right).structure
            for size, right in ((n_left, False), (order.shape[1] - n_left, True))
        ]
        return _Found(value, _joined(number, *sides))

    def _best_split(self, order: IntArray, cutoff: float, split: IntArray) -> float:
        """Call the kernel for as many items at a time as don't take long, with a look at the clock in between."""
        n_items, n_samples = order.shape
        size = max(1, _WORK_OF_ITEMS // max(1, n_samples * len(self._pool)))
        piece = np.empty(2, dtype=np.int64)
        for first in range(0, n_items, size):
            if first:
                self._run.heed()
            items = slice(first, first + size)
            value = best_split(order[items], self._rank[items], self._regret, self._min_samples, cutoff, piece)
            if value < cutoff:
                cutoff, split[0], split[1] = value, piece[0] + (first if piece[0] >= 0 else 0), piece[1]
        return cutoff

    def _is_quick(self, order: IntArray) -> bool:
        n_items, n_samples = order.shape
        n_thresholds = min(len(self._splits), n_items * n_samples)
        return bool(n_items * n_samples * n_thresholds * len(self._pool) <= _WORK_OF_A_PAIR)

    def _all_thresholds(self, order: IntArray) -> list[_Interval]:
        places = np.empty(order.shape[1], dtype=np.int64)
        counts = [boundaries(order, self._rank, item, self._min_samples, places) for item in range(len(order))]
        return [_Interval(0.0, item, 0, count - 1, 0.0, 0.0) for item, count in enumerate(counts) if count]

    def _at_middle(
        self, order: IntArray, depth: int, interval: _Interval, places: IntArray, cutoff: float
    ) -> tuple[_Found, float, float]:
        """Try the threshold in the middle; return what it gives below the cut-off and what its sides cost at least."""
        place = places[(interval.first + interval.last) // 2]
        threshold = int(self._rank[interval.item, order[interval.item, place]])
        left = self._side(order, interval.item, threshold, place + 1, depth, cutoff - interval.right, right=False)
        if left.value + interval.right >= cutoff:
            return _Found(cutoff, None), left.value, interval.right
        n_right = order.shape[1] - place - 1
        right = self._side(order, interval.item, threshold, n_right, depth, cutoff - left.value, right=True)
        if left.structure is None or right.structure is None or left.value + right.value >= cutoff:
            return _Found(cutoff, None), left.value, max(interval.right, right.value)
        split = int(self._first_split[interval.item]) + threshold
        joined = _joined(split, left.structure, right.structure)
        return _Found(left.value + right.value, joined), left.value, right.value

    def _side(
        self, order: IntArray, item: int, threshold: int, size: int, depth: int, cutoff: float, *, right: bool
    ) -> _Found:
        side = np.empty((len(order), size), dtype=np.int64)
        part(order, self._rank, item, threshold, right, side)
        return self._best(side, depth - 1, cutoff)


def _halved(interval: _Interval, left: float, right: float) -> tuple[_Interval, ...]:
    """Return what is open of an interval once the threshold in its middle is known to cost so much on either side."""
    middle = (interval.first + interval.last) // 2
    left = max(interval.left, left)
    pieces = (
        _Interval(interval.left + right, interval.item, interval.first, middle - 1, interval.left, right),
        _Interval(left + interval.right, interval.item, middle + 1, interval.last, left, interval.right),
    )
    return tuple(piece for piece in pieces if piece.first <= piece.last)


def _joined(split: int, left: IntArray | None, right: IntArray | None) -> IntArray:
    """Return the structure that asks a question and goes on with either structure, level by level."""
    assert left is not None
    assert right is not None
    levels = [np.array([split])]
    for level in range(int(left.size + 1).bit_length() - 1):
        here = slice(2**level - 1, 2 ** (level + 1) - 1)
        levels += [left[here], right[here]]
    return np.concatenate(levels)


def _deeper(structure: IntArray) -> IntArray:
    """Return the same structure with one level more, which asks nothing."""
    return np.append(structure, np.full(structure.size + 1, NO_SPLIT, dtype=np.int64))
