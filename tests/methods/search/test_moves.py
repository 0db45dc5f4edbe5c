"""Moves on one tree: the best there is, never a worse tree, and limits on leaves are kept."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hedgerow.adversary import worst_case
from hedgerow.methods.search.descent import descend, disturbed, fresh
from hedgerow.methods.search.growth import Part, best_division
from hedgerow.run import Options, Run
from hedgerow.tree.structure import NO_SPLIT, structure_allowed
from tests.methods.search.worlds import candidates, made_moves

LIMITS = [Options(), Options(min_samples_leaf=1), Options(min_samples_leaf=2), Options(max_leaves=3)]


def everywhere(loss, spare, moves):
    """Return all samples as ones that are at a node, which is all there is and may have any split."""
    n_samples = len(loss)
    inside, outside = np.ones(n_samples, dtype=bool), np.full(n_samples, -np.inf)
    rows, splits = np.arange(n_samples), np.arange(len(moves.splits))
    return Part(rows, spare, inside, outside, loss, loss.min(axis=1), splits)


def values_with_every_split(moves, now, node):
    values = {}
    for split in range(len(moves.splits)):
        structure = now.structure.copy()
        structure[node] = split
        if moves.allowed(structure):
            values[split] = moves.evaluated(structure, now.choice).value
    return values


@settings(max_examples=50)
@given(st.data(), st.booleans(), st.sampled_from(LIMITS))
def test_a_better_split_is_the_best_of_all_that_are_allowed(data, local, limits):
    """Under local budgets always; under a global one it is among the promising ones, and better than what was."""
    moves = data.draw(made_moves(local=local, max_depth=2, settings=limits))
    now = data.draw(candidates(moves))
    node = data.draw(st.integers(0, moves.n_inner - 1))
    if not moves.allowed(now.structure) or not moves.may_ask(now.structure, node):
        return
    least = min(values_with_every_split(moves, now, node).values(), default=np.inf)
    better = moves.better_split(now, node)
    if better is None:
        assert not local or least >= now.value - 1e-6
        return
    assert moves.allowed(better.structure)
    assert better.value < now.value
    assert better.value >= least - 1e-7
    if local:
        assert better.value == pytest.approx(least, abs=1e-7)
    again = moves.evaluated(better.structure, better.choice)
    assert again.value == pytest.approx(better.value, abs=1e-7)
    assert np.array_equal(again.move_cost, better.move_cost)


@settings(max_examples=50)
@given(st.data(), st.booleans())
def test_a_better_leaf_is_the_best_of_the_pool(data, local):
    moves = data.draw(made_moves(local=local, max_depth=2))
    now = data.draw(candidates(moves))
    for slot in range(moves.n_inner + 1):
        trials = np.repeat(now.choice[None], len(moves.pool), axis=0)
        trials[:, slot] = np.arange(len(moves.pool))
        least = min(moves.evaluated(now.structure, choice).value for choice in trials)
        better = moves.better_leaf(now, slot)
        assert (now if better is None else better).value == pytest.approx(least, abs=1e-6)


@settings(max_examples=50)
@given(st.data(), st.booleans(), st.sampled_from(LIMITS))
def test_descents_end_where_no_split_and_no_leaf_is_better(data, local, limits):
    moves = data.draw(made_moves(local=local, max_depth=2, settings=limits))
    assume(limits.min_samples_leaf <= moves.instance.n_samples)
    rng = np.random.default_rng(data.draw(st.integers(0, 9)))
    begin = disturbed(moves, fresh(moves, rng), rng)
    assert moves.allowed(begin.structure)
    end = descend(moves, begin, Run(moves.instance, rng=rng))
    assert moves.allowed(end.structure)
    assert end.value <= begin.value + 1e-9
    assert all(moves.better_leaf(end, slot) is None for slot in range(moves.n_inner + 1))
    if local:
        assert all(moves.better_split(end, node) is None for node in range(moves.n_inner))
    tree = moves.tree(end)
    assert worst_case(tree, moves.instance).value == pytest.approx(end.value, abs=1e-7)


@settings(max_examples=50)
@given(st.data(), st.integers(0, 2))
def test_a_division_without_budgets_is_the_best_pair_of_solutions(data, fewest):
    """With nothing to spare every sample is on its own side, and the least cost is found by trying all."""
    moves = data.draw(made_moves(local=True, max_depth=1))
    reading, loss = moves.space.reading, moves.space.loss
    part = everywhere(loss, np.zeros(len(loss)), moves)
    found = best_division(part, fewest, reading)
    least = np.inf
    for split, x, y in product(range(len(moves.splits)), *[range(loss.shape[1])] * 2):
        left = reading.observations[:, reading.item[split]] <= reading.threshold[split]
        if min(left.sum(), (~left).sum()) >= fewest:
            least = min(least, np.where(left, loss[:, x], loss[:, y]).sum())
    assert found[0] == pytest.approx(least)
    assert (found[1] == -1) == np.isinf(least)


@settings(max_examples=50)
@given(st.data())
def test_a_division_never_understates_the_tree_that_it_makes(data):
    """A sample that can be sent to both sides counts on both."""
    moves = data.draw(made_moves(local=True, max_depth=1))
    bare = moves.evaluated(np.array([NO_SPLIT]), np.zeros(2, dtype=np.int64))
    loss, reading = moves.space.loss, moves.space.reading
    part = everywhere(loss, reading.budgets, moves)
    cost, split, left, right = best_division(part, 0, reading)
    grown = moves.evaluated(np.array([split]), np.array([left, right]))
    assert grown.value <= cost + 1e-6
    assert moves.regrown(bare, 0).value <= bare.value + 1e-6 or not structure_allowed(
        bare.structure, moves.splits, moves.instance.question_values, moves.options
    )
