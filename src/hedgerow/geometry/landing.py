"""Where a move lands: readings that provably lead into a leaf."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.geometry.kernels import Geometry, change_range, link_questions
from hedgerow.geometry.least_change import least_change

_MOST_NUDGES = 40

_Value: TypeAlias = Callable[[FloatArray, int], float]
"""Takes readings and the number of a question; returns its value."""


def landing_point(
    readings: FloatArray,
    asked: IntArray,
    lower: FloatArray,
    upper: FloatArray,
    geometry: Geometry,
    value: _Value,
    row: int = 0,
) -> FloatArray:
    """Return the readings of one sample, moved into a leaf by the least change.

    A reading that only one question asks about, and that question about nothing else, is *set* to the nearest point of
    its interval. Others are computed, and rounding may put a sum on the wrong side: the move then aims a few units in
    the last place further inside, twice as far each time, until the sums are where they should be. `asked` are the
    questions on the leaf's path, each once, with the intervals left of their values; `row` is for entry limits. A
    question's `value` is the sum of its terms, or differs from it by a constant.
    """
    group = np.empty(asked.size, np.int64)
    link_questions(asked.size, asked, geometry, group)
    moved = readings.copy()
    for first in np.unique(group):
        members = np.flatnonzero(group == first)
        boxes = [(int(asked[place]), float(lower[place]), float(upper[place])) for place in members]
        if not _inside(readings, boxes, value):
            _move(moved, boxes, geometry, row, value)
    return moved


def _move(
    moved: FloatArray, boxes: list[tuple[int, float, float]], geometry: Geometry, row: int, value: _Value
) -> None:
    """Move the readings into the boxes of some questions that share items with each other and with no others."""
    values = [value(moved, question) for question, _, _ in boxes]
    ends = zip(values, boxes, strict=True)
    ranges = [change_range(here, low, high, geometry.epsilon) for here, (_, low, high) in ends]
    rows = [slice(geometry.start[question], geometry.start[question + 1]) for question, _, _ in boxes]
    is_reading = geometry.coefficient[rows[0]].tolist() == [1.0] and moved[geometry.item[rows[0]]] == values[:1]
    if len(boxes) == 1 and is_reading:
        least, _ = ranges[0]
        _, low, high = boxes[0]
        moved[geometry.item[rows[0]]] = max(low + geometry.epsilon, np.nextafter(low, np.inf)) if least > 0.0 else high
        return
    items = np.unique(np.concatenate([geometry.item[entries] for entries in rows]))
    matrix = np.zeros((len(boxes), items.size))
    for number, entries in enumerate(rows):
        matrix[number, np.searchsorted(items, geometry.item[entries])] = geometry.coefficient[entries]
    limits = geometry.limits[row if len(geometry.limits) > 1 else 0, items]
    least, most = np.array(ranges).T
    ulp = np.spacing(np.abs(matrix) @ np.abs(moved[items]) + np.where(np.isfinite(most), np.abs(most), 0.0))
    change, before = np.empty(items.size), moved[items]
    nudges = [0.0, *(2.0**power for power in range(_MOST_NUDGES))]
    # The least change has one tolerance for all rows, so that small rows may need the nudges of large ones.
    for nudge, alike in [(nudge, alike) for alike in (False, True) for nudge in nudges]:
        ulp = np.full_like(ulp, ulp.max()) if alike else ulp
        inner_most = most - nudge * ulp  # perhaps below `least` where only one point is right
        inner_least = np.minimum(least + nudge * ulp, inner_most)
        if np.isinf(least_change(matrix, geometry.prices[items], limits, inner_least, inner_most, change)):
            continue
        moved[items] = before + change
        if _inside(moved, boxes, value):
            return
        ulp = np.maximum(ulp, np.spacing(np.abs(matrix) @ (np.abs(before) + np.abs(change))))


def _inside(readings: FloatArray, boxes: list[tuple[int, float, float]], value: _Value) -> bool:
    return all(low < value(readings, question) <= high for question, low, high in boxes)
