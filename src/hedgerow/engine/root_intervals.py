"""Trees of depth 1 and 2 under local budgets: branch and bound over intervals of the root's threshold.

An interval is bounded with the dearest move costs, divided at events, and settled at a point once nothing changes in
it. Midpoints, grid and continuous thresholds differ only in where this ends.
"""

__all__ = ["Interval", "RootIntervals", "Settled", "never"]

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.division import crossing, root_events, shrink_of
from hedgerow.engine.halves import Halves, bound_halves, empty_halves, empty_side, evaluate_halves
from hedgerow.engine.moves import single_events, single_reach
from hedgerow.engine.pairs import best_pair
from hedgerow.engine.samples import Samples
from hedgerow.engine.sides import bound_sides
from hedgerow.geometry.kernels import Geometry

_HALVES_AT_ONCE = 16
_WORK_AT_ONCE = 1 << 28
_REACH_WORK = 50
"""Halves × samples × solutions between two looks at the clock; with few solutions what samples reach takes longer."""


def never() -> bool:
    """Say that there is no reason to stop."""
    return False


class Interval(NamedTuple):
    """Thresholds of the root that are open, and what the two sides cost there at least.

    Attributes
    ----------
    question
        What the root asks; −1 for nothing.
    low, high
        Where its threshold lies.
    first, last
        Numbers of the events at the two ends; equal where no event lies between.
    left, right
        What the sides cost at least: with all samples that reach them, and with those alone that reach no other side.
    floor
        A bound that is known already.
    """

    question: int
    low: float
    high: float
    first: int
    last: int
    left: tuple[float, float] = (0.0, 0.0)
    right: tuple[float, float] = (0.0, 0.0)
    floor: float = 0.0

    @property
    def bound(self) -> float:
        """What all trees in the interval cost at least: free samples all go left, or all right."""
        return max(self.floor, self.left[0] + self.right[1], self.left[1] + self.right[0])

    def part(self, low: float, high: float, first: int, last: int) -> "Interval":
        """Return a part of the interval with what is known of it.

        More samples reach both sides there, so fewer reach one side only, and what these cost may be less.
        """
        left, right = (self.left[0], 0.0), (self.right[0], 0.0)
        return Interval(self.question, low, high, first, last, left, right, self.bound)


@dataclass(frozen=True, eq=False)
class Settled:
    """A tree below the target: its questions (−1 for none), thresholds and solutions, level by level."""

    questions: IntArray
    thresholds: FloatArray
    choice: IntArray
    value: float


