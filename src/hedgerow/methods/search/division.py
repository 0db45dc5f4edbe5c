"""The best question for a node together with one solution for each side, compiled: how trees are grown."""

__all__ = ["best_division"]

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import place_of_smallest
from hedgerow.engine.tables.reach import Reading, largest_change


@kernel
def best_division(
    rows: IntArray,
    spare: FloatArray,
    inside: BoolArray,
    outside: FloatArray,
    loss: FloatArray,
    floor: FloatArray,
    candidates: IntArray,
    fewest: int,
    reading: Reading,
) -> tuple[float, int, int, int]:
    """Return the least cost of the samples with one split and two solutions: cost, split, left and right solution.

    A sample that can be sent to both sides counts on both, less the least that it costs anywhere: this never
    understates the worst of both. The split is −1 where none leaves each side its `fewest` rows of its own.

    `rows` can be sent to the node, each with a budget to `spare` there; `inside` says which are there anyway. All
    samples cost `outside` at worst at the other slots, `loss` with each solution, and `floor` with their best one. The
    candidates are sorted.
    """
    best, best_split, best_left, best_right = np.inf, -1, -1, -1
    first = 0
    while first < candidates.size:
        after = first
        while after < candidates.size and reading.item[candidates[after]] == reading.item[candidates[first]]:
            after += 1
        some = candidates[first:after]
        count, n_solutions = some.size, loss.shape[1]
        item = reading.item[some[0]]
        thresholds = reading.threshold[some]
        comes_left = np.zeros((count + 1, n_solutions))
        goes_right = np.zeros((count + 1, n_solutions))
        twice = np.zeros(count + 1)
        own_left = np.zeros(count + 1, np.int64)
        for place in range(rows.size):
            row = rows[place]
            observed = reading.observations[row, item]
            step = min(spare[place] / reading.prices[item], largest_change(row, item, reading))
            own = np.searchsorted(thresholds, observed)
            begin = np.searchsorted(thresholds, observed - step)
            end = max(own, np.searchsorted(thresholds, observed + step - reading.epsilon, side="right"))
            least = outside[row]
            for solution in range(n_solutions):
                worth = max(least, loss[row, solution])
                comes_left[begin, solution] += worth
                goes_right[end, solution] += worth
            both = max(least, floor[row])
            twice[begin] += both
            twice[end] -= both
            own_left[own] += inside[place]
        left = np.zeros(n_solutions)
        right = goes_right.sum(axis=0)
        overlap, n_left, n_inside = 0.0, 0, int(own_left.sum())
        for split in range(count):
            left += comes_left[split]
            right -= goes_right[split]
            overlap += twice[split]
            n_left += own_left[split]
            if n_left < fewest or n_inside - n_left < fewest:
                continue
            x, y = place_of_smallest(left), place_of_smallest(right)
            cost = left[x] + right[y] - overlap
            if cost < best:
                best, best_split, best_left, best_right = cost, some[split], x, y
        first = after
    return best, best_split, best_left, best_right
