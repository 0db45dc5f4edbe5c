"""Bounds by prices: below the value of every tree, whatever the intervals of thresholds and prices."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, solve
from hedgerow.engine import price_intervals
from hedgerow.engine.engine_parameters import EngineParameters
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.price_intervals import PriceIntervals
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.problems import ExplicitSet, Selection
from hedgerow.run import Options
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import candidate_splits
from tests.methods.exact.tiny import instances

QUESTIONS = (Question.of_item(0), Question.of_item(1), Question((0, 1), (1.0, -1.0), "difference"))


def space_of(instance):
    splits = candidate_splits(instance.question_values, "midpoints", questions=instance.questions)
    return SearchSpace(instance, Options(thresholds="midpoints"), splits, complete_pool(instance))


def assert_bounds_hold(instance, blocks):
    """Per root, the least bound over all prices is no more than the best tree with that root costs."""
    space = space_of(instance)
    uncertainty = instance.uncertainty
    if not len(space.splits) or not len(space.pool) or uncertainty.budget == 0.0:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(price_intervals, "ENGINE", EngineParameters(blocks=blocks, first_roots=blocks))
        assert_parts_hold(PriceIntervals(space), space)


def assert_parts_hold(prices, space):
    base = space.loss.min(axis=1).sum()
    every = range(len(space.splits))
    for whole in prices.whole():
        roots = range(whole.first, whole.last + 1)
        structures = np.array(list(product(roots, every, every)))
        best = space.best(structures).value - base
        target = best + 0.1 * abs(best) + 0.1
        parts = [prices.bounded(part, target, lambda: False) for part in prices.divided(whole, target)]
        assert min(part.bound for part in parts) <= best + 1e-9 * max(1.0, abs(base))


@settings(max_examples=60)
@given(instances(sets=("global",), kinds=("table", "selection", "explicit"), depths=(2,)), st.integers(1, 3))
def test_no_tree_is_below_the_bound_of_its_root(instance, blocks):
    """Prices, limits, weights, ε, maximising and negative costs included."""
    assert_bounds_hold(instance, blocks)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("limits", [None, 1.5])
def test_no_tree_is_below_the_bound_where_questions_share_items(seed, limits):
    """A difference of two readings beside the readings themselves."""
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 9, (5, 3)).astype(float)
    budget = GlobalBudget(float(rng.uniform(0.5, 6.0)), prices=[1.0, 0.5, 2.0], limits=limits)
    instance = Instance.create(ExplicitSet(np.eye(3)), costs, uncertainty=budget, questions=QUESTIONS)
    assert_bounds_hold(instance, 1 + seed % 3)


def test_bounds_of_many_samples_are_close_and_pass_no_tree():
    """Thirty samples: the bound is far above what the samples' own optima cost, and below random trees."""
    rng = np.random.default_rng(3)
    costs = rng.uniform(10.0, 20.0, (2, 4))[rng.integers(0, 2, 30)] + rng.uniform(-3.0, 3.0, (30, 4))
    instance = Instance.create(Selection(4, 2), costs, uncertainty=GlobalBudget(fraction=0.05))
    result = solve(
        instance, method="exact", thresholds="midpoints", time_limit=None, iteration_limit=12, random_state=0
    )
    base = complete_pool(instance).losses.min(axis=1).sum()
    assert result.lower_bound - base > 0.6 * (result.objective - base)
    space = space_of(instance)
    for structure in space.draw(rng, 100):
        assert space.best(structure[None]).value >= result.lower_bound - 1e-9
