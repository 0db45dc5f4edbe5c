"""Watching rules: few false alarms, real changes noticed, each row counted once."""

import json

import numpy as np
import pandas as pd
import pytest

from hedgerow import FileFormatError, InputError, LocalBudget, RobustTree, RuleBook, Tree, watch
from hedgerow.plot import plot_watch
from hedgerow.problems import Selection
from hedgerow.study.betting import begin_of_change, capital, ranks

PROBLEM = Selection(3, 1, item_names=["north", "south", "west"], unit="min")


def days(n_rows, seed, shift=(0.0, 0.0, 0.0)):
    return np.random.default_rng(seed).uniform(0.0, 9.0, (n_rows, 3)) + shift


@pytest.fixture(scope="module")
def rules():
    return RobustTree(PROBLEM, depth=2, uncertainty=LocalBudget(0.5), method="greedy").fit(days(100, 0)).rulebook_


def test_ranks_are_shares_of_larger_scores_with_ties_drawn_by_lot():
    rng = np.random.default_rng(3)
    reference, scores = rng.integers(0, 5, 30), rng.integers(0, 5, 20)
    lots = np.random.default_rng(7).random(20)
    for place, rank in enumerate(ranks(reference, scores, seed=7)):
        seen = np.concatenate([reference, scores[: place + 1]])
        larger, equal = (seen > scores[place]).sum(), (seen == scores[place]).sum()
        assert rank == pytest.approx((larger + lots[place] * equal) / seen.size)


def test_capital_is_a_fair_game_under_uniform_ranks():
    """From any place, the mean of the next capital over a uniform rank is the capital now."""
    past = np.random.default_rng(0).random(6)
    grid = (np.arange(20_000) + 0.5) / 20_000
    next_mean = np.mean([capital(np.append(past, rank))[-1] for rank in grid[::10]])
    assert next_mean == pytest.approx(capital(past)[-1], rel=0.02)


def test_few_quiet_streams_and_all_changed_ones_reach_twenty():
    quiet = changed = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        reference, new = rng.exponential(size=100), rng.exponential(size=100)
        quiet += capital(ranks(reference, new, seed)).max() >= 20.0
        path = ranks(reference, new + 2.0, seed)
        changed += capital(path).max() >= 20.0
    assert quiet <= 10
    assert changed == 200


def test_the_begin_of_a_change_is_found():
    rng = np.random.default_rng(1)
    new = np.concatenate([rng.exponential(size=150), rng.exponential(size=60) + 3.0])
    assert abs(begin_of_change(ranks(rng.exponential(size=200), new)) - 150) <= 10


def test_quiet_rows_hold_and_a_change_is_named(rules):
    quiet = watch(rules, days(60, 2), reference=days(300, 1))
    assert quiet.verdict == "hold"
    assert quiet.sentence.startswith("The rules hold: no change in 60 rows.")
    assert quiet.since == ""
    later = watch(rules, days(60, 3, (0.0, 12.0, -12.0)), state=quiet.state)
    assert later.verdict == "alarm"
    assert later.n_rows == 120
    assert "Fit anew with the" in later.sentence
    assert 50 <= int(later.since.split()[1]) <= 75
    assert watch(rules, days(30, 4), state=later.state).verdict == "alarm"  # which stays
    counts = {name: count for name, count in later.outside if name in rules.asked_names}
    assert counts, "readings beyond their range in training are named"
    json.dumps(later.to_dict(), allow_nan=False)


def test_a_change_is_drawn_at_the_row_that_its_label_names(rules):
    labels = [f"day {day}" for day in range(1, 81)]
    found = watch(
        rules, np.vstack([days(40, 2), days(40, 3, (0.0, 12.0, -12.0))]), reference=days(300, 1), labels=labels
    )
    (line,) = (line for line in plot_watch(found).lines if line.get_linestyle() == "--")
    assert line.get_xdata()[0] == int(found.since.split()[1])


