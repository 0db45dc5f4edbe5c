"""Global budgets, depths 1 and 2: roots are bounded by halves under a price per unit of misreading.

The adversary's linear relaxation splits one sample at most, and its dual is, with a price π ≥ 0 and regrets V,

    min over π   π Γ + Σ_j max_k (V_jk − π ρ_jk)

For a fixed price samples don't share a budget any more. So a search over intervals of prices and of root thresholds
bounds all trees: an attack that is best at the upper price, charged at either end, bounds the function in between.
What is left of the relaxation when the split sample stays at home is a bound on the worst case. That sample's gain is
kept small by counting no regret beyond a cap.
"""

__all__ = ["PriceIntervals", "PricePart", "suits_prices"]

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.interval_parameters import DEFAULTS, IntervalParameters
from hedgerow.engine.intervals import Settled, never
from hedgerow.engine.priced_halves import best_halves, half_costs, half_regrets, side_costs
from hedgerow.engine.shares import Answer, improve_shares
from hedgerow.engine.structures.reach import Reading
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.tree.structure import NO_SPLIT


def suits_prices(space: SearchSpace, parameters: IntervalParameters = DEFAULTS) -> bool:
    """Return whether trees can be bounded this way."""
    instance, budget = space.instance, space.instance.uncertainty
    few = space.loss.shape[1] <= parameters.most_solutions
    return few and instance.depth in (1, 2) and not budget.is_separable and budget.can_misread


@dataclass(frozen=True, eq=False)
class PricePart:
    """Trees whose root is one of some splits, as far as their relaxation has its price in an interval.

    Attributes
    ----------
    first, last
        The root is one of these splits, all of one question; NO_SPLIT if it asks nothing.
    low, high
        The interval of prices.
    bound
        What these trees cost at least beyond the samples' least losses.
    share
        Per sample which share of it goes to the root's left side; empty where there is none yet.
    halves
        Numbers of the cheapest halves on either side.
    slack
        By how much the bound may be off since it holds for all prices in between.
    """

    first: int
    last: int
    low: float = 0.0
    high: float = np.inf
    bound: float = 0.0
    share: FloatArray = field(default_factory=lambda: np.empty(0))
    halves: tuple[int, int] = (0, 0)
    slack: float = np.inf


class _BelowRoot:
    """What moves cost below a root that is one of some splits.

    Attributes
    ----------
    to_leaves
        Side × half × leaf × sample; halves are blocks of neighbouring splits.
    to_sides
        Side × sample.
    dearest
        The largest of these costs that is finite.
    """

    def __init__(self, part: PricePart, blocks: IntArray, reading: Reading) -> None:
        count, n_samples = len(blocks), len(reading.observations)
        reading, root = _spanning(reading, np.vstack([blocks, (part.first, part.last)])), count
        if part.first == NO_SPLIT:
            root = NO_SPLIT
        self.to_leaves, self.to_sides = np.empty((2, count, 2, n_samples)), np.empty((2, n_samples))
        side_costs(root, reading, self.to_sides)
        for side in (0, 1):
            half_costs(np.full(count, root), side, np.arange(count), reading, self.to_leaves[side])
        self.dearest = float(self.to_leaves[np.isfinite(self.to_leaves)].max(initial=0.0))


