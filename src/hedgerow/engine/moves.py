"""Interval splits: what it takes at most to move a sample, wherever in its interval a threshold lies.

Going left of a threshold in [low, high] costs at most what it costs at `low`, going right at most what it costs at
`high`. With these largest costs the adversary can do no more than it can against every threshold in the interval, so
bounds computed with them hold for all of them. A point is an interval with low = high.

Questions that share items can't be added up. What a budget leaves for the child then follows from the corners y of the
two questions' common dual (see `hedgerow.geometry.pairs`):

    budget ≥ d_root · y_root + d_child · y_child   for every corner
"""

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray
from hedgerow.engine.samples import Samples
from hedgerow.geometry.kernels import change_range, linked_pair_cost
from hedgerow.geometry.pairs import NOT_LINKED, worth

_ROUNDING = 1e-13
"""By how much less samples are taken to reach than they do, relative to their budgets, so that bounds hold."""


@kernel(inline="always")
def _distance(question: int, row: int, lower: float, upper: float, samples: Samples) -> float:
    """Return what it takes to move a question's value into (lower, upper]; nothing for a question of −1."""
    if lower >= upper:
        return np.inf
    if question < 0:
        return 0.0
    value, short = samples.values[question, row], 0.0
    if value > upper:
        short = value - upper
    elif value <= lower:
        entry = lower + samples.step[question]
        short = entry - value if entry <= upper else np.inf
    return samples.prices[question] * short if short <= samples.caps[question, row] else np.inf


@kernel(inline="always")
def _list_of(root: int, question: int, samples: Samples) -> int:
    """Return the list of corners of two questions that share items."""
    if root < 0 or question < 0 or root == question or samples.links.pair.size == 0:
        return NOT_LINKED
    return int(samples.links.pair[root, question])


@kernel
def _path_cost(
    row: int, root: int, lower: float, upper: float, child: int, least: float, most: float, samples: Samples
) -> float:
    """Return what it takes to get the root's value into (lower, upper] and the child's into (least, most]."""
    if lower >= upper or least >= most:
        return np.inf
    if root == child:
        return _distance(root, row, max(lower, least), min(upper, most), samples)
    which = _list_of(root, child, samples)
    if which == NOT_LINKED:
        return _distance(root, row, lower, upper, samples) + _distance(child, row, least, most, samples)
    one = change_range(samples.values[root, row], lower, upper, samples.step[root])
    two = change_range(samples.values[child, row], least, most, samples.step[child])
    alone = max(samples.prices[root] * max(one[0], -one[1]), samples.prices[child] * max(two[0], -two[1]))
    return linked_pair_cost(which, one, two, root < child, max(0.0, alone), samples.links)


@kernel
def side_costs(root: int, low: float, high: float, samples: Samples, spent: FloatArray) -> None:
    """Write the largest costs of going left (row 0) and right (row 1) of the root; ∞ where that is not affordable.

    A root of −1 asks nothing, and everything is on its left.
    """
    for row in range(samples.room.size):
        spent[0, row] = _distance(root, row, -np.inf, low + samples.margin, samples)
        spent[1, row] = _distance(root, row, high - samples.margin, np.inf, samples) if root >= 0 else np.inf
        for side in range(2):
            if spent[side, row] > samples.room[row]:
                spent[side, row] = np.inf


