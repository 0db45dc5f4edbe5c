"""Cross-validation: trees are judged on rows that they were not fitted to, and serial and parallel runs agree."""

import os
import signal

import numpy as np
import pytest
from sklearn.model_selection import KFold, PredefinedSplit, TimeSeriesSplit

from hedgerow import GlobalBudget, InputError, LocalBudget, RobustTree, evaluate
from hedgerow.problems import Selection
from hedgerow.study import train_curve, tune

RNG = np.random.default_rng(0)
COSTS = RNG.normal(10.0, 3.0, (24, 3)).round(3)
ERRORS = RNG.normal(0.0, 1.0, (10, 3)).round(3)
SMALL = {"depths": (0, 1), "fractions": (0.0, 0.1), "folds": 3}


def model(**options):
    return RobustTree(
        Selection(3, 1, sense=options.pop("sense", "min"), unit="EUR"),
        **{"method": "fix_tree", "iteration_limit": 30, "random_state": 0, **options},
    )


def test_scores_are_those_of_trees_fitted_without_the_fold():
    """Depth 0 is one solution, so that no seed matters."""
    tuning = tune(model(), COSTS, depths=[0], fractions=[0.0], folds=3)
    by_fold = []
    for rows in np.split(np.arange(24), 3):
        best = np.argmin(np.delete(COSTS, rows, axis=0).sum(axis=0))
        by_fold.append(COSTS[rows, best].mean())
    assert tuning.best.nominal == pytest.approx(np.mean(by_fold))
    assert tuning.best.nominal_error == pytest.approx(np.std(by_fold, ddof=1) / np.sqrt(3))


def test_all_settings_are_scored_and_the_chosen_one_is_ready_to_fit():
    template = model(uncertainty=GlobalBudget(1.0, limits=2.0))
    tuning = tune(template, COSTS, **SMALL)
    assert [(score.depth, score.fraction) for score in tuning.scores] == [(0, 0.0), (0, 0.1), (1, 0.0), (1, 0.1)]
    frame = tuning.to_frame()
    assert frame["chosen"].sum() == 1
    assert tuning.model.uncertainty == GlobalBudget(fraction=tuning.chosen.fraction, limits=2.0)
    assert tuning.model.get_params()["iteration_limit"] == 30
    assert not hasattr(template, "tree_")
    tuning.model.fit(COSTS)


def test_serial_and_parallel_runs_agree():
    one, two = (tune(model(), COSTS, **SMALL, perturbation=ERRORS, n_jobs=n_jobs).to_frame() for n_jobs in (1, 2))
    assert one.equals(two)
    assert one.equals(tune(model(), COSTS, **SMALL, perturbation=ERRORS).to_frame())


def test_errors_of_zero_change_nothing_and_those_observed_do():
    exact = tune(model(), COSTS, **SMALL, perturbation=np.zeros((1, 3)))
    assert [score.perturbed for score in exact.scores] == pytest.approx([score.nominal for score in exact.scores])
    wrong = tune(model(), COSTS, **SMALL, perturbation=4.0 * ERRORS)
    assert wrong.is_perturbed
    assert [score.nominal for score in wrong.scores] == pytest.approx([score.nominal for score in exact.scores])
    assert wrong.scores[-2].perturbed != wrong.scores[-2].nominal


def test_a_set_is_judged_by_its_worst_case():
    tuning = tune(model(), COSTS, depths=[0, 1], fractions=[0.0], folds=2, perturbation=LocalBudget(2.0))
    flat, deep = tuning.scores
    assert flat.perturbed == pytest.approx(flat.nominal)
    assert deep.perturbed >= deep.nominal
    assert "worst case" in tuning.judged


def test_weights_count_in_the_fit_and_in_the_score():
    weights = np.r_[np.ones(12), np.zeros(11), 1.0]
    tuning = tune(model(), COSTS, depths=[0], fractions=[0.0], folds=2, sample_weight=weights)
    first, last = np.argmin(COSTS[:12].sum(axis=0)), np.argmin(COSTS[23])
    assert tuning.best.nominal == pytest.approx((COSTS[23, first] + COSTS[:12, last].mean()) / 2.0)


def test_observations_of_another_kind_are_split_with_the_samples():
    observed = COSTS[:, :1] + 0.0
    tuning = tune(model(), COSTS, observations=observed, **SMALL, perturbation=ERRORS[:, :1])
    assert len(tuning.scores) == 4
    assert tuning.model.fit(COSTS, observed).tree_.depth <= 1


