"""The bounds that the proof stands on, one by one: none is above what it bounds, and what claims to be exact is."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.readings import Root, readings_of, stump_reach, turns_of_all
from hedgerow.engine.structures.frontier import prices_of
from hedgerow.engine.structures.kernel import continue_root, new_state, root_bounds, start_root
from hedgerow.engine.stumps import FORCED, REACHES, best_leaf_pair, bound_stumps, covers, new_workspace
from hedgerow.engine.tables.reach import reading_of
from hedgerow.engine.tables.subsets import subset_costs, subset_tables
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT, tree_of
from tests.engine.tables.brute_force import leaf_problem
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
        self.reading = reading_of(instance, self.splits)

    def value(self, structure):
        structure = np.asarray(structure, dtype=np.int64)
        blank = np.zeros((structure.size + 1, len(self.instance.problem.variable_names)))
        return self.reference.value(leaves_of(tree_of(structure, self.splits, blank)))

    def prices(self, depth, *, with_tables):
        made = subset_tables(subset_costs(self.loss), depth) if with_tables else None
        return prices_of(tables=made, loss=self.loss)


@settings(max_examples=100)
@given(EVERY_STEP, st.booleans())
def test_a_roots_bound_holds_for_all_structures_below_it(instance, with_tables):
    """With tables of subsets and without, for full structures and, below a root that asks nothing, smaller ones."""
    case = Case(instance)
    n_splits = len(case.splits)
    if not n_splits:
        return
    bounds = np.empty(n_splits + 1)
    state = new_state(2, case.reading)
    root_bounds(2, state, case.reading, case.prices(2, with_tables=with_tables), bounds)
    rng = np.random.default_rng(n_splits)
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
    state = new_state(2, case.reading)
    buffer = np.empty((5, 3), dtype=np.int64), np.empty(5)
    prices = case.prices(2, with_tables=with_tables)
    for root in grid:
        start_root(root, state)
        survivors = []
        # A small buffer and allowance: work stops and is resumed many times.
        while state.level[0] >= 0:
            count, _ = continue_root(2, state, case.reading, prices, target, 0, 0, 3, *buffer)
            for structure, bound in zip(buffer[0][:count].tolist(), buffer[1][:count], strict=True):
                assert structure[0] == root
                assert bound <= case.value(structure) + SLACK
                survivors.append(tuple(structure))
        assert len(survivors) == len(set(survivors))
        if best[root] < target:
            assert min(map(case.value, survivors)) == pytest.approx(best[root], abs=1e-8)


# -- stumps ------------------------------------------------------------------------------------------------------------


def stump_value(case, readings, root, side, child, rows):
    """Return by brute force what a stump costs on some of the samples, without those that reach none of its leaves."""
    paths = [((root.question, root.low, bool(side)), (*child, right)) for right in (False, True)]
    moves = np.where(case.reference.budget >= case.reference.move_costs(paths).T, 0.0, np.inf)
    rows = rows & (moves == 0.0).any(axis=0)
    return leaf_problem(readings.regret[rows], moves[:, rows], 0.0) if rows.any() else 0.0


def roots(case):
    """Yield every root and side with a workspace that has the moves of its samples."""
    readings = readings_of(case.instance, case.loss, case.splits, 0.0)
    for question, threshold in zip(case.splits.question.tolist(), case.splits.threshold.tolist(), strict=True):
        for side in (0, 1):
            root, space = Root(question, threshold, threshold), new_workspace(readings)
            turns_of_all(side, root, readings, space.spent, space.events)
            yield root, side, readings, space


@settings(max_examples=60)
@given(st.one_of(instances(depths=(2,), max_samples=3, **LOCAL), narrow_instances(shapes=("local", "each"))))
def test_bounds_on_stumps_hold_and_their_values_are_exact(instance):
    """On all samples that can be sent to a side, and on those that must be."""
    case = Case(instance)
    for root, side, readings, space in roots(case):
        count = bound_stumps(side, root, readings, 0, np.full(2, np.inf), space)
        assert count >= 1
        assert space.question[side, 0] == NO_SPLIT
        for number in range(1, count):
            child = int(space.question[side, number]), float(space.low[side, number])
            reach = np.empty((2, len(case.loss)), dtype=np.bool_)
            stump_reach(*child, side, root, readings, reach)
            for row, flag in enumerate((REACHES, FORCED)):
                rows = space.flags[flag].copy()
                expected = stump_value(case, readings, root, side, child, rows)
                assert space.value[side, row, number] <= expected + SLACK
                assert best_leaf_pair(reach, rows, readings.regret, np.inf) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(instances(depths=(2,), max_samples=3, **LOCAL), st.integers(0, 12), st.integers(0, 12))
def test_cut_offs_drop_only_stumps_at_or_above_them(instance, first, second):
    """What is left keeps its bounds."""
    cut = np.array([first, second], dtype=float)
    for root, side, readings, space in roots(Case(instance)):
        found = []
        for most in (np.full(2, np.inf), cut):
            count = bound_stumps(side, root, readings, 0, most, space)
            asked = zip(space.question[side, :count].tolist(), space.low[side, :count].tolist(), strict=True)
            found.append(dict(zip(asked, space.value[side, :, :count].T.tolist(), strict=True)))
        assert found[1] == {asked: value for asked, value in found[0].items() if (np.array(value) < cut).all()}


@settings(max_examples=40)
@given(instances(depths=(2,), max_samples=3, **LOCAL))
def test_a_stump_that_covers_another_one_costs_no_less(instance):
    """It lets every sample reach what the other one lets it reach, with leaves as they are or swapped."""
    case = Case(instance)
    every = list(zip(case.splits.question.tolist(), case.splits.threshold.tolist(), strict=True))
    for root, side, readings, _ in roots(case):
        reach = np.empty((len(every), 2, len(case.loss)), dtype=np.bool_)
        for number, child in enumerate(every):
            stump_reach(*child, side, root, readings, reach[number])
        rows = np.ones(len(case.loss), dtype=np.bool_)
        values = [best_leaf_pair(each, rows, readings.regret, np.inf) for each in reach]
        for one, other in product(range(len(every)), repeat=2):
            assert not covers(reach[one], reach[other]) or values[one] >= values[other] - SLACK
