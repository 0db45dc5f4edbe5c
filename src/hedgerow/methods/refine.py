"""Refinement (the paper's post-processing): the best thresholds of a grid around a tree's own."""

from collections.abc import Callable, Iterable
from itertools import product

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import FloatArray
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.run import StopRunError
from hedgerow.run.result import Refined
from hedgerow.tolerances import VALUE
from hedgerow.tree.questions import values_of
from hedgerow.tree.splits import GRID_POINTS, between
from hedgerow.tree.tree import Tree


def refine(
    tree: Tree,
    instance: Instance,
    must_stop: Callable[[], bool] = lambda: False,
    *,
    margin: float = 0.0,
) -> Refined:
    """Return the tree with the best worst case over the paper's grid of thresholds around its own.

    Each threshold may move between the two neighbouring sample values, to nine points; structure and solutions stay.
    All combinations are tried where they are few, else one node at a time until nothing gets better. If nothing is
    better, as in the example, the tree itself is returned. `must_stop` is asked before each attack; once it returns
    True, the best tree so far is returned and marked as incomplete. The margin is as in
    `hedgerow.adversary.worst_case`.
    """
    attack = worst_case(tree, instance, margin=margin)
    nodes = np.flatnonzero(tree.is_inner).tolist()
    if not nodes or not instance.uncertainty.can_misread or not instance.uncertainty.is_plain:
        return Refined(tree, attack.bound)
    values = values_of(tree.questions, instance.observations)
    options = [grid_around(values[:, tree.question[node]], float(tree.threshold[node])) for node in nodes]
    noise = VALUE * float(np.abs(attack.cost).sum())
    best, value = tree, attack.bound

    def is_better(candidates: Iterable[Tree]) -> bool:
        """Take the best of the candidates if it is better than the best so far."""
        nonlocal best, value
        before = value
        for candidate in candidates:
            if must_stop():
                raise StopRunError
            bound = worst_case(candidate, instance, margin=margin).bound
            if instance.sign * (value - bound) > noise:
                best, value = candidate, bound
        return bool(value != before)

    def at_one_node() -> bool:
        """Move one threshold after the other."""
        moved = [
            is_better(best.with_threshold(node, float(at)) for at in grid)
            for node, grid in zip(nodes, options, strict=True)
        ]
        return any(moved)

    work = np.prod([float(grid.size) for grid in options]) * (PARAMETERS.work_of_attack + attack.cost.size * len(nodes))
    try:
        while at_one_node():  # each round makes the tree better, so that there are few
            pass
        if work <= PARAMETERS.most_work_to_refine:
            is_better(_with_thresholds(tree, nodes, combination) for combination in product(*options))
    except StopRunError:
        return Refined(best, value, complete=False)
    return Refined(best, value)


def _with_thresholds(tree: Tree, nodes: list[int], thresholds: tuple[float, ...]) -> Tree:
    moved = np.array(tree.threshold)
    moved[nodes] = thresholds
    return tree.replace(threshold=moved)


def grid_around(values: FloatArray, threshold: float) -> FloatArray:
    """Return the threshold itself, then the grid between the neighbouring sample values, if it lies between two."""
    below, above = values[values <= threshold], values[values > threshold]
    if not below.size or not above.size:
        return np.array([threshold])
    grid = [float(between(below.max(), above.min(), share)) for share in GRID_POINTS]
    return np.array([threshold, *(point for point in dict.fromkeys(grid) if point != threshold)])
