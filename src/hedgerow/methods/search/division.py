"""The best question for a node together with one solution for each side, compiled: how trees are grown."""

__all__ = ["Part", "best_division"]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel, record
from hedgerow.compiled.array_kernels import count_below, count_up_to, place_of_smallest
from hedgerow.engine.tables.reach import Reading, largest_change
from hedgerow.methods.search.rows import add_to


@record
class Part(NamedTuple):
    """The samples that can be sent to a node which is to be divided, and what all samples cost."""

    rows: IntArray
    # Per row the budget that it has to spare at the node, and whether it is there anyway.
    spare: FloatArray
    inside: BoolArray
    # All samples: what they cost at worst at the other slots, with each solution, and with their best one.
    outside: FloatArray
    loss: FloatArray
    floor: FloatArray


@kernel
def best_division(part: Part, candidates: IntArray, fewest: int, reading: Reading) -> tuple[float, int, int, int]:
    """Return the least cost of the samples with one split and two solutions: cost, split, left and right solution.

    A sample that can be sent to both sides counts on both, less the least that it costs anywhere: this never
    understates the worst of both. The split is −1 where none leaves each side its `fewest` rows of its own. The
    candidates are sorted.
    """
    best, best_split, best_left, best_right = np.inf, -1, -1, -1
    n_solutions = part.loss.shape[1]
    first = 0
    while first < candidates.size:
        item = reading.item[candidates[first]]
        after = first
        while after < candidates.size and reading.item[candidates[after]] == item:
            after += 1
        comes_left, goes_right = np.zeros((after - first + 1, n_solutions)), np.zeros((after - first + 1, n_solutions))
        twice, own_left = np.zeros(after - first + 1), np.zeros(after - first + 1, np.int64)
        n_inside = _add_rows(part, item, candidates[first:after], reading, comes_left, goes_right, twice, own_left)
        left, right = np.zeros(n_solutions), np.zeros(n_solutions)
        for place in range(after - first + 1):
            add_to(right, 1.0, goes_right[place])
        overlap, n_left = 0.0, 0
        for place in range(after - first):
            add_to(left, 1.0, comes_left[place])
            add_to(right, -1.0, goes_right[place])
            overlap += twice[place]
            n_left += own_left[place]
            if n_left < fewest or n_inside - n_left < fewest:
                continue
            x, y = place_of_smallest(left), place_of_smallest(right)
            cost = left[x] + right[y] - overlap
            if cost < best:
                best, best_split, best_left, best_right = cost, candidates[first + place], x, y
        first = after
    return best, best_split, best_left, best_right


@kernel
def _add_rows(
    part: Part,
    item: int,
    candidates: IntArray,
    reading: Reading,
    comes_left: FloatArray,
    goes_right: FloatArray,
    twice: FloatArray,
    own_left: IntArray,
) -> int:
    """Add each sample where it comes to the left side of an item's splits, and where to the right one no more.

    Returns how many samples are at the node anyway.
    """
    thresholds = np.empty(candidates.size)
    for place in range(candidates.size):
        thresholds[place] = reading.threshold[candidates[place]]
    n_inside = 0
    for place in range(part.rows.size):
        row = part.rows[place]
        observed, least = reading.observations[row, item], part.outside[row]
        step = min(part.spare[place] / reading.prices[item], largest_change(row, item, reading))
        own, begin = count_below(thresholds, observed), count_below(thresholds, observed - step)
        end = max(own, count_up_to(thresholds, observed + step - reading.epsilon))
        for solution in range(part.loss.shape[1]):
            worth = max(least, part.loss[row, solution])
            comes_left[begin, solution] += worth
            goes_right[end, solution] += worth
        both = max(least, part.floor[row])
        twice[begin] += both
        twice[end] -= both
        own_left[own] += part.inside[place]
        n_inside += part.inside[place]
    return n_inside
