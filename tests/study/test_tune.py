"""Cross-validation: trees are judged on rows that they were not fitted to, with these rows' own readings."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, PredefinedSplit, TimeSeriesSplit

from hedgerow import InputError, LocalBudget, RobustTree
from hedgerow.problems import Selection
from hedgerow.study import tune

RNG = np.random.default_rng(0)
COSTS = RNG.normal(10.0, 3.0, (24, 3)).round(3)
READINGS = (COSTS + RNG.normal(0.0, 1.5, COSTS.shape)).round(3)
ITEMS = {"questions": ["items"], "plans_per_leaf": [1]}
SMALL = {**ITEMS, "depths": (0, 1), "folds": 3}


def model(**options):
    problem = Selection(3, 1, sense=options.pop("sense", "min"), unit="EUR")
    return RobustTree(problem, **{"method": "greedy", "random_state": 0, **options})


def test_rows_are_judged_with_their_own_readings():
    """By hand: a tree for all but the fold, the reading's leaf, the true cost."""
    tuning = tune(model(), COSTS, readings=READINGS, **ITEMS, depths=[1], folds=2, learn_from=["readings"])
    paid = []
    for rows in np.split(np.arange(24), 2):
        rest = np.setdiff1d(np.arange(24), rows)
        fitted = model(depth=1, questions="items", learn_from="readings").fit(COSTS[rest], readings=READINGS[rest])
        paid += (fitted.predict(READINGS[rows]) * COSTS[rows]).sum(axis=1).tolist()
    assert tuning.scores["cost"][0] == pytest.approx(np.mean(paid))


def test_with_readings_all_ways_to_learn_and_cards_are_tried_by_default():
    tuning = tune(model(), COSTS, readings=READINGS, depths=(0, 3), folds=3)
    frame = tuning.to_frame()
    assert set(frame["learn_from"]) == {"truth", "readings", "resampled"}
    assert set(frame["plans_per_leaf"]) == {1, 4, 8, 12}
    assert set(frame[frame["depth"] == 3]["plans_per_leaf"]) == {1}
    assert "a card of up to 12 plans, learnt from resampled" in map(str, tuning.scores["setting"])
    assert frame["chosen"].sum() == 1
    assert frame["cost"].is_monotonic_increasing
    assert frame["share"].is_monotonic_decreasing


def test_without_readings_there_are_no_cards_and_context_is_asked_about_alone():
    frame = tune(model(), COSTS, depths=(0, 1), folds=2).to_frame()
    assert set(frame["plans_per_leaf"]) == {1}
    assert set(frame["questions"]) == {"items", "plans", "plans:10"}
    context = pd.DataFrame({"day": ["Mon", "Tue"] * 12})
    assert set(tune(model(), COSTS, context=context, depths=(1,), folds=2).to_frame()["questions"]) == {"context"}


def test_readings_are_those_that_the_rules_take():
    tuning = tune(
        model(), COSTS, readings=READINGS, depths=[0], plans_per_leaf=[1, 3], learn_from=["readings"], folds=2
    )
    by_plans = dict(zip(tuning.to_frame()["plans_per_leaf"], tuning.to_frame()["readings"], strict=True))
    card = {"depth": 0, "questions": "items", "plans_per_leaf": 3, "learn_from": "readings"}
    halves = (slice(12, 24), slice(0, 12))
    sizes = [model(**card).fit(COSTS[half], readings=READINGS[half]).tree_.asked_items.size for half in halves]
    assert by_plans == {1: 0.0, 3: np.mean(sizes)}


def test_the_budget_of_the_model_is_that_of_rules_that_learn_from_the_truth():
    one = {**ITEMS, "depths": [1], "folds": 2, "learn_from": ["truth"]}
    by_budget = [tune(model(uncertainty=LocalBudget(size)), COSTS, readings=READINGS, **one) for size in (0.0, 9.0)]
    assert by_budget[0].scores["cost"][0] != by_budget[1].scores["cost"][0]
    assert by_budget[1].model.result_.objective > by_budget[0].model.result_.objective
    other = tune(model(uncertainty=LocalBudget(9.0)), COSTS, readings=READINGS, **{**one, "learn_from": ["readings"]})
    assert not other.model.uncertainty_.can_misread


