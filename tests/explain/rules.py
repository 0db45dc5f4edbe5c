"""Random trees and readings for explanations, and what stability means, told a second time in the plainest way."""

import numpy as np
from hypothesis import strategies as st

from hedgerow import Nominal, RuleBook, Tree
from tests.worlds import STEP, nested_trees, paths, thresholds, values

N_FEATURES = 3
NAMES = ("bridge", "road", "ferry")
SOLUTIONS = [[1.0, 0.0], [0.0, 1.0], [0.5, 0.25]]

readings = st.one_of(values, thresholds)
"""Half of all readings lie exactly on a threshold."""
rows = st.lists(readings, min_size=N_FEATURES, max_size=N_FEATURES).map(np.array)


NOMINAL = Nominal()


def trees(max_depth=4):
    """Trees with few solutions, so that several leaves hold the same, and with boxes that nobody can reach."""
    return (
        st.integers(0, max_depth).flatmap(lambda depth: nested_trees(N_FEATURES, SOLUTIONS, depth)).map(Tree.from_dict)
    )


def rules(tree, uncertainty=NOMINAL, **fields):
    """Return the tree as a rule book, with the set that it was fitted for."""
    return RuleBook(tree, NAMES, uncertainty=uncertainty, **fields)


def boxes(tree):
    """Return per leaf its intervals by item, None where no value is left for some item."""
    found = []
    for path in paths(tree.to_dict()):
        box = {}
        for item, threshold, goes_left in path:
            low, high = box.get(item, (-np.inf, np.inf))
            box[item] = (low, min(high, threshold)) if goes_left else (max(low, threshold), high)
        found.append(None if any(low >= high for low, high in box.values()) else box)
    return found


def naive_radius(tree, row, prices=None, limits=None):
    """Return the distance to the nearest leaf with another solution; missing readings may be anything."""
    advised = [
        tree.solutions[leaf].tolist()
        for leaf, box in enumerate(boxes(tree))
        if box is not None and all(np.isnan(row[i]) or low < row[i] <= high for i, (low, high) in box.items())
    ]
    nearest = np.inf
    for leaf, box in enumerate(boxes(tree)):
        if box is None or tree.solutions[leaf].tolist() in advised:
            continue
        total = 0.0
        for item, (low, high) in box.items():
            value = row[item]
            if np.isnan(value) or low < value <= high:
                continue
            change = value - high if value > high else low - value
            allowed = limits is None or (change <= limits[item] if value > high else change < limits[item])
            total += change * (1.0 if prices is None else prices[item]) if allowed else np.inf
        nearest = min(nearest, total)
    return nearest


def representatives(tree):
    """Return values of which every interval between thresholds has at least one."""
    cuts = np.unique(tree.threshold[tree.item >= 0])
    return [*cuts.tolist(), *(cuts + STEP / 8).tolist()] if cuts.size else [0.0]
