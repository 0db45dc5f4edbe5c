"""Contenders on rows not seen before: the figures by hand, the intervals, and a sentence that doesn't flatter."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, LocalBudget, RobustTree, compare
from hedgerow.problems import Selection
from hedgerow.run import Deadline, StopRunError
from hedgerow.run.progress import Progress
from hedgerow.study import Comparison
from hedgerow.study.contenders import Contender, Decided, card_or_solving, suggested, tree
from hedgerow.study.held_out import Pairs

RNG = np.random.default_rng(0)
TRUTH = RNG.uniform(0.0, 9.0, (60, 2)).round(2)
FORECAST = (TRUTH + RNG.normal(0.0, 0.8, TRUTH.shape)).round(2)
SMALL = {"depth": 1, "questions": ["items"]}


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(Selection(2, 1), TRUTH, readings=FORECAST, folds=3, **SMALL)


def test_all_contenders_are_there(found):
    assert found.names == (
        "one plan",
        "CART on optimal labels",
        "tree (items)",
        "robust tree (items)",
        "card of 12 plans",
        "card, or solving",
        "solving for the reading",
        "chosen on training rows",
        "clairvoyant",
    )
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


def test_a_budget_can_be_given_and_without_readings_there_is_none():
    without = compare(Selection(2, 1), TRUTH, folds=2, **SMALL)
    assert "robust tree (items)" not in without.names
    given = compare(Selection(2, 1), TRUTH, folds=2, uncertainty=LocalBudget(0.5), **SMALL)
    assert "robust tree (items)" in given.names


def test_readings_and_solved_rows_are_counted(found):
    table = found.to_frame().set_index("contender")
    assert table["readings"]["one plan"] == table["solved"]["tree (items)"] == 0.0
    assert table["readings"]["tree (items)"] == 1.0
    assert table["readings"]["solving for the reading"] == 2.0
    assert table["solved"]["solving for the reading"] == 1.0


def always(plan):
    """Return a way to decide that takes the same plan for all rows."""
    return lambda train: lambda new: Decided(np.tile(plan, (len(new), 1)), 0)


def test_rules_are_judged_with_a_tenth_of_the_readings_missing_too(found):
    """By hand: a rule for all but the fold, its own way to fill in, the true cost."""
    share = found.to_frame().set_index("contender")["share_with_gaps"]
    assert share[["tree (items)", "robust tree (items)", "card of 12 plans"]].notna().all()
    assert share[["one plan", "CART on optimal labels", "solving for the reading", "clairvoyant"]].isna().all()
    paid = []
    for fold in np.split(np.arange(60), 3):
        rest = np.setdiff1d(np.arange(60), fold)
        tree = RobustTree(Selection(2, 1), depth=1, questions="items", method="greedy", random_state=0)
        rules = tree.fit(TRUTH[rest], readings=FORECAST[rest]).rulebook_
        gaps = np.where(np.random.default_rng(0).random((20, 2)) < 0.1, np.nan, FORECAST[fold])
        paid += (rules.predict(gaps) * TRUTH[fold]).sum(axis=1).tolist()
    one, least = found.cost("one plan"), found.cost("clairvoyant")
    assert share["tree (items)"] == pytest.approx((one - np.mean(paid)) / (one - least))


def test_the_card_gives_way_to_the_solver_where_that_pays_on_rows_to_learn_from():
    """By hand: a solver is worth it for promises above 3, as smaller ones don't come true."""
    rng = np.random.default_rng(0)
    promise = rng.uniform(0.0, 6.0, 80)
    truth = np.column_stack([np.full(80, 10.0), 10.0 - np.where(promise > 3.0, promise, -2.0)])
    pairs = Pairs.create(Selection(2, 1), truth, readings=np.column_stack([truth[:, 0], 10.0 - promise]))
    card = Contender("always first", always([1.0, 0.0]))
    plans, _, is_solved, *_ = card_or_solving(pairs, card)(pairs)
    assert is_solved.tolist() == (promise > promise[is_solved].min() - 1e-9).tolist()
    assert promise[is_solved].min() == pytest.approx(3.0, abs=0.2)
    assert plans[:, 1].tolist() == is_solved.tolist()
    misleading = Pairs.create(Selection(2, 1), truth[:, ::-1] + 9.0 * (promise[:, None] > 3.0), readings=pairs.readings)
    assert not card_or_solving(misleading, card)(misleading).is_solved.any()


def test_what_is_worth_it_is_the_way_of_least_effort_that_is_as_good_on_the_rows_to_learn_from():
    pairs = Pairs.create(Selection(2, 1), TRUTH + np.array([3.0, 0.0]), readings=FORECAST)
    ways = [Contender(name, always(plan)) for name, plan in PLANS]
    equal = Pairs.create(Selection(2, 1), TRUTH, readings=FORECAST)
    few = pairs.rows(range(4))  # too few to choose
    cases = [(pairs, ways, 1), (pairs, ways[::-1], 0), (equal, ways, 0), (equal, ways[::-1], 0), (few, ways, 0)]
    assert [suggested(rows, some)(rows).place for rows, some, _ in cases] == [place for *_, place in cases]


