"""The bounds that the proof stands on, one by one: none is above what it bounds, and what claims to be exact is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.engine_parameters import EngineParameters
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.structures import branching as branching_module
from hedgerow.engine.structures.branching import Branching
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.engine.structures.subsets import subset_costs, subset_tables
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT, tree_of
from tests.methods.exact.reference import Reference
from tests.methods.exact.tiny import LONG_EPSILONS, instances, leaves_of, narrow_instances

SLACK = 1e-9
EVERY_STEP = st.one_of(instances(depths=(2,)), instances(depths=(2,), epsilons=LONG_EPSILONS), narrow_instances())


class Case:
    """An instance with its splits, reading, losses and the brute-force values of its structures."""

    def __init__(self, instance):
        self.instance = instance
        self.splits = candidate_splits(instance.observations)
        self.reference = Reference(instance)
        self.loss = np.ascontiguousarray(self.reference.loss)

    def value(self, structure):
        structure = np.asarray(structure, dtype=np.int64)
        blank = np.zeros((structure.size + 1, len(self.instance.problem.variable_names)))
        return self.reference.value(leaves_of(tree_of(structure, self.splits, blank)))

    def branching(self):
        tables = subset_tables(subset_costs(self.loss), 2)
        pool = SolutionPool(self.instance)
        space = SearchSpace(self.instance, Options(threshold_margin=0.0), self.splits, pool)
        return Branching(space, tables)


@settings(max_examples=100)
@given(EVERY_STEP)
def test_a_roots_bound_holds_for_all_structures_below_it(instance):
    """For full structures and, below a root that asks nothing, smaller ones."""
    case = Case(instance)
    n_splits = len(case.splits)
    if not n_splits:
        return
    branching, rng = case.branching(), np.random.default_rng(n_splits)
    bounds = {root: branching.bound(0, root, np.inf) for root in range(NO_SPLIT, n_splits)}
    for root in range(NO_SPLIT, n_splits):
        for left, right in rng.integers(NO_SPLIT, n_splits, (12, 2)):
            assert bounds[root] <= case.value([root, left, right]) + SLACK


@settings(max_examples=60)
@given(EVERY_STEP, st.sampled_from([0.0, 0.5, 3.0]))
def test_what_is_better_than_the_target_survives_below_its_root(instance, above):
    """Root by root, the best structure is among the survivors if it is below the target, or one that is as good."""
    case = Case(instance)
    n_splits = len(case.splits)
    if not n_splits:
        return
    grid = range(n_splits)
    best = {root: min(case.value([root, left, right]) for left in grid for right in grid) for root in grid}
    target = min(best.values()) + above + 1e-6
    with pytest.MonkeyPatch.context() as patch:  # work stops and is resumed many times
        patch.setattr(branching_module, "ENGINE", EngineParameters(bounds_per_call=3))
        branching = case.branching()
    for root in grid:
        survivors = []
        for structures, bounds in branching.below(root, lambda: target, lambda: False):
            for structure, bound in zip(structures.tolist(), bounds, strict=True):
                assert structure[0] == root
                assert bound <= case.value(structure) + SLACK
                survivors.append(tuple(structure))
        assert len(survivors) == len(set(survivors))
        if best[root] < target:
            assert min(map(case.value, survivors)) == pytest.approx(best[root], abs=1e-8)