@kernel
def fill_events(
    side: int, root: int, low: float, high: float, samples: Samples, spent: FloatArray, events: FloatArray
) -> None:
    """Write the costs of going to the root's sides, and per question where samples reach the leaves of a child.

    `spent` is as in `side_costs`. With a child that asks question q, sample j reaches the left leaf for thresholds of
    at least `events[0, q, j]`, the right one for those of at most `events[1, q, j]`. Samples that don't reach this side
    of the root reach neither.
    """
    side_costs(root, low, high, samples, spent)
    at = low if side == 0 else high
    for question in range(samples.values.shape[0]):
        enters, leaves = events[0, question], events[1, question]
        which = _list_of(root, question, samples)
        for row in range(samples.room.size):
            if spent[side, row] == np.inf:
                enters[row], leaves[row] = np.inf, -np.inf
                continue
            if which == NOT_LINKED:
                # On the root's own question it is the distance to the common box that counts.
                left_over = samples.room[row] - (0.0 if question == root else spent[side, row])
                down = up = min(left_over / samples.prices[question], samples.caps[question, row])
            else:
                down, up = _linked_changes(row, question, side, root, at, samples)
            value, margin, step = samples.values[question, row], samples.margin, samples.step[question]
            stays = np.nextafter(value + margin, -np.inf)
            enters[row] = value - margin - down
            leaves[row] = stays if 0.0 <= up < step else value + margin + up - step
            if question != root:
                continue
            if side == 1 and value <= at - margin:
                enters[row] = at - 2.0 * margin + step
            elif side == 0 and value > at + margin:
                leaves[row] = np.inf
            elif side == 0:  # a box narrower than ε can't be entered from below
                leaves[row] = max(stays, min(leaves[row], at + 2.0 * margin - step))


@kernel
def _linked_changes(row: int, question: int, side: int, root: int, at: float, samples: Samples) -> tuple[float, float]:
    """Return how far a child's value can be lowered and raised on a side of a root that it shares items with."""
    lower, upper = (-np.inf, at + samples.margin) if side == 0 else (at - samples.margin, np.inf)
    least, most = change_range(samples.values[root, row], lower, upper, samples.step[root])
    links, room = samples.links, samples.room[row]
    which, own = links.pair[root, question], 0 if root < question else 1
    down = up = room * (1.0 - _ROUNDING) / samples.prices[question]
    first = links.first_corner[which]
    for place in range(first - 1, links.first_corner[which + 1]):
        one, two, budget = links.rays[which, own], links.rays[which, 1 - own], 0.0
        if place >= first:
            one, two, budget = links.corners[place, own], links.corners[place, 1 - own], room
        for turn in (1.0, -1.0):
            gain = worth(turn * one, least, most)
            if two == 0.0 or gain == -np.inf:
                continue
            change = (budget - gain - _ROUNDING * (budget + abs(gain))) / abs(two)
            if turn * two > 0.0:
                up = min(up, change)
            else:
                down = min(down, change)
    return down, up


@kernel
def fill_reach(
    side: int,
    root: int,
    at: float,
    spent: FloatArray,
    question: int,
    threshold: float,
    samples: Samples,
    reach: FloatArray,
) -> None:
    """Write 0 where a sample reaches the left and right leaf (rows) of a stump whose threshold is given, else ∞.

    The root's threshold is `at`, and `spent` what it takes to get to this side of it; see `side_costs`. A question of
    −1 asks nothing: the left leaf is all there is.
    """
    lower, upper = _values_beyond(root, at, at, side == 1, samples.margin)
    alone = question != root and _list_of(root, question, samples) == NOT_LINKED
    for leaf in range(2):
        least, most = _values_beyond(question, threshold, threshold, leaf == 1, samples.margin)
        for row in range(samples.room.size):
            cost = spent[row]
            if alone and cost < np.inf:
                cost += _distance(question, row, least, most, samples)
            elif cost < np.inf:
                cost = _path_cost(row, root, lower, upper, question, least, most, samples)
            reach[leaf, row] = 0.0 if cost <= samples.room[row] else np.inf


@kernel(inline="always")
def _values_beyond(question: int, low: float, high: float, goes_right: bool, margin: float) -> tuple[float, float]:
    """Return the values that go to one side of a node for sure; none at all on the right of one that asks nothing."""
    if question < 0:
        return (np.inf, np.inf) if goes_right else (-np.inf, np.inf)
    return (high - margin, np.inf) if goes_right else (-np.inf, low + margin)
