"""Round numbers for thresholds, at no cost: each one moves inside its cell and between its neighbouring samples."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.instance import Instance
from hedgerow.thresholds.threshold_cells import Cells, leaves_below
from hedgerow.tolerances import VALUE
from hedgerow.tree.questions import values_of
from hedgerow.tree.tree import Tree

_MOST_DIGITS = 17


def roundest(low: float, high: float) -> float:
    """Return the number with the fewest digits between two others, of several the one nearest to the middle.

    Examples
    --------
    >>> from hedgerow.thresholds import roundest
    >>> roundest(8.4, 9.6), roundest(17.3, 22.8), roundest(0.0312, 0.0329), roundest(-3.0, 5.0)
    (9.0, 20.0, 0.032, 0.0)
    """
    middle = low / 2.0 + high / 2.0
    if not low < middle < high:
        return middle
    largest = max(abs(low), abs(high))
    power = math.floor(math.log10(largest)) + 1
    for place in range(power, power - _MOST_DIGITS - 1, -1):
        steps = middle / 10.0**place if place >= 0 else middle * 10.0**-place
        # Read as decimals, so that 0.3 is the float that people mean by it.
        around = [float(f"{step(steps)}e{place}") + 0.0 for step in (math.floor, math.ceil)]
        inside = [number for number in around if low < number < high]
        if inside:
            return min(inside, key=lambda number: abs(number - middle))
    return middle


def rounded(
    tree: Tree,
    instance: Instance,
    margin: float = 0.0,
    must_stop: Callable[[], bool] = lambda: False,
    nodes: Sequence[int] | None = None,
) -> Tree:
    """Return the tree with rounder thresholds, as good as before: the same worst case, every sample at its own leaf.

    All thresholds are moved, or those of some nodes, one after the other; its cell is computed with those before it
    moved. If the adversary finds another outcome after all, the tree stays as it was. The margin is as in
    `hedgerow.adversary.worst_case`; `must_stop` is asked before each threshold, and the others then stay as they are.
    """
    before = worst_case(tree, instance, margin=margin)
    values = values_of(tree.questions, instance.observations)
    cells = Cells(tree, instance, margin, must_stop)
    for node in map(int, np.flatnonzero(tree.is_inner)) if nodes is None else nodes:
        threshold = float(tree.threshold[node])
        if must_stop():
            break
        everyone = values[:, tree.question[node]]
        here = everyone[np.isin(before.nominal_leaf, leaves_below(tree, node))]
        left, right = here[here <= threshold], here[here > threshold]
        low = float(left.max()) if left.size else min(float(everyone.min()), threshold)
        high = float(right.min()) if right.size else max(float(everyone.max()), threshold)
        cell = cells.of(node)
        if cell is not None:
            low, high = max(low, cell[0]), min(high, cell[1])
        if low < high:
            cells.move(node, roundest(low, high))
    better = cells.tree
    after = worst_case(better, instance, margin=margin)
    differs = abs(after.bound - before.bound) > VALUE * float(np.abs(before.cost).sum())
    return tree if differs or not np.array_equal(after.nominal_leaf, before.nominal_leaf) else better
