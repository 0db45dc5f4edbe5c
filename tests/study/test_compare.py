"""Contenders on rows not seen before: the figures by hand, the intervals, and a sentence that doesn't flatter."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, LocalBudget, compare
from hedgerow.problems import Selection
from hedgerow.study import Comparison, Contender
from hedgerow.study.held_out import Pairs

RNG = np.random.default_rng(0)
TRUTH = RNG.uniform(0.0, 9.0, (60, 2)).round(2)
FORECAST = (TRUTH + RNG.normal(0.0, 0.8, TRUTH.shape)).round(2)
SMALL = {"depth": 1, "questions": ["items"], "iteration_limit": 2, "random_state": 0}


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(Selection(2, 1), TRUTH, readings=FORECAST, folds=3, **SMALL)


def test_all_contenders_are_there(found):
    assert found.names == (
        "one plan",
        "CART on optimal labels",
        "forest, then optimise",
        "greedy tree (items)",
        "nominal tree (items)",
        "robust tree (items)",
        "solving for the reading",
        "clairvoyant",
    )
    assert found.is_tree.tolist() == [False] * 3 + [True] * 3 + [False] * 2
    assert found.to_frame()["contender"].tolist() == list(found.names)


def test_figures_are_those_of_rows_held_out(found):
    assert found.cost("clairvoyant") == pytest.approx(TRUTH.min(axis=1).mean())
    rows = np.arange(60)
    assert found.cost("solving for the reading") == pytest.approx(TRUTH[rows, FORECAST.argmin(axis=1)].mean())
    plan = [TRUTH[fold, np.delete(TRUTH, fold, axis=0).sum(axis=0).argmin()] for fold in np.split(rows, 3)]
    assert found.cost("one plan") == pytest.approx(np.concatenate(plan).mean())
    assert (found.share("one plan"), found.share("clairvoyant")) == (0.0, 1.0)
    one, best, solving = (found.cost(name) for name in ("one plan", "clairvoyant", "solving for the reading"))
    assert found.share("solving for the reading") == pytest.approx((one - solving) / (one - best))


def test_the_same_seed_gives_the_same_table(found):
    again = compare(Selection(2, 1), TRUTH, readings=FORECAST, folds=3, **SMALL)
    assert again.to_frame().equals(found.to_frame())


def test_a_contender_of_your_own_sees_pairs():
    def learn(train: Pairs):
        assert len(train) == 40
        return lambda new: np.tile([0.0, 1.0], (len(new), 1))

    found = compare(Selection(2, 1), TRUTH, folds=3, others=[Contender("always the second", learn)], **SMALL)
    assert found.cost("always the second") == pytest.approx(TRUTH[:, 1].mean())


def test_a_budget_can_be_given_and_without_readings_there_is_none():
    without = compare(Selection(2, 1), TRUTH, folds=2, **SMALL)
    assert "robust tree (items)" not in without.names
    given = compare(Selection(2, 1), TRUTH, folds=2, uncertainty=LocalBudget(0.5), **SMALL)
    assert "robust tree (items)" in given.names


def made_up(tree, solving, one=10.0, best=0.0, sense="min", noise=0.1):
    """A comparison with known means; rows of a contender differ by some noise."""
    around = noise * np.random.default_rng(1).normal(size=(200, 4))
    sign = -1.0 if sense == "max" else 1.0
    return Comparison(
        names=("one plan", "nominal tree (items)", "solving for the reading", "clairvoyant"),
        costs=sign * (np.array([one, tree, solving, best]) + around - around.mean(axis=0)),
        weights=np.ones(200),
        blocks=np.arange(200) // 5,
        is_tree=np.array([False, True, False, False]),
        unit="EUR",
        sense=sense,
    )


def test_the_sentence_says_who_is_ahead():
    assert "stays ahead" in made_up(tree=3.0, solving=1.0).summary
    assert "the tree beats it" in made_up(tree=1.0, solving=3.0).summary
    assert "no different within the interval" in made_up(tree=2.0, solving=2.0).summary
    assert "wins 70 %" in made_up(tree=3.0, solving=1.0).summary
    assert "solving anew for each reading wins 90 % and" in made_up(tree=3.0, solving=1.0).summary
    assert "gains" in made_up(tree=3.0, solving=1.0, sense="max").summary


def test_the_sentence_says_when_a_tree_is_not_worth_it():
    assert made_up(tree=10.0, solving=1.0).summary.startswith("A tree isn't worth it: on rows not seen before")
    assert made_up(tree=12.0, solving=1.0).summary.startswith("A tree isn't worth it")
    assert "no more than chance" in made_up(tree=10.0, solving=10.0, best=10.0).summary


def test_bad_input_is_told():
    with pytest.raises(InputError, match="blocks must hold one label"):
        compare(Selection(2, 1), TRUTH, blocks=[1], **SMALL)
    with pytest.raises(InputError, match="folds"):
        compare(Selection(2, 1), TRUTH, folds=1, **SMALL)


def test_the_time_limit_is_that_of_the_whole_call_and_says_what_was_left_out(monkeypatch):
    done, end = [], [12]  # in the third fold of five contenders

    def compared(folds):
        done.clear()
        options = {**SMALL, "questions": [], "time_limit": 600.0}
        return compare(Selection(2, 1), TRUTH, readings=FORECAST, folds=folds, **options)

    monkeypatch.setattr("hedgerow.study.held_out.CountProgress.count", lambda _: done.append(1))
    monkeypatch.setattr("hedgerow.study.held_out.Deadline.passed", lambda _: len(done) == end[0])
    early = compared(3)
    assert (early.n_folds_left_out, early.status) == (1, "time_limit")
    assert len(early.costs) == 40
    assert early.summary.endswith("Not judged: 1 fold.")
    end[0] = 10  # as the last fit ends
    whole = compared(2)
    assert (whole.n_folds_left_out, whole.status) == (0, "complete")
    end[0] = 1
    with pytest.raises(InputError, match="time_limit is too short"):
        compared(3)


def test_with_too_few_pairs_for_a_budget_one_is_asked_for():
    few = {"readings": FORECAST[:10], "folds": 2, **SMALL}
    with pytest.raises(InputError, match=r"pass uncertainty.*at least 9 pairs"):
        compare(Selection(2, 1), TRUTH[:10], **few)
    assert len(compare(Selection(2, 1), TRUTH[:10], uncertainty=LocalBudget(0.5), **few).costs) == 10


def test_with_context_alone_nothing_is_solved_for_and_the_sentence_says_nothing_of_it():
    rng = np.random.default_rng(0)
    is_weekend = np.arange(60) % 3 == 0
    costs = np.column_stack([np.where(is_weekend, 1.0, 8.0) + rng.uniform(0.0, 0.5, 60), np.full(60, 4.0)])
    context = pd.DataFrame({"day": np.where(is_weekend, "Sat", "Mon")})
    found = compare(Selection(2, 1), costs, context=context, depth=1, questions=["items"], folds=3, iteration_limit=2)
    assert "solving for the reading" not in found.names
    assert found.summary.endswith("of what can be won over one plan.")
