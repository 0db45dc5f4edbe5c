"""Pools of solutions: what they must hold for a proof to be one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import Instance
from hedgerow.engine.pool import SolutionPool, complete_pool, near_optimal_pool, optima_pool
from hedgerow.problems import ExplicitSet, Selection, ShortestPath
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
    pool = near_optimal_pool(instance, value)
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


def test_a_near_optimal_pool_is_small_where_the_value_is_good():
    """Of 70 paths on a 5 × 5 grid few are within a tenth of the best."""
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (3, 40))
    instance = Instance.create(ShortestPath.grid(5), costs)
    best = sum(instance.problem.best_solution(row[None]).value for row in costs)
    assert 1 <= len(near_optimal_pool(instance, best)) <= 3
    assert len(near_optimal_pool(instance, 1.05 * best)) < 20 < 70
    almost_over = Run(instance, deadline=Deadline(1e-4, clock=lambda: 0.0))
    assert near_optimal_pool(instance, 1.5 * best, almost_over) is None


@pytest.mark.parametrize(("weight", "n_solutions"), [(0.25, 3), (4.0, 2)])
def test_what_is_good_enough_on_a_sample_depends_on_its_weight(weight, n_solutions):
    """Losses may be 1 above the least: a path that costs 3 more serves a sample of weight 1/4, but none of weight 4."""
    problem = ShortestPath(list("sssabc"), list("abcttt"), "s", "t")
    costs = np.array([[0.0, 3.0, 9.0], [9.0, 3.0, 0.0]]) @ np.eye(3, 6)
    instance = Instance.create(problem, costs, weights=[weight, weight])
    assert len(near_optimal_pool(instance, 1.0)) == n_solutions


def test_a_value_below_all_trees_leaves_nothing_to_hold():
    """Nobody can be served that well."""
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (3, 12))
    instance = Instance.create(ShortestPath.grid(3), costs)
    best = sum(instance.problem.best_solution(row[None]).value for row in costs)
    assert len(near_optimal_pool(instance, best - 1e-3)) == 0


def test_only_problems_that_can_list_good_solutions_have_such_a_pool():
    """Others say None and go another way."""
    instance = Instance.create(ExplicitSet(np.eye(2)), [[1.0, 2.0]])
    assert near_optimal_pool(instance, 9.0) is None


@settings(max_examples=40)
@given(instances())
def test_the_pool_of_optima_begins_with_the_best_for_all(instance):
    """H₁'s solution, then what is best for each sample on its own."""
    pool = optima_pool(instance)
    loss = losses_of(instance)
    assert pool.losses[:, 0].sum() == pytest.approx(loss.sum(axis=0).min(), abs=1e-9)
    counting = instance.weights > 0.0
    assert pool.losses.min(axis=1)[counting] == pytest.approx(loss.min(axis=1)[counting], abs=1e-9)


def test_once_time_is_up_the_pool_of_optima_is_what_was_found():
    """A hard oracle gets a share of what time is left, and is asked no more when there is none."""
    limits = []

    class Slow(ExplicitSet):
        def best_solution(self, samples, weights=None, *, time_limit=None):
            limits.append(time_limit)
            return super().best_solution(samples, weights)

    now = [0.0]
    instance = Instance.create(Slow(np.eye(2)), [[1.0, 2.0], [4.0, 3.0], [5.0, 6.0]])
    run = Run(instance, deadline=Deadline(8.0, clock=lambda: now[0]))
    assert len(optima_pool(instance, run)) == 2
    assert limits == pytest.approx([1.0, 4.0 / 3.0, 2.0, 4.0])
    now[0] = 9.0
    assert len(optima_pool(instance, run)) == 1
    assert limits[4:] == [0.0]


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


def test_solutions_are_kept_once_with_losses_as_given_or_computed():
    instance = Instance.create(Selection(3, 1), [[1.0, 2.0, 3.0], [6.0, 5.0, 4.0]])
    pool, every = SolutionPool(instance), np.eye(3)
    assert pool.add(every[[1, 0, 1]]).tolist() == [0, 1, 0]
    assert pool.add(every[[2, 0]], instance.losses(every[[2, 0]])).tolist() == [2, 1]
    assert pool.solutions.tolist() == every[[1, 0, 2]].tolist()
    assert pool.losses.tolist() == [[2.0, 1.0, 3.0], [5.0, 6.0, 4.0]]
