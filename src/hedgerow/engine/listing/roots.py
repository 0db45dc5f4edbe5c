"""Roots one by one, with the halves of each: which structures are looked at, and what they cost beyond a bound."""

__all__ = ["Block", "RootLister"]

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.leaf_problem import Rules, new_attacks
from hedgerow.engine.listing.demands import Demands
from hedgerow.engine.listing.pairs import HalfKinds, PairTerms, half_values, list_pairs, room_for
from hedgerow.engine.priced_halves import half_costs
from hedgerow.engine.tables.reach import Reading, reading_of
from hedgerow.engine.tables.space import cutoff_below
from hedgerow.run import StopRunError
from hedgerow.tolerances import VALUE
from hedgerow.tree.structure import NO_SPLIT

_ENTRIES_AT_ONCE = 20_000
_LOSSES_AT_ONCE = 1 << 22
"""Entries that are listed, and losses of halves that are looked at, between two looks at the clock."""


@dataclass(frozen=True, eq=False)
class Block:
    """Structures below one root that behave alike in pairs: each entry stands for all pairs of members."""

    root: int  # the root's split
    members: tuple[list[IntArray], list[IntArray]]  # per side, per kind of half, its splits
    # The entries; see `Pairs`. Values are losses, with the price of what is asked.
    pair: IntArray
    value: FloatArray
    choice: IntArray
    mark: IntArray

    @property
    def counts(self) -> IntArray:
        """Per entry the number of structures that it stands for."""
        sizes = [np.array([len(kind) for kind in side], dtype=np.int64) for side in self.members]
        counts: IntArray = sizes[0][self.pair[:, 0]] * sizes[1][self.pair[:, 1]]
        return counts

    def structures(self, entry: int) -> Iterator[IntArray]:
        """Yield the structures of an entry."""
        left, right = self.pair[entry]
        for one in self.members[0][left]:
            for other in self.members[1][right]:
                yield np.array([self.root, one, other])


