"""Prices of misreadings with hundreds of samples and more: a bound on all trees whose halves are swept."""

__all__ = ["SweptIntervals", "bound_by_prices", "intervals_for"]

import heapq
from collections.abc import Callable
from typing import Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.half_blocks import Halves, blocks_of
from hedgerow.engine.price_intervals import (
    FIRST_PRICES,
    FIRST_ROOTS,
    MOST_IN_TABLES,
    PriceIntervals,
    PricePart,
    may_sweep,
    suits_prices,
)
from hedgerow.engine.priced_sweep import Sweep, swept_halves, swept_regrets
from hedgerow.engine.root_intervals import Settled
from hedgerow.engine.tables.reach import Reading
from hedgerow.engine.tables.space import SearchSpace
from hedgerow.run import Deadline
from hedgerow.tree.structure import NO_SPLIT

_BLOCKS: Final = 24
_OWN_BLOCKS: Final = 8
"""Most intervals of thresholds per question that are swept, and that are looked at on the root's own question."""

_STEPS: Final = 5
_COARSE_PRICES: Final = (0.0, 0.2, 0.4, 0.65, 1.0)
_COARSE_ROOTS: Final = 2
_COARSE_STEPS: Final = 3
_REACH: Final = (0.0, 0.25, 0.5, 1.0, 2.0)
"""How far from a threshold samples are moved, relative to what a typical regret pays for."""

_SHARE_TO_TRY: Final = 0.3
"""How much of the time may go into finding out how long a bound takes."""

_OWN: Final = -1
"""Marks a half that asks the root's own question."""


