"""Pairs of truth and reading: what a tree is shown is what `learn_from` says, whatever the door."""

import numpy as np
import pytest
from sklearn.base import clone

from hedgerow import InputError, Instance, LocalBudget, RobustTree, solve
from hedgerow.problems import Selection
from hedgerow.rules import RuleBook

RNG = np.random.default_rng(0)
TRUTH = RNG.normal(10.0, 3.0, (12, 3)).round(3)
READINGS = (TRUTH + RNG.normal(0.0, 1.0, (12, 3))).round(3)
PROBLEM = Selection(3, 1, unit="EUR")


def model(**options):
    model = RobustTree(PROBLEM, depth=1, questions="items", method="fix_tree", iteration_limit=30, random_state=0)
    return model.set_params(**options)


def test_truth_is_learnt_from_by_default():
    assert model().fit(TRUTH, readings=READINGS).tree_ == model().fit(TRUTH).tree_


def test_readings_are_observed_beside_the_true_costs():
    paired = model(learn_from="readings").fit(TRUTH, readings=READINGS)
    observed = Instance.create(Selection(3, 1), TRUTH, observed=READINGS, depth=1)
    assert paired.tree_ == solve(observed, method="fix_tree", iteration_limit=30, random_state=0).tree
    # They are readings of the costs: names and unit stay those of the costs.
    saved = RuleBook.of(paired.rulebook_)
    assert saved.observes_costs
    assert saved.feature_names == PROBLEM.item_names


def test_a_budget_is_that_of_what_is_observed():
    paired = model(learn_from="readings", uncertainty=LocalBudget(fraction=0.1)).fit(TRUTH, readings=READINGS)
    assert paired.uncertainty_.budget == pytest.approx(0.1 * np.ptp(READINGS, axis=0).max())


def test_resampled_rows_are_the_truth_with_errors_of_the_pairs_and_weigh_as_much():
    weights = np.arange(1.0, 13.0)
    instance = Instance.create(
        PROBLEM, TRUTH, weights=weights, readings=READINGS, learn_from="resampled", rng=np.random.default_rng(0)
    )
    draws = instance.n_samples // len(TRUTH)
    assert draws > 1
    assert np.array_equal(instance.costs, np.repeat(TRUTH, draws, axis=0))
    errors = {tuple(row) for row in (READINGS - TRUTH).round(9)}
    assert {tuple(row) for row in (instance.observations - instance.costs).round(9)} <= errors
    assert np.allclose(instance.weights.reshape(12, draws).sum(axis=1), weights)
    assert instance.observes_costs


def test_a_score_follows_the_readings():
    fitted = model().fit(TRUTH)
    paid = (fitted.predict(READINGS) * TRUTH).sum(axis=1).mean()
    assert fitted.score(TRUTH, readings=READINGS) == pytest.approx(-paid)
    assert clone(model(learn_from="readings")).learn_from == "readings"


def test_what_can_not_be_learnt_from_is_refused():
    with pytest.raises(InputError, match="needs readings"):
        model(learn_from="readings").fit(TRUTH)
    with pytest.raises(InputError, match='"truth", "readings", "resampled"'):
        model(learn_from="forecasts").fit(TRUTH, readings=READINGS)
    with pytest.raises(InputError, match="one row for each of the 12 samples"):
        model().fit(TRUTH, readings=READINGS[1:])