PLANS = (("first", [1.0, 0.0]), ("second", [0.0, 1.0]))


def made_up(chosen, solving, one=10.0, best=0.0, sense="min", noise=0.1, way="card of 12 plans", n_rows=200):
    """A comparison with known means; rows of a contender differ by some noise."""
    names = ("one plan", "card of 12 plans", "solving for the reading", "chosen on training rows", "clairvoyant")
    around = noise * np.random.default_rng(1).normal(size=(n_rows, len(names)))
    sign = -1.0 if sense == "max" else 1.0
    return Comparison(
        costs=pd.DataFrame(
            sign * (np.array([one, chosen, solving, chosen, best]) + around - around.mean(axis=0)), columns=names
        ),
        weights=np.ones(n_rows),
        readings=np.array([0.0, 2.0, 2.0, 2.0, 0.0]),
        solved=np.array([0.0, 0.0, 1.0, 0.0, 0.0]),
        costs_with_gaps=np.full(5, np.nan),
        choices=(way, way, "one plan"),
        problem=Selection(2, 1, unit="EUR", sense=sense),
    )


def test_the_sentence_says_what_is_worth_it_and_who_is_ahead():
    said = made_up(chosen=3.0, solving=1.0).summary
    assert said.startswith("Worth it: card of 12 plans, as the rows to learn from suggest in 2 of 3 folds")
    assert "wins 70 % (" in said
    assert "solving anew for each reading wins 90 %, which is better" in said
    assert "which is worse" in made_up(chosen=1.0, solving=3.0).summary
    assert "no different within the interval" in made_up(chosen=2.0, solving=2.0).summary
    assert "wins 70 %" in made_up(chosen=3.0, solving=1.0, sense="max").summary
    assert "solving anew" not in made_up(3.0, 1.0, way="solving for the reading").summary


def test_the_sentence_says_when_rules_are_not_worth_it_and_when_it_is_unsure():
    assert made_up(chosen=10.0, solving=1.0).summary.startswith("Rules aren't worth it: one plan")
    assert "suggest nothing better" in made_up(chosen=3.0, solving=1.0, way="one plan").summary
    assert "no more than chance" in made_up(chosen=10.0, solving=10.0, best=10.0).summary
    assert "unsure" not in made_up(chosen=3.0, solving=1.0).summary
    assert made_up(chosen=3.0, solving=1.0, n_rows=60).summary.endswith("more rows may speak for another way.")


def test_intervals_are_wider_where_stretches_of_time_differ():
    steady, drifting = made_up(chosen=3.0, solving=1.0), made_up(chosen=3.0, solving=1.0)
    drifting.costs["card of 12 plans"] += np.linspace(-1.0, 1.0, 200)
    widths = [np.ptp(found.share_interval("card of 12 plans")) for found in (steady, drifting)]
    drawn = drifting._drawn
    shares = (drawn["one plan"] - drawn["card of 12 plans"]) / (drawn["one plan"] - drawn["clairvoyant"])
    short_blocks = np.ptp(np.percentile(shares, [2.5, 97.5]))
    assert widths[1] > 1.5 * short_blocks > widths[0]


def test_bad_input_is_told():
    with pytest.raises(InputError, match="folds"):
        compare(Selection(2, 1), TRUTH, folds=1, **SMALL)


def test_the_time_limit_is_that_of_the_whole_call_and_says_what_was_left_out(monkeypatch):
    done, end = [], [18]  # in the third fold of seven contenders

    def compared(folds):
        done.clear()
        options = {**SMALL, "questions": [], "time_limit": 600.0}
        return compare(Selection(2, 1), TRUTH, readings=FORECAST, folds=folds, **options)

    class Counted(Progress):  # and not those of fits, which are other lines
        def say(self, news, elapsed=None):
            done.append(news)

    monkeypatch.setattr("hedgerow.study.held_out.Progress", Counted)
    monkeypatch.setattr("hedgerow.study.held_out.Deadline.passed", lambda _: len(done) == end[0])
    early = compared(3)
    assert early.n_folds_left_out == 1
    assert len(early.costs) == 40
    assert early.summary.endswith("Not judged: 1 fold.")
    end[0] = 14  # as the last fit ends
    whole = compared(2)
    assert whole.n_folds_left_out == 0
    end[0] = 1
    with pytest.raises(InputError, match="time_limit is too short"):
        compared(3)


def test_no_tree_is_fitted_once_time_is_up():
    pairs = replace(Pairs.create(Selection(2, 1), TRUTH, readings=FORECAST), deadline=Deadline(0.0))
    with pytest.raises(StopRunError):
        tree(pairs, RobustTree(Selection(2, 1), method="greedy"))


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
    found = compare(Selection(2, 1), costs, context=context, depth=1, questions=["items"], folds=3)
    assert "solving for the reading" not in found.names
    assert "solving anew" not in found.summary
