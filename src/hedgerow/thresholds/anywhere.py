"""Better thresholds among all numbers: one at a time is moved to its best place, until none gets better."""

__all__ = ["moved_anywhere"]

import heapq
from collections.abc import Callable

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.instance import Instance
from hedgerow.thresholds.rounding import comes_by, leaves_below
from hedgerow.thresholds.threshold_cells import THRESHOLD_DEFAULTS, Cells, Jumps
from hedgerow.tolerances import VALUE
from hedgerow.tree.questions import values_of
from hedgerow.tree.tree import Tree


def moved_anywhere(
    tree: Tree,
    instance: Instance,
    margin: float = 0.0,
    *,
    min_samples_leaf: int = 0,
    must_stop: Callable[[], bool] = lambda: False,
) -> Tree:
    """Return the tree with better thresholds, structure and solutions as they are; the tree itself if none is better.

    Under a local budget the best place of a threshold is found among all numbers, all others fixed; under a global one
    by halving. Thresholds stay between the samples' values, with at least `min_samples_leaf` of the samples that come
    by at each leaf. The margin is as in `hedgerow.adversary.worst_case`; `must_stop` is asked between moves.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget, Tree
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.thresholds import moved_anywhere
    >>> instance = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], uncertainty=LocalBudget(1.0))
    >>> split = {"item": 0, "threshold": 1.5, "left": {"solution": [1, 0]}, "right": {"solution": [0, 1]}}
    >>> float(moved_anywhere(Tree.from_dict(split), instance).threshold[0].round(6))
    2.4995
    """
    nodes = [int(node) for node in np.flatnonzero(tree.is_inner)]
    value = instance.sign * worst_case(tree, instance, margin=margin).bound
    cells = Cells(tree, instance, margin)
    in_vain = 0
    for turn in range(THRESHOLD_DEFAULTS.most_rounds * len(nodes)):
        if in_vain == len(nodes) or must_stop():
            break
        node, in_vain = nodes[turn % len(nodes)], in_vain + 1
        place = _better_place(cells, instance, node, min_samples_leaf, value, must_stop)
        if place is None:
            continue
        before = cells.tree
        cells.move(node, place)
        # The adversary decides, here as everywhere.
        attack = worst_case(cells.tree, instance, margin=margin)
        if instance.sign * attack.bound < value - VALUE * float(np.abs(attack.cost).sum()):
            value, in_vain = instance.sign * attack.bound, 0
        else:
            cells.move(node, float(before.threshold[node]))
    return cells.tree


def _better_place(
    cells: Cells, instance: Instance, node: int, fewest: int, value: float, must_stop: Callable[[], bool]
) -> float | None:
    low, end = _allowed(cells.tree, instance, node, fewest)
    if not low < end:
        return None
    if instance.uncertainty.is_separable:
        return _among_jumps(cells.jumps(node), float(cells.tree.threshold[node]), low, end)
    return _by_halves(cells.losses_between(node), low, float(np.nextafter(end, low)), value, must_stop)


def _allowed(tree: Tree, instance: Instance, node: int, fewest: int) -> tuple[float, float]:
    """Return from where to where, the end left out, a threshold leaves enough samples at all leaves below its node."""
    values = values_of(tree.questions, instance.observations)
    asked = values[:, tree.question[node]]
    low, end = float(asked.min()), float(asked.max())
    if fewest == 0:
        return low, end
    least, most = low, end
    here = comes_by(tree, tree.apply(instance.observations), node)
    for child, everyone in ((tree.left[node], end), (tree.right[node], np.nextafter(low, -np.inf))):
        # Where samples would go if all that come by took this side.
        leaf = tree.with_threshold(node, everyone).apply(instance.observations)
        for one in leaves_below(tree, int(child)):
            own = np.sort(asked[here & (leaf == one)])
            if own.size < fewest:
                return np.inf, -np.inf
            if child == tree.left[node]:
                least = max(least, float(own[fewest - 1]))
            else:
                most = min(most, float(own[-fewest]))
    return least, most


def _among_jumps(jumps: Jumps, threshold: float, low: float, end: float) -> float | None:
    """Return the middle of the widest of the best stretches between jumps, from `low` to before `end`, if better."""
    total = np.concatenate([[0.0], np.cumsum(jumps.jump)])
    change = total - total[jumps.before(threshold)]
    begins, ends = np.append(-np.inf, jumps.turn), np.append(jumps.turn, np.inf)
    # Whether the ends belong to the stretch.
    with_begin, with_end = np.append(False, ~jumps.behind), np.append(jumps.behind, False)
    with_begin, with_end = with_begin | (begins < low), with_end & (ends < end)
    begins, ends = np.maximum(begins, low), np.minimum(ends, end)
    middle = begins / 2.0 + ends / 2.0
    inside = (begins < middle) & (middle < ends)
    place = np.where(inside, middle, np.where(with_begin, begins, ends))
    exists = inside | ((begins < ends) & (with_begin | with_end)) | ((begins == ends) & with_begin & with_end)
    change = np.where(exists, change, np.inf)
    if not change.min() < -jumps.tolerance:
        return None
    best = np.flatnonzero(change <= change.min() + jumps.tolerance)
    return float(place[best[np.argmax((ends - begins)[best])]])


def _by_halves(
    losses: Callable[[float, float], tuple[float, float]],
    low: float,
    high: float,
    value: float,
    must_stop: Callable[[], bool],
) -> float | None:
    """Return the best place that is found by halving the most promising stretches, if it is better than `value`."""
    best, place = value - VALUE * max(1.0, abs(value)), None
    open_ones = [(losses(low, high)[0], low, high)]
    for _ in range(THRESHOLD_DEFAULTS.n_halvings):
        if not open_ones or open_ones[0][0] >= best or must_stop():
            break
        _, left, right = heapq.heappop(open_ones)
        middle = left / 2.0 + right / 2.0
        there = losses(middle, middle)[1]
        if there < best:
            best, place = there, middle
        if left < middle < right:
            for part in ((left, middle), (middle, right)):
                bound = losses(*part)[0]
                if bound < best:
                    heapq.heappush(open_ones, (bound, *part))
    return place
