"""Interval splits of questions that read several items: who reaches which leaf below an interval of root thresholds.

A root and a child that share items can't be added up. What a budget leaves for the child follows from the geometry: the
dual of the two questions' common move cost has few corners y (see `hedgerow.geometry.pairs`), and

    budget ≥ d_root · y_root + d_child · y_child   for every corner

says how far the child's value can be changed while the root is answered as wanted. With entry limits the cost is an LP,
and candidate thresholds are tried one by one, by bisection.
"""

__all__ = ["fill_turns", "general_meeting", "reach_of"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.engine.readings import Readings, Root, dearest_costs, stump_reach, turns, turns_of_all
from hedgerow.geometry.kernels import Geometry, change_range
from hedgerow.geometry.pairs import NOT_LINKED, worth
from hedgerow.geometry.path_kernels import two_cost

_ROUNDING = 1e-13
"""By how much less samples are taken to reach than they do, relative to their budgets, so that bounds hold."""

_CLOSE = 1e-6
"""How close to an event a threshold lies whose reach is computed anew, relative to values and budgets."""


@kernel
def fill_turns(
    side: int, root: Root, readings: Readings, geometry: Geometry | None, spent: FloatArray, events: FloatArray
) -> None:
    """Do as `hedgerow.engine.readings.turns_of_all` for any questions; entry limits take candidate thresholds.

    Without a geometry questions are about single readings.
    """
    if geometry is None:
        turns_of_all(side, root, readings, spent, events)
    else:
        dearest_costs(root, readings, spent)
        at = root.low if side == 0 else root.high
        for question in range(readings.values.shape[0]):
            if root.question < 0 or question == root.question:
                turns(question, side, root, readings, spent, events)
                continue
            enters, leaves = events[0, question], events[1, question]
            for row in range(readings.room.size):
                if spent[side, row] == np.inf:
                    enters[row], leaves[row] = np.inf, -np.inf
                elif geometry.limited:
                    enters[row], leaves[row] = _listed_events(
                        row, question, side, root.question, at, readings, geometry
                    )
                else:
                    enters[row], leaves[row] = _events(row, question, side, root.question, at, readings, geometry)


@kernel
def _root_range(
    row: int, side: int, root: int, at: float, readings: Readings, geometry: Geometry
) -> tuple[float, float]:
    """Return by how much the root's value must change, at least and at most, for a sample to be on one side."""
    lower, upper = (-np.inf, at + readings.margin) if side == 0 else (at - readings.margin, np.inf)
    return change_range(readings.values[root, row], lower, upper, geometry.epsilon)


@kernel
def _events(
    row: int, question: int, side: int, root: int, at: float, readings: Readings, geometry: Geometry
) -> tuple[float, float]:
    """Return `enters` and `leaves` of a sample that reaches a side of the root, without entry limits."""
    least, most = _root_range(row, side, root, at, readings, geometry)
    room = readings.room[row]
    which = geometry.pair[root, question] if geometry.pair.size else NOT_LINKED
    if which == NOT_LINKED:
        room = max(0.0, room - geometry.rate[root] * max(0.0, least, -most))
    # How far the value can be lowered and raised.
    down = room * (1.0 - _ROUNDING) / geometry.rate[question]
    up = down
    if which != NOT_LINKED:
        own = 0 if root < question else 1
        first, last = geometry.first_corner[which], geometry.first_corner[which + 1]
        for place in range(first - 1, last):
            one, two, budget = geometry.rays[which, own], geometry.rays[which, 1 - own], 0.0
            if place >= first:
                one, two, budget = geometry.corners[place, own], geometry.corners[place, 1 - own], room
            if two == 0.0:
                continue
            for turn in (1.0, -1.0):
                gain = worth(turn * one, least, most)
                if gain == -np.inf:
                    continue
                change = (budget - gain - _ROUNDING * (budget + abs(gain))) / abs(two)
                if turn * two > 0.0:
                    up = min(up, change)
                else:
                    down = min(down, change)
    value, margin, step = readings.values[question, row], readings.margin, readings.step[question]
    if 0.0 <= up < step:
        return value - margin - down, np.nextafter(value + margin, -np.inf)
    return value - margin - down, value + margin + up - step


@kernel(inline="always")
def _listed_events(
    row: int, question: int, side: int, root: int, at: float, readings: Readings, geometry: Geometry
) -> tuple[float, float]:
    """Return the first candidate threshold at which a sample reaches the left leaf, and the last for the right one."""
    first, end = readings.first[question], readings.first[question + 1]
    low, high = first, end
    while low < high:
        middle = (low + high) // 2
        if _reaches((row, question, readings.points[middle], 0), side, root, at, readings, geometry):
            high = middle
        else:
            low = middle + 1
    enters = readings.points[low] if low < end else np.inf
    low, high = first, end
    while low < high:
        middle = (low + high) // 2
        if _reaches((row, question, readings.points[middle], 1), side, root, at, readings, geometry):
            low = middle + 1
        else:
            high = middle
    return enters, readings.points[low - 1] if low > first else -np.inf


@kernel
def _reaches(
    place: tuple[int, int, float, int], side: int, root: int, at: float, readings: Readings, geometry: Geometry
) -> bool:
    """Return whether a sample reaches a leaf of a stump that asks another question than the root.

    `place` is the sample, the stump's question and threshold, and the leaf.
    """
    row, question, threshold, leaf = place
    least, most = _root_range(row, side, root, at, readings, geometry)
    child_least, child_most = _root_range(row, leaf, question, threshold, readings, geometry)
    room = readings.room[row]
    return bool(two_cost(root, least, most, question, child_least, child_most, row, room, geometry) <= room)


@kernel
def reach_of(
    question: int,
    threshold: float,
    side: int,
    root: Root,
    readings: Readings,
    geometry: Geometry | None,
    events: FloatArray,
    reach: BoolArray,
) -> None:
    """Do as `hedgerow.engine.readings.stump_reach` for any questions; `events` are those at the root's threshold.

    Move costs are computed only for thresholds that events are close to.
    """
    if geometry is None:
        stump_reach(question, threshold, side, root, readings, reach)
    else:
        if root.question < 0 or question < 0 or question == root.question:
            stump_reach(question, threshold, side, root, readings, reach)
            return
        for row in range(readings.room.size):
            close = _CLOSE * (abs(readings.values[question, row]) + readings.room[row] / geometry.rate[question])
            for leaf in range(2):
                beyond = threshold - events[0, question, row] if leaf == 0 else events[1, question, row] - threshold
                reach[leaf, row] = beyond >= 0.0
                if -close <= beyond < 0.0:
                    place = row, question, threshold, leaf
                    reach[leaf, row] = _reaches(place, side, root.question, root.low, readings, geometry)


@kernel
def general_meeting(
    question: int, first: int, last: int, side: int, root: Root, readings: Readings, geometry: Geometry
) -> float:
    """Return for which root threshold sample `first` reaches a stump's left leaf where `last` leaves the right one.

    Such a place lies between `root.low` and `root.high`, since samples reach ever more on the way.
    """
    near, far = root.low, root.high
    while True:
        middle = 0.5 * (near + far)
        if middle in (near, far):
            return middle
        enters, _ = _events(first, question, side, root.question, middle, readings, geometry)
        _, leaves = _events(last, question, side, root.question, middle, readings, geometry)
        if enters <= leaves:
            far = middle
        else:
            near = middle