class RootIntervals:
    """Bounds, divides and settles intervals of one instance.

    Parameters
    ----------
    samples
        The samples.
    depth
        1 or 2.
    min_samples, max_leaves
        Limits on leaves; 0 for no limit on their number.
    geometry
        What it takes to move samples, needed where questions read several items.
    """

    settles_last = settles_middle = False
    unsettled: list[Interval]

    def __init__(
        self, samples: Samples, depth: int, min_samples: int, max_leaves: int, geometry: Geometry | None = None
    ) -> None:
        self.samples, self.depth, self.geometry = samples, depth, geometry
        self.open_bound: float = np.inf
        self.min_samples, self.max_leaves = min_samples, max_leaves
        self._rows = empty_halves(samples), empty_halves(samples)
        self._side = empty_side(samples)
        self._children_far = np.empty_like(self._side.events)
        self._events = [
            root_events(question, samples, count_rows=min_samples > 0) for question in range(len(samples.values))
        ]
        self._step = 0 if samples.points.size else 1

    def whole(self) -> list[Interval]:
        """Return the intervals that the search begins with: one per question, and one without a question."""
        nothing = [Interval(-1, 0.0, 0.0, 0, 0)] if self.depth == 1 or self.min_samples or self.max_leaves else []
        if self.depth == 1:
            return nothing
        asked = [
            Interval(question, events[0], events[-1], 0, len(events) - 1)
            for question, events in enumerate(self._events)
            if len(events) > self._step
        ]
        return [self._elementary(interval) for interval in nothing + asked]

    def divided(self, interval: Interval, target: float) -> list[Interval] | None:
        """Return the parts of an interval, or None if nothing changes in it and it can be settled at a point."""
        if interval.last - interval.first > self._step:
            events, middle = self._events[interval.question], (interval.first + interval.last) // 2
            below = interval.part(interval.low, events[middle], interval.first, middle)
            middle += 1 - self._step
            above = interval.part(events[middle], interval.high, middle, interval.last)
            return [self._elementary(below), self._elementary(above)]
        if interval.low == interval.high:
            return None
        at = self._crossing(interval, target)
        if np.isnan(at):
            return None
        shrink = shrink_of(interval.question, self.samples)
        if interval.high - interval.low <= 8.0 * shrink:
            return None
        at = min(max(at, interval.low + 2.0 * shrink), interval.high - 2.0 * shrink)
        ends = (interval.low, at - shrink), (at + shrink, interval.high)
        return [interval.part(low, high, interval.first, interval.last) for low, high in ends]

    def _elementary(self, interval: Interval) -> Interval:
        """Return the interval without its ends where no event lies between them."""
        if self._step == 0 or interval.question < 0 or interval.last - interval.first > 1:
            return interval
        shrink = shrink_of(interval.question, self.samples)
        return interval._replace(low=interval.low + shrink, high=interval.high - shrink)

    def _crossing(self, interval: Interval, target: float) -> float:
        """Return where a half that matters ceases to be possible, NaN if all last from end to end."""
        low, high, root, samples = interval.low, interval.high, interval.question, self.samples
        middle, best, meet = 0.5 * (low + high), np.nan, np.empty(3, dtype=np.int64)
        for side, near, far in ((0, low, high), (1, high, low)):
            count = self._bounded(side, interval, target, interval.right if side == 0 else interval.left)
            self._fill_events(side, root, far, far, self._children_far)
            self._fill_events(side, root, near, near, self._side.events)
            events = self._side.events, self._children_far
            at = crossing(side, root, near, far, *events, samples, count, self._rows[side], meet)
            if self.geometry is not None and not np.isnan(at) and meet[0] >= 0:
                from hedgerow.engine.general_moves import general_meeting

                question, first, last = map(int, meet)
                at = general_meeting(question, first, last, side, root, near, far, samples, self.geometry)
            if not np.isnan(at) and not abs(at - middle) >= abs(best - middle):
                best = at
        return best

    def _bounded(self, side: int, interval: Interval, target: float, others: tuple[float, float]) -> int:
        """Write the halves of one side that may matter where the other side costs this; return how many there are."""
        low, high, root = interval.low, interval.high, interval.question
        if self.geometry is None:
            sides = np.zeros((2, 2))
            sides[1 - side] = others
            place = side, side, root, low, high, self.samples, self.min_samples
            return bound_sides(*place, target, -np.inf, self._side, self._rows[side], sides)
        self._fill_events(side, root, low, high, self._side.events)
        cut = np.array([target - others[1], target - others[0]])
        return bound_halves(side, root, low, high, self.samples, self.min_samples, cut, self._side, self._rows[side])

    def _fill_events(self, side: int, root: int, low: float, high: float, events: FloatArray) -> None:
        if self.geometry is None:
            single_events(side, root, low, high, self.samples, self._side.spent, events)
        else:
            from hedgerow.engine.general_moves import general_events

            general_events(side, root, low, high, self.samples, self.geometry, self._side.spent, events)

    def bounded(self, interval: Interval, target: float, must_stop: Callable[[], bool] = never) -> Interval:
        """Return the interval with better bounds on its sides, as good as it takes to see whether it can be dropped."""
        if interval.question < 0 or self.depth == 1 or must_stop():
            return interval
        if self.geometry is None:
            # One call: at depth 3 there are very many intervals of few samples.
            sides = np.array([interval.left, interval.right])
            place = 0, 1, interval.question, interval.low, interval.high, self.samples, self.min_samples
            bound_sides(*place, target, interval.floor, self._side, self._rows[0], sides)
            left, right = sides.tolist()
            return interval._replace(left=tuple(left), right=tuple(right))
        for side in (0, 1):
            others, known = (interval.right, interval.left) if side == 0 else (interval.left, interval.right)
            count = self._bounded(side, interval, target, others)
            values = self._rows[side].value[:, :count]
            least = (
                max(known[0], float(values[0].min(initial=target - others[1]))),
                max(known[1], float(values[1].min(initial=target - others[0]))),
            )
            interval = interval._replace(left=least) if side == 0 else interval._replace(right=least)
            if interval.bound >= target:
                break
        return interval

    def tried(self, interval: Interval, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return a tree with its root in the middle of the interval and promising halves if it is below the target."""
        root, at = interval.question, 0.5 * (interval.low + interval.high)
        if root < 0 or (self._step == 0 and at not in self._events[root]):
            return None
        sides = []
        for side in (0, 1):
            count = self._bounded(side, interval._replace(low=at, high=at), target, (0.0, 0.0))
            if not count:
                return None
            best = np.unique(self._rows[side].value[:, :count].argmin(axis=1))
            sides.append(self._at_points(_taken(self._rows[side], best), side, root, at))
        return self._best_pair(root, at, sides, target, must_stop)

    def _at_points(self, rows: Halves, side: int, root: int, at: float) -> "_Side":
        """Return halves with thresholds in the middle of their intervals; events are those of the root's threshold."""
        reach = np.empty((rows.question.size, 2, self.samples.room.size))
        thresholds = rows.low + 0.5 * (rows.high - rows.low)
        if self.geometry is None:
            single_reach(side, root, at, self.samples, rows.question, thresholds, reach)
        else:
            from hedgerow.engine.general_moves import general_reach

            moves = self.samples, self.geometry, self._side.events
            general_reach(side, root, at, *moves, rows.question, thresholds, reach)
        return _Side(rows._replace(low=thresholds, high=thresholds.copy()), reach)

    def settled(self, interval: Interval, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree with its root in the middle of the interval if it is below the target.

        Once it must stop, it returns the best one so far.
        """
        root, at = interval.question, 0.5 * (interval.low + interval.high)
        others = [(0.0, 0.0), (0.0, 0.0)] if root < 0 else [interval.right, interval.left]
        sides = []
        for side in (0, 1) if root >= 0 else (0,):
            point = interval._replace(low=at, high=at)
            sides.append(self._evaluated(side, point, target, others[side], must_stop))
            if not sides[-1].halves.question.size:
                return None
            values = sides[-1].halves.value.min(axis=1)
            others[1 - side] = (float(values[0]), float(values[1]))
        if root < 0:
            nothing = Halves(np.array([-1]), np.zeros(1), np.zeros(1), np.zeros((2, 1)))
            sides.append(_Side(nothing, np.full((1, 2, self.samples.room.size), np.inf)))
        return self._best_pair(root, at, sides, target, must_stop)

    def _evaluated(
        self, side: int, point: Interval, target: float, others: tuple[float, float], must_stop: Callable[[], bool]
    ) -> "_Side":
        """Return the halves of one side that matter with their values, least first, in portions until it must stop."""
        count = self._bounded(side, point, target, others)
        rows, cut = self._rows[side], np.array([target - others[1], target - others[0]])
        best_first = np.argsort(rows.value[0, :count], kind="stable")
        n_samples, n_solutions = self.samples.regret.shape
        at_once = max(1, _WORK_AT_ONCE // (n_samples * max(n_solutions, _REACH_WORK)))
        parts: list[_Side] = []
        for first in range(0, max(1, count), at_once):
            if parts and must_stop():
                break
            some, reach = self._at_points(_taken(rows, best_first[first : first + at_once]), side, *point[:2])
            kept = evaluate_halves(side, self._side.spent, self.samples, cut, self.max_leaves == 0, some, reach)
            parts.append(_sorted(some, reach, kept))
        return parts[0] if len(parts) == 1 else _joined(parts)

    def _best_pair(
        self, root: int, at: float, sides: "list[_Side]", target: float, must_stop: Callable[[], bool]
    ) -> Settled | None:
        (left, left_reach), (right, right_reach) = sides
        allowed = np.empty((0, 0))
        if self.max_leaves:
            leaves = np.add.outer(left.question >= 0, (right.question >= 0).astype(int)) + 1 + (root >= 0)
            allowed = (leaves <= self.max_leaves).astype(np.float64)
        pair, choice = np.zeros(2, dtype=np.int64), np.full(4, -1, dtype=np.int64)
        value = target
        for first in range(0, left.question.size, _HALVES_AT_ONCE):
            if must_stop():
                break
            last = min(left.question.size, first + _HALVES_AT_ONCE)
            halves = first, last, left.value, left_reach, right.value, right_reach
            value = best_pair(*halves, self.samples.regret, allowed, value, pair, choice)
        if value >= target:
            return None
        questions = np.array([root, left.question[pair[0]], right.question[pair[1]]])
        thresholds = np.array([at, left.low[pair[0]], right.low[pair[1]]])
        return Settled(questions, thresholds, choice, value)


class _Side(NamedTuple):
    """Halves with the leaves that samples reach in each."""

    halves: Halves
    reach: FloatArray


def _sorted(halves: Halves, reach: FloatArray, count: int) -> _Side:
    """Return the first halves, least value first."""
    order = np.argsort(halves.value[0, :count], kind="stable")
    return _Side(_taken(halves, order), np.ascontiguousarray(reach[order]))


def _joined(parts: list[_Side]) -> _Side:
    rows = [np.concatenate(arrays, axis=-1) for arrays in zip(*(part.halves for part in parts), strict=True)]
    return _sorted(Halves(*rows), np.concatenate([part.reach for part in parts]), rows[0].size)


def _taken(rows: Halves, order: IntArray) -> Halves:
    return Halves(rows.question[order], rows.low[order], rows.high[order], np.ascontiguousarray(rows.value[:, order]))