def test_auto_stands_for_greedy_in_trials_and_in_the_fit():
    tuning = tune(model(method="auto"), COSTS, readings=READINGS, **SMALL)
    assert tuning.model.result_.method in ("greedy", "one_solution")
    assert "method='greedy'" in tuning.call


def test_the_chosen_setting_is_fitted_to_all_rows_and_the_model_is_unchanged():
    template = model()
    tuning = tune(template, COSTS, readings=READINGS, **SMALL)
    assert not hasattr(template, "tree_")
    assert str(tuning.chosen) in tuning.summary
    by_hand = model(**tuning.chosen.parameters).fit(COSTS, readings=READINGS)
    assert tuning.model.tree_ == by_hand.tree_
    assert tuning.model.get_params() == by_hand.get_params() | {"problem": template.problem}
    assert not hasattr(tune(template, COSTS, **SMALL, refit=False).model, "tree_")


def test_the_result_ends_with_the_call_that_fits_the_choice():
    tuning = tune(model(), COSTS, readings=READINGS, **SMALL)
    call = str(tuning).rpartition("To fit it: ")[2]
    names = {"problem": model().problem, "costs": COSTS, "readings": READINGS}
    again = eval(call, {"RobustTree": RobustTree, "LocalBudget": LocalBudget, **names})
    assert again.tree_ == tuning.model.tree_


def test_serial_and_parallel_runs_agree():
    one, two = (tune(model(), COSTS, readings=READINGS, **SMALL, n_jobs=n_jobs).to_frame() for n_jobs in (1, 2))
    assert one.equals(two)


def test_too_little_time_is_said():
    with pytest.raises(InputError, match="time_limit is too short"):
        tune(model(), COSTS, **SMALL, time_limit=1e-9)
    with pytest.raises(InputError, match="time_limit"):
        tune(model(), COSTS, **SMALL, time_limit=0)


def test_weights_count_in_the_fit_and_in_the_score():
    weights = np.r_[np.ones(12), np.zeros(11), 1.0]
    tuning = tune(model(), COSTS, **ITEMS, depths=[0], folds=2, sample_weight=weights)
    first, last = np.argmin(COSTS[:12].sum(axis=0)), np.argmin(COSTS[23])
    assert tuning.scores["cost"][0] == pytest.approx((COSTS[23, first] + COSTS[:12, last].sum()) / 13.0)


@pytest.mark.parametrize(
    "folds",
    [KFold(3, shuffle=True, random_state=0), TimeSeriesSplit(3), PredefinedSplit(np.arange(24) % 3)],
)
def test_rows_can_be_split_in_other_ways(folds):
    tuning = tune(model(), COSTS, **ITEMS, depths=[0], folds=folds)
    parts = [(train, test) for train, test in folds.split(COSTS)]
    paid = [COSTS[test][:, np.argmin(COSTS[train].sum(axis=0))] for train, test in parts]
    assert tuning.scores["cost"][0] == pytest.approx(np.concatenate(paid).mean())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"depths": [11]}, "depths"),
        ({"depths": []}, "depths must be a list with at least one"),
        ({"questions": "items"}, "questions must be a list"),
        ({"plans_per_leaf": [0]}, "plans_per_leaf must be an integer from 1"),
        ({"learn_from": ["guesses"]}, "learn_from must be one of"),
        ({"learn_from": ["readings"], "readings": None}, "needs readings"),
        ({"readings": READINGS[1:]}, "one row for each of the 24 samples"),
        ({"folds": 1}, "folds"),
        ({"folds": [([0, 1], [99]), ([2], [3])]}, "folds"),
        ({"folds": [([0, 1], [2])]}, "folds must be at least 2"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_bad_input_is_told(options, words):
    with pytest.raises(InputError, match=words):
        tune(model(), COSTS, **{"readings": READINGS, **SMALL, **options})