@pytest.mark.parametrize(
    "folds",
    [
        KFold(3, shuffle=True, random_state=0),
        TimeSeriesSplit(3),
        PredefinedSplit([0, 1, 2] * 8),
        [(range(12), range(12, 24)), (range(12, 24), range(12))],
    ],
)
def test_folds_may_be_anything_that_splits(folds):
    assert len(tune(model(), COSTS, depths=[1], fractions=[0.0], folds=folds).scores) == 1


def test_gains_are_judged_as_gains():
    tuning = tune(model(sense="max"), COSTS, **SMALL)
    assert tuning.best.nominal == max(score.nominal for score in tuning.scores)
    assert all(score.excess >= 0.0 for score in tuning.scores)


def test_the_choice_is_told_in_a_sentence_with_its_reason():
    tuning = tune(model(), COSTS, **SMALL)
    words = tuning.in_words()
    assert words.startswith(f"Choose depth {tuning.chosen.depth} with λ = ")
    assert words.endswith(".")
    assert ("EUR" in words) == (tuning.chosen is not tuning.best)


@pytest.mark.parametrize(("sense", "told"), [("max", "gains most"), ("min", "costs least")])
def test_the_best_setting_costs_least_or_gains_most(sense, told):
    assert told in tune(model(sense=sense), COSTS, depths=[0], fractions=[0.0], folds=2).in_words()


def test_numbers_of_jobs_may_come_from_numpy():
    assert tune(model(), COSTS, depths=[0], fractions=[0.0], folds=2, n_jobs=np.int64(1)).scores


def test_progress_is_told_task_by_task():
    told = []
    tune(model(), COSTS, **SMALL, on_progress=lambda *numbers: told.append(numbers))
    assert told == [(done, 6) for done in range(7)]


def test_a_stop_keeps_the_folds_that_were_finished():
    """Two of three folds are enough for scores, and they are those of the folds alone."""

    def stop_after_four_tasks(done, total):
        if done == 4:
            os.kill(os.getpid(), signal.SIGINT)

    stopped = tune(model(), COSTS, **SMALL, on_progress=stop_after_four_tasks)
    assert stopped.n_folds_left_out == 1
    whole = tune(model(), COSTS, **SMALL)
    assert whole.n_folds_left_out == 0
    assert [(score.depth, score.fraction) for score in stopped.scores] == [
        (score.depth, score.fraction) for score in whole.scores
    ]
    by_hand = tune(model(), COSTS, **{**SMALL, "folds": list(KFold(3).split(COSTS))[:2], "depths": (0,)})
    assert stopped.scores[0].nominal == pytest.approx(by_hand.scores[0].nominal)


def test_a_stop_in_the_first_fold_is_an_interrupt():
    """One fold says nothing about the spread."""
    with pytest.raises(KeyboardInterrupt):
        tune(model(), COSTS, **SMALL, on_progress=lambda done, total: os.kill(os.getpid(), signal.SIGINT))


def test_the_trees_are_those_of_the_curve_over_the_same_rows():
    """The scores are those of the trees that the curve of the same data and seed holds."""
    pairs = [(range(12), range(12, 24)), (range(12, 24), range(12))]
    tuning = tune(model(method="exact"), COSTS, depths=[1], fractions=[0.0, 0.1], folds=pairs)
    for place, score in enumerate(tuning.scores):
        values = []
        for train, test in pairs:
            point = train_curve(model(method="exact", depth=1), COSTS[train], [0.0, 0.1]).points[place]
            values.append(evaluate(point.tree, Selection(3, 1), COSTS[test]).nominal_mean)
        assert score.nominal == pytest.approx(np.mean(values))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"depths": []}, "depths"),
        ({"depths": 2}, "depths"),
        ({"depths": [1.5]}, "depths"),
        ({"fractions": []}, "fractions"),
        ({"folds": 1}, "folds must be an integer from 2 to 24"),
        ({"folds": 25}, "folds"),
        ({"folds": True}, "folds"),
        ({"folds": "five"}, "folds"),
        ({"folds": [([0, 1], [99]), ([2], [3])]}, "folds"),
        ({"folds": [([0, 1], [2])]}, "folds must be at least 2"),
        ({"folds": KFold(30)}, "folds"),
        ({"repeats": 0}, "repeats"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"perturbation": ERRORS[:, :2]}, "one column for each of the 3 features"),
        ({"perturbation": LocalBudget(fraction=0.1)}, "training data"),
        ({"perturbation": LocalBudget([1.0] * 24)}, "24 samples"),
    ],
)
def test_bad_input_is_told(options, words):
    with pytest.raises(InputError, match=words):
        tune(model(), COSTS, **{**SMALL, **options})


def test_the_model_must_be_one():
    with pytest.raises(InputError, match="model must be a RobustTree"):
        tune(Selection(3, 1), COSTS)
