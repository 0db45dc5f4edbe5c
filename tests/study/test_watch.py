"""Watching rules: few false alarms, real changes noticed, each row counted once, damaged states refused."""

import copy
import dataclasses
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import FileFormatError, InputError, LocalBudget, RobustTree, RuleBook, Tree, watch
from hedgerow.problems import Selection
from hedgerow.run import Deadline
from hedgerow.study.watching import capital, checked_state, ranks
from tests.helpers import places

PROBLEM = Selection(3, 1, item_names=["north", "south", "west"], unit="min")
ERRORS = "errors outside the budget"


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


def test_a_leaf_that_is_used_more_raises_no_alarm():
    """In summer the second item is always cheaper; the rules give the best advice all the same."""
    rules = RuleBook(Tree.full([0], [5.0], [[1, 0], [0, 1]]), ("a", "b"), problem=Selection(2, 1))
    rng = np.random.default_rng(0)
    winter = np.where(rng.random((200, 1)) < 0.5, [4.0, 6.0], [6.0, 4.0])
    summer = np.tile([6.0, 4.0], (200, 1))
    assert watch(rules, summer, reference=winter).verdict == "hold"


def test_quiet_rows_hold_and_a_change_is_named(rules):
    quiet = watch(rules, days(60, 2), reference=days(300, 1))
    assert quiet.verdict == "hold"
    assert quiet.summary.startswith("The rules hold: no change in 60 rows.")
    assert quiet.since == ""
    later = watch(rules, days(60, 3, (12.0, 12.0, 12.0)), state=quiet.state)
    assert later.verdict == "alarm"
    assert later.n_rows == 120
    assert "Call refit with the" in later.summary
    assert 50 <= int(later.since.split()[1]) <= 75
    assert watch(rules, days(30, 4), state=later.state).verdict == "alarm"  # which stays
    json.dumps(later.to_dict(), allow_nan=False)


def test_regret_is_what_the_advice_costs_more_than_the_best(rules):
    new, read = days(20, 5), days(20, 6)
    found = watch(rules, new, read, reference=days(60, 1), reference_readings=days(60, 7))
    paid = (rules.predict(read) * new).sum(axis=1)
    np.testing.assert_allclose(found.state["rows"]["regret"], paid - new.min(axis=1), atol=1e-12)
    assert set(found.to_frame()["name"]) == {"regret", ERRORS}


def test_errors_that_leave_the_budget_are_noticed(rules):
    past, new = days(200, 1), days(120, 2)
    small = np.random.default_rng(0).uniform(-0.1, 0.1, past.shape)
    quiet = watch(rules, new, new, reference=past, reference_readings=past + small)
    assert quiet.verdict == "hold"
    large = watch(rules, new, new[::-1], reference=past, reference_readings=past + small)
    assert large.verdict == "alarm"
    share = next(each for each in large.quantities if each.name == ERRORS)
    assert share.reference == 0.0
    assert share.now > 0.2


def test_each_row_counts_once_and_order_of_calls_does_not_matter(rules):
    frame = pd.DataFrame(days(40, 2), columns=PROBLEM.item_names, index=[f"day {day}" for day in range(40)])
    at_once = watch(rules, frame, reference=days(100, 1))
    state = None
    for until in (10, 25, 25, 40):
        found = watch(rules, frame.iloc[:until], state=state, reference=days(100, 1) if state is None else None)
        state = json.loads(json.dumps(found.state))
    assert found.n_rows == 40
    assert found.evidence == at_once.evidence
    assert dict(found.state) == dict(at_once.state)


def test_without_a_reference_the_first_rows_are_taken(rules):
    first = watch(rules, days(49, 2))
    assert (first.verdict, first.evidence) == ("learning", ())
    later = watch(rules, np.vstack([days(1, 3), days(80, 4, (12.0, 12.0, 12.0))]), state=first.state)
    assert later.verdict == "alarm"
    assert len(later.evidence) == 80
    rows = later.plot().lines[0].get_xdata()
    assert rows.tolist() == list(range(51, 131)), "rows are counted with those that were taken"


class Ticking:
    """A problem whose oracle takes a second of a clock that only it moves."""

    def __init__(self, problem, clock):
        self.problem, self.clock = problem, clock

    def __getattr__(self, name):
        return getattr(self.problem, name)

    def best_solution(self, *samples, **options):
        self.clock[0] += 1.0
        return self.problem.best_solution(*samples, **options)


