"""The kernels of local search against the adversary and against trying everything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.adversary import worst_case
from hedgerow.engine.pool import SolutionPool
from hedgerow.methods.search.candidate import slots_below
from hedgerow.methods.search.moves import Moves
from hedgerow.methods.search.value import FEW_SAMPLES, leaf_sums, priced_total, tree_value, worst_outside
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options, Run
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import existing_slots, tree_of
from tests.methods.search.worlds import candidates, made_moves, open_node


def tree_on(moves, structure, choice):
    return tree_of(structure, moves.splits, moves.pool.solutions[choice])


def with_split(moves, now, node, split):
    structure = now.structure.copy()
    structure[node] = split
    return moves.evaluated(structure, now.choice)


@settings(max_examples=80)
@given(st.data(), st.booleans())
def test_a_candidates_value_is_the_adversarys(data, local):
    moves = data.draw(made_moves(local=local))
    now = data.draw(candidates(moves))
    tree = tree_on(moves, now.structure, now.choice)
    assert now.value == pytest.approx(worst_case(tree, moves.instance).value, abs=1e-7)


@settings(max_examples=80)
@given(st.data())
def test_one_sweep_gives_the_value_of_every_split_under_local_budgets(data):
    """Whatever the node and the questions above and below it, about the same item or another."""
    moves = data.draw(made_moves(local=True))
    now = data.draw(candidates(moves))
    node = data.draw(st.integers(0, moves.n_inner - 1))
    begin, end = slots_below(node, moves.n_inner)
    if not existing_slots(now.structure)[begin]:
        return
    reading = moves.space.reading
    outside = worst_outside(now.move_cost, now.slot_loss, 0.0, 0.0, begin, end)
    values = np.full(len(moves.splits), np.nan)
    opened = open_node(node, begin, now.structure, now.slot_loss[begin:end], outside, reading)
    opened.sweep(0, len(moves.splits), values)
    expected = [with_split(moves, now, node, split).value for split in range(len(moves.splits))]
    assert values == pytest.approx(expected, abs=1e-7)


def test_with_many_samples_three_linked_questions_are_never_understated():
    """Then pairs of questions decide, since a linear programme for each sample would take long."""
    rng = np.random.default_rng(0)
    costs = rng.uniform(0.0, 9.0, (80, 4)).round(2)
    sums = [Question.of(dict(enumerate(rng.choice([-1.0, 1.0, 2.0], 4))), f"sum {number}") for number in range(3)]
    instance = Instance.create(
        ExplicitSet(np.eye(4)), costs, uncertainty=LocalBudget(1.0), depth=3, questions=[*sums, Question.of_item(0)]
    )
    pool = SolutionPool(instance, complete=True)
    pool.add(np.eye(4))
    splits = candidate_splits(instance.question_values, "midpoints", 9, instance.questions)
    moves = Moves(instance, Options(), splits, pool, Run(instance))
    now = moves.evaluated(np.array([4, 13, 22, 31, 4, 13, 22]), rng.integers(4, size=8))
    outside = worst_outside(now.move_cost, now.slot_loss, 0.0, 0.0, 0, 8)
    values = np.full(len(splits), np.nan)
    opened = open_node(0, 0, now.structure, now.slot_loss, outside, moves.space.reading)
    opened.sweep(0, len(splits), values)
    expected = np.array([with_split(moves, now, 0, split).value for split in range(len(splits))])
    assert (values >= expected - 1e-7).all()
    assert values.mean() <= 1.02 * expected.mean()


@settings(max_examples=80)
@given(st.data(), st.sampled_from([0.0, 0.4, 3.0]))
def test_priced_splits_are_the_priced_totals_of_every_split_under_a_global_budget(data, rate):
    moves = data.draw(made_moves(local=False))
    now = data.draw(candidates(moves))
    node = data.draw(st.integers(0, moves.n_inner - 1))
    begin, end = slots_below(node, moves.n_inner)
    if not existing_slots(now.structure)[begin]:
        return
    reading, limit = moves.space.reading, moves.limit
    outside = worst_outside(now.move_cost, now.slot_loss, limit, rate, begin, end)
    values = np.full(len(moves.splits), np.nan)
    every_split = np.arange(len(moves.splits))
    opened = open_node(node, begin, now.structure, now.slot_loss[begin:end], outside, reading)
    opened.price(rate, every_split, values)
    trials = [with_split(moves, now, node, split) for split in every_split]
    expected = [priced_total(trial.move_cost, trial.slot_loss, limit, rate)[0] + rate * limit for trial in trials]
    assert values == pytest.approx(expected, abs=1e-7)
    assert (values >= np.array([trial.value for trial in trials]) - 1e-7).all()


def test_priced_splits_where_questions_share_items():
    rng, rate = np.random.default_rng(1), 0.4
    questions = [Question.of_item(0), *(Question((0, item), (1.0, -1.0), f"less {item}") for item in (1, 2))]
    costs = rng.uniform(0.0, 9.0, (6, 3)).round(1)
    instance = Instance.create(ExplicitSet(np.eye(3)), costs, uncertainty=GlobalBudget(4.0), questions=questions)
    pool = SolutionPool(instance, complete=True)
    pool.add(np.eye(3))
    splits = candidate_splits(instance.question_values, "midpoints", None, instance.questions)
    moves = Moves(instance, Options(), splits, pool, Run(instance))
    reading, limit, every_split = moves.space.reading, moves.limit, np.arange(len(splits))
    for _ in range(8):
        now = moves.evaluated(rng.integers(len(splits), size=3), rng.integers(3, size=4))
        outside = worst_outside(now.move_cost, now.slot_loss, limit, rate, 0, 4)
        values = np.full(len(splits), np.nan)
        opened = open_node(0, 0, now.structure, now.slot_loss, outside, reading)
        opened.price(rate, every_split, values)
        trials = [with_split(moves, now, 0, split) for split in every_split]
        totals = [priced_total(trial.move_cost, trial.slot_loss, limit, rate)[0] + rate * limit for trial in trials]
        assert values == pytest.approx(totals, abs=1e-7)


@settings(max_examples=50)
@given(st.data(), st.booleans(), st.sampled_from([0.0, 0.4, 3.0]))
def test_leaf_sums_are_the_priced_totals_with_every_solution(data, local, rate):
    moves = data.draw(made_moves(local=local))
    now = data.draw(candidates(moves))
    rate = 0.0 if local else rate
    limit, loss = moves.limit, moves.space.table.loss
    for slot in range(moves.n_inner + 1):
        outside = worst_outside(now.move_cost, now.slot_loss, limit, rate, slot, slot + 1)
        sums = leaf_sums(loss, outside, now.move_cost[slot], limit, rate)
        for solution in range(loss.shape[1]):
            slot_loss = now.slot_loss.copy()
            slot_loss[slot] = loss[:, solution]
            total = priced_total(now.move_cost, slot_loss, limit, rate)[0] + rate * limit
            assert sums[solution] == pytest.approx(total, abs=1e-7)


@settings(max_examples=50)
@given(st.data())
def test_the_rate_prices_the_budget_best(data):
    """No other rate gives a lower bound on the knapsack, and none a number below its value."""
    moves = data.draw(made_moves(local=False))
    now = data.draw(candidates(moves))
    value, rate = tree_value(now.move_cost, now.slot_loss, moves.limit, np.inf)
    best = priced_total(now.move_cost, now.slot_loss, moves.limit, rate)[0] + rate * moves.limit
    assert best >= value - 1e-7
    for other in [0.0, rate / 2, 0.99 * rate, 1.01 * rate + 0.01, 5.0]:
        total = priced_total(now.move_cost, now.slot_loss, moves.limit, other)[0] + other * moves.limit
        assert total >= best - 1e-7


@pytest.mark.parametrize("seed", range(6))
def test_with_many_samples_the_value_is_that_of_the_best_rate(seed):
    """The bound is lowest at a rate of 0 or where a sample is as well off at two slots: all such rates are tried."""
    rng = np.random.default_rng(seed)
    n_samples, n_slots, limit = FEW_SAMPLES + 5, 3, (0.0, 2.0, 30.0, 3.0, 200.0, 8.0)[seed]
    slot_loss = rng.uniform(0.0, 90.0, (n_slots, n_samples)) * (0.01 if seed == 3 else 1.0)
    move_cost = rng.uniform(0.0, 4.0, (n_slots, n_samples))
    move_cost[rng.integers(n_slots, size=n_samples), np.arange(n_samples)] = 0.0
    rates = [0.0]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        rates += ((slot_loss[one] - slot_loss[other]) / (move_cost[one] - move_cost[other])).tolist()
    least = min(priced_total(move_cost, slot_loss, limit, rate)[0] + rate * limit for rate in rates if rate >= 0.0)
    value, rate = tree_value(move_cost, slot_loss, limit, np.inf)
    assert value == pytest.approx(least)
    assert priced_total(move_cost, slot_loss, limit, rate)[0] + rate * limit == pytest.approx(least)


def test_totals_count_slots_in_reach_at_the_cheapest_of_equal_worth():
    move_cost = np.array([[0.0, 3.0, 0.0], [1.0, 1.0, 9.0], [2.0, 0.0, 1.0]])
    slot_loss = np.array([[1.0, 8.0, 2.0], [5.0, 3.0, 9.0], [7.0, 1.0, 2.0]])
    assert priced_total(move_cost, slot_loss, 3.0, 0.0) == (17.0, 5.0)
    assert priced_total(move_cost, slot_loss, 2.9, 2.0) == (6.0, 1.0)
