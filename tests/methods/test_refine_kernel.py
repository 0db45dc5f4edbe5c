"""Branch and bound over thresholds finds what trying every combination finds."""

from itertools import product

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, worst_case
from hedgerow.methods.refine import _options, refine
from hedgerow.problems import Selection
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import tree_of

PROBLEM = Selection(4, 2)


def one_by_one(tree, instance):
    """Return the first combination of thresholds that none is better than, each attacked on its own."""
    inner = np.flatnonzero(tree.item >= 0)
    options = [_options(instance.observations[:, tree.item[node]], tree.threshold[node]) for node in inner]
    best, value = tree, instance.sign * worst_case(tree, instance).value
    below = value - VALUE * max(1.0, abs(value))
    for thresholds in product(*options):
        moved = np.array(tree.threshold)
        moved[inner] = thresholds
        candidate = tree.replace(threshold=moved)
        attacked = instance.sign * worst_case(candidate, instance).value
        if attacked < below - 1e-12:
            best, below = candidate, attacked
    return worst_case(best, instance).value


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize("seed", range(6))
def test_it_equals_trying_every_combination(kind, seed):
    """Few features, so that paths ask about one twice; trees of any shape; with entry limits and a wide step too."""
    rng = np.random.default_rng(seed)
    n_samples, sense = int(rng.integers(3, 8)), ("min", "max")[seed % 2]
    observations = np.round(rng.normal(0.0, 3.0, (n_samples, 2)), 1)
    instance = Instance.create(
        Selection(4, 2, sense=sense),
        np.round(rng.uniform(-5.0, 9.0, (n_samples, 4)), 1),
        context=observations,
        uncertainty=kind(
            fraction=rng.uniform(0.02, 0.3), epsilon=(0.001, 0.3)[seed % 2], limits=(None, None, 2.0)[seed % 3]
        ),
    )
    splits = candidate_splits(observations)
    for _ in range(4):
        structure = rng.integers(-1, len(splits), 3)
        tree = tree_of(structure, splits, PROBLEM.all_solutions(10)[rng.integers(6, size=4)])
        assert refine(tree, instance).objective == pytest.approx(one_by_one(tree, instance))


def test_a_threshold_at_a_reading_may_move_up_to_the_next_one():
    assert _options(np.array([1.0, 2.0, 3.0]), 2.0)[1:].tolist() == _options(np.array([2.0, 3.0]), 2.0)[1:].tolist()
    assert (np.abs(_options(np.array([1.0, 2.0, 3.0]), 2.0) - 2.5) <= 0.5).all()
    assert _options(np.array([1.0, 2.0, 3.0]), 2.0).size > 1
