"""Trees of depth 1 and 2 where nothing is misread, several times as fast as with moves that cost nothing or too much.

A set of samples is given by `order`, one row per item with the samples in the order of that item's values, which its
parts inherit. Losses are regrets: none is negative, and what a set costs never falls when samples join it.
"""

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import EXACT_MINIMA, smallest
from hedgerow.data.arrays import FloatArray, IntArray


@kernel(fastmath=EXACT_MINIMA)
def best_split(order: IntArray, rank: IntArray, regret: FloatArray, cutoff: float, split: IntArray) -> float:
    """Return the least regret of the set with at most one question if it is below the cut-off, else the cut-off.

    `rank[i, j]` is the number of thresholds of item i that lie below sample j's value. Writes the item and the number
    of its threshold into `split`, −1 for the item if no question is asked.
    """
    n_items, n_samples = order.shape
    n_solutions = regret.shape[1]
    total = np.zeros(n_solutions)
    for place in range(n_samples):
        for solution in range(n_solutions):
            total[solution] += regret[order[0, place], solution]
    best = cutoff
    undivided = smallest(total) if n_samples else 0.0
    if undivided < best:
        best = undivided
        split[0], split[1] = -1, -1
    below = np.empty(n_solutions)
    for item in range(n_items):
        below[:] = 0.0
        for place in range(n_samples - 1):
            sample = order[item, place]
            least_left = np.inf
            for solution in range(n_solutions):
                below[solution] += regret[sample, solution]
                least_left = min(least_left, below[solution])
            if least_left >= best:
                break  # it only grows from here
            if rank[item, sample] == rank[item, order[item, place + 1]]:
                continue
            least_right = np.inf
            for solution in range(n_solutions):
                least_right = min(least_right, total[solution] - below[solution])
            if least_left + least_right < best:
                best = least_left + least_right
                split[0], split[1] = item, rank[item, sample]
    return best


@kernel
def part_of(order: IntArray, rank: IntArray, item: int, threshold: int, right: bool, out: IntArray) -> None:
    """Write the samples on one side of a threshold, each row in its own order."""
    for row in range(order.shape[0]):
        count = 0
        for place in range(order.shape[1]):
            sample = order[row, place]
            if (rank[item, sample] > threshold) == right:
                out[row, count] = sample
                count += 1


@kernel
def best_pair(order: IntArray, rank: IntArray, regret: FloatArray, cutoff: float, split: IntArray) -> float:
    """Return the least regret of the set with two levels of questions if it is below the cut-off, else the cut-off.

    Writes the first question. Its thresholds are tried from the middle outwards: what one side costs at a threshold,
    it costs at least wherever it has more samples, and with the other side's bound that settles most thresholds.
    """
    n_items, n_samples = order.shape
    child = np.empty(2, np.int64)
    best = best_split(order, rank, regret, cutoff, split)
    places = np.empty(n_samples, np.int64)
    # Intervals of thresholds that are open, with what each side costs there at least.
    first, last = np.empty(n_samples + 2, np.int64), np.empty(n_samples + 2, np.int64)
    least_left, least_right = np.empty(n_samples + 2), np.empty(n_samples + 2)
    for item in range(n_items):
        n_places = 0  # behind which the item's thresholds divide the set
        for place in range(n_samples - 1):
            if rank[item, order[item, place]] != rank[item, order[item, place + 1]]:
                places[n_places] = place
                n_places += 1
        first[0], last[0], least_left[0], least_right[0] = 0, n_places - 1, 0.0, 0.0
        open_intervals = 1
        while open_intervals > 0:
            open_intervals -= 1
            begin, end = first[open_intervals], last[open_intervals]
            from_left, from_right = least_left[open_intervals], least_right[open_intervals]
            if begin > end or from_left + from_right >= best:
                continue
            middle = (begin + end) // 2
            n_left = places[middle] + 1
            threshold = rank[item, order[item, places[middle]]]
            side = np.empty((n_items, n_left), np.int64)
            part_of(order, rank, item, threshold, False, side)
            left = best_split(side, rank, regret, best - from_right, child)
            right = from_right
            if left + from_right < best:
                side = np.empty((n_items, n_samples - n_left), np.int64)
                part_of(order, rank, item, threshold, True, side)
                right = max(right, best_split(side, rank, regret, best - left, child))
                if left + right < best:
                    best = left + right
                    split[0], split[1] = item, threshold
            for begins, ends, on_left, on_right in (
                (begin, middle - 1, from_left, right),
                (middle + 1, end, max(from_left, left), from_right),
            ):
                first[open_intervals], last[open_intervals] = begins, ends
                least_left[open_intervals], least_right[open_intervals] = on_left, on_right
                open_intervals += 1
    return best
