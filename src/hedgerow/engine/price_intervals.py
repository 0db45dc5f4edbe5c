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

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.interval_parameters import DEFAULTS, IntervalParameters
from hedgerow.engine.intervals import Settled, never
from hedgerow.engine.priced_halves import best_halves, half_costs, half_regrets, side_costs
from hedgerow.engine.shares import Answer, improve_shares
from hedgerow.engine.structures.reach import Reading
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.geometry.pairs import NOT_LINKED
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
    is_last
        Whether the next thing to do with it is to settle it: shares are then improved by many steps.
    """

    first: int
    last: int
    low: float = 0.0
    high: float = np.inf
    bound: float = 0.0
    share: FloatArray = field(default_factory=lambda: np.empty(0))
    halves: tuple[int, int] = (0, 0)
    slack: float = np.inf
    is_last: bool = False


class _Halves:
    """Halves in blocks of neighbouring thresholds, and what moves cost there below one root after the other.

    `blocks` are the first and the last split of each.
    """

    def __init__(self, reading: Reading, blocks: IntArray) -> None:
        self._whole, self.blocks = reading, blocks
        count, n_samples = len(self.blocks), len(reading.observations)
        # Behind the blocks there is room for the root's own interval.
        self._reading = _spanning(reading, np.vstack([self.blocks, self.blocks[-1:]]))
        self._alone = np.empty((count, 2, n_samples))
        half_costs(np.full(count, NO_SPLIT), 0, np.arange(count), self._reading, self._alone)
        self.costs, self.of_side = np.empty((2, count, 2, n_samples)), np.empty((2, n_samples))
        self.dearest = 0.0
        self._root: tuple[int, int] | None = None

    def take_root(self, first: int, last: int) -> None:
        """Compute `costs` (side × half × leaf × sample) and `of_side` below a root that is one of some splits."""
        if self._root == (first, last):
            return
        self._root = first, last
        reading, place = self._reading, len(self.blocks)
        if first == NO_SPLIT:
            place = NO_SPLIT
        else:
            reading.item[place], reading.threshold[place] = self._whole.item[first], self._whole.threshold[first]
            reading.top[place] = self._whole.top[last]
        side_costs(place, reading, self.of_side)
        np.add(self._alone, self.of_side[:, None, None], out=self.costs)
        if first != NO_SPLIT:  # where questions share items, costs don't add up
            question, asked, pair = reading.item[place], reading.item[:place], reading.geometry.links.pair
            linked = np.flatnonzero((asked == question) | (pair[question, asked] != NOT_LINKED if pair.size else False))
            below = np.empty((linked.size, *self.costs.shape[2:]))
            for side in (0, 1):
                half_costs(np.full_like(linked, place), side, linked, reading, below)
                self.costs[side, linked] = below
        self.dearest = float(self.costs[np.isfinite(self.costs)].max(initial=0.0))


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
        loss = space.loss
        regret = loss - loss.min(axis=1, keepdims=True)
        cap = parameters.cap * float(regret.max(initial=0.0))
        self._regret = np.ascontiguousarray(np.minimum(regret, cap))
        self._base = float(loss.min(axis=1).sum())
        self._cap, self._most = cap, self._regret.max(axis=1)
        self._budget = float(space.instance.uncertainty.budget)
        most = max(1, parameters.most_costs // (len(regret) * len(space.splits.first)))
        self._halves = [
            _Halves(space.reading, _blocks_of(space.reading, min(most, blocks))) for blocks in self._parameters.blocks
        ]

    def whole(self) -> list[PricePart]:
        """Return the parts that the search begins with: one per question, and one without a question."""
        nothing = [PricePart(NO_SPLIT, NO_SPLIT)] if self._space.n_inner == 1 or self._space.constrained else []
        if self._space.n_inner == 1:
            return nothing
        first = self._space.splits.first
        last = np.append(first[1:], len(self._space.splits)) - 1
        return nothing + [PricePart(int(start), int(end)) for start, end in zip(first, last, strict=True)]

    def divided(self, part: PricePart, target: float) -> list[PricePart] | None:
        """Return the parts of a part, or None if it is to be settled as it is."""
        few = len(self._space.splits) <= self._parameters.few_splits
        if np.isinf(part.high):
            ends = self._highest(target) * np.array((0.0, 1.0) if few else self._parameters.first_prices)
            pieces = self._roots(part)
            return [replace(piece, low=ends[i], high=ends[i + 1]) for piece in pieces for i in range(ends.size - 1)]
        narrow = few or part.high - part.low <= self._parameters.narrowest * self._highest(target)
        if part.first < part.last and (narrow or self._spread(part) > part.slack):
            middle = (part.first + part.last) // 2
            return [replace(part, last=middle), replace(part, first=middle + 1)]
        if narrow:
            return None if few or part.is_last else [replace(part, is_last=True)]
        price = 0.5 * (part.low + part.high)
        return [replace(part, high=price), replace(part, low=price)]

    def _roots(self, part: PricePart) -> list[PricePart]:
        """Return the part's splits in blocks."""
        if part.first == NO_SPLIT:
            return [part]
        splits = np.arange(part.first, part.last + 1)
        blocks = np.array_split(splits, min(self._parameters.first_roots, splits.size))
        return [replace(part, first=int(block[0]), last=int(block[-1])) for block in blocks]

    def _highest(self, target: float) -> float:
        """Return a price from which on the budget alone is worth the target."""
        return (max(0.0, target) + self._cap) / self._budget

    def _spread(self, part: PricePart) -> float:
        """Return a guess of what the width of the root's interval costs."""
        reading = self._space.reading
        width = reading.top[part.last] - reading.threshold[part.first]
        value = reading.observations[:, reading.item[part.first]]
        inside = (value > reading.threshold[part.first]) & (value <= reading.top[part.last])
        rate = reading.geometry.rate[reading.item[part.first]]
        return float(inside @ self._regret.mean(axis=1) + 0.1 * value.size * min(self._cap, part.high * rate * width))

    def bounded(self, part: PricePart, target: float, must_stop: Callable[[], bool] = never) -> PricePart:
        """Return the part with a better bound: shares are improved until it reaches the target, by a few steps."""
        if np.isinf(part.high) or must_stop():
            return part
        halves = self._below_root(part)
        share = part.share if part.share.size else self._first_shares(part, halves)
        picked = np.zeros((2, 2, 5), dtype=np.int64)
        picked[:, :, 0] = np.minimum(part.halves, halves.costs.shape[1] - 1)[:, None]
        at_home = min(self._cap, part.high * halves.dearest)
        movable: BoolArray = np.asarray(np.isfinite(halves.of_side).all(axis=0))
        prices = np.array([part.low, part.high])

        def answer(share: FloatArray) -> Answer | None:
            least = None if must_stop() else self._least(part, share, halves, picked, must_stop)
            if least is None:
                return None
            ends = prices * self._budget + least.sum(axis=0) - at_home
            end = int(np.argmin(ends))
            left, right = (self._worth(part, halves, side, picked[side, end], prices[end]) for side in (0, 1))
            return Answer(float(ends[end]), left - right, abs(float(ends[1] - ends[0])))

        steps = self._parameters.steps * (self._parameters.last_steps if part.is_last else 1)
        share, best = improve_shares(share, movable, target, self._parameters.aim * target, steps, answer)
        bound, slack = (-np.inf, np.inf) if best is None else (best.value, best.origin)
        cheapest = int(picked[0, 1, 0]), int(picked[1, 1, 0])
        return replace(part, bound=max(part.bound, bound), share=share, halves=cheapest, slack=slack)

    def _below_root(self, part: PricePart) -> _Halves:
        """Return the halves below a root, coarse ones where the root's interval is wide."""
        item = self._space.reading.item
        n_splits = 0 if part.first == NO_SPLIT else np.count_nonzero(item == item[part.first])
        halves = self._halves[1 if self._parameters.blocks[0] * (part.last - part.first) < n_splits else 0]
        halves.take_root(part.first, part.last)
        return halves

    def _first_shares(self, part: PricePart, halves: _Halves) -> FloatArray:
        """Return shares by distance: all at the threshold goes to both sides, what is far stays where it is."""
        costs = halves.of_side
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.minimum(1.0, part.high * costs.max(axis=0) / self._regret.mean(axis=1))
        far = 0.5 * np.where(np.isnan(far), 1.0, far)
        return np.where(costs[0] <= costs[1], 0.5 + far, 0.5 - far)

    def _least(
        self, part: PricePart, share: FloatArray, halves: _Halves, picked: IntArray, must_stop: Callable[[], bool]
    ) -> FloatArray | None:
        """Return per side and end of the prices what the cheapest half costs, and note which one; None if stopped."""
        least = np.full((2, 2), np.inf)
        for side in (0, 1):
            if self._priced(part, side, halves.costs[side], share, least[side], picked[side], must_stop) is None:
                return None
        return least

    def _priced(
        self,
        part: PricePart,
        side: int,
        costs: FloatArray,
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
        weight, (n_samples, n_solutions) = 1.0 - share if side else share, self._regret.shape
        at_once = max(1, self._parameters.work_at_once // int(n_samples * n_solutions**2))
        values, likely = np.empty((2, len(costs) if keep else 0)), int(picked[1, 0])
        # The portion with the half that was the cheapest one before comes first.
        for start in sorted(range(0, len(costs), at_once), key=lambda start: not start <= likely < start + at_once):
            if must_stop():
                return None
            some = costs[start : start + at_once]
            found, before, here = picked.copy(), cuts.copy(), np.empty((2, len(some) if keep else 0))
            found[:, 0] = np.clip(found[:, 0] - start, 0, len(some) - 1)
            best_halves(some, weight, self._regret, self._most, part.low, part.high, keep, cuts, found, here)
            found[:, 0] += start
            picked[cuts < before] = found[cuts < before]
            values[:, start : start + len(some)] = here
        return values

    def _worth(self, part: PricePart, halves: _Halves, side: int, picked: IntArray, price: float) -> FloatArray:
        return half_regrets(halves.costs[side, picked[0]], self._regret[:, picked[1:3]].T, part.high, price)

    def tried(self, part: PricePart, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the tree whose halves bound the part if it is below the target."""
        if part.share.size == 0 or self._space.constrained:
            return None
        middles = self._below_root(part).blocks[list(part.halves)].sum(axis=1) // 2
        structure = np.array([(part.first + part.last) // 2, *middles])
        return self._best((structure if self._space.n_inner == 3 else structure[1:2])[None], target, must_stop)

    def _best(self, structures: IntArray, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        found = self._space.best(structures, self._base + target, must_stop)
        if found is None:
            return None
        splits, asks = self._space.splits, found.structure != NO_SPLIT
        questions = np.where(asks, splits.question[found.structure], -1)
        thresholds = np.where(asks, splits.threshold[found.structure], np.nan)
        return Settled(questions, thresholds, found.choice, found.value - self._base)

    def settled(self, part: PricePart, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree in a part if it is below the target: pairs of halves are evaluated as whole trees."""
        halves = self._below_root(part)
        least = self._least(part, part.share, halves, np.zeros((2, 2, 5), dtype=np.int64), must_stop)
        if least is None:
            return None
        prices = np.array([part.low, part.high])
        spare = target + min(self._cap, part.high * halves.dearest) - prices * self._budget
        sides = [self._below(part, side, halves, spare - least[1 - side], must_stop) for side in (0, 1)]
        (left, left_values), (right, right_values) = sides
        best: Settled | None = None
        for number in np.argsort(left_values[1], kind="stable"):
            sums = left_values[:, number, None] + right_values
            partners = right[(sums < spare[:, None]).any(axis=0)]
            structures = np.empty((partners.size, 3), dtype=np.int64)
            structures[:, 0], structures[:, 1], structures[:, 2] = part.first, left[number], partners
            structures = self._space.allowed(structures if self._space.n_inner == 3 else structures[:, 1:2])
            for start in range(0, len(structures), self._parameters.structures_at_once):
                if must_stop():
                    return best
                found = self._best(structures[start : start + self._parameters.structures_at_once], target, must_stop)
                if found is not None:
                    best, target = found, found.value
        if not must_stop():
            self.open_bound = min(self.open_bound, self._space.open_bound - self._base)
        self._space.open_bound = np.inf
        return best

    def _below(
        self, part: PricePart, side: int, halves: _Halves, cuts: FloatArray, must_stop: Callable[[], bool]
    ) -> tuple[IntArray, FloatArray]:
        """Return the splits of one side whose halves are below a cut-off, with their values at both prices."""
        if side == 1 and part.first == NO_SPLIT:
            return np.array([NO_SPLIT]), np.zeros((2, 1))

        def priced(costs: FloatArray) -> FloatArray:
            nowhere = np.zeros((2, 5), dtype=np.int64)
            values = self._priced(part, side, costs, part.share, cuts.copy(), nowhere, must_stop, keep=True)
            return np.full((2, len(costs)), np.inf) if values is None else values

        values = priced(halves.costs[side])
        blocks = halves.blocks[(values < cuts[:, None]).any(axis=0)]
        fine = (
            np.concatenate([np.arange(first, last + 1) for first, last in blocks]) if len(blocks) else np.empty(0, int)
        )
        if self._space.constrained:
            fine = np.append(fine, NO_SPLIT)
        reading = _spanning(self._space.reading, np.array([*np.column_stack([fine, fine]), (part.first, part.last)]))
        numbers = np.where(fine == NO_SPLIT, NO_SPLIT, np.arange(fine.size))
        root = NO_SPLIT if part.first == NO_SPLIT else fine.size
        found = np.full((2, fine.size), np.inf)
        costs = np.empty((self._parameters.structures_at_once, 2, len(self._regret)))
        for start in range(0, fine.size, self._parameters.structures_at_once):
            if must_stop():
                break
            some = numbers[start : start + self._parameters.structures_at_once]
            half_costs(np.full_like(some, root), side, some, reading, costs)
            found[:, start : start + some.size] = priced(costs[: some.size])
        keep = (found < cuts[:, None]).any(axis=0)
        return fine[keep], found[:, keep]


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
