"""Trees of depth 1 and 2 under local budgets: branch and bound over intervals of the root's threshold.

An interval is bounded with the largest move costs, divided at events, and settled at a point once nothing changes in
it. Midpoints, grid and continuous thresholds differ only in where this ends.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.moves import fill_events
from hedgerow.engine.samples import Samples
from hedgerow.engine.stumps import Stumps, bound_sides, find_stumps
from hedgerow.engine.two_levels import Settled, best_pair, evaluate_stumps, settle_root


class Interval(NamedTuple):
    """Thresholds of the root that are open, and what the two sides cost there at least."""

    question: int  # What the root asks; −1 for nothing.
    # Where its threshold lies.
    low: float
    high: float
    # Numbers of the events at the two ends; equal where no event lies between.
    first: int
    last: int
    # What the sides cost at least: with all samples that reach them, and with those alone that reach no other side.
    left: tuple[float, float] = (0.0, 0.0)
    right: tuple[float, float] = (0.0, 0.0)
    floor: float = 0.0  # A bound that is known already.

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


class Intervals:
    """Bounds, divides and settles intervals of one instance.

    Parameters
    ----------
    samples
        The samples.
    depth
        1 or 2.
    max_leaves
        The largest number of leaves; 0 for no limit.
    """

    def __init__(self, samples: Samples, depth: int, max_leaves: int) -> None:
        self.samples, self.depth, self.max_leaves = samples, depth, max_leaves
        self.open_bound: float = np.inf
        self._events = [_root_events(question, samples) for question in range(len(samples.values))]
        self._step = 0 if samples.points.size else 1

    def whole(self) -> list[Interval]:
        """Return the intervals that the search begins with: one per question, and one without a question."""
        needed = self.depth == 1 or self.samples.min_samples or self.max_leaves
        nothing = [Interval(-1, 0.0, 0.0, 0, 0)] if needed else []
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
        shrink = _shrink_of(interval.question, self.samples)
        if interval.high - interval.low <= 8.0 * shrink:
            return None
        at = min(max(at, interval.low + 2.0 * shrink), interval.high - 2.0 * shrink)
        ends = (interval.low, at - shrink), (at + shrink, interval.high)
        return [interval.part(low, high, interval.first, interval.last) for low, high in ends]

    def _elementary(self, interval: Interval) -> Interval:
        """Return the interval without its ends where no event lies between them."""
        if self._step == 0 or interval.question < 0 or interval.last - interval.first > 1:
            return interval
        shrink = _shrink_of(interval.question, self.samples)
        return interval._replace(low=interval.low + shrink, high=interval.high - shrink)

    def _crossing(self, interval: Interval, target: float) -> float:
        """Return where a stump that matters ceases to be possible, NaN if all last from end to end."""
        low, high, middle, best = interval.low, interval.high, 0.5 * (interval.low + interval.high), np.nan
        for side, near, far in ((0, low, high), (1, high, low)):
            others = interval.right if side == 0 else interval.left
            at = _crossing(
                side, interval.question, near, far, self._stumps(side, interval, target, others), self.samples
            )
            if not np.isnan(at) and not abs(at - middle) >= abs(best - middle):
                best = at
        return best

    def _stumps(self, side: int, interval: Interval, target: float, others: tuple[float, float]) -> Stumps:
        cut = np.array([target - others[1], target - others[0]])
        return find_stumps(side, interval.question, interval.low, interval.high, cut, self.samples)

    def bounded(self, interval: Interval, target: float, must_stop: Callable[[], bool]) -> Interval:
        """Return the interval with better bounds on its sides, as good as it takes to see whether it can be dropped."""
        if interval.question < 0 or must_stop():
            return interval
        sides = np.array([interval.left, interval.right])
        bound_sides(0, interval.question, interval.low, interval.high, target, self.samples, sides)
        left, right = sides.tolist()
        return interval._replace(left=tuple(left), right=tuple(right))

    def tried(self, interval: Interval, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return a tree with its root in the middle of the interval and promising stumps if it is below the target.

        Of trees that are equally good, simple ones are met early this way.
        """
        root, at, sides = interval.question, 0.5 * (interval.low + interval.high), []
        if root < 0 or must_stop() or (self._step == 0 and at not in self._events[root]):
            return None
        for side in (0, 1):
            stumps = self._stumps(side, interval._replace(low=at, high=at), target, (0.0, 0.0))
            if not stumps.question.size:
                return None
            best = np.unique(stumps.value.argmin(axis=0))
            some, cut = Stumps(*(part[best] for part in stumps)), np.array([target, target])
            sides.append(evaluate_stumps(side, root, at, some, cut, False, self.samples))
        left, right = sides
        choice = np.full(4, -1)
        value, one, other = best_pair(left, right, self._most_below(root), self.samples, target, choice)
        if one < 0:
            return None
        questions = np.array([root, left.question[one], right.question[other]])
        return Settled(questions, np.array([at, left.threshold[one], right.threshold[other]]), choice, value)

    def _most_below(self, root: int) -> int:
        """Return how many questions there may be below the root."""
        return self.max_leaves - 1 - (root >= 0) if self.max_leaves else 2

    def settled(self, interval: Interval, target: float, _must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree with its root in the middle of the interval if it is below the target.

        That takes too long with many samples that can be moved: such an interval stays open.
        """
        samples = self.samples
        if self.depth == 2 and len(samples.regret) > ENGINE.most_to_settle and (samples.room > 0.0).any():
            self.open_bound = min(self.open_bound, interval.bound)
            return None
        tree = Settled(np.full(3, -1), np.zeros(3), np.full(4, -1), np.inf)
        at, sides = 0.5 * (interval.low + interval.high), np.array([interval.left, interval.right])
        value = settle_root(interval.question, at, sides, target, self._most_below(interval.question), samples, tree)
        return tree._replace(value=value) if value < target else None


def _root_events(question: int, samples: Samples) -> FloatArray:
    """Return in increasing order where a root's threshold changes who can be sent to which side, and how costs grow.

    The first and the last are the least and the largest value; where there are candidates, these are all events.
    """
    if samples.points.size:
        return samples.points[samples.first[question] : samples.first[question + 1]]
    values, margin = samples.values[question], samples.margin
    least, largest = values.min(), values.max()
    room = np.minimum(samples.room / samples.prices[question], samples.caps[question])
    events = [values - margin - room, values - margin, values + margin]
    events.append((values + margin + room - samples.step[question])[room >= samples.step[question]])
    if samples.min_samples:
        events.append(values)
    inside = np.unique(np.concatenate(events))
    tiny = 4.0 * _shrink_of(question, samples)
    inside = inside[(inside > least + tiny) & (inside < largest - tiny)]
    inside = inside[np.append(True, np.diff(inside) > tiny)] if inside.size else inside
    return np.concatenate([[least], inside, [largest]]) if least < largest else np.empty(0)


def _shrink_of(question: int, samples: Samples) -> float:
    """Return by how much a root's threshold must move for events of other questions to move noticeably."""
    return float(np.max(samples.tiny * samples.prices) / samples.prices[question])


@kernel
def _crossing(side: int, root: int, near: float, far: float, stumps: Stumps, samples: Samples) -> float:
    """Return where, between `near` and `far`, one of the stumps ceases to be possible; NaN if none does.

    The stumps are those at the root threshold `near`: the low end for the left side, the high end for the right one.
    Of several places it is the one closest to the middle. Events are taken for linear between the two ends; where
    questions share items they are not quite, and the place comes closer with each division.
    """
    spent, at_near = np.empty((2, samples.room.size)), np.empty((2, samples.values.shape[0], samples.room.size))
    at_far = np.empty_like(at_near)
    fill_events(side, root, far, far, samples, spent, at_far)
    fill_events(side, root, near, near, samples, spent, at_near)
    middle, best = 0.5 * (near + far), np.nan
    for number in range(stumps.question.size):
        question, place, limit = stumps.question[number], stumps.low[number], stumps.high[number]
        if question < 0:
            continue
        tiny = samples.tiny[question]
        # The sample behind the stump that enters first at the far end, and the one before it that leaves last.
        first, last = -1, -1
        for row in range(samples.room.size):
            if at_near[1, question, row] <= place and (
                last < 0 or at_far[1, question, row] > at_far[1, question, last]
            ):
                last = row
            if at_near[0, question, row] > place + tiny and (
                first < 0 or at_far[0, question, row] < at_far[0, question, first]
            ):
                first = row
        at = np.nan
        if question == root and side == 0 and place >= near - tiny:
            at = place
        elif question == root and side == 1 and limit <= near + tiny:
            at = limit
        elif last >= 0 and first >= 0 and at_far[0, question, first] <= at_far[1, question, last]:
            gap = at_near[0, question, first] - at_near[1, question, last]
            gap_far = at_far[0, question, first] - at_far[1, question, last]
            at = near + (far - near) * gap / (gap - gap_far)
        if not np.isnan(at) and (np.isnan(best) or abs(at - middle) < abs(best - middle)):
            best = at
    return float(best)
