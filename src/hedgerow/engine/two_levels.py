"""Trees of depth 2 whose thresholds are points: stumps as they are, pairs of them, and the best pair for any root."""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, stable_order
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.leaf_problem import best_leaves_local
from hedgerow.engine.moves import fill_reach, side_costs
from hedgerow.engine.samples import Samples
from hedgerow.engine.stumps import Stumps, bound_sides, find_stumps

_MOST_OPEN = 128
"""Intervals of one question that can be open at a time, depth-first: twice the number of times that it is halved."""


class Settled(NamedTuple):
    """A tree below the target: its questions (−1 for none), thresholds and solutions, level by level.

    Solutions are −1 where no sample gets.
    """

    questions: IntArray
    thresholds: FloatArray
    choice: IntArray
    value: float


class Evaluated(NamedTuple):
    """Stumps below a root with a given threshold, least value first."""

    # What each asks; −1 for nothing.
    question: IntArray
    threshold: FloatArray
    value: FloatArray  # Two columns, as in `hedgerow.engine.stumps.Stumps`.
    reach: FloatArray  # Stumps × 2 × samples: 0 where a sample reaches a leaf, else ∞.


@kernel
def _two_leaves(reach: FloatArray, counts: BoolArray, samples: Samples, cutoff: float) -> float:
    """Return the least worst-case regret of two leaves on the samples that count, ∞ if it is not below the cut-off."""
    masked, is_empty = np.full(reach.shape, np.inf), True
    for row in range(counts.size):
        if counts[row]:
            masked[0, row], masked[1, row] = reach[0, row], reach[1, row]
            is_empty = is_empty and reach[0, row] == np.inf and reach[1, row] == np.inf
    return 0.0 if is_empty else best_leaves_local(samples.regret, masked, cutoff, np.empty(2, np.int64), np.inf)


@kernel
def evaluate_stumps(
    side: int, root: int, at: float, stumps: Stumps, cut: FloatArray, only_best: bool, samples: Samples
) -> Evaluated:
    """Return the stumps with their values, without those at a cut-off.

    Their thresholds are taken in the middle of their intervals; the root's is `at`. With `only_best` the best stump is
    enough where all samples reach one side only, and its value becomes the cut-off.
    """
    n_stumps, n_samples = stumps.question.size, samples.room.size
    spent, counts = np.empty((2, n_samples)), np.empty((2, n_samples), np.bool_)
    side_costs(root, at, at, samples, spent)
    for row in range(n_samples):
        counts[0, row] = spent[side, row] < np.inf
        counts[1, row] = counts[0, row] and spent[1 - side, row] == np.inf
        only_best = only_best and counts[0, row] == counts[1, row]
    threshold, bound, reach = np.empty(n_stumps), np.empty(n_stumps), np.empty((n_stumps, 2, n_samples))
    for number in range(n_stumps):
        threshold[number] = stumps.low[number] + 0.5 * (stumps.high[number] - stumps.low[number])
        bound[number] = stumps.value[number, 0]
    chosen, values, count = np.empty(n_stumps, np.int64), np.empty((2, n_stumps)), 0
    for number in stable_order(bound):
        if bound[number] >= cut[0] or stumps.value[number, 1] >= cut[1]:
            continue
        fill_reach(side, root, at, spent[side], stumps.question[number], threshold[number], samples, reach[number])
        value = _two_leaves(reach[number], counts[0], samples, cut[0])
        if value >= cut[0]:
            continue
        alone = value if only_best else _two_leaves(reach[number], counts[1], samples, cut[1])
        if alone >= cut[1]:
            continue
        if only_best:
            cut[0], cut[1], count = value, value, 0
        chosen[count], values[0, count], values[1, count] = number, value, alone
        count += 1
    best = Evaluated(np.empty(count, np.int64), np.empty(count), np.empty((count, 2)), np.empty((count, 2, n_samples)))
    for number, place in enumerate(stable_order(values[0, :count])):
        best.question[number], best.threshold[number] = stumps.question[chosen[place]], threshold[chosen[place]]
        for leaf in range(2):
            best.value[number, leaf] = values[leaf, place]
            copy_into(reach[chosen[place], leaf], best.reach[number, leaf])
    return best


