"""All structures of depth 1 and 2 below a cut-off, root by root: for lists of good trees and for trees with wishes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.leaf_problem import new_attacks
from hedgerow.engine.listing.demands import Demands, demands_of
from hedgerow.engine.listing.half_pairs import HalfKinds, PairTerms, half_values, list_pairs
from hedgerow.engine.pool import SolutionPool, complete_pool
from hedgerow.engine.priced_halves import half_costs
from hedgerow.engine.structures.reach import reading_of
from hedgerow.engine.structures.space import cutoff_below
from hedgerow.engine.unreached import tree_with
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.run import Options, Run, StopRunError
from hedgerow.run.wishes import Wishes
from hedgerow.tolerances import VALUE
from hedgerow.tree.structure import NO_SPLIT
from hedgerow.tree.tree import Tree

DEEPEST: Final = 2
_MOST_LISTED: Final = 100_000

_NONE: Final = np.array([NO_SPLIT], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Block:
    """Structures below one root that behave alike in pairs: each entry stands for all pairs of members."""

    root: int  # the root's split
    members: tuple[list[IntArray], list[IntArray]]  # per side, per kind of half, its splits
    # The entries; see `list_pairs`. Values are losses, with the price of what is asked.
    pair: IntArray
    value: FloatArray
    choice: IntArray

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
    """All structures of depth 1 or 2 that keep what wishes demand, and their values over the plans of a pool.

    Attributes
    ----------
    instance, splits
        What the structures are for, and the splits that they are made of.
    roots
        The splits that a root may have. With depth 1 the root asks nothing, and the left node is the tree's only one.
    base
        What samples cost with their best plans.
    must_stop
        `StopRunError` is raised where this says so in the middle of something.
    n_hard
        How many structures were too hard to evaluate.
    """

    def __init__(self, demands: Demands, pool: SolutionPool, options: Options) -> None:
        self.instance, self.splits = instance, splits = demands.instance, demands.splits
        candidates = [demands.candidates(node) for node in range(2**instance.depth - 1)]
        if instance.depth < DEEPEST:
            candidates = [_NONE, *candidates, _NONE, _NONE]
        self.roots, self._candidates = candidates[0], candidates[1:3]
        self.must_stop: Callable[[], bool] = lambda: False
        self.n_hard = 0
        losses = pool.losses
        self.base, self._solutions = float(losses.min(axis=1).sum()), pool.solutions
        self._rounding = VALUE * float(np.abs(losses.min(axis=1)).sum())
        self._reading = reading_of(instance, splits, options.margin_on(instance))
        self._is_local = self._reading.budgets.size > 0
        # A global budget contains the local ones that it is the sum of.
        share = 0.0 if self._is_local else self._reading.limit / instance.n_samples * (1.0 - VALUE)
        self._limits = np.full(instance.n_samples, share)
        self._regret = np.ascontiguousarray(losses - losses.min(axis=1, keepdims=True))
        self._terms = PairTerms(self._reading, self._regret, new_attacks(4, self._regret))
        self._smallest, self._max_items, self._reads = options.min_samples_leaf, demands.max_items, demands.reads
        self._max_leaves = options.max_leaves if (options.max_leaves or 4) < 2**instance.depth else None
        self._has_limits = not (self._max_leaves is None and self._max_items is None)
        # The last column is for NO_SPLIT, which sends nothing to the right.
        self._right = np.pad(instance.question_values[:, splits.question] > splits.threshold, ((0, 0), (0, 1)))
        # Halves of one kind must ask the same where that is limited.
        self._label = np.append(splits.question, -1) * self._has_limits

    def tree(self, structure: IntArray, choice: IntArray) -> Tree:
        """Return the tree of a structure that was listed, with plans at all leaves."""
        depth = self.instance.depth
        if depth < DEEPEST:
            structure, choice = structure[1 : 1 + depth], choice[: 1 + depth]
        return tree_with(structure, self.splits, self._solutions, choice)

    def bound(self, root: int) -> float:
        """Return a loss that no structure below the root undercuts."""
        left, right = self._sides(root)[0]
        if not (left.splits.size and right.splits.size):
            return np.inf
        one, other = left.value.min(axis=0), right.value.min(axis=0)
        if self._has_limits and self._forbidden(root, left, right).all():
            return np.inf
        return self.base + float(max(one[0] + other[1], one[1] + other[0], 0.0))

    def listed(self, root: int, cutoff: float, *, improving: bool = False) -> Iterator[Block]:
        """Yield all structures below the root whose loss is below the cut-off, or above it by rounding alone.

        With `improving` the cut-off falls: one structure at a time is yielded, each better than the one before.
        """
        (left, right), members = self._sides(root)
        forbidden, start = self._forbidden(root, left, right), 0
        most, below = 1 if improving else ENGINE.entries_at_once, cutoff + self._rounding - self.base
        n_pairs = len(left.splits) * len(right.splits)
        while start < n_pairs:
            self._heed()
            place = start, left, right, forbidden
            pair, value, choice, start, n_hard = list_pairs(*place, self._terms, below, most)
            self.n_hard += n_hard
            if len(value):
                below = cutoff_below(value[0]) if improving else below
                yield Block(root, members, pair.copy(), value + self.base, choice.copy())

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
            at_once = max(1, ENGINE.losses_at_once // max(1, self._regret.size))
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
        splits = self._candidates[side]
        if side == 1 and root == NO_SPLIT:
            splits = np.array([NO_SPLIT], dtype=np.int64)
        here = np.ones(len(self._right), dtype=bool) if root == NO_SPLIT else self._right[:, root] == bool(side)
        splits = splits[self._large_enough(splits, here, exists=side == 0 or root != NO_SPLIT)]
        cost = np.empty((len(splits), 2, len(self._right)))
        half_costs(root, side, splits, self._reading, cost)
        goes = self._right.T[splits] & here
        flat = cost.reshape(len(splits), 2 * len(self._right))
        how = np.packbits(flat <= 0.0, axis=1) if self._is_local else flat
        key = np.hstack([how.view(np.uint8), np.packbits(goes, axis=1), self._label[splits][:, None].view(np.uint8)])
        whole = np.ascontiguousarray(key).view(np.dtype((np.void, key.shape[1]))).ravel()
        _, first, kind = np.unique(whole, return_index=True, return_inverse=True)
        order = np.argsort(kind, kind="stable")
        ends = np.cumsum(np.bincount(kind, minlength=len(first))).tolist()
        members = [splits[order[start:end]] for start, end in zip([0, *ends], ends, strict=False)]
        return members, splits[first], np.ascontiguousarray(cost[first])

    def _large_enough(self, splits: IntArray, here: BoolArray, *, exists: bool) -> BoolArray:
        if not self._smallest or not exists:
            return np.ones(len(splits), dtype=bool)
        to_right = (self._right & here[:, None]).sum(axis=0)[splits]
        to_left = here.sum() - to_right
        return np.asarray((to_left >= self._smallest) & ((to_right >= self._smallest) | (splits == NO_SPLIT)))

    def _forbidden(self, root: int, *sides: HalfKinds) -> BoolArray:
        """Return per pair of halves whether it asks too much; no pairs where there is no limit."""
        if not self._has_limits:
            return np.zeros((0, 0), dtype=np.bool_)
        forbidden = np.zeros((len(sides[0].splits), len(sides[1].splits)), dtype=np.bool_)
        if self._max_leaves is not None:
            asks = [(side.splits != NO_SPLIT).astype(int) for side in sides]
            forbidden |= 1 + (root != NO_SPLIT) + asks[0][:, None] + asks[1][None] > self._max_leaves
        if self._max_items is not None:
            one, other = ((self._reads[side.splits] & ~self._reads[root]).astype(int) for side in sides)
            n_items = one.sum(axis=1)[:, None] + other.sum(axis=1)[None] - one @ other.T + self._reads[root].sum()
            forbidden |= n_items > self._max_items
        return forbidden


def suits_listing(instance: Instance, options: Options) -> str:
    """Return why structures can't be listed for this instance; empty if they can."""
    if instance.depth > DEEPEST:
        return f"trees may be at most {DEEPEST} questions deep, and depth is {instance.depth}"
    if instance.problem.oracle_only or instance.problem.all_solutions(_MOST_LISTED) is None:
        return f"the problem's solutions must be listed, and there are more than {_MOST_LISTED:,}"
    n_splits = len(instance.splits(options.thresholds))
    if n_splits * instance.n_samples > ENGINE.most_moves:
        return f"there are too many samples and thresholds: {instance.n_samples:,} and {n_splits:,}"
    return ""


