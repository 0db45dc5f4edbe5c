"""Interval splits of questions that read several items: who reaches which leaf below an interval of root thresholds.

A root and a child that share items can't be added up. What a budget leaves for the child follows from the geometry: the
dual of the two questions' common move cost has few corners y (see `hedgerow.geometry.pairs`), and

    budget ≥ d_root · y_root + d_child · y_child   for every corner

says how far the child's value can be changed while the root is answered as wanted. With entry limits the cost is an LP,
and candidate thresholds are tried one by one, by bisection.
"""

__all__ = ["general_events", "general_meeting", "general_reach"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.moves import child_events, half_reach, side_costs
from hedgerow.engine.samples import Samples
from hedgerow.geometry.kernels import Geometry, change_range
from hedgerow.geometry.pairs import NOT_LINKED, worth
from hedgerow.geometry.path_kernels import two_cost

_ROUNDING = 1e-13
"""By how much less samples are taken to reach than they do, relative to their budgets, so that bounds hold."""

_CLOSE = 1e-6
"""How close to an event a threshold lies whose reach is computed anew, relative to values and budgets."""


@kernel
def general_events(
    side: int,
    root: int,
    low: float,
    high: float,
    samples: Samples,
    geometry: Geometry,
    spent: FloatArray,
    events: FloatArray,
) -> None:
    """Do as `hedgerow.engine.moves.single_events` for any questions; entry limits take candidate thresholds."""
    side_costs(root, low, high, samples, spent)
    at = low if side == 0 else high
    for question in range(samples.values.shape[0]):
        enters, leaves = events[0, question], events[1, question]
        if root < 0 or question == root:
            child_events(question, side, root, low, high, spent, samples, enters, leaves)
            continue
        for row in range(samples.room.size):
            if spent[side, row] == np.inf:
                enters[row], leaves[row] = np.inf, -np.inf
            elif geometry.limited:
                enters[row], leaves[row] = _listed_events(row, question, side, root, at, samples, geometry)
            else:
                enters[row], leaves[row] = _events(row, question, side, root, at, samples, geometry)


@kernel(inline="always")
def _root_range(row: int, side: int, root: int, at: float, samples: Samples, geometry: Geometry) -> tuple[float, float]:
    """Return by how much the root's value must change, at least and at most, for a sample to be on one side."""
    lower, upper = (-np.inf, at + samples.margin) if side == 0 else (at - samples.margin, np.inf)
    return change_range(samples.values[root, row], lower, upper, geometry.epsilon)


@kernel
def _events(
    row: int, question: int, side: int, root: int, at: float, samples: Samples, geometry: Geometry
) -> tuple[float, float]:
    """Return `enters` and `leaves` of a sample that reaches a side of the root, without entry limits."""
    least, most = _root_range(row, side, root, at, samples, geometry)
    room = samples.room[row]
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
    value, margin, step = samples.values[question, row], samples.margin, samples.step[question]
    if 0.0 <= up < step:
        return value - margin - down, np.nextafter(value + margin, -np.inf)
    return value - margin - down, value + margin + up - step


@kernel(inline="always")
def _listed_events(
    row: int, question: int, side: int, root: int, at: float, samples: Samples, geometry: Geometry
) -> tuple[float, float]:
    """Return the first candidate threshold at which a sample reaches the left leaf, and the last for the right one."""
    first, end = samples.first[question], samples.first[question + 1]
    low, high = first, end
    while low < high:
        middle = (low + high) // 2
        if _reaches(row, question, samples.points[middle], 0, side, root, at, samples, geometry):
            high = middle
        else:
            low = middle + 1
    enters = samples.points[low] if low < end else np.inf
    low, high = first, end
    while low < high:
        middle = (low + high) // 2
        if _reaches(row, question, samples.points[middle], 1, side, root, at, samples, geometry):
            low = middle + 1
        else:
            high = middle
    return enters, samples.points[low - 1] if low > first else -np.inf


@kernel
def _reaches(
    row: int,
    question: int,
    threshold: float,
    leaf: int,
    side: int,
    root: int,
    at: float,
    samples: Samples,
    geometry: Geometry,
) -> bool:
    """Return whether a sample reaches a leaf of a child that asks another question than the root."""
    least, most = _root_range(row, side, root, at, samples, geometry)
    child_least, child_most = _root_range(row, leaf, question, threshold, samples, geometry)
    return bool(two_cost(root, least, most, question, child_least, child_most, row, geometry) <= samples.room[row])


@kernel
def general_reach(
    side: int,
    root: int,
    at: float,
    samples: Samples,
    geometry: Geometry,
    events: FloatArray,
    question: IntArray,
    threshold: FloatArray,
    reach: FloatArray,
) -> None:
    """Do as `hedgerow.engine.moves.single_reach` for any questions; `events` are those at the root's threshold.

    Move costs are computed only for thresholds that events are close to.
    """
    for number in range(question.size):
        asked, here = question[number], threshold[number]
        if root < 0 or asked < 0 or asked == root:
            half_reach(asked, here, side, root, at, samples, reach[number])
            continue
        for row in range(samples.room.size):
            close = _CLOSE * (abs(samples.values[asked, row]) + samples.room[row] / geometry.rate[asked])
            for leaf in range(2):
                beyond = here - events[0, asked, row] if leaf == 0 else events[1, asked, row] - here
                reaches = beyond >= 0.0
                if -close <= beyond < 0.0:
                    reaches = _reaches(row, asked, here, leaf, side, root, at, samples, geometry)
                reach[number, leaf, row] = 0.0 if reaches else np.inf


@kernel
def general_meeting(
    question: int,
    first: int,
    last: int,
    side: int,
    root: int,
    near: float,
    far: float,
    samples: Samples,
    geometry: Geometry,
) -> float:
    """Return for which root threshold sample `first` reaches the child's left leaf where `last` leaves the right one.

    Such a place lies between `near` and `far`, since samples reach ever more on the way.
    """
    while True:
        middle = 0.5 * (near + far)
        if middle in (near, far):
            return middle
        enters, _ = _events(first, question, side, root, middle, samples, geometry)
        _, leaves = _events(last, question, side, root, middle, samples, geometry)
        if enters <= leaves:
            far = middle
        else:
            near = middle
