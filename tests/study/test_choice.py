"""One standard error decides: the simplest setting that the folds can't tell from the best."""

import numpy as np
import pytest

from hedgerow.study.choice import choose

# Folds differ by far more than settings do, as years of prices do.
LEVEL = np.array([10.0, 50.0, 200.0, 90.0])
NOISE = np.array([1.0, -1.0, 1.0, -1.0])


def settings(**shifts):
    """Costs by setting; d1_5 is depth 1 with λ = 5."""
    return {(int(name[1]), float(name[3:])): LEVEL + np.asarray(shift, dtype=float) for name, shift in shifts.items()}


def chosen_of(costs, perturbed=None, sign=1.0):
    _, best, chosen = choose(costs, perturbed, sign)
    return (best.depth, best.fraction), (chosen.depth, chosen.fraction)


def test_the_smaller_depth_is_chosen_if_it_is_worse_by_less_than_the_noise():
    assert chosen_of(settings(d1_0=0.1 + NOISE, d2_0=0.0)) == ((2, 0.0), (1, 0.0))


def test_the_best_is_chosen_if_it_is_better_by_more_than_the_noise():
    """The folds' level is no noise: what is dear for all settings alike tells nothing."""
    assert chosen_of(settings(d1_0=1.0 + NOISE, d2_0=0.0)) == ((2, 0.0), (2, 0.0))


def test_at_equal_depth_the_larger_budget_is_the_simpler():
    assert chosen_of(settings(d2_0=0.0, d2_5=0.1 + NOISE, d2_9=5.0))[1] == (2, 5.0)


def test_depth_goes_before_budget():
    assert chosen_of(settings(d1_0=0.1 + NOISE, d2_5=0.0))[1] == (1, 0.0)


def test_equal_settings_make_the_simplest_the_best():
    assert chosen_of(settings(d1_0=0.0, d1_5=0.0, d2_5=0.0)) == ((1, 5.0), (1, 5.0))


def test_gains_are_to_be_large():
    assert chosen_of(settings(d1_0=0.0, d2_0=3.0), sign=-1.0) == ((2, 0.0), (2, 0.0))


def test_perturbed_costs_decide_where_there_are_any():
    as_read, perturbed = settings(d1_0=2.0, d2_0=0.0), settings(d1_0=0.0, d2_0=2.0)
    assert chosen_of(as_read, perturbed)[0] == (1, 0.0)


def test_means_and_errors_are_over_the_folds():
    scores, best, _ = choose(settings(d1_0=1.0 + NOISE, d2_0=0.0), None, 1.0)
    worse = next(score for score in scores if score is not best)
    assert worse.nominal == pytest.approx(LEVEL.mean() + 1.0)
    assert worse.nominal_error == pytest.approx(np.std(LEVEL + NOISE, ddof=1) / 2.0)
    assert worse.excess == pytest.approx(1.0)
    assert worse.excess_error == pytest.approx(np.std(NOISE, ddof=1) / 2.0)
    assert (best.excess, best.excess_error) == (0.0, 0.0)
    assert np.isnan(worse.perturbed)
