"""All ways to behave that trees of depth 1 and 2 have over all thresholds, under local budgets.

The root's threshold lies in an interval. With the dearest move costs in it, bounds discard intervals, and say which
thresholds below the root matter. Other intervals are divided at *events*, where a sample's reach of a side changes.
Between two of them, events of a node below the root are lines in the root's threshold, and in a face between such lines
the same samples reach the same leaves.
"""

__all__ = ["Behaviours", "CellLister"]

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.division import shrink_of
from hedgerow.engine.listing.roots import Block, RootLister
from hedgerow.engine.moves import single_events
from hedgerow.engine.samples import Samples
from hedgerow.tree.structure import NO_SPLIT


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


class _Faces(NamedTuple):
    """What thresholds on one side of a root can do: a place where they do it, and the root thresholds that allow it."""

    question: IntArray
    root: FloatArray
    at: FloatArray
    begin: FloatArray
    end: FloatArray


class CellLister:
    """Lists structures over all thresholds, one for each cell in which the same samples reach the same leaves.

    Questions must be about single readings, and the budget local. Nodes may ask nothing.
    """

    def __init__(self, lister: RootLister, samples: Samples, depth: int) -> None:
        self._lister, self._samples, self._depth = lister, samples, depth
        self._ends = samples.values.min(axis=1), samples.values.max(axis=1)

    @property
    def roots(self) -> list[int]:
        """The questions that a root may ask, and `NO_SPLIT`."""
        asked = np.flatnonzero(self._ends[0] < self._ends[1]).tolist() if self._depth > 1 else []
        return [*asked, NO_SPLIT]

    def listed(self, root: int, cutoff: float) -> Iterator[Block | None]:
        """Yield all structures below the cut-off whose root asks this; None now and then where there are none."""
        if root == NO_SPLIT:
            yield from self._over(_Interval(NO_SPLIT, 0.0, 0.0, 0, 0))[0].listed(NO_SPLIT, cutoff)
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
            yield from self._settled(interval, below, alive, cutoff)

    def _settled(
        self, interval: _Interval, below: list[_Below], alive: tuple[IntArray, IntArray], cutoff: float
    ) -> Iterator[Block]:
        """Yield the structures with their root between two neighbouring events.

        Events of nodes below are lines in the root's threshold. The faces between them are what a threshold below the
        root can do; two faces, one on each side, go together where they exist at the same root threshold.
        """
        root, low, high, samples = interval.question, interval.low, interval.high, self._samples
        sides = []
        for side, cells in enumerate(below):
            near, far = (self._lines(side, root, at, at) for at in (low, high))
            # Splits are numbered from 1, first those on the left.
            numbers = alive[side][alive[side] > 0] - 1 - side * below[0].question.size
            rows: list[tuple[float, ...]] = []
            for question in np.unique(cells.question[numbers]):
                mine = numbers[cells.question[numbers] == question]
                ends, tiny = [each[question] for each in self._ends], 4.0 * samples.tiny[question]
                lines = np.array([np.concatenate([ends, each[question]]) for each in (near, far)])
                lines = lines[:, np.isfinite(lines).all(axis=0)]
                windows = np.array([cells.begin[mine], cells.end[mine]])
                for lower in _face_sets(lines[0], lines[1], windows, tiny).values():
                    face = _face(lines[0], lines[1], lower, tiny) if lower[0] and not lower[1] else None
                    if face is not None:
                        begin, end = low + face[0] * (high - low), low + face[1] * (high - low)
                        rows.append((float(question), 0.5 * (begin + end), face[2], begin, end))
            columns = np.array(rows).reshape(-1, 5).T
            sides.append(_Faces(columns[0].astype(np.int64), *columns[1:]))
        middle, size = 0.5 * (low + high), [len(side.question) for side in sides]
        faces = _Faces(*map(np.concatenate, zip(*sides, strict=True)))
        question = np.concatenate([np.full(1 + len(faces.question), root), faces.question])
        threshold = np.concatenate([[middle], faces.root, faces.at])
        own = np.split(np.arange(1, question.size)[sum(size) :], [size[0]])
        root_of = np.zeros(question.size + 1, dtype=np.int64)
        root_of[np.concatenate(own)] = 1 + np.arange(sum(size))
        extent = np.tile([[low], [high]], question.size + 1)
        extent[:, np.concatenate(own)] = faces.begin, faces.end
        candidates = np.zeros(1, dtype=np.int64), np.append(own[0], NO_SPLIT), np.append(own[1], NO_SPLIT)
        lister = self._lister.over(question, threshold, threshold, candidates, root_of, extent)
        yield from lister.listed(0, cutoff)

    def placed(self, block: Block, entry: int) -> tuple[IntArray, FloatArray]:
        """Return questions and thresholds (root, left, right) of a structure of an entry."""
        assert block.splits is not None
        question, threshold = np.append(block.splits[0], NO_SPLIT), np.append(block.splits[1], np.nan)
        kinds = [block.members[side][number] for side, number in enumerate(block.pair[entry])]
        if block.extent is None:
            chosen = [block.root, *(int(kind[0]) for kind in kinds)]
            return question[chosen], threshold[chosen]
        one, other = (block.extent[:, kind] for kind in kinds)
        width = np.minimum(one[1][:, None], other[1]) - np.maximum(one[0][:, None], other[0])
        best = np.unravel_index(np.argmax(width), width.shape)
        chosen = [block.root, *(int(kind[at]) for kind, at in zip(kinds, best, strict=True))]
        root = int(question[block.root])
        ends = block.extent[:, chosen[1:]]
        at = 0.5 * (ends[0].max() + ends[1].min())
        found = threshold[chosen]
        found[0] = at
        n_faces = (len(question) - 2) // 2
        for side, split in enumerate(chosen[1:]):
            if split != NO_SPLIT:
                asked, rep = int(question[split]), float(threshold[split - n_faces])
                lower = self._lines(side, root, rep, rep)[asked] < threshold[split]
                lines = self._lines(side, root, at, at)[asked]
                begin = max(float(lines[lower].max(initial=-np.inf)), float(self._ends[0][asked]))
                end = min(float(lines[~lower].min(initial=np.inf)), float(self._ends[1][asked]))
                found[1 + side] = 0.5 * (begin + end)
        return question[chosen], found

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
        candidates = (
            np.array([0 if asks else NO_SPLIT]),
            np.append(numbers[0], NO_SPLIT),
            np.append(numbers[1], NO_SPLIT),
        )
        return self._lister.over(question.astype(np.int64), *at, candidates), below


