"""What two questions that share items cost together, without entry limits: the corners of a polygon.

By duality the least change that brings two questions' values into their intervals costs

    max over y of  worth(y_1) + worth(y_2)   subject to   |a_1i y_1 + a_2i y_2| ≤ w_i  for every item i,

where worth(y) is `least · y` for y > 0 and `most · y` for y < 0. The polygon knows neither sample nor threshold: its
corners, the points where its border crosses the axes, and its rays are listed once for every pair of questions. It is
the polar of the convex hull of the points ±(a_1i, a_2i) / w_i, so each side of that hull gives a corner. Where the two
questions are parallel it is a strip: it has a ray in place of corners. Of opposite corners one is kept.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.tolerances import PARALLEL

NOT_LINKED = -1
"""Stands for a pair of questions that share no item."""


class Links(NamedTuple):
    """The lists of all pairs of questions that share items."""

    # Questions × questions: the number of a list, `NOT_LINKED` where they share no item. Empty where no two questions
    # share any.
    pair: IntArray
    # Where each list's corners begin, and one end; the corners, for the question with the smaller index first.
    first_corner: IntArray
    corners: FloatArray
    rays: FloatArray  # Per list a ray, 0 if there is none.


@kernel
def worth(y: float, least: float, most: float) -> float:
    """Return what a dual value is worth for an interval of changes."""
    if y > 0.0:
        return least * y
    return most * y if y < 0.0 else 0.0


@kernel
def list_pairs(scaled: FloatArray) -> Links:
    """Return the lists of all pairs of questions that share items.

    `scaled[q, i]` is the coefficient of item i in question q, divided by the item's price.
    """
    n_questions, n_items = scaled.shape
    most = n_questions * (n_questions - 1) // 2
    pair, n_lists = np.full((n_questions, n_questions), NOT_LINKED), 0
    # A list has at most one corner for each item of its two questions.
    first_corner, rays = np.zeros(most + 1, np.int64), np.zeros((most, 2))
    corners = np.empty(((n_questions - 1) * np.count_nonzero(scaled), 2))
    points = np.empty((2 * n_items, 2))
    for first in range(n_questions):
        for second in range(first + 1, n_questions):
            count, shared = 0, False
            for item in range(n_items):
                x, y = scaled[first, item], scaled[second, item]
                shared = shared or (x != 0.0 and y != 0.0)
                if x != 0.0 or y != 0.0:
                    points[count, 0], points[count, 1] = x, y
                    points[count + 1, 0], points[count + 1, 1] = -x, -y
                    count += 2
            if not shared:
                continue
            begin = first_corner[n_lists]
            first_corner[n_lists + 1] = begin + _corners(points[:count], corners[begin:], rays[n_lists])
            pair[first, second] = pair[second, first] = n_lists
            n_lists += 1
    n_corners = first_corner[n_lists]
    return Links(pair, first_corner[: n_lists + 1].copy(), corners[:n_corners].copy(), rays[:n_lists].copy())


@kernel(inline="always")
def _corners(points: FloatArray, corners: FloatArray, ray: FloatArray) -> int:
    """Write the corners of the polar polygon, one of each two that are opposite; return how many there are."""
    farthest = 0
    for place in range(len(points)):
        size = abs(points[place, 0]) + abs(points[place, 1])
        if size > abs(points[farthest, 0]) + abs(points[farthest, 1]):
            farthest = place
    far_x, far_y = points[farthest, 0], points[farthest, 1]
    parallel = True
    for place in range(len(points)):
        cross = far_x * points[place, 1] - far_y * points[place, 0]
        parallel = parallel and abs(cross) <= PARALLEL * (far_x * far_x + far_y * far_y)
    if parallel:
        # Scaled so that lists of different lengths of the same strip are equal.
        size = max(abs(far_x), abs(far_y))
        turn = 1.0 if far_y > 0.0 else -1.0
        ray[0], ray[1] = turn * far_y / size, -turn * far_x / size
        return 0
    # Gift wrapping along half of the hull: from the farthest point to its opposite.
    count = 0
    at = farthest
    while True:
        x, y = points[at, 0], points[at, 1]
        following = -1
        for place in range(len(points)):
            step_x, step_y = points[place, 0] - x, points[place, 1] - y
            if step_x * step_x + step_y * step_y <= PARALLEL * (x * x + y * y):
                continue
            if following < 0:
                following = place
                continue
            best_x, best_y = points[following, 0] - x, points[following, 1] - y
            cross = best_x * step_y - best_y * step_x
            longer = step_x * step_x + step_y * step_y > best_x * best_x + best_y * best_y
            if cross < 0.0 or (cross == 0.0 and longer):
                following = place
        next_x, next_y = points[following, 0], points[following, 1]
        determinant = x * next_y - y * next_x
        # The corner y with (x, y)·y = 1 for both ends of the side.
        corners[count, 0], corners[count, 1] = (next_y - y) / determinant, (x - next_x) / determinant
        count += 1
        at = following
        opposite = abs(next_x + far_x) + abs(next_y + far_y) <= PARALLEL * (abs(far_x) + abs(far_y))
        if opposite or 2 * count >= len(points):
            return count
