"""The search where nothing is misread, without good first trees: against the best of all trees, by recursion."""

from functools import cache

import numpy as np
import pytest

from hedgerow import Instance, Nominal, worst_case
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.prove import _settle_local
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options, Run
from hedgerow.tree.splits import candidate_splits


def best_of_all(instance, splits, depth, smallest):
    """Return the least loss of a tree: at every node the best question, or none."""
    right = instance.question_values[:, splits.question] > splits.threshold
    masks = [int("".join("01"[int(entry)] for entry in column), 2) for column in right.T]
    n_samples = instance.n_samples

    def size(rows):
        return rows.bit_count()

    @cache
    def best(rows, levels):
        here = np.array([rows >> (n_samples - 1 - row) & 1 for row in range(n_samples)])
        found = (here @ instance.costs).min()
        if levels:
            for mask in masks:
                left, beyond = rows & ~mask, rows & mask
                if left and beyond and min(size(left), size(beyond)) >= smallest:
                    found = min(found, best(left, levels - 1) + best(beyond, levels - 1))
        return found

    return best((1 << n_samples) - 1, depth)


@pytest.mark.parametrize(
    ("seed", "depth", "smallest"), [(0, 1, 0), (1, 2, 0), (2, 2, 3), (3, 3, 0), (4, 3, 1), (5, 4, 0)]
)
def test_the_best_of_all_trees_is_found(seed, depth, smallest):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 6, (12, 3)) * 1.0
    instance = Instance.create(
        ExplicitSet(np.eye(4)),
        rng.uniform(1.0, 9.0, (12, 4)).round(1),
        observed=values,
        uncertainty=Nominal(),
        depth=depth,
    )
    splits = candidate_splits(values, "midpoints")
    pool = SolutionPool(instance, complete=True)
    pool.add(np.eye(4))
    run = Run(instance)
    _settle_local(instance, run, Options(min_samples_leaf=smallest), splits, pool)
    expected = best_of_all(instance, splits, depth, smallest)
    assert run.value == pytest.approx(expected)
    assert run.bound == pytest.approx(expected)
    assert worst_case(run.tree, instance).value == pytest.approx(expected)
    assert np.unique(run.tree.apply(values), return_counts=True)[1].min() >= max(1, smallest)
    assert run.tree.n_leaves == np.unique(run.tree.apply(values)).size
    # A tree that is known already is beaten only by better ones.
    again = Run(instance)
    again.offer(run.tree, run.value)
    _settle_local(instance, again, Options(min_samples_leaf=smallest), splits, pool)
    assert again.bound == again.value == run.value
