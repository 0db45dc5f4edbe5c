"""Move costs, compiled: what it takes to bring a sample's readings into the box that a path of questions leaves.

A path's conditions on the same question are merged into one interval `lower < value <= upper` first. `change_range`
then says by how much the question's value has to change at least and at most; it is the compiled home of the ε rule.
The costs depend on these ranges alone, grow with `least` and fall with `most`:

- `single_cost`: one question;
- `pair_cost`: two questions without entry limits, from the lists in `hedgerow.geometry.pairs`;
- `hedgerow.geometry.path_kernels.linked_cost`: any number of questions.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.geometry.budget import Asked, reach_limit, separate
from hedgerow.geometry.pairs import NOT_LINKED, Links, list_pairs, worth
from hedgerow.tolerances import ROUNDED_SUM


class Geometry(NamedTuple):
    """Questions, prices and limits as flat arrays; see `geometry_of`."""

    # The questions as rows of a sparse matrix: question q reads `item[start[q]:start[q + 1]]`, in increasing order.
    start: IntArray
    item: IntArray
    coefficient: FloatArray
    cheapest: IntArray  # the entries of each question, those first whose change moves its value at the lowest price
    # Per question the lowest price of changing its value by one: a unit question's is its item's price.
    rate: FloatArray
    prices: FloatArray  # per item what a unit of change costs
    # Largest changes that are affordable (see `hedgerow.geometry.reach_limit`), one row for all samples or one each.
    limits: FloatArray
    limited: bool  # whether any limit is finite
    epsilon: float  # the step ε beyond a threshold
    links: Links  # what questions that share items cost together


class Path(NamedTuple):
    """The questions on the way to a leaf, each once, and by how much their values must change; see `change_range`."""

    size: int  # how many there are; the arrays may be longer
    question: IntArray
    group: IntArray  # the first question that each is linked to; see `link_questions`
    least: FloatArray
    most: FloatArray


def geometry_of(
    questions: Sequence[Asked],
    n_items: int,
    *,
    prices: FloatArray | None = None,
    limits: float | FloatArray | None = None,
    epsilon: float = 0.001,
) -> Geometry:
    """Return the geometry of some questions: what their values cost to change, alone and together.

    Prices, limits and ε are as in an uncertainty set.
    """
    start = np.cumsum([0, *(len(question.items) for question in questions)])
    item = np.array([index for question in questions for index in question.items], dtype=np.int64)
    coefficient = np.array([number for question in questions for number in question.coefficients], dtype=np.float64)
    price = np.ones(n_items) if prices is None else np.array(prices, dtype=np.float64)
    limit = np.full((1, n_items), np.inf)
    if limits is not None:
        given = np.atleast_2d(np.asarray(limits, dtype=np.float64))
        limit = np.array(np.broadcast_to(reach_limit(given), (given.shape[0], n_items)))
    per_unit = price[item] / np.abs(coefficient)
    question_of = np.repeat(np.arange(len(questions)), np.diff(start))
    cheapest = np.lexsort((per_unit, question_of))
    rate = per_unit[cheapest[start[:-1]]]
    limited = bool(np.isfinite(limit).any())
    known = (start, item, coefficient, cheapest, rate, price, limit, limited, float(epsilon))
    if separate(questions):
        links = Links(np.empty((0, 0), np.int64), np.zeros(1, np.int64), np.empty((0, 2)), np.empty((0, 2)))
    else:
        scaled = np.zeros((len(questions), n_items))
        scaled[question_of, item] = coefficient / price[item]
        links = list_pairs(scaled)
    return Geometry(*known, links)


def most_changes(geometry: Geometry) -> FloatArray:
    """Return how much limits let each question's value change at most, in one row for all samples or one each."""
    terms = np.abs(geometry.coefficient) * geometry.limits[:, geometry.item]
    most: FloatArray = np.add.reduceat(terms, geometry.start[:-1], axis=1)
    return most