def test_rows_after_the_time_limit_are_left_for_the_next_call(rules, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("hedgerow.study.watching.Deadline", lambda limit: Deadline(limit, clock=lambda: clock[0]))
    slow = dataclasses.replace(rules, problem=Ticking(PROBLEM, clock))
    costs = days(60, 2)
    first = watch(slow, costs, time_limit=10.5, labels=[str(day) for day in range(60)])
    assert (first.n_new, first.n_left) == (10, 50)
    assert "The time limit ended before the last 50 rows; pass them again." in first.summary
    later = watch(rules, costs, state=first.state, labels=[str(day) for day in range(60)])
    assert (later.n_rows, later.n_new, later.n_left) == (60, 50, 0)
    assert later.state == watch(rules, costs, labels=[str(day) for day in range(60)]).state
    with pytest.raises(InputError, match="before all rows of the reference"):
        watch(slow, costs, reference=days(60, 1), time_limit=10.5)


def test_bad_use_is_refused(rules):
    with pytest.raises(InputError, match="one entry for each of the 5 rows"):
        watch(rules, days(5, 1), labels=["a"])
    with pytest.raises(InputError, match="differ"):
        watch(rules, days(2, 1), labels=["a", "a"])
    with pytest.raises(InputError, match="block must be"):
        watch(rules, days(2, 1), block=0)
    with pytest.raises(InputError, match="time_limit must be"):
        watch(rules, days(2, 1), time_limit=-1.0)
    with pytest.raises(InputError, match="one row for each of the 5"):
        watch(rules, days(5, 1), days(4, 1))
    with pytest.raises(InputError, match="pass readings for all rows"):
        watch(rules, days(5, 1), days(5, 1), reference=days(50, 2))
    with pytest.raises(InputError, match="pass readings for all rows"):
        watch(rules, days(5, 1), days(5, 1), watch(rules, days(5, 2)).state)


# -- states ------------------------------------------------------------------------------------------------------------


def test_states_of_other_rules_and_of_other_kinds_are_refused(rules):
    state = watch(rules, days(5, 1)).state
    other = RuleBook(Tree.single([1.0, 0.0, 0.0]), PROBLEM.item_names, problem=PROBLEM)
    with pytest.raises(FileFormatError, match="other rules"):
        watch(other, days(5, 1), state=state)
    for wrong in ({"format": "hedgerow-watch 99"}, {}, [], "state", 3):
        with pytest.raises(FileFormatError, match="not a state"):
            watch(rules, days(5, 1), state=wrong)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": 1}, "missing or unknown: 'extra'"),
        ({"block": 0}, "block must be"),
        ({"block": True}, "block must be"),
        ({"labels": ["a", "a", "b", "c", "d"]}, "differ"),
        ({"labels": ["a"]}, "fit together"),
        ({"labels": None}, "list of texts"),
        ({"rows": {"regret": [0.0, 1.0, float("nan"), 0.0, 0.0]}}, "finite"),
        ({"rows": {"regret": [0.0, -1.0, 0.0, 0.0, 0.0]}}, "from 0 to"),
        ({"rows": {"regret": [0.0, 1e300, 0.0, 0.0, 0.0]}}, "from 0 to"),
        ({"rows": {"regret": [[0.0]] * 5}}, "one number for each"),
        ({"rows": {"regret": ["0"] * 5}}, "numbers only"),
        ({"rows": {"regret": {"0": 1}}}, "lists of numbers"),
        ({"rows": {ERRORS: [0.0] * 5}}, "entries for"),
        ({"rows": {"regret": [0.0] * 5, ERRORS: [2.0] * 5}}, "from 0 to 1"),
        ({"reference": {"regret": [0.0] * 5, ERRORS: [1.0] * 5}}, "fit together"),
        ({"reference": []}, "entries for"),
    ],
)
def test_damaged_states_are_refused(rules, change, message):
    state = {**watch(rules, days(5, 1)).state, **change}
    with pytest.raises(FileFormatError, match=message):
        checked_state(state, rules)


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("regret"),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=5), parts, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_mutated_state_is_refused_or_sane(rules, data):
    read = days(12, 3)
    result = watch(rules, days(12, 1), read, reference=days(8, 2), reference_readings=days(8, 4), block=2)
    state = copy.deepcopy(dict(result.state))
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(list(places(state))))
        part = state
        for key in way:
            part = part[key]
        if data.draw(st.booleans()):
            part[last] = data.draw(HOSTILE)
        else:
            del part[last]
    try:
        sane = checked_state(state, rules)
    except FileFormatError:
        return
    has_readings = ERRORS in {**sane["rows"], **sane["reference"]}
    found = watch(rules, days(4, 5), days(4, 6) if has_readings else None, state)
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.n_rows == len(sane["labels"]) + 4
    assert np.isfinite(found.to_frame()[["reference", "now", "evidence"]].to_numpy()).all()
    assert "nan" not in str(found)