class SweptIntervals(PriceIntervals):
    """Bounds intervals of roots and prices, with attacks by distance. Questions must be about single readings.

    Parameters
    ----------
    space
        Splits and solutions.
    """

    def __init__(self, space: SearchSpace) -> None:
        super().__init__(space, 1.0, _STEPS)

    def _halves_of(self, reading: Reading) -> list[Halves]:
        blocks = blocks_of(reading, _BLOCKS)
        values = np.ascontiguousarray(reading.observations.T)
        order = np.argsort(values, axis=1, kind="stable")
        self._sweep = Sweep(
            np.take_along_axis(values, order, axis=1),
            order,
            reading.geometry.rate,
            max(reading.epsilon, 2.0 * float(np.spacing(np.abs(values).max()))),
            reading.item[blocks[:, 0]],
            reading.threshold[blocks[:, 0]] + reading.margin,
            reading.top[blocks[:, 1]] - reading.margin,
        )
        blocks = blocks_of(reading, _OWN_BLOCKS)
        of_question = reading.item[blocks[:, 0]]
        self._own = {int(item): Halves(reading, blocks[of_question == item]) for item in np.unique(of_question)}
        return []

    def _below_root(self, part: PricePart) -> Halves:
        item = int(self._space.reading.item[max(0, part.first)])
        halves = self._own[item]
        halves.take_root(part.first, part.last)
        return halves

    def _least(
        self, part: PricePart, share: FloatArray, halves: Halves, picked: IntArray, must_stop: Callable[[], bool]
    ) -> FloatArray | None:
        least = np.full((2, 2), np.inf)
        middle = 0.5 * (part.low + part.high)
        reach = np.array(_REACH) * float(self._regret.mean()) / middle
        prices = np.array([part.low, part.high])
        for side, weight in ((0, share), (1, 1.0 - share)):
            if not self._take_swept(part, weight, reach, least[side], picked[side], must_stop):
                return None
            moved = weight > 0.0
            least[side] -= prices * float(weight[moved] @ halves.of_side[side, moved])
            if part.first == NO_SPLIT:
                continue
            beside, chosen = np.full(2, np.inf), np.zeros((2, 5), dtype=np.int64)
            if not self._take_best(part, weight, halves.costs[side], beside, chosen, must_stop):
                return None
            chosen[:, 3] = _OWN
            better = beside < least[side]
            least[side, better], picked[side, better] = beside[better], chosen[better]
        return least

    def _take_swept(
        self,
        part: PricePart,
        weight: FloatArray,
        reach: FloatArray,
        least: FloatArray,
        picked: IntArray,
        must_stop: Callable[[], bool],
    ) -> bool:
        """Write the least costs of swept halves and which ones they are, by question; return False if stopped."""
        own = int(self._space.reading.item[part.first]) if part.first != NO_SPLIT else -1
        sweep = self._sweep
        first = np.flatnonzero(np.diff(sweep.question, prepend=-1))
        for start, end in zip(first, np.append(first[1:], sweep.question.size), strict=True):
            if must_stop():
                return False
            some = sweep._replace(
                question=sweep.question[start:end], left=sweep.left[start:end], right=sweep.right[start:end]
            )
            before, found = least.copy(), np.zeros_like(picked)
            swept_halves(some, own, weight, self._regret, reach, part.low, part.high, least, found)
            found[:, 0] += start
            picked[least < before] = found[least < before]
        return True

    def _worth(self, part: PricePart, halves: Halves, side: int, picked: IntArray, price: float) -> FloatArray:
        if picked[3] == _OWN:
            return super()._worth(part, halves, side, picked, price)
        out = np.empty(len(self._regret))
        swept_regrets(self._sweep, picked, self._regret, price, out)
        out -= price * np.where(np.isfinite(halves.of_side[side]), halves.of_side[side], 0.0)
        return out

    def tried(self, part: PricePart, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return nothing: trees come from elsewhere."""
        del part, target, must_stop
        return None

    def settled(self, part: PricePart, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Leave the part open with its bound."""
        del target, must_stop
        self.open_bound = min(self.open_bound, part.bound)
        return None


def intervals_for(space: SearchSpace) -> PriceIntervals:
    """Return the intervals to search where trees can be bounded by prices."""
    return (SweptIntervals if space.instance.n_samples > MOST_IN_TABLES else PriceIntervals)(space)


def _seconds_each(intervals: PriceIntervals, target: float, deadline: Deadline, must_stop: Callable[[], bool]) -> float:
    """Return how long it takes to bound one part; ∞ if longer than a part of the time left."""
    parts = intervals.divided(intervals.whole()[-1], target) or []
    end = deadline.elapsed() + _SHARE_TO_TRY * deadline.remaining()

    def is_late() -> bool:
        return deadline.elapsed() >= end or must_stop()

    for part in parts[:1], parts[len(parts) // 2 :][:1]:  # kernels are loaded by the first one
        started = deadline.elapsed()
        intervals.bounded(part[0], target, is_late)
    return np.inf if is_late() else max(deadline.elapsed() - started, 1e-9)


def bound_by_prices(space: SearchSpace, value: float, deadline: Deadline, must_stop: Callable[[], bool]) -> float:
    """Return a loss that no tree of the space beats, improved until the deadline; −∞ if that is too early.

    `value` is what a known tree costs. The less time, the wider the first intervals.
    """
    if not suits_prices(space):
        return -np.inf
    if deadline.passed() or must_stop():
        return -np.inf
    base = float(space.table.loss.min(axis=1).sum())
    target = value - base
    for kind in (PriceIntervals, SweptIntervals):
        if not (space.instance.n_samples <= MOST_IN_TABLES if kind is PriceIntervals else may_sweep(space)):
            continue
        intervals = kind(space)
        whole = intervals.whole()
        affordable = deadline.remaining() / _seconds_each(intervals, target, deadline, must_stop) / len(whole)
        if affordable >= len(_COARSE_PRICES) * _COARSE_ROOTS:
            break
    else:
        return -np.inf
    if affordable < 2 * len(FIRST_PRICES) * FIRST_ROOTS:
        intervals.first_prices, intervals.first_roots, intervals.steps = _COARSE_PRICES, _COARSE_ROOTS, _COARSE_STEPS
    heap: list[tuple[float, int, PricePart]] = [(-np.inf, number, part) for number, part in enumerate(whole)]
    count = len(heap)

    def is_over() -> bool:
        return deadline.passed() or must_stop()

    while heap[0][0] < target:
        pieces: list[PricePart] = []
        for part in intervals.divided(heap[0][2], target) or ():
            if is_over():
                return base + heap[0][0]
            pieces.append(intervals.bounded(part, target, is_over))
        if not pieces:
            break
        heapq.heappop(heap)
        for part in pieces:
            heapq.heappush(heap, (part.bound, count, part))
            count += 1
    return base + min(target, heap[0][0])
