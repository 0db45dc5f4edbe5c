"""Random nominal optima against plain enumeration."""

import itertools
from collections import Counter

import numpy as np
import pytest

from experiments.nominal_optima import NominalOptima
from hedgerow import Instance, solve
from hedgerow.adversary import worst_case
from hedgerow.problems import Selection
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import nominal_slots, structure_of


def tiny(depth):
    costs = np.random.default_rng(3).integers(1, 9, (4, 3)).astype(float)
    return Instance.create(Selection(3, 1), costs, depth=depth)


def enumerated(instance):
    """All optimal structures and their value, by trying every one."""
    splits = candidate_splits(instance.observations)
    losses = instance.losses(np.eye(3))
    values = {}
    for structure in itertools.product(range(len(splits)), repeat=2**instance.depth - 1):
        slot = nominal_slots(np.array(structure), splits, instance.observations)
        values[structure] = sum(losses[slot == leaf].sum(axis=0).min() for leaf in set(slot))
    least = min(values.values())
    return least, {structure for structure, value in values.items() if value <= least + 1e-9}


@pytest.mark.parametrize("depth", [1, 2])
def test_value_and_count_are_those_of_enumeration(depth):
    optima = NominalOptima(tiny(depth))
    value, structures = enumerated(tiny(depth))
    assert optima.value == pytest.approx(value)
    assert optima.count == len(structures)


def test_every_optimum_is_drawn_and_about_equally_often():
    instance = tiny(1)
    optima, splits = NominalOptima(instance), candidate_splits(instance.observations)
    rng = np.random.default_rng(0)
    _, structures = enumerated(instance)
    drawn = Counter(tuple(structure_of(optima.draw(rng), splits, 1).tolist()) for _ in range(200 * len(structures)))
    assert set(drawn) == structures
    assert all(120 < count < 280 for count in drawn.values())


def test_what_is_drawn_is_a_nominal_optimum_of_full_depth():
    instance = tiny(2)
    optima = NominalOptima(instance)
    best = solve(instance, method="exact").objective
    for seed in range(20):
        tree = optima.draw(np.random.default_rng(seed))
        assert tree.n_leaves == 4
        assert worst_case(tree, instance).bound == pytest.approx(best)
