"""The best tree where nothing is misread, by trying all trees: a second implementation, from the definitions."""

from functools import cache
from itertools import pairwise

import numpy as np


def best_nominal_loss(instance, min_samples_leaf=0, max_leaves=None):
    """Return the least loss of a tree whose leaves have enough samples, with a limit on their number if there is one.

    Questions are about single items.
    """
    readings, sign = instance.observations, instance.sign
    solutions = instance.problem.all_solutions(1_000)
    loss = sign * instance.weights[:, None] * instance.problem.costs(solutions, instance.costs)
    fewest = max(1, min_samples_leaf)

    @cache
    def best(samples, depth, n_leaves):
        least = loss[list(samples)].sum(axis=0).min()
        if depth == 0 or n_leaves < 2:
            return float(least)
        for left, right in _sides(readings, samples):
            if min(len(left), len(right)) >= fewest:
                for on_left in range(1, n_leaves):
                    least = min(least, best(left, depth - 1, on_left) + best(right, depth - 1, n_leaves - on_left))
        return float(least)

    return best(tuple(range(len(readings))), instance.depth, max_leaves or 2**instance.depth)


def _sides(readings, samples):
    """Yield all ways to divide some samples by a question between two neighbouring values of an item."""
    for item in range(readings.shape[1]):
        values = readings[list(samples), item]
        for low, high in pairwise(np.unique(values)):
            middle = low / 2 + high / 2
            yield tuple(
                tuple(sample for sample, value in zip(samples, values, strict=True) if (value > middle) == is_right)
                for is_right in (False, True)
            )
