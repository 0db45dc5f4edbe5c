"""Watching rules: few false alarms, real changes noticed, training rows refused."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, LocalBudget, RobustTree, watch
from hedgerow.problems import Selection
from hedgerow.run import Deadline
from hedgerow.study.watching import capital, ranks

PROBLEM = Selection(3, 1, item_names=["north", "south", "west"], unit="min")


def days(n_rows, seed, shift=(0.0, 0.0, 0.0)):
    return np.random.default_rng(seed).uniform(0.0, 9.0, (n_rows, 3)) + shift


@pytest.fixture(scope="module")
def rules():
    return RobustTree(PROBLEM, depth=2, uncertainty=LocalBudget(0.5), method="greedy").fit(days(100, 0)).rulebook_


# -- bets --------------------------------------------------------------------------------------------------------------


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


# -- false alarms and real ones ----------------------------------------------------------------------------------------


def quiet_run(seed):
    """Return rules that fit 40 rows too closely, 40 rows they have not seen, and 200 new ones of the same kind."""
    rows = np.random.default_rng(seed).uniform(0.0, 9.0, (280, 8))
    model = RobustTree(Selection(8, 1), depth=3, method="greedy").fit(rows[:40])
    return model.rulebook_, rows[40:80], rows[80:]


def test_few_quiet_runs_raise_an_alarm_and_all_changed_ones_do():
    """Of 200 quiet runs at 5 %, more than 17 have alarms with a chance below 1 %."""
    quiet = changed = 0
    for seed in range(200):
        rules, reference, new = quiet_run(seed)
        quiet += watch(rules, new, reference=reference).verdict == "alarm"
        if seed < 20:
            changed += watch(rules, new * 3.0, reference=reference).verdict == "alarm"
    assert quiet <= 17
    assert changed == 20


def test_training_rows_are_refused_whole_or_in_part(rules):
    training, unseen = days(100, 0), days(300, 1)
    for rows in (training, training[::-1], training[:30], np.vstack([unseen, training])):
        with pytest.raises(InputError, match="reference must be rows that were not used in the fit"):
            watch(rules, days(60, 2), reference=rows)
    with pytest.raises(InputError, match="costs must be rows that were not used in the fit"):
        watch(rules, training)
    with pytest.raises(InputError, match="not used in the fit"):
        watch(rules, training, training + 0.1)
    watch(rules, days(60, 2), reference=np.vstack([unseen, training[:5]]))


def test_training_rows_are_recognised_after_saving_and_by_column_name(rules, tmp_path):
    rules.save(tmp_path / "rules.json")
    frame = pd.DataFrame(days(100, 0), columns=PROBLEM.item_names)[["west", "north", "south"]]
    with pytest.raises(InputError, match="not used in the fit"):
        watch(tmp_path / "rules.json", days(60, 2), reference=frame)


def test_rows_that_repeat_by_chance_are_not_refused():
    dice = np.random.default_rng(0).integers(1, 4, (400, 3)).astype(float)
    rules = RobustTree(PROBLEM, depth=1, method="greedy").fit(dice[:100])
    assert watch(rules, dice[250:], reference=dice[100:250]).verdict == "hold"


def test_quiet_rows_hold_and_a_change_is_named(rules):
    past, new = days(300, 1), days(120, 2)
    quiet = watch(rules, new[:60], reference=past)
    assert quiet.verdict == "hold"
    assert quiet.summary.startswith("The rules hold: no change in 60 rows.")
    assert (quiet.start, quiet.since) == (None, "")
    new[60:] += 12.0
    later = watch(rules, new, reference=past)
    assert (later.verdict, later.n_rows) == ("alarm", 120)
    assert f"Call refit with the {120 - later.start} rows since then" in later.summary
    assert 50 <= later.start <= 75
    assert later.since == f"row {later.start + 1}"
    named = pd.DataFrame(new, columns=PROBLEM.item_names, index=[f"day {day}" for day in range(120)])
    assert watch(rules, named, reference=past).since == f"day {later.start}"
    json.dumps(later.to_dict(), allow_nan=False)


def test_what_was_known_of_the_first_rows_does_not_change_with_later_ones(rules):
    """So that the rules may be watched every day with all rows so far."""
    past, new = days(100, 1), days(60, 2)
    whole = watch(rules, new, reference=past).evidence
    assert watch(rules, new[:25], reference=past).evidence.equals(whole[:25])


def test_regret_is_what_the_advice_costs_more_than_the_best(rules):
    new, read = days(20, 5), days(20, 6)
    found = watch(rules, new, read, reference=days(60, 1), reference_readings=days(60, 7))
    paid = (rules.predict(read) * new).sum(axis=1)
    assert found.regret == pytest.approx((paid - new.min(axis=1))[found.start or 0 :].mean())
    assert found.to_frame()["regret"].tolist() == [found.regret]


def test_without_a_reference_the_first_rows_are_taken(rules):
    found = watch(rules, np.vstack([days(50, 2), days(80, 4, (12.0, 12.0, 12.0))]))
    assert found.verdict == "alarm"
    assert found.start >= 50
    rows = found.plot().lines[0].get_xdata()
    assert rows.tolist() == list(range(51, 131)), "rows are counted with those that were taken"


def test_blocks_are_judged_by_their_means(rules):
    found = watch(rules, days(23, 2), reference=days(100, 1), block=7)
    assert found.evidence.index.tolist() == [7, 14, 21]


class Ticking(Selection):
    """A problem whose oracle takes a second of a clock that only it moves."""

    clock = (0.0,)

    def best_solution(self, *samples, **options):
        self.clock[0] += 1.0
        return super().best_solution(*samples, **options)


def test_rows_after_the_time_limit_are_left(rules, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("hedgerow.study.watching.Deadline", lambda limit: Deadline(limit, clock=lambda: clock[0]))
    monkeypatch.setattr(Ticking, "clock", clock)
    slow = dataclasses.replace(rules, problem=Ticking(3, 1, item_names=PROBLEM.item_names, unit="min"))
    costs = days(150, 2)
    found = watch(slow, costs, time_limit=70.0)
    assert (found.n_rows, found.n_left) == (69, 81)
    assert "The time limit ended before the last 81 rows." in found.summary
    assert found.evidence.equals(watch(rules, costs[:69]).evidence)
    with pytest.raises(InputError, match="before all rows of the reference"):
        watch(slow, costs, reference=days(60, 1), time_limit=10.5)


def test_bad_use_is_refused(rules):
    past = days(50, 3)
    with pytest.raises(InputError, match="block must be"):
        watch(rules, days(2, 1), block=0)
    with pytest.raises(InputError, match="time_limit must be"):
        watch(rules, days(2, 1), time_limit=-1.0)
    with pytest.raises(InputError, match="one row for each of the 5"):
        watch(rules, days(5, 1), days(4, 1), reference=past)
    with pytest.raises(InputError, match="pass readings for the rows of the reference, too"):
        watch(rules, days(5, 1), days(5, 1), reference=past)
    for few in ({}, {"reference": past, "block": 7}, {"reference": past[:3], "block": 4}):
        with pytest.raises(InputError, match="no rows to judge"):
            watch(rules, days(5, 1), **few)
