"""The bounds that the proof stands on, one by one: none is above what it bounds, and what claims to be exact is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.engine_parameters import EngineParameters
from hedgerow.engine.moves import side_costs
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.samples import samples_of
from hedgerow.engine.structures import branching as branching_module
from hedgerow.engine.structures.attacks import SetCosts
from hedgerow.engine.structures.branching import Branching
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.engine.structures.subsets import subset_costs, subset_tables
from hedgerow.engine.stumps import Stumps, find_stumps
from hedgerow.engine.two_levels import evaluate_stumps
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT, tree_of
from tests.engine.structures.brute_force import leaf_problem
from tests.methods.exact.reference import Reference
from tests.methods.exact.tiny import LONG_EPSILONS, instances, leaves_of, narrow_instances

SLACK = 1e-9
EVERY_STEP = st.one_of(instances(depths=(2,)), instances(depths=(2,), epsilons=LONG_EPSILONS), narrow_instances())
LOCAL = {"sets": ("local", "each", "nominal")}


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

    def branching(self, *, with_tables):
        tables = subset_tables(subset_costs(self.loss), 2) if with_tables else np.empty((1, 0))
        pool = SolutionPool(self.instance)
        space = SearchSpace(self.instance, Options(threshold_margin=0.0), self.splits, pool)
        return Branching(space, SetCosts(tables, self.loss))


@settings(max_examples=100)
@given(EVERY_STEP, st.booleans())
def test_a_roots_bound_holds_for_all_structures_below_it(instance, with_tables):
    """With tables of subsets and without, for full structures and, below a root that asks nothing, smaller ones."""
    case = Case(instance)
    n_splits = len(case.splits)
    if not n_splits:
        return
    branching, rng = case.branching(with_tables=with_tables), np.random.default_rng(n_splits)
    bounds = {root: branching.bound(0, root, np.inf) for root in range(NO_SPLIT, n_splits)}
    for root in range(NO_SPLIT, n_splits):
        for left, right in rng.integers(NO_SPLIT, n_splits, (12, 2)):
            assert bounds[root] <= case.value([root, left, right]) + SLACK


@settings(max_examples=60)
@given(EVERY_STEP, st.booleans(), st.sampled_from([0.0, 0.5, 3.0]))
def test_what_is_better_than_the_target_survives_below_its_root(instance, with_tables, above):
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
        branching = case.branching(with_tables=with_tables)
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


# -- stumps ------------------------------------------------------------------------------------------------------------


def sides(case):
    """Yield every root and side with the samples, who can be sent there and who must be."""
    samples = samples_of(case.instance, case.loss, case.splits, 0.0)
    spent = np.empty((2, len(case.loss)))
    for question, threshold in zip(case.splits.question, case.splits.threshold, strict=True):
        side_costs(question, threshold, threshold, samples, spent)
        reaches = spent < np.inf
        for side in (0, 1):
            yield (question, threshold), side, samples, (reaches[side], reaches[side] & ~reaches[1 - side])


def stump_value(case, samples, root, side, child, rows):
    """Return by brute force what a stump costs on some of the samples, without those that reach none of its leaves."""
    paths = [((*root, bool(side)), (*child, right)) for right in (False, True)]
    moves = np.where(case.reference.budget >= case.reference.move_costs(paths).T, 0.0, np.inf)
    rows = rows & (moves == 0.0).any(axis=0)
    return leaf_problem(samples.regret[rows], moves[:, rows], 0.0) if rows.any() else 0.0


@settings(max_examples=60)
@given(st.one_of(instances(depths=(2,), max_samples=3, **LOCAL), narrow_instances(shapes=("local", "each"))))
def test_bounds_on_stumps_hold_and_their_values_are_exact(instance):
    """On all samples that can be sent to a side, and on those that must be."""
    case = Case(instance)
    for root, side, samples, parts in sides(case):
        question, at = root
        cut = np.full(2, np.inf)
        stumps = find_stumps(side, question, at, at, cut, samples)
        assert stumps.question[0] == NO_SPLIT
        stumps = Stumps(*(np.ascontiguousarray(field[1:]) for field in stumps))
        found = evaluate_stumps(side, question, at, stumps, cut, False, samples)
        asked = [dict(zip(zip(each[0], each[1], strict=True), each[-1], strict=True)) for each in (stumps, found[:3])]
        assert asked[0].keys() == asked[1].keys()
        for child, value in asked[1].items():
            expected = [stump_value(case, samples, root, side, child, rows) for rows in parts]
            assert (asked[0][child] <= np.array(expected) + SLACK).all()
            assert value == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(instances(depths=(2,), max_samples=3, **LOCAL), st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_cut_offs_drop_only_stumps_at_or_above_them_and_dominance_only_dominated_ones(instance, first, second, prune):
    """What is left keeps its values, and the best value of each kind below its cut-off is always left."""
    case = Case(instance)
    cut = np.array([first, second], dtype=float)
    for (question, at), side, samples, _ in sides(case):
        every = np.array(case.splits.question), np.array(case.splits.threshold)
        stumps, found = Stumps(*every, every[1], np.full((every[0].size, 2), -np.inf)), []
        for most, dominance in ((np.full(2, np.inf), False), (cut.copy(), prune)):
            some = evaluate_stumps(side, question, at, stumps, most, dominance, samples)
            asked = zip(some.question, some.threshold, strict=True)
            found.append(dict(zip(asked, some.value.tolist(), strict=True)))
        values, kept = found
        below = {asked: value for asked, value in values.items() if (np.array(value) < cut).all()}
        assert kept.items() <= below.items()
        if not prune:
            assert kept == below
        elif below:
            assert np.min(list(kept.values()), axis=0) == pytest.approx(np.min(list(below.values()), axis=0), abs=1e-9)
