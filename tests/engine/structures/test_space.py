"""The space that searches walk through: what is drawn, what is found, and what becomes of it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal
from hedgerow.adversary import worst_case
from hedgerow.engine import leaf_problem
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.engine.unreached import filled
from hedgerow.problems import ExplicitSet, Selection
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT, structure_allowed, tree_of
from tests.methods.exact.reference import Reference
from tests.methods.exact.tiny import instances, leaves_of, with_leaf_limits

OBSERVATIONS = np.array([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [2.0, 4.0, 5.0], [3.0, 4.0, 5.0], [9.0, 4.0, 5.0]])


def space_of(instance, settings=None):
    return SearchSpace(
        instance, settings or Options(), candidate_splits(instance.observations), complete_pool(instance)
    )


def five_samples(uncertainty=None, depth=2):
    return Instance.create(
        Selection(3, 1), OBSERVATIONS[:, ::-1], observed=OBSERVATIONS, uncertainty=uncertainty, depth=depth
    )


def reference_value(instance, splits, structure):
    """Return the value of a structure by brute force."""
    blank = np.zeros((structure.size + 1, len(instance.problem.variable_names)))
    return Reference(instance).value(leaves_of(tree_of(structure, splits, blank)))


# -- drawing -----------------------------------------------------------------------------------------------------------


def test_items_are_drawn_uniformly_and_then_thresholds():
    """One item has four thresholds, the other one, the third none: half of all questions are about each of the two."""
    space = space_of(five_samples())
    drawn = space.draw(np.random.default_rng(0), 20_000)
    assert drawn.shape == (20_000, 3)
    for node in range(3):
        share = np.bincount(drawn[:, node], minlength=5) / 20_000
        # Five standard deviations on either side.
        assert share == pytest.approx([0.125] * 4 + [0.5], abs=5 * np.sqrt(0.25 / 20_000))
    pairs = np.bincount(drawn[:, 0] * 5 + drawn[:, 2], minlength=25) / 20_000
    alone = np.array([0.125] * 4 + [0.5])
    assert pairs == pytest.approx(np.outer(alone, alone).ravel(), abs=0.02)


@settings(max_examples=80)
@given(with_leaf_limits(depths=(1, 2, 3)), st.integers(0, 99))
def test_what_is_drawn_keeps_the_limits_on_leaves(case, seed):
    """Nodes stop asking until few rows or many leaves are no longer a fault."""
    instance, limits = case
    splits = candidate_splits(instance.observations)
    if not len(splits):
        return
    space = space_of(instance, limits)
    for structure in space.draw(np.random.default_rng(seed), 12):
        assert structure_allowed(structure, splits, instance.observations, limits)
        assert ((structure >= NO_SPLIT) & (structure < len(splits))).all()
    assert NO_SPLIT in space.candidates


# -- finding -----------------------------------------------------------------------------------------------------------


@settings(max_examples=80)
@given(instances(depths=(1, 2)), st.integers(0, 99))
def test_the_best_of_some_structures_is_found_with_its_solutions(instance, seed):
    """Value and tree agree with brute force; a cut-off at the best value leaves nothing to find."""
    splits = candidate_splits(instance.observations)
    if not len(splits):
        return
    space = space_of(instance)
    structures = space.draw(np.random.default_rng(seed), 8)
    expected = min(reference_value(instance, splits, structure) for structure in structures)
    found = space.best(structures)
    assert found.value == pytest.approx(expected, rel=1e-9, abs=1e-9)
    attack = worst_case(space.tree(found), instance)
    assert instance.sign * attack.value == pytest.approx(found.value, rel=1e-9, abs=1e-9)
    assert space.best(structures, found.value) is None
    again = space.best(structures, found.value + 1e-6)
    assert again is not None
    assert again.value == pytest.approx(found.value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("uncertainty", [Nominal(), LocalBudget(0.3), GlobalBudget(0.3), GlobalBudget(4.0)], ids=repr)
def test_leaves_that_nobody_can_be_sent_to_hold_what_stands_beside_them(uncertainty):
    """So that the tree stays sensible on new data (SPEC 6), whatever the kind of budget."""
    rng = np.random.default_rng(12)
    instance = Instance.create(
        ExplicitSet(np.eye(3)),
        rng.integers(0, 10, (4, 3)).astype(float),
        observed=rng.integers(0, 9, (4, 2)).astype(float),
        uncertainty=uncertainty,
    )
    space = space_of(instance)
    for structure in space.draw(rng, 40):
        tree = space.tree(space.best(structure[None]))
        assert (filled(tree, instance).solutions == tree.solutions).all()


# -- limits on work ----------------------------------------------------------------------------------------------------


def test_large_losses_that_cancel_do_not_keep_the_search_going():
    """Sums that should be equal differ by rounding; taken for a worse attack, the same one would come back forever."""
    rng = np.random.default_rng(1)
    costs = np.round(rng.normal(size=(4, 3)), 3) * 1e7
    costs[-1] = -costs[:-1].sum(axis=0) + np.round(rng.normal(size=3), 3)
    observations = rng.integers(0, 5, (4, 2)).astype(float)
    instance = Instance.create(
        ExplicitSet(np.eye(3)), costs, observed=observations, uncertainty=GlobalBudget(2.0), depth=1
    )
    space = space_of(instance)
    structures = np.arange(len(space.splits), dtype=np.int64)[:, None]
    found = space.best(structures)
    least = min(reference_value(instance, space.splits, structure) for structure in structures)
    assert found.value == pytest.approx(least, abs=1e-5)


def test_hard_leaf_problems_are_left_open_with_a_bound(monkeypatch):
    """Where the choice of solutions takes too long, what is proven so far is all that is claimed."""
    rng = np.random.default_rng(0)
    instance = Instance.create(Selection(4, 2), rng.uniform(1.0, 9.0, (4, 4)), uncertainty=GlobalBudget(6.0))
    space = space_of(instance)
    structures = space.draw(rng, 8)
    values = [reference_value(instance, space.splits, structure) for structure in structures]
    assert [space.best(structure[None]).value for structure in structures] == pytest.approx(values)
    assert space.open_bound == np.inf
    monkeypatch.setattr(leaf_problem, "MASTER_WORK", 30)
    left_open = 0
    for structure, value in zip(structures, values, strict=True):
        space.open_bound = np.inf
        found = space.best(structure[None])
        left_open += bool(np.isfinite(space.open_bound))
        assert min(space.open_bound, np.inf if found is None else found.value) <= value + 1e-9
        assert found is None or found.value >= value - 1e-9
