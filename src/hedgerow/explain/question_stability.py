"""How stable advice is where questions are about several readings at a time."""

__all__ = ["distances", "possible_leaves", "single_readings"]

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry import geometry_of
from hedgerow.questions import values_of
from hedgerow.tree import Tree

_NONE = -1
_BEYOND = 1e-9
"""How far beyond the point where an answer changes the advice is looked up, relative to the reading."""


def possible_leaves(tree: Tree, observations: FloatArray) -> BoolArray:
    """Return per observation and leaf whether it may be reached; a question with a missing reading may be anything."""
    values = values_of(tree.questions, observations)[:, None, :]
    outside = (values > tree.boxes.upper) | (values <= tree.boxes.lower)
    possible: BoolArray = np.logical_not(outside.any(axis=2)) & (tree.boxes.lower < tree.boxes.upper).all(axis=1)
    return possible


def distances(
    tree: Tree, observations: FloatArray, prices: FloatArray | None, limits: float | FloatArray | None
) -> FloatArray:
    """Return per observation and leaf the infimum of the changes that lead there; ∞ where limits forbid it.

    Questions with a missing reading hold in every leaf.
    """
    from hedgerow.geometry.kernels import leaf_costs

    geometry = geometry_of(tree.questions, observations.shape[1], prices=prices, limits=limits, epsilon=0.0)
    values = values_of(tree.questions, observations)
    found = np.empty((len(observations), tree.n_leaves))
    unknown = np.isnan(values)
    patterns, pattern_of = np.unique(unknown, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        rows = np.flatnonzero(pattern_of.ravel() == number)
        free = pattern[tree.bounds.question]
        lower = np.where(free, -np.inf, tree.bounds.lower)
        upper = np.where(free, np.inf, tree.bounds.upper)
        costs = np.empty((rows.size, tree.n_leaves))
        leaf_costs(np.nan_to_num(values[rows]), np.array(tree.bounds.question), lower, upper, geometry, np.inf, costs)
        found[rows] = costs
    return found


def single_readings(tree: Tree, same_as: IntArray, observation: FloatArray) -> list[tuple[int, float, float, int, int]]:
    """Return for each reading that can change the advice alone: item, bounds, and the leaves beyond the bounds.

    The advice stays between the bounds, all other readings being as they are; −1 stands for no leaf.
    """
    values = values_of(tree.questions, observation[None])[0]
    if np.isnan(values).any():
        return []
    own = same_as[tree.apply(observation[None])[0]]
    inner = np.flatnonzero(tree.is_inner)
    found = []
    for item in tree.asked_items.tolist():
        slope = np.array([dict(zip(q.items, q.coefficients, strict=True)).get(item, 0.0) for q in tree.questions])
        nodes = inner[slope[tree.question[inner]] != 0.0]
        asked = tree.question[nodes]
        edges = np.unique(observation[item] + (tree.threshold[nodes] - values[asked]) / slope[asked])
        bounds, leaves = [-np.inf, np.inf], [_NONE, _NONE]
        for side, sign in ((0, -1.0), (1, 1.0)):
            beyond = edges[sign * (edges - observation[item]) >= 0.0][:: int(sign)]
            trial = np.repeat(observation[None], beyond.size, axis=0)
            trial[:, item] = beyond + sign * _BEYOND * (1.0 + np.abs(beyond))
            reached = tree.apply(np.nan_to_num(trial)) if beyond.size else np.empty(0, np.int64)
            changed = np.flatnonzero(same_as[reached] != own)
            if changed.size:
                bounds[side], leaves[side] = float(beyond[changed[0]]), int(reached[changed[0]])
        if leaves != [_NONE, _NONE]:
            found.append((item, *bounds, *leaves))
    return found
