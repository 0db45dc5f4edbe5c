"""Interval splits: what it takes at most to move a sample, wherever in its interval a threshold lies.

Going left of a threshold in [low, high] costs at most what it costs at `low`, going right at most what it costs at
`high`. With these dearest costs the adversary can do no more than it can against every threshold in the interval, so
bounds computed with them hold for all of them. A point is an interval with low = high.
"""

__all__ = ["box_costs", "child_events", "half_reach", "side_costs", "single_events", "single_reach", "sort_by"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.samples import Samples


@kernel
def sort_by(keys: FloatArray, order: IntArray) -> None:
    """Sort the indices in `order` by their keys, in place; quick where they are nearly sorted."""
    gap = 1
    while 3 * gap < order.size:
        gap = 3 * gap + 1
    while gap > 0:
        for place in range(gap, order.size):
            index = order[place]
            key = keys[index]
            at = place
            while at >= gap and keys[order[at - gap]] > key:
                order[at] = order[at - gap]
                at -= gap
            order[at] = index
        gap //= 3


@kernel
def side_costs(root: int, low: float, high: float, samples: Samples, spent: FloatArray) -> None:
    """Write the dearest costs of going left (row 0) and right (row 1) of the root; ∞ where that is not affordable.

    A root of −1 asks nothing, and everything is on its left.
    """
    for row in range(samples.room.size):
        if root < 0:
            spent[0, row], spent[1, row] = 0.0, np.inf
            continue
        value, cap = samples.values[root, row], samples.caps[root, row]
        short = max(0.0, value - samples.margin - low)
        cost = samples.prices[root] * short if short <= cap else np.inf
        spent[0, row] = cost if cost <= samples.room[row] else np.inf
        short = 0.0 if value > high - samples.margin else high - samples.margin + samples.step[root] - value
        cost = samples.prices[root] * short if short <= cap else np.inf
        spent[1, row] = cost if cost <= samples.room[row] else np.inf


@kernel
def child_events(
    question: int,
    side: int,
    root: int,
    low: float,
    high: float,
    spent: FloatArray,
    samples: Samples,
    enters: FloatArray,
    leaves: FloatArray,
) -> None:
    """Write where samples reach the two leaves of a child that asks `question`, on one side of the root.

    Sample j reaches the left leaf for thresholds of at least `enters[j]`, the right one for those of at most
    `leaves[j]`. Samples that don't reach this side of the root reach neither.
    """
    margin, step, price = samples.margin, samples.step[question], samples.prices[question]
    for row in range(samples.room.size):
        if spent[side, row] == np.inf:
            enters[row], leaves[row] = np.inf, -np.inf
            continue
        value = samples.values[question, row]
        # On the root's own question it is the distance to the common box that counts.
        left_over = samples.room[row] - (0.0 if question == root else spent[side, row])
        largest = min(left_over / price, samples.caps[question, row])
        enters[row] = value - margin - largest
        stays = np.nextafter(value + margin, -np.inf)
        leaves[row] = value + margin + largest - step if largest >= step else stays
        if question != root:
            continue
        if side == 0:
            if value > low + margin:
                leaves[row] = np.inf
            else:
                # A box narrower than ε can't be entered from below.
                leaves[row] = max(stays, min(leaves[row], low + 2.0 * margin - step))
        elif value <= high - margin:
            enters[row] = high - 2.0 * margin + step


@kernel
def single_events(
    side: int, root: int, low: float, high: float, samples: Samples, spent: FloatArray, events: FloatArray
) -> None:
    """Write the costs of going to the root's sides, and per question where samples reach the leaves of a child.

    `spent` is as in `side_costs`; `events[0]` and `events[1]` (questions × samples) are `enters` and `leaves` of
    `child_events`. Questions must be about single readings.
    """
    side_costs(root, low, high, samples, spent)
    for question in range(samples.values.shape[0]):
        child_events(question, side, root, low, high, spent, samples, events[0, question], events[1, question])


@kernel
def single_reach(
    side: int, root: int, at: float, samples: Samples, question: IntArray, threshold: FloatArray, reach: FloatArray
) -> None:
    """Write for each half which leaves samples reach; see `half_reach`."""
    for number in range(question.size):
        half_reach(question[number], threshold[number], side, root, at, samples, reach[number])


@kernel
def half_reach(
    question: int, threshold: float, side: int, root: int, at: float, samples: Samples, reach: FloatArray
) -> None:
    """Write 0 where a sample reaches the left and right leaf (rows) of a half whose thresholds are given, else ∞.

    A question of −1 asks nothing: the left leaf is all there is.
    """
    margin = samples.margin
    for row in range(samples.room.size):
        for leaf in range(2):
            lower, upper = -np.inf, np.inf
            cost = 0.0
            if question < 0 and leaf == 1:
                cost = np.inf
            if root >= 0:
                if side == 0:
                    upper = at + margin
                else:
                    lower = at - margin
                if question != root:
                    cost += _distance(root, row, lower, upper, samples)
                    lower, upper = -np.inf, np.inf
            if question >= 0:
                if leaf == 0:
                    upper = min(upper, threshold + margin)
                else:
                    lower = max(lower, threshold - margin)
                cost += _distance(question, row, lower, upper, samples)
            reach[leaf, row] = 0.0 if cost <= samples.room[row] else np.inf


@kernel
def _distance(question: int, row: int, lower: float, upper: float, samples: Samples) -> float:
    """Return what it takes to move a sample's value into (lower, upper]."""
    value = samples.values[question, row]
    if lower >= upper:
        return np.inf
    if value > upper:
        short = value - upper
    elif value <= lower:
        entry = lower + samples.step[question]
        if entry > upper:
            return np.inf
        short = entry - value
    else:
        return 0.0
    return samples.prices[question] * short if short <= samples.caps[question, row] else np.inf


@kernel
def box_costs(question: IntArray, low: FloatArray, high: FloatArray, samples: Samples, out: FloatArray) -> None:
    """Write into `out[k, j]` the dearest cost of moving sample j to leaf k of a tree of depth 1 or 2.

    Its nodes ask `question` (−1 for nothing) with thresholds anywhere from `low` to `high`.
    """
    n_inner = question.size
    for leaf in range(n_inner + 1):
        node = (n_inner + leaf - 1) // 2
        lower, upper = _interval(node, leaf % 2 == 1, question, low, high, samples.margin)
        first, first_lower, first_upper = -1, -np.inf, np.inf
        if node > 0:
            first_lower, first_upper = _interval(0, node == 2, question, low, high, samples.margin)
            first = question[0]
            if first == question[node]:
                lower, upper, first = max(lower, first_lower), min(upper, first_upper), -1
        for row in range(samples.room.size):
            if lower >= upper or first_lower >= first_upper:
                out[leaf, row] = np.inf
                continue
            cost = 0.0
            if question[node] >= 0:
                cost += _distance(question[node], row, lower, upper, samples)
            if first >= 0:
                cost += _distance(first, row, first_lower, first_upper, samples)
            out[leaf, row] = cost


@kernel(inline="always")
def _interval(
    node: int, goes_right: bool, question: IntArray, low: FloatArray, high: FloatArray, margin: float
) -> tuple[float, float]:
    """Return the values that go to one side of a node for sure; none at all on the right of one that asks nothing."""
    if question[node] < 0:
        return (np.inf, np.inf) if goes_right else (-np.inf, np.inf)
    return (high[node] - margin, np.inf) if goes_right else (-np.inf, low[node] + margin)
