"""Halves under a price per unit of misreading, compiled: what each side of a root costs at least.

At a price π every sample goes where its regret less π times the move cost is largest, or stays at home, where its
regret is at least 0. Samples no longer share a budget then, and the two sides of a root fall apart once it is fixed
which share of each sample goes to which side.
"""

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import EXACT_MINIMA
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.structures.reach import NO_LEVELS, Reading, path_costs
from hedgerow.tree.structure import NO_SPLIT


@kernel
def half_costs(root: int, side: int, splits: IntArray, reading: Reading, out: FloatArray) -> None:
    """Write into `out[half, leaf, sample]` what moves cost to the leaves of halves on one side of their root."""
    path, goes_right = np.empty(2, np.int64), np.empty(2, np.int64)
    for number in range(splits.size):
        path[0], path[1], goes_right[1] = splits[number], root, side
        for leaf in range(2):
            goes_right[0] = leaf
            path_costs(path.size, path, goes_right, reading, NO_LEVELS, out[number, leaf])


def side_costs(root: int, reading: Reading, out: FloatArray) -> None:
    """Write into `out[side, sample]` what moves to the sides of a root cost."""
    # They are the leaves of a half below a root that asks nothing.
    half_costs(NO_SPLIT, 0, np.array([root]), reading, out[np.newaxis])


@kernel(fastmath=EXACT_MINIMA)
def best_halves(
    move_cost: FloatArray,
    share: FloatArray,
    regret: FloatArray,
    most: FloatArray,
    low: float,
    high: float,
    least: FloatArray,
    picked: IntArray,
) -> None:
    """Write what the cheapest half costs if each sample counts by its share.

    The attack is the best one at the price `high`. It is charged at `low` (row 0) and at `high` (row 1), which bounds
    the best attack's worth at all prices in between. `least` holds cut-offs and takes the least costs below them,
    `picked` the half and its two solutions for each.
    """
    n_samples, n_solutions = regret.shape
    gain = np.empty((2, n_samples, n_solutions))
    only, near = np.empty((2, 2, n_solutions)), np.empty((2, n_solutions))
    at_low, at_high = np.empty(n_solutions), np.empty(n_solutions)
    both, extra = np.empty(n_samples, np.int64), np.empty((2, n_samples))
    first = picked[1, 0]  # which is likely the best one again; `picked` changes on the way
    for number in range(len(move_cost)):
        half = first if number == 0 else number - 1 if number <= first else number
        n_both = _gains(move_cost[half], share, regret, most, low, high, gain, extra, both, only, near)
        rest = np.inf
        for y in range(n_solutions):
            rest = min(rest, only[1, 1, y] + near[1, y])
        for x in range(n_solutions):
            alone = only[0, 1, x]
            if alone + near[0, x] + rest >= max(least[0], least[1]):
                continue
            for y in range(n_solutions):
                at_low[y] = only[0, 0, x] + only[1, 0, y]
                at_high[y] = alone + only[1, 1, y]
            for place in range(n_both):
                row = both[place]
                here, add = gain[0, row, x], extra[1, row]
                here_at_low = here + extra[0, row] if here > 0.0 else 0.0
                for y in range(n_solutions):
                    there = gain[1, row, y]
                    at_high[y] += max(here, there)
                    at_low[y] += there + add if there > here else here_at_low
            for y in range(n_solutions):
                for end in range(2):
                    cost = at_low[y] if end == 0 else at_high[y]
                    if cost < least[end]:
                        least[end] = cost
                        picked[end, 0], picked[end, 1], picked[end, 2] = half, x, y


@kernel(fastmath=EXACT_MINIMA)
def _gains(
    move_cost: FloatArray,
    share: FloatArray,
    regret: FloatArray,
    most: FloatArray,
    low: float,
    high: float,
    gain: FloatArray,
    extra: FloatArray,
    both: IntArray,
    only: FloatArray,
    near: FloatArray,
) -> int:
    """Write what samples gain in the two leaves of a half; list those that may go to either, and return their number.

    `only[leaf]` sums up the others at both prices; `near` has those that may go to either at their nearer leaf. `extra`
    is what charging the lower price adds.
    """
    n_samples, n_solutions = regret.shape
    only[:] = 0.0
    near[:] = 0.0
    n_both = 0
    for row in range(n_samples):
        weight = share[row]
        if weight <= 0.0:
            continue
        goes_left, goes_right = high * move_cost[0, row] < most[row], high * move_cost[1, row] < most[row]
        if goes_left and goes_right:
            both[n_both] = row
            n_both += 1
            nearer = 0 if move_cost[0, row] <= move_cost[1, row] else 1
            for leaf in range(2):
                charge = high * move_cost[leaf, row]
                extra[leaf, row] = weight * (high - low) * move_cost[leaf, row]
                for x in range(n_solutions):
                    gain[leaf, row, x] = weight * max(0.0, regret[row, x] - charge)
                if leaf == nearer:
                    for x in range(n_solutions):
                        near[leaf, x] += gain[leaf, row, x]
        elif goes_left or goes_right:
            leaf = 0 if goes_left else 1
            charge, less = high * move_cost[leaf, row], weight * (high - low) * move_cost[leaf, row]
            for x in range(n_solutions):
                worth = weight * max(0.0, regret[row, x] - charge)
                only[leaf, 1, x] += worth
                only[leaf, 0, x] += worth + less if worth > 0.0 else 0.0
    return n_both


def half_regrets(move_cost: FloatArray, regret: FloatArray, high: float, charged: float) -> FloatArray:
    """Return what samples are worth in a half: the attack for one price, charged at another; both are leaves × samples.

    `regret` is that of the two leaves' solutions.
    """
    reached = np.isfinite(move_cost)
    cost = np.where(reached, move_cost, 0.0)
    worth = np.where(reached, regret - high * cost, 0.0)
    leaf, rows = np.argmax(worth, axis=0), np.arange(worth.shape[1])
    there: FloatArray = np.where(worth[leaf, rows] > 0.0, regret[leaf, rows] - charged * cost[leaf, rows], 0.0)
    return there
