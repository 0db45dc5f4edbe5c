"""Descents on instances with enough samples, items and solutions that there is always something to improve."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Wishes
from hedgerow.engine.listing.demands import demands_of
from hedgerow.engine.pool import SolutionPool
from hedgerow.methods.search.descent import better_leaves, descend
from hedgerow.methods.search.growing_pool import first_pool, grow_for
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.methods.search.tree_state import slots_below
from hedgerow.problems import Selection
from hedgerow.run import Interrupt, Options, Run
from hedgerow.tree.splits import candidate_splits

BUDGETS = {"local": LocalBudget(0.4), "global": GlobalBudget(3.0)}


class Unlisted(Selection):
    """Selections that must not be listed."""

    def all_solutions(self, limit):
        return None


def made(kind, seed, problem=Selection, depth=3):
    """Return an instance of 16 samples with four items, its moves with six solutions, and a random tree."""
    rng = np.random.default_rng(seed)
    costs = rng.uniform(0.0, 9.0, (16, 4)).round(1)
    instance = Instance.create(problem(4, 2), costs, uncertainty=BUDGETS[kind], depth=depth)
    pool = SolutionPool(instance, complete=problem is Selection)
    pool.add(Selection(4, 2).all_solutions(10))
    splits = candidate_splits(instance.question_values, "midpoints", instance.questions)
    moves = Moves(instance, Options(), splits, pool, Run(instance))
    structure = rng.integers(len(splits), size=moves.n_inner)
    return moves, moves.evaluated(structure, rng.integers(6, size=moves.n_inner + 1))


def stopped(moves):
    """Return a run that must stop."""
    interrupt = Interrupt()
    interrupt.request()
    return Run(moves.instance, interrupt=interrupt)


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("seed", range(3))
def test_a_descent_ends_where_no_question_no_solution_and_no_new_node_helps(kind, seed):
    moves, begin = made(kind, seed)
    end = descend(moves, begin, Run(moves.instance))
    assert not [node for node in range(moves.n_inner) if moves.better_split(end, node) is not None]
    assert not [slot for slot in range(moves.n_inner + 1) if moves.better_leaf(end, slot) is not None]
    for node in range(moves.n_inner // 2, moves.n_inner):
        grown = better_leaves(moves, moves.regrown(end, node), Run(moves.instance), *slots_below(node, moves.n_inner))
        assert grown.value >= end.value - 1e-6
    assert end.value < better_leaves(moves, begin, Run(moves.instance)).value


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("seed", range(2))
def test_with_wishes_the_best_other_question_is_found_too(kind, seed):
    """At the last nodes; all plans may be chosen anew, so that the tree may be better than by its question alone."""
    plain, begin = made(kind, seed, depth=2)
    options = Options(wishes=Wishes(max_plans=4))
    demands = demands_of(plain.instance, options, may_stop=True)
    moves = Moves(plain.instance, options, demands.splits, plain.pool, Run(plain.instance), demands)
    begin = moves.evaluated(begin.structure, begin.choice)
    better = [moves.better_split(begin, node) for node in range(moves.n_inner)]
    assert any(each is not None for each in better)
    for node, each in enumerate(better):
        by_question = plain.better_split(begin, node)
        if kind == "local" and by_question is not None and len(set(begin.choice)) <= 4:
            assert each is not None
            assert each.value <= by_question.value + 1e-9
        if each is not None:
            assert each.value < begin.value
            assert set(np.flatnonzero(each.structure != begin.structure)) == {node}


def test_a_run_that_must_stop_leaves_the_tree_as_it_is():
    moves, begin = made("local", 0)
    assert descend(moves, begin, stopped(moves)) is begin
    assert better_leaves(moves, begin, stopped(moves)) is begin


def test_the_first_pool_holds_what_suits_groups_of_samples_until_it_is_full_or_time_is_up(monkeypatch):
    """Four groups of two samples; of their three items each, two suit one sample best and the third both."""
    costs = 30.0 - np.kron(np.eye(4), [[30.0, 20.0, 29.0], [20.0, 30.0, 29.0]])
    instance = Instance.create(Unlisted(12, 1), costs, depth=2)
    first, most = np.eye(12)[0], "hedgerow.methods.search.growing_pool.most_listed"
    assert sorted(first_pool(instance, Run(instance), first).solutions.argmax(axis=1)) == list(range(12))
    interrupt = Interrupt()
    interrupt.request()
    assert len(first_pool(instance, Run(instance, interrupt=interrupt), first)) == 1
    monkeypatch.setattr(most, lambda _: 3)
    assert len(first_pool(instance, Run(instance), first)) == 3


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("seed", range(3))
def test_a_pool_grows_by_the_best_solution_for_what_each_leaf_costs_most(kind, seed):
    """A sample counts at the leaf that is worst for it among those in reach, less the price of the way."""
    moves, tree = made(kind, seed, Unlisted, depth=2)
    pool = SolutionPool(moves.instance, complete=False)
    pool.add(moves.pool.solutions[:1])
    costs, expected = moves.instance.costs, {tuple(pool.solutions[0])}
    sent = [
        max(
            (slot for slot in range(4) if tree.move_cost[slot, row] <= moves.limit),
            key=lambda slot, row=row: tree.slot_loss[slot, row] - tree.rate * tree.move_cost[slot, row],
        )
        for row in range(16)
    ]
    assert (tree.rate > 0.0) == (kind == "global")
    for slot in set(sent):
        cheapest = np.argsort(costs[np.equal(sent, slot)].sum(axis=0))[:2]
        expected.add(tuple(np.isin(np.arange(4), cheapest).astype(float)))
    assert grow_for(pool, tree, moves.limit, Run(moves.instance))
    assert {tuple(solution) for solution in pool.solutions} == expected
    assert not grow_for(pool, tree, moves.limit, Run(moves.instance))
    assert not grow_for(moves.pool, tree, moves.limit, Run(moves.instance))
