"""The best question for a node together with one solution for each side, compiled: how trees are grown."""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.structures.reach import Reading


class Part(NamedTuple):
    """The samples that can be sent to a node which is to be divided, and the splits that it may have."""

    rows: IntArray
    # Per row the budget that it has to spare at the node, and whether it is there anyway.
    spare: FloatArray
    inside: BoolArray
    # All samples: what they cost at worst at the other slots, with each solution, and with their best one.
    outside: FloatArray
    loss: FloatArray
    floor: FloatArray
    candidates: IntArray  # the splits, sorted


class _ItemSums(NamedTuple):
    """What comes and goes with each split of one item.

    Splits × solutions: what comes to the left side with each split, and what goes from the right one; per split what
    counts on both sides since then, and how many rows come left by themselves.
    """

    comes: FloatArray
    goes: FloatArray
    twice: FloatArray
    own_left: IntArray


@kernel
def best_division(part: Part, fewest: int, reading: Reading) -> tuple[float, int, int, int]:
    """Return the least cost of the samples with one split and two solutions: cost, split, left and right solution.

    A sample that can be sent to both sides counts on both, less the least that it costs anywhere: this never
    understates the worst of both. The split is −1 where none leaves each side its `fewest` rows of its own.
    """
    best, best_split, best_left, best_right = np.inf, -1, -1, -1
    candidates, n_solutions = part.candidates, part.loss.shape[1]
    left, right = np.empty(n_solutions), np.empty(n_solutions)
    first = 0
    while first < candidates.size:
        item, after = reading.item[candidates[first]], first
        while after < candidates.size and reading.item[candidates[after]] == item:
            after += 1
        count = after - first
        comes, goes = np.zeros((count + 1, n_solutions)), np.zeros((count + 1, n_solutions))
        sums = _ItemSums(comes, goes, np.zeros(count + 1), np.zeros(count + 1, np.int64))
        thresholds = np.empty(count)
        for place in range(count):
            thresholds[place] = reading.threshold[candidates[first + place]]
        n_inside = _add_rows(part, item, thresholds, reading, sums)
        # Before the first split all are on the right side.
        left[:] = 0.0
        right[:] = 0.0
        for place in range(count + 1):
            right += goes[place]
        overlap, n_left = 0.0, 0
        for place in range(count):
            left += comes[place]
            right -= goes[place]
            overlap += sums.twice[place]
            n_left += sums.own_left[place]
            if n_left < fewest or n_inside - n_left < fewest:
                continue
            x, y = int(np.argmin(left)), int(np.argmin(right))
            cost = left[x] + right[y] - overlap
            if cost < best:
                best, best_left, best_right = cost, x, y
                best_split = candidates[first + place]
        first = after
    return best, best_split, best_left, best_right


@kernel(inline="always")
def _add_rows(part: Part, item: int, thresholds: FloatArray, reading: Reading, sums: _ItemSums) -> int:
    """Add each sample where it comes to the left side of an item's splits, and where to the right one no more.

    Returns how many samples are at the node anyway.
    """
    n_inside = 0
    for place in range(part.rows.size):
        row = part.rows[place]
        observed, least = reading.observations[row, item], part.outside[row]
        most = reading.limits[row if reading.limits.shape[0] > 1 else 0, item]
        step = min(part.spare[place] / reading.geometry.rate[item], most)
        own, begin = np.searchsorted(thresholds, observed), np.searchsorted(thresholds, observed - step)
        end = max(own, np.searchsorted(thresholds, observed + step - reading.geometry.epsilon, "right"))
        for solution in range(part.loss.shape[1]):
            worth = max(least, part.loss[row, solution])
            sums.comes[begin, solution] += worth
            sums.goes[end, solution] += worth
        both = max(least, part.floor[row])
        sums.twice[begin] += both
        sums.twice[end] -= both
        sums.own_left[own] += part.inside[place]
        n_inside += part.inside[place]
    return n_inside
