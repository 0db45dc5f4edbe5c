"""All ways to behave that trees of depth 1 and 2 have over all thresholds, under local budgets.

The root's threshold lies in an interval. With the dearest move costs in it, bounds discard intervals, and say which
thresholds below the root matter. Other intervals are divided at *events*, where a sample's reach of a side changes, and
where two events of a node below the root meet. In what is left nothing that matters changes, so that one root threshold
stands for all, and below it one threshold for each cell between neighbouring events.
"""

__all__ = ["Behaviours", "CellLister"]

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.division import shrink_of
from hedgerow.engine.listing.roots import Block, RootLister
from hedgerow.engine.moves import single_events
from hedgerow.engine.samples import Samples
from hedgerow.structure import NO_SPLIT

_NARROW: Final = 8.0
"""Intervals that are no wider than this many times the least noticeable move are settled as they are."""


class _Interval(NamedTuple):
    """Thresholds of a root: from `low` to `high`, between the events with these numbers."""

    question: int
    low: float
    high: float
    first: int
    last: int


class _Below(NamedTuple):
    """Cells of thresholds on one side of a root: their question, and where they begin and end."""

    question: IntArray
    begin: FloatArray
    end: FloatArray


class CellLister:
    """Lists structures over all thresholds, one for each cell in which the same samples reach the same leaves.

    Parameters
    ----------
    lister
        Lists the structures over given splits.
    samples
        The samples; questions must be about single readings, and the budget local.
    depth
        1 or 2.
    may_stop
        Whether nodes may ask nothing.
    """

    def __init__(self, lister: RootLister, samples: Samples, depth: int, *, may_stop: bool = True) -> None:
        self._lister, self._samples, self._depth, self._may_stop = lister, samples, depth, may_stop
        self._ends = samples.values.min(axis=1), samples.values.max(axis=1)

    @property
    def roots(self) -> list[int]:
        """The questions that a root may ask, with `NO_SPLIT` where it may ask nothing."""
        asked = np.flatnonzero(self._ends[0] < self._ends[1]).tolist() if self._depth > 1 else []
        return [*asked, NO_SPLIT] if self._may_stop or self._depth == 1 else asked

    def listed(self, root: int, cutoff: float) -> Iterator[Block | None]:
        """Yield all structures below the cut-off whose root asks this; None now and then where there are none."""
        if root == NO_SPLIT:
            yield from self._settled(_Interval(NO_SPLIT, 0.0, 0.0, 0, 0), cutoff)
            return
        events = self._root_events(root)
        waiting = [_Interval(root, events[0], events[-1], 0, len(events) - 1)]
        while waiting:
            interval = waiting.pop()
            whole = interval.last - interval.first > 1
            lister, below = self._over(interval)
            alive = lister.alive(0, cutoff, count_rows=not whole)
            yield None
            if alive is None:
                continue
            if whole:
                middle = (interval.first + interval.last) // 2
                for first, last in ((interval.first, middle), (middle, interval.last)):
                    move = shrink_of(root, self._samples) if last - first == 1 else 0.0
                    waiting.append(_Interval(root, events[first] + move, events[last] - move, first, last))
                continue
            at = self._meeting(interval, below, alive)
            if np.isnan(at):
                yield from self._settled(interval, cutoff)
                continue
            move = shrink_of(root, self._samples)
            at = min(max(at, interval.low + 2.0 * move), interval.high - 2.0 * move)
            waiting += [interval._replace(high=at - move), interval._replace(low=at + move)]

    def _settled(self, interval: _Interval, cutoff: float) -> Iterator[Block]:
        at = 0.5 * (interval.low + interval.high)
        lister, _ = self._over(interval._replace(low=at, high=at))
        yield from lister.listed(NO_SPLIT if interval.question == NO_SPLIT else 0, cutoff)

    def _root_events(self, root: int) -> FloatArray:
        """Return where the root's threshold changes who reaches which side, or how what is left for children grows."""
        samples = self._samples
        values, step, cap = samples.values[root], samples.step[root], samples.caps[root]
        changes = [
            np.zeros_like(samples.caps),
            samples.caps,
            np.broadcast_to(samples.step[:, None], samples.caps.shape),
        ]
        left = np.concatenate([samples.room - samples.prices[:, None] * change for change in changes])
        room = np.minimum(np.unique(left, axis=0) / samples.prices[root], cap)
        room = np.vstack([room, np.zeros_like(values)])
        below, above = values - samples.margin - room, values + samples.margin + room - step
        events = [values, values - samples.margin, values + samples.margin, below[room >= 0.0], above[room >= step]]
        return self._between(root, np.concatenate(events))

    def _between(self, question: int, places: FloatArray) -> FloatArray:
        """Return the places inside of a question's values, with both ends, without those that differ by rounding."""
        least, largest, tiny = self._ends[0][question], self._ends[1][question], 4.0 * self._samples.tiny[question]
        inside = np.sort(places[(places > least + tiny) & (places < largest - tiny)])
        inside = inside[np.append(True, np.diff(inside) > tiny)] if inside.size else inside
        return np.concatenate([[least], inside, [largest]])

    def _below(self, side: int, interval: _Interval) -> _Below:
        """Return the cells of thresholds on one side of a root, with the dearest move costs in its interval."""
        lines = self._lines(side, interval.question, interval.low, interval.high)
        found = []
        for question in np.flatnonzero(self._ends[0] < self._ends[1]):
            places = self._between(int(question), lines[question])
            found.append((np.full(len(places) - 1, question), places[:-1], places[1:]))
        return _Below(*(np.concatenate(part) for part in zip(*found, strict=True)))

    def _lines(self, side: int, root: int, low: float, high: float) -> list[FloatArray]:
        """Return per question the events of a node on one side of the root; they are lines in the root's threshold."""
        samples = self._samples
        spent, events = np.empty((2, samples.room.size)), np.empty((2, *samples.values.shape))
        single_events(side, root, low, high, samples, spent, events)
        found = [np.concatenate([*events[:, number], values]) for number, values in enumerate(samples.values)]
        if root != NO_SPLIT:
            at, step, margin = (low, high)[side], samples.step[root], samples.margin
            around = [at + shift + more for shift in (-2.0 * margin, 0.0, 2.0 * margin) for more in (-step, 0.0, step)]
            found[root] = np.append(found[root], around)
        return found

    def _over(self, interval: _Interval) -> tuple[RootLister, list[_Below]]:
        """Return the lister of structures with their root in an interval, and the cells on both sides."""
        asks = interval.question != NO_SPLIT
        below = [self._below(side, interval) for side in range(1 + asks)]
        question = np.concatenate([[max(0, interval.question)], *(side.question for side in below)])
        middle = np.concatenate([0.5 * (side.begin + side.end) for side in below])
        at = np.append(interval.low, middle), np.append(interval.high, middle)
        numbers = np.split(np.arange(1, question.size), [below[0].question.size])
        if self._depth == 1:
            numbers = [numbers[0], numbers[0][:0]]
        none = [NO_SPLIT] if self._may_stop or not asks else []
        sides = [np.append(side, none).astype(np.int64) for side in numbers]
        root = np.array([0 if asks else NO_SPLIT])
        return self._lister.over(question.astype(np.int64), *at, (root, sides[0], sides[1])), below

    def _meeting(self, interval: _Interval, below: list[_Below], alive: tuple[IntArray, IntArray]) -> float:
        """Return where in the interval two events that matter meet, the closest to its middle; NaN if none do."""
        low, high, root = interval.low, interval.high, interval.question
        if high - low <= _NARROW * shrink_of(root, self._samples):
            return np.nan
        best = np.nan
        for side, cells in enumerate(below):
            at_low, at_high = (self._lines(side, root, at, at) for at in (low, high))
            # Splits are numbered from 1, first those on the left.
            numbers = alive[side][alive[side] > 0] - 1 - side * below[0].question.size
            for question in np.unique(cells.question[numbers]):
                mine = numbers[cells.question[numbers] == question]
                near, far = at_low[question], at_high[question]
                real = np.isfinite(near) & np.isfinite(far)
                place = _closest_meeting(near[real], far[real], cells.begin[mine], cells.end[mine])
                if not np.isnan(place) and not abs(place - 0.5) >= abs(best - 0.5):
                    best = place
        return low + best * (high - low)


