"""Dominance between splits drops what is dominated, and nothing else."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine.tables.dominance import drop_dominated
from tests.engine.tables.brute_force import leaf_problem, moves, tables


def at_least(one, other, mirrored):
    """Return whether no move costs less with `one` than with `other`, as it stands or with its slots exchanged."""
    return (one >= other).all() or (mirrored and (one >= other[::-1]).all())


def survivors(pairs, mirrored):
    """Feed pairs of slots to the kernel one by one, as its callers do; return the numbers of those kept."""
    n_samples = pairs[0].shape[1]
    kept = np.full((len(pairs), 2, n_samples), np.nan)
    splits = np.full(len(pairs), -9)
    bounds = np.full(len(pairs), np.nan)
    count = 0
    for number, pair in enumerate(pairs):
        count = drop_dominated(pair, kept, splits, bounds, count, mirrored)
        if count < 0:
            count = -1 - count
            continue
        kept[count], splits[count], bounds[count] = pair, number, 10.0 * number
        count += 1
    for place in range(count):
        number = splits[place]
        assert (kept[place] == pairs[number]).all()
        assert bounds[place] == 10.0 * number
    return splits[:count].tolist()


@settings(max_examples=150)
@given(st.integers(1, 3), st.integers(1, 8), st.booleans(), st.booleans(), st.data())
def test_all_that_is_dropped_is_dominated_by_something_kept(n_samples, n_pairs, local, mirrored, data):
    """And nothing that is kept dominates anything else that is kept."""
    pairs = [data.draw(moves(2, n_samples, local=local)) for _ in range(n_pairs)]
    kept = survivors(pairs, mirrored)
    for number, pair in enumerate(pairs):
        dominators = [other for other in kept if at_least(pairs[other], pair, mirrored)]
        assert (dominators == [number]) if number in kept else dominators


@settings(max_examples=80)
@given(tables(n_samples=st.integers(1, 3)), st.integers(2, 6), st.sampled_from([0.0, 1.0, 2.5]), st.data())
def test_the_best_pair_of_slots_is_never_dropped(loss, n_pairs, limit, data):
    """Whatever stands beside them, the best of the kept ones is as good as the best of all."""
    beside = data.draw(moves(1, len(loss), local=False))
    beside[:, :] = np.where(beside == 0.0, 1.0, beside)
    pairs = [data.draw(moves(2, len(loss), local=False)) for _ in range(n_pairs)]
    values = [leaf_problem(loss, np.vstack([pair, beside]), limit) for pair in pairs]
    assert min(values[number] for number in survivors(pairs, mirrored=True)) == min(values)


def test_a_mirror_image_counts_only_where_slots_may_change_places():
    """Two splits that exchange their slots: one of them suffices, unless the slots' solutions are given."""
    pair = np.array([[0.0, 2.0], [3.0, 0.0]])
    assert survivors([pair, pair[::-1].copy()], mirrored=True) == [0]
    assert survivors([pair, pair[::-1].copy()], mirrored=False) == [0, 1]


def test_of_equal_splits_the_first_stays():
    """Ties are broken by order, so that results don't depend on chance."""
    pair = np.array([[0.0, np.inf], [np.inf, 0.0]])
    assert survivors([pair.copy() for _ in range(4)], mirrored=True) == [0]


@pytest.mark.parametrize("better_last", [True, False])
def test_one_that_dominates_many_replaces_them_all(better_last):
    """Whenever it comes, only the dominating split is left."""
    weak = [np.array([[0.0, cost], [cost, 0.0]]) for cost in (1.0, 2.0, 3.0)]
    strong = np.array([[0.0, np.inf], [np.inf, 0.0]])
    pairs = [*weak, strong] if better_last else [strong, *weak]
    assert survivors(pairs, mirrored=True) == [3 if better_last else 0]
