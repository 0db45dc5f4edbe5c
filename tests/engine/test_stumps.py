"""Both sides of an interval of roots: what one call finds is what either side costs at least on its own."""

import numpy as np
import pytest

from hedgerow.engine.samples import samples_of
from hedgerow.engine.stumps import bound_sides, find_stumps
from tests.engine.worlds import world


def _samples(rng):
    instance, options = world(rng, most_samples=6)
    losses = instance.losses(instance.problem.all_solutions(100))
    return samples_of(instance, losses, None, options.threshold_margin, options.min_samples_leaf)


@pytest.mark.parametrize("seed", range(30))
def test_sides_cost_what_they_cost_one_by_one(seed):
    rng = np.random.default_rng(seed)
    samples = _samples(rng)
    target, first = float(rng.uniform(1.0, 12.0)), seed % 2
    known = rng.uniform(0.0, 1.5, (2, 2))
    for root, values in enumerate(samples.values):
        low, high = np.sort(rng.uniform(values.min(), values.max(), 2))
        sides, expected = known.copy(), known.copy()
        bound_sides(first, root, low, high, target, samples, sides)
        for side in (first, 1 - first):
            cut = target - expected[1 - side, ::-1]
            least = find_stumps(side, root, low, high, cut, samples).value.min(axis=0, initial=np.inf)
            expected[side] = np.maximum(expected[side], np.minimum(cut, least))
            if max(expected[0, 0] + expected[1, 1], expected[0, 1] + expected[1, 0]) >= target:
                break
        assert sides.tolist() == expected.tolist()
