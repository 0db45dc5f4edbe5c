"""Halves under a price where samples are many, compiled: thresholds are swept, with attacks by distance alone.

Samples within some distance of a threshold are sent to the left leaf, to the right one, or half of each to either. Sums
over samples in the order of a question's values then do for all of its thresholds.
"""

__all__ = ["Sweep", "swept_halves", "swept_regrets"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import count_up_to
from hedgerow.data.arrays import FloatArray, IntArray


class Sweep(NamedTuple):
    """Questions about single readings, and blocks of their thresholds.

    Attributes
    ----------
    values, order
        Per question the samples' values in increasing order, and whose values they are.
    rate
        Per question what a unit of change costs.
    epsilon
        The step beyond a threshold.
    question, left, right
        Per block its question; samples up to `left` are in the left leaf for sure, those above `right` in the right
        one.
    """

    values: FloatArray
    order: IntArray
    rate: FloatArray
    epsilon: float
    question: IntArray
    left: FloatArray
    right: FloatArray


@kernel(fastmath={"nnan", "nsz"})
def _divided(sums: FloatArray, first: int, second: int, best: IntArray) -> float:
    """Return the least cost of two solutions; the left leaf is the mean of the first `first` and `second` samples."""
    whole = sums[-1]
    inside, outside = np.inf, np.inf
    for solution in range(whole.size):
        part = 0.5 * (sums[first, solution] + sums[second, solution])
        if part < inside:
            inside, best[0] = part, solution
        if whole[solution] - part < outside:
            outside, best[1] = whole[solution] - part, solution
    return inside + outside


@kernel
def swept_halves(
    sweep: Sweep,
    own: int,
    share: FloatArray,
    regret: FloatArray,
    reach: FloatArray,
    low: float,
    high: float,
    least: FloatArray,
    picked: IntArray,
) -> None:
    """Write what the cheapest half costs if each sample counts by its share, charged at both prices.

    `reach` are the distances, in move costs, that attacks take samples from. Halves that ask the question `own` are
    left out. `least` holds cut-offs and takes the least costs below them, `picked` for each of the two the block, its
    solutions, and how many samples in order the two attacks send to the left leaf.
    """
    n_samples, n_solutions = regret.shape
    sums, mass = np.zeros((n_samples + 1, n_solutions)), np.zeros((n_samples + 1, 2))
    best, kept, ends = np.zeros(2, np.int64), np.zeros(4, np.int64), np.empty((2, reach.size), np.int64)
    cost = np.empty((2, reach.size))
    middle, current = 0.5 * (low + high), -1
    for block in range(sweep.question.size):
        question = sweep.question[block]
        if question == own:
            continue
        values = sweep.values[question]
        if question != current:
            current = question
            for place in range(n_samples):
                row = sweep.order[question, place]
                weight = share[row]
                mass[place + 1, 0] = mass[place, 0] + weight
                mass[place + 1, 1] = mass[place, 1] + weight * values[place]
                for x in range(n_solutions):
                    sums[place + 1, x] = sums[place, x] + weight * regret[row, x]
        left, right, rate = sweep.left[block], sweep.right[block], sweep.rate[question]
        for number in range(reach.size):
            ends[0, number] = count_up_to(values, left + reach[number] / rate)
            ends[1, number] = count_up_to(values, min(left, right + sweep.epsilon - reach[number] / rate))
            for kind in range(2):
                cost[kind, number] = rate * _cost(ends[kind, number], values, mass, left, right, sweep.epsilon)
        value, charge = -np.inf, 0.0
        for one in range(reach.size):
            for other in range(reach.size):
                spent = 0.5 * (cost[0, one] + cost[1, other])
                worth = _divided(sums, ends[0, one], ends[1, other], best) - middle * spent
                if worth > value:
                    value, charge = worth, spent
                    kept[0], kept[1], kept[2], kept[3] = best[0], best[1], ends[0, one], ends[1, other]
            for kind in range(2):
                spent = cost[kind, one]
                worth = _divided(sums, ends[kind, one], ends[kind, one], best) - middle * spent
                if worth > value:
                    value, charge = worth, spent
                    kept[0], kept[1], kept[2], kept[3] = best[0], best[1], ends[kind, one], ends[kind, one]
        for end in range(2):
            total = value + (middle - (low if end == 0 else high)) * charge
            if total < least[end]:
                least[end] = total
                picked[end, 0] = block
                picked[end, 1:] = kept


@kernel(inline="always")
def _cost(count: int, values: FloatArray, mass: FloatArray, left: float, right: float, epsilon: float) -> float:
    """Return what it costs, at a rate of one, to have the first `count` samples in the left leaf and the others not."""
    inner = count_up_to(values, left)
    outer = count_up_to(values, right)
    total = 0.0
    if count > inner:
        total += mass[count, 1] - mass[inner, 1] - left * (mass[count, 0] - mass[inner, 0])
    if outer > count:
        total += (right + epsilon) * (mass[outer, 0] - mass[count, 0]) - (mass[outer, 1] - mass[count, 1])
    return max(0.0, total)


@kernel
def swept_regrets(sweep: Sweep, picked: IntArray, regret: FloatArray, price: float, out: FloatArray) -> None:
    """Write what each sample is worth in a half that was picked."""
    block = picked[0]
    question, left, right = sweep.question[block], sweep.left[block], sweep.right[block]
    rate = sweep.rate[question]
    for place in range(out.size):
        row, value = sweep.order[question, place], sweep.values[question, place]
        share = 0.5 * ((place < picked[3]) + (place < picked[4]))
        to_left = regret[row, picked[1]] - price * rate * max(0.0, value - left)
        to_right = regret[row, picked[2]] - price * rate * (right + sweep.epsilon - value if value <= right else 0.0)
        out[row] = share * to_left + (1.0 - share) * to_right
