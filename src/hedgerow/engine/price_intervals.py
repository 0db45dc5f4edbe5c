"""Global budgets, depth 2: roots are bounded by halves under a price per unit of misreading.

The adversary's linear relaxation splits one sample at most, and its dual is, with a price π ≥ 0 and regrets V,

    min over π   π Γ + Σ_j max_k (V_jk − π ρ_jk)

For a fixed price samples don't share a budget any more. So a search over intervals of prices and of root thresholds
bounds all trees: an attack that is best at the upper price, charged at either end, bounds the function in between.
What is left of the relaxation when the split sample stays at home is a bound on the worst case. That sample's gain is
kept small by counting no regret beyond a cap.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.priced_halves import best_halves, half_costs, half_regrets, side_costs
from hedgerow.engine.search import Answer, improve_shares
from hedgerow.engine.structures.reach import Reading
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.engine.two_levels import Settled


def suits_prices(space: SearchSpace) -> bool:
    """Return whether trees can be bounded this way."""
    instance, budget = space.instance, space.instance.uncertainty
    few = space.loss.shape[1] <= ENGINE.most_solutions
    return few and instance.depth == 2 and not budget.is_separable and budget.can_misread


@dataclass(frozen=True, eq=False)
class PricePart:
    """Trees whose root is one of some splits, as far as their relaxation has its price in an interval."""

    # The root is one of these splits, all of one question.
    first: int
    last: int
    # The interval of prices.
    low: float = 0.0
    high: float = np.inf
    bound: float = 0.0  # What these trees cost at least beyond the samples' least losses.
    # Per sample which share of it goes to the root's left side; empty where there is none yet.
    share: FloatArray = field(default_factory=lambda: np.empty(0))
    halves: tuple[int, int] = (0, 0)  # Numbers of the cheapest halves on either side.
    slack: float = np.inf  # By how much the bound may be off since it holds for all prices in between.


class _BelowRoot(NamedTuple):
    """What moves cost below a root that is one of some splits."""

    to_leaves: FloatArray  # side × half × leaf × sample; halves are blocks of neighbouring splits
    to_sides: FloatArray  # side × sample
    largest: float  # the largest of these costs that is finite


class PriceIntervals:
    """Bounds and divides intervals of one instance.

    Trees that ask nothing at some nodes cost no less than those with any question there, and need no parts of their
    own.

    Parameters
    ----------
    space
        Splits, solutions, and what evaluates structures.
    """

    def __init__(self, space: SearchSpace) -> None:
        self._space = space
        self.open_bound: float = np.inf
        loss, splits = space.loss, space.splits
        regret = loss - loss.min(axis=1, keepdims=True)
        self._cap = ENGINE.cap * float(regret.max(initial=0.0))
        self._regret = np.ascontiguousarray(np.minimum(regret, self._cap))
        self._base, self._most = float(loss.min(axis=1).sum()), self._regret.max(axis=1)
        self._budget = float(space.instance.uncertainty.budget)
        most = max(1, ENGINE.most_costs // (len(regret) * len(splits.first)))
        self._blocks = _blocks_of(space.reading, min(most, ENGINE.blocks))
        self._root: tuple[int, int] | None = None

    def whole(self) -> list[PricePart]:
        """Return the parts that the search begins with: one per question."""
        first = self._space.splits.first
        last = np.append(first[1:], len(self._space.splits)) - 1
        return [PricePart(int(start), int(end)) for start, end in zip(first, last, strict=True)]

    def divided(self, part: PricePart, target: float) -> list[PricePart] | None:
        """Return the halves of a part, or None if further ones raise bounds by rounding alone.

        Prices are divided where their interval accounts for half of what the bound lacks, and else roots. A price from
        which on the budget alone is worth the target is the highest one that matters.
        """
        highest = (max(0.0, target) + self._cap) / self._budget
        if np.isinf(part.high):
            prices = pairwise(highest * np.array(ENGINE.first_prices))
            roots = np.array_split(np.arange(part.first, part.last + 1), ENGINE.first_roots)
            ends = [(int(splits[0]), int(splits[-1])) for splits in roots if splits.size]
            return [PricePart(*some, *between) for some, between in product(ends, prices)]
        narrow = part.high - part.low <= ENGINE.narrowest_prices * highest
        if part.first < part.last and (narrow or 2.0 * part.slack < target - part.bound):
            middle = (part.first + part.last) // 2
            return [replace(part, last=middle), replace(part, first=middle + 1)]
        if narrow:
            return None
        price = 0.5 * (part.low + part.high)
        return [replace(part, high=price), replace(part, low=price)]

    def bounded(self, part: PricePart, target: float, must_stop: Callable[[], bool]) -> PricePart:
        """Return the part with a better bound: shares are improved until it reaches the target, by a few steps."""
        if np.isinf(part.high) or must_stop():
            return part
        below = self._below_root(part)
        share = part.share if part.share.size else self._first_shares(part, below)
        picked = np.zeros((2, 2, 3), dtype=np.int64)
        picked[:, :, 0] = np.array(part.halves)[:, None]
        at_home = min(self._cap, part.high * below.largest)
        movable: BoolArray = np.asarray(np.isfinite(below.to_sides).all(axis=0))
        prices = np.array([part.low, part.high])

        def answer(share: FloatArray) -> Answer | None:
            least = np.full((2, 2), np.inf)
            for side, weight in ((0, share), (1, 1.0 - share)):
                if not self._price(part, side, weight, least[side], picked[side], must_stop):
                    return None
            ends = prices * self._budget + least.sum(axis=0) - at_home
            end = int(np.argmin(ends))
            left, right = (self._worth(part, side, picked[side, end], prices[end]) for side in (0, 1))
            return Answer(float(ends[end]), left - right, abs(float(ends[1] - ends[0])))

        steps, aim = ENGINE.steps, ENGINE.aim * target
        share, best = improve_shares(share, movable, target, aim, steps, answer)
        bound, slack = (-np.inf, np.inf) if best is None else (best.value, best.origin)
        cheapest = int(picked[0, 1, 0]), int(picked[1, 1, 0])
        return replace(part, bound=max(part.bound, bound), share=share, halves=cheapest, slack=slack)

    def _below_root(self, part: PricePart) -> _BelowRoot:
        """Return what moves cost below the part's root; it is kept for parts with other prices."""
        if self._root != (part.first, part.last):
            self._root, count = (part.first, part.last), len(self._blocks)
            reading = _spanning(self._space.reading, np.vstack([self._blocks, self._root]))  # the root comes last
            to_leaves, to_sides = np.empty((2, count, 2, len(self._regret))), np.empty((2, len(self._regret)))
            side_costs(count, reading, to_sides)
            for side in (0, 1):
                half_costs(count, side, np.arange(count), reading, to_leaves[side])
            self._below = _BelowRoot(to_leaves, to_sides, float(to_leaves[np.isfinite(to_leaves)].max(initial=0.0)))
        return self._below

    def _first_shares(self, part: PricePart, below: _BelowRoot) -> FloatArray:
        """Return shares by distance: all at the threshold goes to both sides, what is far stays where it is."""
        costs = below.to_sides
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.minimum(1.0, part.high * costs.max(axis=0) / self._regret.mean(axis=1))
        far = 0.5 * np.where(np.isnan(far), 1.0, far)
        return np.where(costs[0] <= costs[1], 0.5 + far, 0.5 - far)

    def _price(
        self,
        part: PricePart,
        side: int,
        weight: FloatArray,
        cuts: FloatArray,
        picked: IntArray,
        must_stop: Callable[[], bool],
    ) -> bool:
        """Lower the cut-offs to what the cheapest halves cost, and note which they are; return False if stopped."""
        costs = self._below_root(part).to_leaves[side]
        at_once = max(1, ENGINE.work_at_once // (self._regret.size * self._regret.shape[1]))
        for start in range(0, len(costs), at_once):
            if must_stop():
                return False
            some, found, before = costs[start : start + at_once], picked.copy(), cuts.copy()
            found[:, 0] = np.clip(found[:, 0] - start, 0, len(some) - 1)
            best_halves(some, weight, self._regret, self._most, part.low, part.high, cuts, found)
            found[:, 0] += start
            picked[cuts < before] = found[cuts < before]
        return True

    def _worth(self, part: PricePart, side: int, picked: IntArray, price: float) -> FloatArray:
        """Return what the samples are worth in a half with its two solutions."""
        costs = self._below_root(part).to_leaves[side, picked[0]]
        return half_regrets(costs, self._regret[:, picked[1:]].T, part.high, price)

    def tried(self, part: PricePart, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the tree whose halves bound the part if it is below the target."""
        if part.share.size == 0 or must_stop():
            return None
        space, middles = self._space, self._blocks[list(part.halves)].sum(axis=1) // 2
        structure = np.array([[(part.first + part.last) // 2, *middles]])
        found = space.best(space.allowed(structure), self._base + target)
        if found is None:
            return None
        splits = space.splits
        return Settled(
            splits.question[found.structure],
            splits.threshold[found.structure],
            found.choice,
            found.value - self._base,
        )

    def settled(self, part: PricePart, _target: float, _must_stop: Callable[[], bool]) -> None:
        """Leave the part open with its bound."""
        self.open_bound = min(self.open_bound, part.bound)


def _blocks_of(reading: Reading, most: int) -> IntArray:
    """Return first and last splits of blocks of neighbours, at most `most` of them per question."""
    rows: list[IntArray] = []
    others = np.flatnonzero(np.diff(reading.item)) + 1  # splits are sorted by question
    for splits in np.split(np.arange(reading.item.size), others):
        rows += [part[[0, -1]] for part in np.array_split(splits, min(most, splits.size))]
    return np.array(rows)


def _spanning(reading: Reading, blocks: IntArray) -> Reading:
    """Return the reading with intervals that span from the first to the last split of each block."""
    first, last = blocks.T
    return reading._replace(
        item=reading.item[first].copy(), threshold=reading.threshold[first].copy(), top=reading.top[last].copy()
    )