class PriceIntervals:
    """Bounds, divides and settles intervals of one instance.

    Parameters
    ----------
    space
        Splits, solutions, and what evaluates structures.
    parameters
        How the search proceeds.
    """

    settles_last = True
    unsettled: list[PricePart]

    def __init__(self, space: SearchSpace, parameters: IntervalParameters = DEFAULTS) -> None:
        self._space, self._parameters = space, parameters
        self.open_bound: float = np.inf
        loss, splits = space.loss, space.splits
        regret = loss - loss.min(axis=1, keepdims=True)
        self._cap = parameters.cap * float(regret.max(initial=0.0))
        self._regret = np.ascontiguousarray(np.minimum(regret, self._cap))
        self._base, self._most = float(loss.min(axis=1).sum()), self._regret.max(axis=1)
        self._budget = float(space.instance.uncertainty.budget)
        most = max(1, parameters.most_costs // (len(regret) * len(splits.first)))
        self._blocks = _blocks_of(space.reading, min(most, parameters.blocks))
        self._root: tuple[int, int] | None = None

    def whole(self) -> list[PricePart]:
        """Return the parts that the search begins with: one per question, and one without a question."""
        nothing = [PricePart(NO_SPLIT, NO_SPLIT)] if self._space.n_inner == 1 or self._space.constrained else []
        if self._space.n_inner == 1:
            return nothing
        first = self._space.splits.first
        last = np.append(first[1:], len(self._space.splits)) - 1
        return nothing + [PricePart(int(start), int(end)) for start, end in zip(first, last, strict=True)]

    def divided(self, part: PricePart, target: float) -> list[PricePart] | None:
        """Return the halves of a part, or None if it is to be settled as it is.

        Prices are divided where their interval accounts for half of what the bound lacks, and else roots. A price from
        which on the budget alone is worth the target is the highest one that matters.
        """
        highest = (max(0.0, target) + self._cap) / self._budget
        if np.isinf(part.high):
            prices = pairwise(highest * np.array(self._parameters.first_prices))
            roots = np.array_split(np.arange(part.first, part.last + 1), self._parameters.first_roots)
            ends = [(int(splits[0]), int(splits[-1])) for splits in roots if splits.size]
            return [PricePart(*some, *between) for some, between in product(ends, prices)]
        narrow = part.high - part.low <= self._parameters.narrowest * highest
        if part.first < part.last and (narrow or 2.0 * part.slack < target - part.bound):
            middle = (part.first + part.last) // 2
            return [replace(part, last=middle), replace(part, first=middle + 1)]
        if narrow:
            return None
        price = 0.5 * (part.low + part.high)
        return [replace(part, high=price), replace(part, low=price)]

    def bounded(self, part: PricePart, target: float, must_stop: Callable[[], bool] = never) -> PricePart:
        """Return the part with a better bound: shares are improved until it reaches the target, by a few steps."""
        if np.isinf(part.high) or must_stop():
            return part
        below = self._below_root(part)
        share = part.share if part.share.size else self._first_shares(part, below)
        picked = np.zeros((2, 2, 3), dtype=np.int64)
        picked[:, :, 0] = np.array(part.halves)[:, None]
        at_home = min(self._cap, part.high * below.dearest)
        movable: BoolArray = np.asarray(np.isfinite(below.to_sides).all(axis=0))
        prices = np.array([part.low, part.high])

        def answer(share: FloatArray) -> Answer | None:
            least = self._least(part, share, picked, must_stop)
            if least is None:
                return None
            ends = prices * self._budget + least.sum(axis=0) - at_home
            end = int(np.argmin(ends))
            left, right = (self._worth(part, side, picked[side, end], prices[end]) for side in (0, 1))
            return Answer(float(ends[end]), left - right, abs(float(ends[1] - ends[0])))

        steps, aim = self._parameters.steps, self._parameters.aim * target
        share, best = improve_shares(share, movable, target, aim, steps, answer)
        bound, slack = (-np.inf, np.inf) if best is None else (best.value, best.origin)
        cheapest = int(picked[0, 1, 0]), int(picked[1, 1, 0])
        return replace(part, bound=max(part.bound, bound), share=share, halves=cheapest, slack=slack)

    def _below_root(self, part: PricePart) -> _BelowRoot:
        """Return what moves cost below the part's root; it is kept for parts with other prices."""
        if self._root != (part.first, part.last):
            self._root = part.first, part.last
            self._below = _BelowRoot(part, self._blocks, self._space.reading)
        return self._below

    def _first_shares(self, part: PricePart, below: _BelowRoot) -> FloatArray:
        """Return shares by distance: all at the threshold goes to both sides, what is far stays where it is."""
        costs = below.to_sides
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.minimum(1.0, part.high * costs.max(axis=0) / self._regret.mean(axis=1))
        far = 0.5 * np.where(np.isnan(far), 1.0, far)
        return np.where(costs[0] <= costs[1], 0.5 + far, 0.5 - far)

    def _least(
        self, part: PricePart, share: FloatArray, picked: IntArray, must_stop: Callable[[], bool]
    ) -> FloatArray | None:
        """Return per side and end of the prices what the cheapest half costs, and note which one; None if stopped."""
        least = np.full((2, 2), np.inf)
        for side in (0, 1):
            if self._priced(part, side, share, least[side], picked[side], must_stop) is None:
                return None
        return least

    def _priced(
        self,
        part: PricePart,
        side: int,
        share: FloatArray,
        cuts: FloatArray,
        picked: IntArray,
        must_stop: Callable[[], bool],
        *,
        keep: bool = False,
    ) -> FloatArray | None:
        """Lower the cut-offs to what the cheapest halves cost, and note which they are; None once it must stop.

        With `keep` the cut-offs stay, and what each half costs at both prices is returned.
        """
        costs, weight = self._below_root(part).to_leaves[side], 1.0 - share if side else share
        at_once = max(1, self._parameters.work_at_once // (self._regret.size * self._regret.shape[1]))
        values = np.empty((2, len(costs)))
        for start in range(0, len(costs), at_once):
            if must_stop():
                return None
            some, found, before = costs[start : start + at_once], picked.copy(), cuts.copy()
            found[:, 0] = np.clip(found[:, 0] - start, 0, len(some) - 1)
            here = np.empty((2, len(some)))
            best_halves(some, weight, self._regret, self._most, part.low, part.high, keep, cuts, found, here)
            found[:, 0] += start
            picked[cuts < before] = found[cuts < before]
            values[:, start : start + len(some)] = here
        return values

    def _worth(self, part: PricePart, side: int, picked: IntArray, price: float) -> FloatArray:
        """Return what the samples are worth in a half with its two solutions."""
        costs = self._below_root(part).to_leaves[side, picked[0]]
        return half_regrets(costs, self._regret[:, picked[1:]].T, part.high, price)

    def tried(self, part: PricePart, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the tree whose halves bound the part if it is below the target."""
        if part.share.size == 0 or self._space.constrained or must_stop():
            return None
        middles = self._blocks[list(part.halves)].sum(axis=1) // 2
        return self._best(np.array([[(part.first + part.last) // 2, *middles]]), target)

    def _best(self, structures: IntArray, target: float) -> Settled | None:
        """Return the best of some structures of depth 2 if it is below the target."""
        structures = structures if self._space.n_inner > 1 else structures[:, 1:2]
        found = self._space.best(self._space.allowed(structures), self._base + target)
        if found is None:
            return None
        splits, asks = self._space.splits, found.structure != NO_SPLIT
        questions = np.where(asks, splits.question[found.structure], -1)
        thresholds = np.where(asks, splits.threshold[found.structure], np.nan)
        return Settled(questions, thresholds, found.choice, found.value - self._base)

    def settled(self, part: PricePart, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree in a part if it is below the target: pairs of halves are evaluated as whole trees."""
        nowhere, below = np.zeros((2, 2, 3), dtype=np.int64), self._below_root(part)
        least = self._least(part, part.share, nowhere, must_stop)
        if least is None:
            return None
        spare = target + min(self._cap, part.high * below.dearest) - np.array([part.low, part.high]) * self._budget
        sides = [self._splits_below(part, side, spare - least[1 - side], must_stop) for side in (0, 1)]
        (left, left_values), (right, right_values) = sides
        best: Settled | None = None
        self._space.open_bound = np.inf
        for number in np.argsort(left_values[1], kind="stable"):
            partners = right[(left_values[:, number, None] + right_values < spare[:, None]).any(axis=0)]
            structures = np.column_stack(np.broadcast_arrays(part.first, left[number], partners))
            for start in range(0, len(structures), self._parameters.structures_at_once):
                if must_stop():
                    return best
                found = self._best(structures[start : start + self._parameters.structures_at_once], target)
                if found is not None:
                    best, target = found, found.value
        if not must_stop():
            self.open_bound = min(self.open_bound, self._space.open_bound - self._base)
        return best

    def _splits_below(
        self, part: PricePart, side: int, cuts: FloatArray, must_stop: Callable[[], bool]
    ) -> tuple[IntArray, FloatArray]:
        """Return the splits of one side whose halves may be below a cut-off, with bounds on these at both prices."""
        if side == 1 and part.first == NO_SPLIT:
            return np.array([NO_SPLIT]), np.zeros((2, 1))
        nowhere = np.zeros((2, 3), dtype=np.int64)
        values = self._priced(part, side, part.share, cuts.copy(), nowhere, must_stop, keep=True)
        if values is None:
            return np.empty(0, dtype=np.int64), np.empty((2, 0))
        numbers = np.flatnonzero((values < cuts[:, None]).any(axis=0))
        members = [np.arange(first, last + 1) for first, last in self._blocks[numbers]]
        repeated = np.repeat(numbers, [len(splits) for splits in members])
        splits, values = np.concatenate([np.empty(0, dtype=np.int64), *members]), values[:, repeated]
        if self._space.constrained and values.size:  # no question costs no less than any question
            splits, values = np.append(splits, NO_SPLIT), np.column_stack([values, values.min(axis=1)])
        return splits, values


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