def test_regret_is_what_the_advice_costs_more_than_the_best(rules):
    new, read = days(20, 5), days(20, 6)
    found = watch(rules, new, read, reference=days(60, 1), reference_readings=days(60, 7))
    paid = (rules.predict(read) * new).sum(axis=1)
    np.testing.assert_allclose(found.state["scores"]["regret"], paid - new.min(axis=1), atol=1e-12)
    assert {each.name for each in found.quantities} >= {"regret", "errors outside the budget"}


def test_errors_that_leave_the_budget_are_noticed(rules):
    past, new = days(200, 1), days(120, 2)
    small = np.random.default_rng(0).uniform(-0.1, 0.1, past.shape)
    quiet = watch(rules, new, new, reference=past, reference_readings=past + small)
    assert quiet.verdict == "hold"
    large = watch(rules, new, new[::-1], reference=past, reference_readings=past + small)
    assert large.verdict == "alarm"
    share = next(each for each in large.quantities if each.name == "errors outside the budget")
    assert share.before == 0.0
    assert share.now > 0.2


def test_each_row_counts_once_and_order_of_calls_does_not_matter(rules):
    frame = pd.DataFrame(days(40, 2), columns=PROBLEM.item_names, index=[f"day {day}" for day in range(40)])
    at_once = watch(rules, frame, reference=days(100, 1))
    state = None
    for until in (10, 25, 25, 40):
        found = watch(rules, frame.iloc[:until], state=state, reference=days(100, 1) if state is None else None)
        state = json.loads(json.dumps(found.state))
    assert found.n_rows == 40
    assert found.path == at_once.path
    assert dict(found.state) == dict(at_once.state)


def test_without_a_reference_the_first_rows_are_taken(rules):
    first = watch(rules, days(49, 2))
    assert (first.verdict, first.path) == ("learning", ())
    later = watch(rules, np.vstack([days(1, 3), days(80, 4, (0.0, 9.0, -9.0))]), state=first.state)
    assert later.verdict == "alarm"
    assert len(later.path) == 80
    rows = plot_watch(later).lines[0].get_xdata()
    assert rows.tolist() == list(range(51, 131)), "rows are counted with those that were taken"


def test_blocks_are_judged_by_their_means(rules):
    found = watch(rules, days(45, 2), reference=days(70, 1), block=7)
    assert len(found.path) == 6
    regret = next(each for each in found.quantities if each.name == "regret")
    assert regret.before == pytest.approx(np.mean(found.state["reference"]["regret"]))


def test_best_plans_that_the_rules_lack_are_named():
    rules = RuleBook(Tree.single([1.0, 0.0, 0.0]), PROBLEM.item_names, {"problem": PROBLEM.to_dict()})
    found = watch(rules, [[5.0, 9.0, 2.0], [5.0, 4.0, 6.0], [5.0, 9.0, 1.0], [1.0, 2.0, 3.0]])
    assert found.new_plans == (("west", 2, 3.5), ("south", 1, 1.0))


def test_gains_have_regret_too():
    problem = Selection(2, 1, sense="max")
    rules = RuleBook(Tree.single([1.0, 0.0]), problem.item_names, {"problem": problem.to_dict()})
    assert watch(rules, [[5.0, 9.0], [7.0, 4.0]]).state["scores"]["regret"] == [4.0, 0.0]


def test_bad_use_is_refused(rules):
    state = watch(rules, days(5, 0)).state
    other = RuleBook(Tree.single([1.0, 0.0, 0.0]), PROBLEM.item_names, {"problem": PROBLEM.to_dict()})
    with pytest.raises(InputError, match="other rules"):
        watch(other, days(5, 0), state=state)
    with pytest.raises(FileFormatError, match="no state"):
        watch(rules, days(5, 0), state={"version": 99})
    with pytest.raises(InputError, match="one entry for each of the 5 rows"):
        watch(rules, days(5, 0), labels=["a"])
    with pytest.raises(InputError, match="differ"):
        watch(rules, days(2, 0), labels=["a", "a"])
    with pytest.raises(InputError, match="block must be"):
        watch(rules, days(2, 0), block=0)
    with pytest.raises(InputError, match="one row for each of the 5"):
        watch(rules, days(5, 0), days(4, 0))