def _face_sets(near: FloatArray, far: FloatArray, windows: FloatArray, tiny: float) -> dict[bytes, BoolArray]:
    """Return for each face between lines, where it begins at a place that matters, which lines lie below it.

    Lines are given at both ends of an interval, the windows that matter by their beginnings and ends. A face exists at
    the first end, or it begins where two lines cross.
    """
    begin, reach = np.sort(windows[0]), np.maximum.accumulate(windows[1][np.argsort(windows[0])])

    def matters(place: FloatArray) -> BoolArray:
        number = np.searchsorted(begin, place, side="right") - 1
        return np.asarray((number >= 0) & (place <= reach[np.maximum(number, 0)]))

    slope, found = far - near, {}
    order = np.lexsort((slope, near))
    for rank in np.flatnonzero(matters(0.5 * (near[order[:-1]] + near[order[1:]]))):
        lower = np.zeros(near.size, dtype=bool)
        lower[order[: rank + 1]] = True
        found[lower.tobytes()] = lower
    gap, gap_far = near[:, None] - near, far[:, None] - far
    one, other = np.nonzero((gap > 0.0) & (gap_far < 0.0))
    share = gap[one, other] / (gap[one, other] - gap_far[one, other])
    place = near[one] + share * slope[one]
    for number in np.flatnonzero(matters(place)):
        above = near + share[number] * slope - place[number]
        lower = (above < -tiny) | ((above <= tiny) & (slope <= slope[one[number]]))
        found[lower.tobytes()] = lower
    return found


def _face(near: FloatArray, far: FloatArray, lower: BoolArray, tiny: float) -> tuple[float, float, float] | None:
    """Return from where to where, as shares of an interval, a face exists, and its place in the middle; or None."""
    gap = near[~lower] - near[lower][:, None]
    gap_far = far[~lower] - far[lower][:, None]
    if ((gap <= 0.0) & (gap_far <= 0.0)).any():
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        share = gap / (gap - gap_far)
    begin = float(share[gap <= 0.0].max(initial=0.0))
    end = float(share[gap_far <= 0.0].min(initial=1.0))
    lines = near + 0.5 * (begin + end) * (far - near)
    low, high = float(lines[lower].max()), float(lines[~lower].min())
    return (begin, end, 0.5 * (low + high)) if begin < end and high - low > tiny else None


@dataclass(eq=False)
class Behaviours:
    """Structures by the way they behave: of those that behave alike one that asks least."""

    # By their mark: how much they ask, their loss, questions and thresholds (root, left, right), plans.
    found: dict[tuple[int, int], tuple[tuple[int, int], float, IntArray, FloatArray, IntArray]] = field(
        default_factory=dict
    )

    def add(self, block: Block, lister: CellLister) -> None:
        """Add the structures of a block that the lister has found."""
        if block.splits is None or not len(block.value):
            return
        kinds = [np.array([kind[0] for kind in side], dtype=np.int64) for side in block.members]
        splits = np.column_stack(
            [np.full(len(block.value), block.root), *(k[p] for k, p in zip(kinds, block.pair.T, strict=True))]
        )
        question = np.append(block.splits[0], -1)[splits]
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
                self.found[mark] = least, value, *lister.placed(block, entry), choice

    def take(self, other: "Behaviours") -> None:
        """Take over what another listing has found."""
        for mark, entry in other.found.items():
            if mark not in self.found or entry[0] < self.found[mark][0]:
                self.found[mark] = entry
