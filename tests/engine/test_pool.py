"""Pools of solutions: what they must hold for a proof to be one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Instance
from hedgerow.engine.engine_parameters import EngineParameters
from hedgerow.engine.pool import SolutionPool, complete_pool, near_optimal_pool, optima_pool, undominated
from hedgerow.problems import ExplicitSet, Selection
from hedgerow.run import Deadline, Run, StopRunError
from tests.methods.exact.reference import Reference
from tests.methods.exact.tiny import instances


def losses_of(instance):
    return Reference(instance).loss


def covers(pool, column):
    """Return whether some solution of the pool is nowhere costlier."""
    return bool((pool.losses <= column[:, None] + 1e-9).all(axis=0).any())


@settings(max_examples=80)
@given(instances())
def test_a_complete_pool_stands_for_all_solutions(instance):
    """For every solution it holds one that is nowhere costlier, and no two of which one is."""
    pool = complete_pool(instance)
    for column in losses_of(instance).T:
        assert covers(pool, column)
    for place in range(len(pool)):
        others = np.delete(pool.losses, place, axis=1)
        assert not (others <= pool.losses[:, [place]]).all(axis=0).any()
    assert pool.losses == pytest.approx(instance.losses(pool.solutions))


@settings(max_examples=120)
@given(instances(kinds=("grid",), depths=(1, 2)), st.sampled_from([0.0, 1e-7, 0.1, 0.5, 2.0, 20.0]))
def test_a_near_optimal_pool_holds_all_that_a_better_tree_can_use(instance, above):
    """Every path that is good enough on some sample that counts, and with them the optimum of all better trees."""
    reference = Reference(instance)
    value = reference.optimum() + above
    pool = near_optimal_pool(instance, value, Run(instance))
    least = reference.loss.min(axis=1)
    slack = value - least.sum()
    counting = instance.weights > 0.0
    for column in reference.loss.T:
        if (column[counting] <= least[counting] + slack).any():
            assert covers(pool, column)
    if above > 1e-6:
        assert len(pool)
        reference.loss = np.ascontiguousarray(pool.losses)
        reference._of_moves.cache_clear()
        reference._all_costs.cache_clear()
        assert reference.optimum() == pytest.approx(value - above, abs=1e-8)


@settings(max_examples=40)
@given(instances())
def test_the_pool_of_optima_begins_with_the_best_for_all(instance):
    """H₁'s solution, then what is best for each sample on its own."""
    pool = optima_pool(instance, Run(instance))
    loss = losses_of(instance)
    assert pool.losses[:, 0].sum() == pytest.approx(loss.sum(axis=0).min(), abs=1e-9)
    counting = instance.weights > 0.0
    assert pool.losses.min(axis=1)[counting] == pytest.approx(loss.min(axis=1)[counting], abs=1e-9)


def test_solutions_are_kept_once():
    """Also where one comes as −0.0."""
    instance = Instance.create(ExplicitSet(np.eye(2)), [[1.0, 2.0], [3.0, 4.0]])
    pool = SolutionPool(instance)
    assert pool.add(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])).tolist() == [0, 1, 0]
    assert pool.add(np.array([[-0.0, 1.0]])).tolist() == [1]
    assert pool.losses.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_long_list_of_solutions_is_given_up_where_time_runs_out_and_a_short_one_never():
    """Copying and hashing tens of thousands of long solutions takes a second that the run no longer has."""
    clock = iter([0.0, 0.0, *[10.0] * 1000])
    long = Instance.create(Selection(14, 7), np.random.default_rng(0).uniform(1.0, 9.0, (3, 14)))
    with pytest.raises(StopRunError):
        complete_pool(long, run=Run(long, deadline=Deadline(5.0, clock=lambda: next(clock))))
    short = Instance.create(Selection(4, 2), np.random.default_rng(0).uniform(1.0, 9.0, (3, 4)))
    pool = complete_pool(short, run=Run(short, deadline=Deadline(0.0)))
    assert pool is not None
    assert pool.complete


def plain(losses):
    """Return the same by comparing every column with every other one."""
    kept = []
    for column in range(losses.shape[1]):
        beaten = False
        for other in range(losses.shape[1]):
            no_worse = (losses[:, other] <= losses[:, column]).all()
            differs = (losses[:, other] != losses[:, column]).any()
            beaten = beaten or bool(no_worse and (differs or other < column))
        if not beaten:
            kept.append(column)
    return kept


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(1, 12), st.integers(0, 4), st.integers(0, 10_000))
def test_it_keeps_what_a_plain_comparison_keeps(n_samples, n_columns, largest, seed):
    """Ties and equal columns included."""
    losses = np.random.default_rng(seed).integers(0, largest + 1, (n_samples, n_columns)).astype(float)
    assert undominated(losses).tolist() == plain(losses)


def test_the_clock_is_looked_at_after_so_many_comparisons(monkeypatch):
    """The looks grow with the work, and what was not compared when time was up is kept."""
    monkeypatch.setattr("hedgerow.engine.pool.ENGINE", EngineParameters(compared_at_once=500))
    losses = np.random.default_rng(1).random((6, 400))
    looks = []
    everything = undominated(losses, lambda: bool(looks.append(1)))
    assert len(looks) > 30
    for last in (1, 8, 30):
        looks.clear()
        some = undominated(losses, lambda last=last: bool(looks.append(1)) or len(looks) >= last)
        assert len(looks) == last
        assert set(everything) <= set(some)
