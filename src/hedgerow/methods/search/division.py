"""The best question for a node together with one solution for each side, compiled: how trees are grown."""

__all__ = ["Part", "best_division", "part_of"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import add_to, count_below, count_up_to, fill, place_of_smallest
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.tables.reach import Reading, largest_change


class Part(NamedTuple):
    """The samples that can be sent to a node which is to be divided, and the splits that it may have; see `part_of`."""

    rows: IntArray
    # Per row the budget that it has to spare at the node, and whether it is there anyway.
    spare: FloatArray
    inside: BoolArray
    # All samples: what they cost at worst at the other slots, with each solution, and with their best one.
    outside: FloatArray
    loss: FloatArray
    floor: FloatArray
    candidates: IntArray  # the splits, sorted
    # Working space for the splits of one item. Splits × solutions: what comes to the left side with each split, and
    # what goes from the right one; per split what counts on both sides since then, and how many rows come left by
    # themselves.
    threshold: FloatArray
    comes: FloatArray
    goes: FloatArray
    twice: FloatArray
    own_left: IntArray
    # Per solution what the sides cost.
    left: FloatArray
    right: FloatArray


def part_of(
    rows: IntArray,
    spare: FloatArray,
    inside: BoolArray,
    outside: FloatArray,
    loss: FloatArray,
    floor: FloatArray,
    candidates: IntArray,
    reading: Reading,
) -> Part:
    """Return the part of a tree that `best_division` divides; see `Part`."""
    most, n_solutions = int(np.bincount(reading.item[candidates]).max()), loss.shape[1]
    return Part(
        rows,
        spare,
        inside,
        outside,
        loss,
        floor,
        candidates,
        np.empty(most),
        np.empty((most + 1, n_solutions)),
        np.empty((most + 1, n_solutions)),
        np.empty(most + 1),
        np.empty(most + 1, dtype=np.int64),
        np.empty(n_solutions),
        np.empty(n_solutions),
    )


@kernel
def best_division(part: Part, fewest: int, reading: Reading) -> tuple[float, int, int, int]:
    """Return the least cost of the samples with one split and two solutions: cost, split, left and right solution.

    A sample that can be sent to both sides counts on both, less the least that it costs anywhere: this never
    understates the worst of both. The split is −1 where none leaves each side its `fewest` rows of its own.
    """
    best, best_split, best_left, best_right = np.inf, -1, -1, -1
    candidates, left, right = part.candidates, part.left, part.right
    first = 0
    while first < candidates.size:
        item, count = reading.item[candidates[first]], 0
        while first + count < candidates.size and reading.item[candidates[first + count]] == item:
            part.threshold[count] = reading.threshold[candidates[first + count]]
            count += 1
        n_inside = _add_rows(part, item, count, reading)
        overlap, n_left = 0.0, 0
        for place in range(count):
            add_to(left, 1.0, part.comes[place])
            add_to(right, -1.0, part.goes[place])
            overlap += part.twice[place]
            n_left += part.own_left[place]
            if n_left < fewest or n_inside - n_left < fewest:
                continue
            x, y = place_of_smallest(left), place_of_smallest(right)
            cost = left[x] + right[y] - overlap
            if cost < best:
                best, best_left, best_right = cost, x, y
                best_split = candidates[first + place]
        first += count
    return best, best_split, best_left, best_right


@kernel(inline="always")
def _add_rows(part: Part, item: int, count: int, reading: Reading) -> int:
    """Add each sample where it comes to the left side of an item's splits, and where to the right one no more.

    Before the first split all are on the right side. Returns how many samples are at the node anyway.
    """
    fill(part.left, 0.0)
    fill(part.right, 0.0)
    for place in range(count + 1):
        fill(part.comes[place], 0.0)
        fill(part.goes[place], 0.0)
        part.twice[place], part.own_left[place] = 0.0, 0
    thresholds, n_inside = part.threshold[:count], 0
    for place in range(part.rows.size):
        row = part.rows[place]
        observed, least = reading.observations[row, item], part.outside[row]
        step = min(part.spare[place] / reading.prices[item], largest_change(row, item, reading))
        own, begin = count_below(thresholds, observed), count_below(thresholds, observed - step)
        end = max(own, count_up_to(thresholds, observed + step - reading.epsilon))
        _add_worth(least, part.loss[row], part.comes[begin], part.goes[end])
        both = max(least, part.floor[row])
        part.twice[begin] += both
        part.twice[end] -= both
        part.own_left[own] += part.inside[place]
        n_inside += part.inside[place]
    for place in range(count + 1):
        add_to(part.right, 1.0, part.goes[place])
    return n_inside


@kernel(inline="always")
def _add_worth(least: float, loss: FloatArray, comes: FloatArray, goes: FloatArray) -> None:
    """Add what a sample costs with each solution, but at least what it costs elsewhere, to two rows."""
    for solution in range(loss.size):
        worth = max(least, loss[solution])
        comes[solution] += worth
        goes[solution] += worth
