"""Both sides of an interval of roots: what one call finds is what either side costs at least on its own."""

import numpy as np
import pytest

from hedgerow.engine.halves import bound_halves, empty_halves, empty_side
from hedgerow.engine.moves import single_events
from hedgerow.engine.samples import samples_of
from hedgerow.engine.sides import bound_sides
from tests.engine.worlds import world


def _samples(rng):
    instance, options = world(rng, most_samples=6)
    solutions = instance.problem.all_solutions(100)
    return samples_of(instance, instance.losses(solutions), None, options.threshold_margin), options.min_samples_leaf


def _of_side(side, root, low, high, samples, min_samples, cut):
    """Return what one side costs at least, up to the cut-offs."""
    halves = empty_halves(samples)
    room = empty_side(samples)
    single_events(side, root, low, high, samples, room.spent, room.events)
    count = bound_halves(side, root, low, high, samples, min_samples, cut, room, halves)
    return np.minimum(cut, halves.value[:, :count].min(axis=1, initial=np.inf))


@pytest.mark.parametrize("seed", range(30))
def test_sides_cost_what_they_cost_one_by_one(seed):
    rng = np.random.default_rng(seed)
    samples, min_samples = _samples(rng)
    target = float(rng.uniform(1.0, 12.0))
    known, floor = rng.uniform(0.0, 1.5, (2, 2)), float(rng.uniform(0.0, 3.0))
    for root, values in enumerate(samples.values):
        low, high = np.sort(rng.uniform(values.min(), values.max(), 2))
        sides = known.copy()
        room = empty_side(samples), empty_halves(samples)
        bound_sides(0, 1, root, low, high, samples, min_samples, target, floor, *room, sides)
        expected = known.copy()
        for side in (0, 1):
            cut = target - expected[1 - side, ::-1]
            found = _of_side(side, root, low, high, samples, min_samples, cut)
            expected[side] = np.maximum(expected[side], found)
            if max(floor, expected[0, 0] + expected[1, 1], expected[0, 1] + expected[1, 0]) >= target:
                break
        assert sides.tolist() == expected.tolist()
