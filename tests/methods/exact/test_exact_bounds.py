"""The bounds that the proof stands on, one by one: none is above what it bounds, and what claims to be exact is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.structures.frontier import prices_of
from hedgerow.engine.structures.halves import bound_halves, evaluate_halves, half_costs, side_samples
from hedgerow.engine.structures.kernel import continue_root, new_state, root_bounds, start_root
from hedgerow.engine.structures.root_halves import local_part
from hedgerow.engine.tables.reach import reading_of
from hedgerow.engine.tables.subsets import subset_costs, subset_tables
from hedgerow.splits import candidate_splits
from hedgerow.structure import NO_SPLIT, tree_of
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
    state = new_state(2, n_splits, instance.n_samples)
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
    state = new_state(2, n_splits, instance.n_samples)
    buffer = np.empty((5, 3), dtype=np.int64), np.empty(5)
    prices = case.prices(2, with_tables=with_tables)
    for root in grid:
        start_root(root, state, case.reading, 0)
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


# -- halves ------------------------------------------------------------------------------------------------------------


def half_values(case, reading, root, side, rows):
    """Return by brute force what each half costs on some of the samples alone; 0 for none."""
    values = []
    for split in range(len(case.splits)):
        slot_cost = np.empty((2, len(case.loss)))
        half_costs(root, side, split, reading, slot_cost)
        values.append(leaf_problem(case.loss[rows], slot_cost[:, rows], 0.0) if rows.any() else 0.0)
    return np.array(values)


def sides(case, reading):
    """Yield every root and side that some sample can be sent to, with who can and who must be."""
    for root in range(NO_SPLIT, len(case.splits)):
        reaches = np.empty((2, len(case.loss)), dtype=np.bool_)
        side_samples(root, reading, reaches)
        for side in (0, 1):
            if reaches[side].any():
                yield root, side, reaches, reaches[side] & ~reaches[1 - side]


@settings(max_examples=60)
@given(
    st.one_of(instances(depths=(2,), max_samples=3, **LOCAL), instances(depths=(2,), max_samples=3, sets=("global",)))
)
def test_bounds_on_halves_hold_and_their_values_are_exact(instance):
    """On all samples that can be sent to a side, and on those that must; a global budget by the local one within."""
    case = Case(instance)
    reading = local_part(case.reading)
    n_splits = len(case.splits)
    if not n_splits:
        return
    for root, side, reaches, forced in sides(case, reading):
        expected = [half_values(case, reading, root, side, rows) for rows in (reaches[side], forced)]
        bounds = np.empty((2, n_splits))
        bound_halves(root, side, reading, case.loss, reaches, bounds[0], bounds[1])
        assert (bounds <= np.array(expected) + SLACK).all()
        splits, values = np.arange(n_splits), np.empty((2, n_splits))
        count = evaluate_halves(
            root, side, splits, reading, case.loss, reaches, np.inf, np.inf, False, values[0], values[1]
        )
        assert count == n_splits
        assert splits.tolist() == list(range(n_splits))
        assert values == pytest.approx(np.array(expected), abs=1e-9)


@settings(max_examples=40)
@given(instances(depths=(2,), max_samples=3, **LOCAL), st.integers(-8, 12), st.integers(-8, 12), st.booleans())
def test_cut_offs_drop_only_halves_at_or_above_them_and_dominance_only_dominated_ones(instance, first, second, prune):
    """What is left keeps its values, and the best value of each kind below its cut-off is always left."""
    case = Case(instance)
    n_splits = len(case.splits)
    if not n_splits:
        return
    for root, side, reaches, forced in sides(case, case.reading):
        expected = [half_values(case, case.reading, root, side, rows) for rows in (reaches[side], forced)]
        splits, values = np.arange(n_splits), np.empty((2, n_splits))
        count = evaluate_halves(
            root, side, splits, case.reading, case.loss, reaches, first, second, prune, values[0], values[1]
        )
        below = (expected[0] < first) & (expected[1] < second)
        kept = splits[:count]
        assert below[kept].all()
        for row in (0, 1):
            assert values[row, :count] == pytest.approx(expected[row][kept], abs=1e-9)
        if not prune:
            assert sorted(kept) == np.flatnonzero(below).tolist()
        elif below.any():
            assert values[0, :count].min() == pytest.approx(expected[0][below].min(), abs=1e-9)
            assert values[1, :count].min() == pytest.approx(expected[1][below].min(), abs=1e-9)


@settings(max_examples=80)
@given(EVERY_STEP)
def test_a_pair_of_halves_costs_at_least_its_two_sums(instance):
    """Free samples all to the left, or all to the right: no structure is better, narrow boxes or not."""
    case = Case(instance)
    n_splits = len(case.splits)
    if not n_splits:
        return
    reading = local_part(case.reading)
    rng = np.random.default_rng(n_splits)
    for root in range(n_splits):
        reaches = np.empty((2, instance.n_samples), dtype=np.bool_)
        side_samples(root, reading, reaches)
        values = np.zeros((2, 2, n_splits))
        for side in (0, 1):
            splits = np.arange(n_splits)
            arguments = (root, side, splits, reading, case.loss, reaches, np.inf, np.inf, False)
            assert evaluate_halves(*arguments, values[side, 0], values[side, 1]) == n_splits
            bounds = np.empty((2, n_splits))
            bound_halves(root, side, reading, case.loss, reaches, bounds[0], bounds[1])
            assert (bounds <= values[side] + SLACK).all()
        for left, right in rng.integers(0, n_splits, (12, 2)):
            value = case.value([root, left, right])
            assert values[0, 0, left] + values[1, 1, right] <= value + SLACK
            assert values[0, 1, left] + values[1, 0, right] <= value + SLACK