class RootLister:
    """All structures of depth 1 or 2 over given splits per node, and their values over losses per sample and plan.

    Candidates are the splits that each node (root, left, right) may have, `NO_SPLIT` among them where it may ask
    nothing; with depth 1 the root asks nothing and the left node is the tree's only one. With `by_question` halves that
    ask different questions are different kinds. `n_hard` counts structures whose adversary was too hard to settle.
    `StopRunError` is raised where `must_stop` says so in the middle of something.
    """

    def __init__(
        self,
        demands: Demands,
        candidates: tuple[IntArray, IntArray, IntArray],
        rules: Rules,
        losses: FloatArray,
        *,
        min_samples_leaf: int = 0,
        max_leaves: int | None = None,
        margin: float = 0.0,
        by_question: bool = False,
    ) -> None:
        instance, splits = demands.instance, demands.splits
        self.candidates, self.n_hard = candidates, 0
        self.must_stop: Callable[[], bool] = lambda: False
        self.losses, self.base = losses, float(losses.min(axis=1).sum())
        self.reading: Reading = reading_of(instance, splits, margin)
        n_samples = instance.n_samples
        local = self.reading.budgets.size > 0
        # A global budget contains the local ones that it is the sum of.
        share = 0.0 if local else self.reading.limit / n_samples * (1.0 - VALUE)
        self._limits = np.full(n_samples, share)
        self._regret = np.ascontiguousarray(losses - losses.min(axis=1, keepdims=True))
        self._terms = PairTerms(self.reading, self._regret, _ranks(self._regret), rules, new_attacks(4, self._regret))
        self._max_items = demands.max_items
        self._fees = demands.fees if demands.fees.any() else None
        self._smallest, self._max_leaves = min_samples_leaf, max_leaves
        self._has_fees = not (max_leaves is None and demands.max_items is None and self._fees is None)
        # The last column is for NO_SPLIT, which sends nothing to the right.
        self._right = np.pad(instance.question_values[:, splits.question] > splits.threshold, ((0, 0), (0, 1)))
        self._reads = demands.reads
        # Halves of one kind must cost the same, and plans be compared alike.
        self._label = np.zeros(len(splits) + 1, dtype=np.int64)
        if by_question or demands.max_items is not None or self._fees is not None:
            self._label = np.append(splits.question, -1)
        elif max_leaves is not None:
            self._label[-1] = 1

    def bound(self, root: int) -> float:
        """Return a loss that no structure below the root undercuts."""
        left, right = self._sides(root)[0]
        if not (left.splits.size and right.splits.size):
            return np.inf
        one, other = left.value.min(axis=0), right.value.min(axis=0)
        fee = float(self._fee(root, left, right).min()) if self._has_fees else 0.0
        return self.base + fee + float(max(one[0] + other[1], one[1] + other[0], 0.0))

    def listed(self, root: int, cutoff: float) -> Iterator[Block]:
        """Yield all structures below the root whose loss is below the cut-off, or above it by rounding alone."""
        rounding = VALUE * float(np.abs(self.losses.min(axis=1)).sum())
        return self._blocks(root, cutoff + rounding, improving=False)

    def best(self, root: int, cutoff: float) -> Block | None:
        """Return the best structure below the root if its loss is below the cut-off."""
        better = list(self._blocks(root, cutoff, improving=True))
        return better[-1] if better else None

    def _blocks(self, root: int, cutoff: float, *, improving: bool) -> Iterator[Block]:
        (left, right), members = self._sides(root)
        fee, start = self._fee(root, left, right), 0
        room, below = room_for(1 if improving else _ENTRIES_AT_ONCE + len(right.splits)), cutoff - self.base
        self._terms.attacks.known[:] = 0  # so that results don't depend on earlier roots
        while start < len(left.splits):
            self._heed()
            count, start, n_hard = list_pairs(start, root, left, right, fee, self._terms, below, room)
            self.n_hard += n_hard
            if count:
                below = cutoff_below(room.value[0]) if improving else below
                pair, choice, mark = (array[:count].copy() for array in (room.pair, room.choice, room.mark))
                yield Block(root, members, pair, room.value[:count] + self.base, choice, mark)

    def _heed(self) -> None:
        if self.must_stop():
            raise StopRunError

    def _sides(self, root: int) -> tuple[tuple[HalfKinds, HalfKinds], tuple[list[IntArray], list[IntArray]]]:
        """Return the kinds of halves on both sides of the root, and the members of each kind."""
        found = [self._kinds(root, side) for side in (0, 1)]
        reached = [np.asarray((cost <= self._limits).any(axis=(0, 1))) for _, _, cost in found]
        kinds, members_of = [], []
        for side, (members, splits, cost) in enumerate(found):
            value = np.empty((len(splits), 2))
            at_once = max(1, _LOSSES_AT_ONCE // max(1, self._regret.size))
            for first in range(0, len(splits), at_once):
                self._heed()
                some = slice(first, first + at_once)
                half_values(cost[some], self._limits, self._regret, reached[1 - side], value[some])
            order = np.argsort(value[:, 0], kind="stable")
            kinds.append(HalfKinds(splits[order], cost[order], value[order]))
            members_of.append([members[number] for number in order])
        return (kinds[0], kinds[1]), (members_of[0], members_of[1])

    def _kinds(self, root: int, side: int) -> tuple[list[IntArray], IntArray, FloatArray]:
        """Return the kinds of halves: their members, one of them, and what moving each sample to their slots costs."""
        splits = self.candidates[1 + side]
        if side == 1 and root == NO_SPLIT:
            splits = np.array([NO_SPLIT], dtype=np.int64)
        here = np.ones(len(self._right), dtype=bool) if root == NO_SPLIT else self._right[:, root] == bool(side)
        splits = splits[self._large_enough(splits, here, exists=side == 0 or root != NO_SPLIT)]
        cost = np.empty((len(splits), 2, len(self._right)))
        half_costs(np.full(len(splits), root), side, splits, self.reading, cost)
        goes = self._right.T[splits] & here
        local = self.reading.budgets.size > 0
        flat = cost.reshape(len(splits), 2 * len(self._right))
        how = np.packbits(flat <= 0.0, axis=1) if local else flat
        key = np.hstack([how.view(np.uint8), np.packbits(goes, axis=1), self._label[splits][:, None].view(np.uint8)])
        whole = np.ascontiguousarray(key).view(np.dtype((np.void, key.shape[1]))).ravel()
        _, first, kind = np.unique(whole, return_index=True, return_inverse=True)
        order = np.argsort(kind, kind="stable")
        ends = np.cumsum(np.bincount(kind, minlength=len(first))).tolist()
        members = [splits[order[start:end]] for start, end in zip([0, *ends], ends, strict=False)]
        return members, splits[first], np.ascontiguousarray(cost[first])

    def _large_enough(self, splits: IntArray, here: BoolArray, *, exists: bool) -> BoolArray:
        """Return which halves keep `min_samples_leaf`."""
        if not self._smallest or not exists:
            return np.ones(len(splits), dtype=bool)
        to_right = (self._right & here[:, None]).sum(axis=0)[splits]
        to_left = here.sum() - to_right
        return np.asarray((to_left >= self._smallest) & ((to_right >= self._smallest) | (splits == NO_SPLIT)))

    def _fee(self, root: int, *sides: HalfKinds) -> FloatArray:
        """Return per pair of halves what asking costs, ∞ where it asks too much; no pairs where all cost nothing."""
        if not self._has_fees:
            return np.zeros((0, 0))
        fee = np.zeros((len(sides[0].splits), len(sides[1].splits)))
        if self._max_leaves is not None:
            asks = [(side.splits != NO_SPLIT).astype(int) for side in sides]
            fee[1 + (root != NO_SPLIT) + asks[0][:, None] + asks[1][None] > self._max_leaves] = np.inf
        if self._max_items is None and self._fees is None:
            return fee
        extra = [self._reads[side.splits] & ~self._reads[root] for side in sides]

        def priced(price: FloatArray) -> FloatArray:
            one, other = (reads.astype(float) for reads in extra)
            alone: FloatArray = (one @ price)[:, None] + (other @ price)[None] - (one * price) @ other.T
            return alone + float(self._reads[root] @ price)

        if self._max_items is not None:
            fee[priced(np.ones(self._reads.shape[1])) > self._max_items + 0.5] = np.inf
        return fee if self._fees is None else fee + priced(self._fees)


def _ranks(regret: FloatArray) -> IntArray:
    """Return per sample the place of each plan's cost among the different ones; costs equal up to rounding share it."""
    order = np.argsort(regret, axis=1, kind="stable")
    ordered = np.take_along_axis(regret, order, axis=1)
    steps = np.diff(ordered, axis=1, prepend=ordered[:, :1]) > VALUE * max(1e-300, float(regret.max(initial=0.0)))
    rank = np.empty(regret.shape, dtype=np.int64)
    np.put_along_axis(rank, order, np.cumsum(steps, axis=1), axis=1)
    return rank