@kernel
def best_pair(
    left: Evaluated,
    right: Evaluated,
    most_questions: int,
    samples: Samples,
    target: float,
    choice: IntArray,
) -> tuple[float, int, int]:
    """Return the least value of a pair of stumps below the target and their numbers, else the target and −1.

    Both may ask `most_questions` together. The solutions at their leaves, −1 where no sample gets, are written into
    `choice`.
    """
    slots, trial = np.empty((4, samples.room.size)), np.empty(4, np.int64)
    best, best_left, best_right = target, -1, -1
    for number in range(left.question.size):
        for slot in range(2):
            copy_into(left.reach[number, slot], slots[slot])
        for second in range(right.question.size):
            sums = left.value[number, 0] + right.value[second, 1], left.value[number, 1] + right.value[second, 0]
            if max(sums[0], sums[1]) >= best:
                continue
            if (left.question[number] >= 0) + (right.question[second] >= 0) > most_questions:
                continue
            for slot in range(2):
                copy_into(right.reach[second, slot], slots[2 + slot])
            trial[:] = -1
            value = best_leaves_local(samples.regret, slots, best, trial, np.inf)
            if value < best:
                best, best_left, best_right = value, number, second
                copy_into(trial, choice)
    return best, best_left, best_right


@kernel
def settle_root(
    root: int, at: float, sides: FloatArray, target: float, most_questions: int, samples: Samples, tree: Settled
) -> float:
    """Return the least value of a tree with this root below the target, else the target; write it into the tree.

    `sides` has what the sides cost at least, as in `hedgerow.engine.stumps.bound_sides`. Below the root there may be
    `most_questions`.
    """
    only_best, cut = most_questions == 2, np.array((target - sides[1, 1], target - sides[1, 0]))
    left = evaluate_stumps(0, root, at, find_stumps(0, root, at, at, cut, samples), cut, only_best, samples)
    if left.question.size == 0:
        return target
    cut[0] = cut[1] = -np.inf
    for number in range(left.question.size):
        cut[0], cut[1] = max(cut[0], target - left.value[number, 1]), max(cut[1], target - left.value[number, 0])
    right = evaluate_stumps(1, root, at, find_stumps(1, root, at, at, cut, samples), cut, only_best, samples)
    value, one, other = best_pair(left, right, most_questions, samples, target, tree.choice)
    if one >= 0:
        tree.questions[0], tree.thresholds[0] = root, at
        tree.questions[1], tree.thresholds[1] = left.question[one], left.threshold[one]
        tree.questions[2], tree.thresholds[2] = right.question[other], right.threshold[other]
    return value


@kernel
def best_two_levels(question: int, target: float, samples: Samples, tree: Settled) -> float:
    """Return the least value of a tree of depth 2 whose root asks `question` below the target, else the target.

    The tree is written; −1 stands for a root without a question. Intervals of thresholds, which are candidates, are
    halved, the one with the lower bound first.
    """
    first, last = np.empty(_MOST_OPEN, np.int64), np.empty(_MOST_OPEN, np.int64)
    sides, bounds = np.zeros((_MOST_OPEN, 2, 2)), np.zeros(_MOST_OPEN)
    here, parts, part_bounds = np.zeros((2, 2)), np.empty((2, 2, 2)), np.empty(2)
    if question < 0:
        return settle_root(question, 0.0, here, target, 2, samples, tree)
    first[0], last[0] = samples.first[question], samples.first[question + 1] - 1
    n_open = 1 if first[0] <= last[0] else 0
    while n_open > 0:
        n_open -= 1
        begin, end = first[n_open], last[n_open]
        if bounds[n_open] >= target:
            continue
        here[:] = sides[n_open]
        if begin == end:
            target = settle_root(question, samples.points[begin], here, target, 2, samples, tree)
            continue
        middle = (begin + end) // 2
        for part in range(2):
            # More samples reach both sides of a part, so what those alone cost that reach one side may be less.
            parts[part] = here
            parts[part, :, 1] = 0.0
            low, high = samples.points[begin], samples.points[middle]
            if part == 1:
                low, high = samples.points[middle + 1], samples.points[end]
            part_bounds[part] = bound_sides(1 - part, question, low, high, target, samples, parts[part])
        lower = 0 if part_bounds[0] < part_bounds[1] else 1
        for part in (1 - lower, lower):
            if part_bounds[part] < target:
                first[n_open], last[n_open] = (begin, middle) if part == 0 else (middle + 1, end)
                sides[n_open], bounds[n_open] = parts[part], part_bounds[part]
                n_open += 1
    return target