def lister_of(
    instance: Instance,
    options: Options,
    run: Run | None = None,
    *,
    must_stop: Callable[[], bool] = lambda: False,
    may_stop: bool = True,
) -> RootLister:
    """Return what lists structures; with `may_stop` a node may also ask nothing.

    Where `must_stop` says so, solutions that no leaf needs are listed as well.
    """
    demands = demands_of(instance, options, may_stop=may_stop)
    pool = complete_pool(demands.instance, options.memory_limit, run, must_stop)
    if pool is None:
        raise InputError("this needs a list of all solutions, which are too many here for the time and memory allowed.")
    lister = RootLister(demands, pool, options)
    lister.must_stop = must_stop
    return lister


def settle_wishes(instance: Instance, run: Run, options: Options) -> None:
    """Find the best tree that keeps the wishes, and prove that there is none better."""
    lister = lister_of(instance, options, run, must_stop=run.must_stop)
    run.raise_bound(min(run.value, lister.base), "bound without a tree")
    bounds = []
    for number, root in enumerate(lister.roots):
        run.heed()
        bounds.append(lister.bound(int(root)))
        run.count(0, f"{number + 1} of {lister.roots.size} roots bounded")
    open_bound = np.inf
    for number in np.argsort(bounds, kind="stable"):
        if bounds[number] >= cutoff_below(run.value) or not np.isfinite(bounds[number]):
            break
        run.raise_bound(min(run.value, open_bound, bounds[number]))
        if not run.running:
            return
        hard = lister.n_hard
        for block in lister.listed(int(lister.roots[number]), cutoff_below(run.value), improving=True):
            run.offer(lister.tree(next(block.structures(0)), block.choice[0]), float(block.value[0]), "better tree")
        if lister.n_hard > hard:
            open_bound = min(open_bound, bounds[number])
        run.count()
    if run.tree is None and open_bound == np.inf:
        wishes = options.wishes or Wishes()
        raise InputError(f"no tree keeps all of these wishes: {', '.join(wishes.given)}.")
    run.raise_bound(min(run.value, open_bound))
