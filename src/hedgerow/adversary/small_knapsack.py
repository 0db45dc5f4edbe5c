"""The multiple-choice knapsack for few samples: a small kernel that others call a hundred thousand times a second.

It is the problem of `hedgerow.adversary.knapsack` once more, quick to compile into its callers, and without a claim to
large instances, on which it gives up after a number of nodes.
"""

__all__ = ["worst_assignment"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import stable_order

_MARGIN = 1e-12


@kernel
def worst_assignment(
    gain: FloatArray, move_cost: FloatArray, limit: float, floor: float, nodes: int, patience: int, choice: IntArray
) -> float:
    """Return the largest sum of gains, one slot per sample (row), whose move costs stay within the limit.

    Writes the slots into `choice`. Only sums above `floor` count: −∞ is returned if there are none, NaN if `nodes`
    nodes did not settle it. With `patience`, any sum above the floor is good enough: the search then ends that many
    nodes after its last success, with what it has by then; if negative, it goes on to the largest. Depth-first over the
    samples with the linear relaxation as bound: the steps of each sample's concave hull, most gain per cost first.
    """
    n_samples = gain.shape[0]
    n_options, slots, costs, gains = _options(gain, move_cost, limit)
    n_steps, step_row, step_cost, step_gain = _hull_steps(n_options, costs, gains)
    order = stable_order(-(step_gain[:n_steps] / step_cost[:n_steps]))
    position = np.full(n_samples, -1, np.int64)
    left = np.empty(n_samples + 1)
    total = np.empty(n_samples + 1)
    left[0], total[0] = limit, 0.0
    for row in range(n_samples):
        total[0] += gains[row, 0]
    best, trial = -np.inf, np.zeros(n_samples, np.int64)
    level = 0
    while level >= 0:
        if level == n_samples:
            if total[level] > max(best, floor):
                best = total[level]
                if patience >= 0:
                    nodes = patience
                for row in range(n_samples):
                    choice[row] = slots[row, trial[row]]
            level -= 1
            continue
        if position[level] == -1:
            nodes -= 1
            if nodes < 0:
                return best if patience >= 0 and best > floor else np.nan
            # The costliest option that fits comes first: it is where good attacks are found early.
            bound = _relaxed(level, left[level], order, step_row, step_cost, step_gain) + total[level]
            position[level] = n_options[level] if bound > max(best, floor) + _MARGIN * max(1.0, abs(bound)) else 0
        position[level] -= 1
        option = position[level]
        if option < 0:
            position[level] = -1
            level -= 1
            continue
        if costs[level, option] > left[level]:
            continue
        trial[level] = option
        left[level + 1] = left[level] - costs[level, option]
        total[level + 1] = total[level] + gains[level, option] - gains[level, 0]
        level += 1
    return best


@kernel
def _options(
    gain: FloatArray, move_cost: FloatArray, limit: float
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Return per sample its useful slots, sorted by cost: each one dearer than the one before, and worth more."""
    n_samples, n_slots = gain.shape
    count = np.zeros(n_samples, np.int64)
    slots = np.empty((n_samples, n_slots), np.int64)
    costs = np.empty((n_samples, n_slots))
    gains = np.empty((n_samples, n_slots))
    for row in range(n_samples):
        for slot in stable_order(move_cost[row]):
            cost, worth = move_cost[row, slot], gain[row, slot]
            if cost > limit:
                break
            last = count[row] - 1
            if last >= 0 and worth <= gains[row, last]:
                continue
            if last >= 0 and cost <= costs[row, last]:
                count[row] = last
            slots[row, count[row]], costs[row, count[row]], gains[row, count[row]] = slot, cost, worth
            count[row] += 1
    return count, slots, costs, gains


@kernel
def _hull_steps(
    n_options: IntArray, costs: FloatArray, gains: FloatArray
) -> tuple[int, IntArray, FloatArray, FloatArray]:
    """Return the steps along the concave hull of each sample's options: sample, cost and gain."""
    n_samples, n_slots = costs.shape
    row_of = np.empty(n_samples * n_slots, np.int64)
    cost = np.empty(n_samples * n_slots)
    gain = np.empty(n_samples * n_slots)
    count = 0
    for row in range(n_samples):
        at = 0
        while at < n_options[row] - 1:
            steepest, best = at + 1, -np.inf
            for option in range(at + 1, n_options[row]):
                slope = (gains[row, option] - gains[row, at]) / (costs[row, option] - costs[row, at])
                if slope >= best:
                    steepest, best = option, slope
            row_of[count] = row
            cost[count] = costs[row, steepest] - costs[row, at]
            gain[count] = gains[row, steepest] - gains[row, at]
            count += 1
            at = steepest
    return count, row_of, cost, gain


@kernel
def _relaxed(
    first: int, left: float, order: IntArray, step_row: IntArray, step_cost: FloatArray, step_gain: FloatArray
) -> float:
    """Return what the samples from `first` on can add at most, if steps may be taken in part."""
    added: float = 0.0
    for step in order:
        if step_row[step] < first:
            continue
        if step_cost[step] >= left:
            return float(added + step_gain[step] * left / step_cost[step])
        left -= step_cost[step]
        added += step_gain[step]
    return added