@kernel
def change_range(value: float, lower: float, upper: float, epsilon: float) -> tuple[float, float]:
    """Return by how much a value must change, at least and at most, to lie in `lower < value <= upper`.

    From at or below `lower` it must become at least lower + ε; a box narrower than ε can't be entered from below, which
    (∞, −∞) stands for. From above it may come down to lower + ε, or to `upper` if the box is narrower. A value between
    lower and lower + ε need not move, and must not come down.
    """
    if lower >= upper:
        return np.inf, -np.inf
    # The least value that counts as larger: the next number where ε vanishes beside a huge one.
    entry = max(lower + epsilon, np.nextafter(lower, np.inf))
    if value <= lower:
        if entry > upper:
            return np.inf, -np.inf
        return entry - value, upper - value
    if lower == -np.inf:
        return -np.inf, upper - value
    return min(entry, value, upper) - value, upper - value


@kernel
def single_cost(question: int, least: float, most: float, row: int, geometry: Geometry) -> float:
    """Return what it takes to change one question's value by an amount from `least` to `most`."""
    distance = max(least, -most)
    if distance <= 0.0:
        return 0.0
    if not geometry.limited or distance == np.inf:
        return float(geometry.rate[question] * distance)
    row = row if geometry.limits.shape[0] > 1 else 0
    total = 0.0
    for place in range(geometry.start[question], geometry.start[question + 1]):
        entry = geometry.cheapest[place]
        item, size = geometry.item[entry], abs(geometry.coefficient[entry])
        most_here = geometry.limits[row, item] * size
        if distance <= most_here:
            return float(total + geometry.prices[item] / size * distance)
        total += geometry.prices[item] / size * most_here
        distance -= most_here
    return np.inf


@kernel
def pair_cost(
    first: int, least: float, most: float, second: int, second_least: float, second_most: float, geometry: Geometry
) -> float:
    """Return what it takes to change the values of two questions by amounts within two ranges, without entry limits."""
    one = max(0.0, geometry.rate[first] * max(least, -most))
    two = max(0.0, geometry.rate[second] * max(second_least, -second_most))
    which = geometry.links.pair[first, second] if geometry.links.pair.size else NOT_LINKED
    if which == NOT_LINKED:
        return float(one + two)
    ranges = (least, most), (second_least, second_most)
    return linked_pair_cost(which, ranges[0], ranges[1], first < second, max(one, two), geometry.links)


@kernel
def linked_pair_cost(
    which: int, one: tuple[float, float], two: tuple[float, float], in_order: bool, alone: float, links: Links
) -> float:
    """Return what two questions that share items cost together: the highest worth of the corners in their list.

    `one` and `two` are their ranges of changes; `in_order` says whether the first has the smaller index. `alone` is
    what the dearer one costs by itself.
    """
    if not 0.0 < alone < np.inf:
        return alone
    own = 0 if in_order else 1
    y, z = links.rays[which, own], links.rays[which, 1 - own]
    if y != 0.0 or z != 0.0:
        for sign in (1.0, -1.0):
            gain, loss = worth(sign * y, one[0], one[1]), worth(sign * z, two[0], two[1])
            if gain + loss > ROUNDED_SUM * max(abs(gain), abs(loss)):
                return np.inf
    largest = alone
    for place in range(links.first_corner[which], links.first_corner[which + 1]):
        y, z = links.corners[place, own], links.corners[place, 1 - own]
        for sign in (1.0, -1.0):
            largest = max(largest, worth(sign * y, one[0], one[1]) + worth(sign * z, two[0], two[1]))
    return largest


@kernel
def link_questions(count: int, question: IntArray, geometry: Geometry, group: IntArray) -> bool:
    """Write for each question of a path the first one that it is linked to by shared items; return whether any is."""
    linked = False
    for place in range(count):
        group[place] = place
        if geometry.links.pair.size:
            for before in range(place):
                if geometry.links.pair[question[before], question[place]] != NOT_LINKED:
                    linked = True
                    old, new = max(group[before], group[place]), min(group[before], group[place])
                    for other in range(place + 1):
                        if group[other] == old:
                            group[other] = new
    return linked