def _closest_meeting(near: FloatArray, far: FloatArray, begin: FloatArray, end: FloatArray) -> float:
    """Return where from 0 to 1, the closest to the middle, two of some lines cross at a place that matters, or NaN."""
    widest = float(np.abs(far - near).max(initial=0.0))
    if widest == 0.0:
        return np.nan
    order = np.argsort(begin)
    begin, reach = begin[order] - widest, np.maximum.accumulate(end[order] + widest)

    def matters(place: FloatArray) -> BoolArray:
        number = np.searchsorted(begin, place, side="right") - 1
        return np.asarray((number >= 0) & (place <= reach[np.maximum(number, 0)]))

    some = matters(near) | matters(far)
    near, far = near[some], far[some]
    gap, gap_far = near[:, None] - near, far[:, None] - far
    one, other = np.nonzero((gap > 0.0) & (gap_far < 0.0))
    share = gap[one, other] / (gap[one, other] - gap_far[one, other])
    share = share[matters(near[one] + share * (far[one] - near[one]))]
    return float(share[np.argmin(np.abs(share - 0.5))]) if share.size else np.nan


@dataclass(eq=False)
class Behaviours:
    """Structures by the way they behave: of those that behave alike one that asks least.

    Attributes
    ----------
    found
        By their mark: how much they ask, their loss, questions and thresholds (root, left, right), plans.
    """

    found: dict[tuple[int, int], tuple[tuple[int, int], float, IntArray, FloatArray, IntArray]] = field(
        default_factory=dict
    )

    def add(self, block: Block) -> None:
        """Add the structures of a block, each of which has its own splits."""
        if block.splits is None or not len(block.value):
            return
        kinds = [np.array([kind[0] for kind in side], dtype=np.int64) for side in block.members]
        splits = np.column_stack(
            [np.full(len(block.value), block.root), *(k[p] for k, p in zip(kinds, block.pair.T, strict=True))]
        )
        question, threshold = np.append(block.splits[0], -1)[splits], np.append(block.splits[1], np.nan)[splits]
        one, two, three, four = block.choice.T
        differ = [block.root != NO_SPLIT, (one != two) & (np.minimum(one, two) >= 0), (three != four)]
        differ[2] &= np.minimum(three, four) >= 0
        asks = (question >= 0) & np.column_stack(np.broadcast_arrays(*differ))
        used = np.sort(np.where(asks, question, -1), axis=1)
        readings = (used[:, 0] >= 0) * 1 + (np.diff(used, axis=1) > 0).sum(axis=1)
        size = asks.sum(axis=1)
        order = np.lexsort((readings, size, *block.mark.T))
        fresh = np.append(True, (np.diff(block.mark[order], axis=0) != 0).any(axis=1))
        for entry in order[fresh].tolist():
            mark, least = tuple(block.mark[entry].tolist()), (int(size[entry]), int(readings[entry]))
            known = self.found.get(mark)
            if known is None or least < known[0]:
                value, choice = float(block.value[entry]), block.choice[entry].copy()
                self.found[mark] = least, value, question[entry].copy(), threshold[entry].copy(), choice

    def take(self, other: "Behaviours") -> None:
        """Take over what another listing has found."""
        for mark, entry in other.found.items():
            if mark not in self.found or entry[0] < self.found[mark][0]:
                self.found[mark] = entry
