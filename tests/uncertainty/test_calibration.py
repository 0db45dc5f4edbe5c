"""Sets made from errors hold what they promise, whatever the errors are distributed like."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, LocalBudget
from hedgerow.uncertainty.calibration import paired_errors


def pairs(rng, count, spread=(1.0, 10.0, 0.1)):
    """Errors with heavy tails, of unequal size and correlated, as those of forecasts are."""
    true = rng.normal(50.0, 20.0, (count, len(spread)))
    together = rng.lognormal(0.0, 1.0, (count, 1))
    return true + together * rng.laplace(0.0, spread, (count, len(spread))), true


def held(uncertainty, observed, true):
    """The plainest reading of the set: which errors lie in it."""
    errors = np.abs(observed - true)
    prices = 1.0 if uncertainty.prices is None else uncertainty.prices
    return (prices * errors).sum(axis=1) <= uncertainty.budget


@pytest.mark.parametrize("quantile", [0.5, 0.9])
def test_a_local_set_holds_what_it_promises_on_average_over_new_pairs(quantile):
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(300):
        observed, true = pairs(rng, 41)
        uncertainty = LocalBudget.from_errors(observed, true, quantile)
        shares.append(held(uncertainty, *pairs(rng, 200)).mean())
    margin = 4.0 * np.std(shares) / np.sqrt(len(shares))
    assert quantile - margin <= np.mean(shares) <= quantile + 1.0 / 20.0 + margin


def test_the_budget_is_the_error_of_rank_n_plus_1_times_the_quantile():
    errors = np.arange(1.0, 10.0)[:, None]
    assert LocalBudget.from_errors(errors, 0.0 * errors, 0.9).budget == 9.0
    assert LocalBudget.from_errors(errors, 0.0 * errors, 0.5).budget == 5.0
    assert LocalBudget.from_errors(-errors, 0.0 * errors, 0.51).budget == 6.0


def test_as_many_of_the_largest_errors_count_as_a_tree_meets_on_a_path():
    errors = np.tile([5.0, 1.0, -3.0], (20, 1))
    budgets = [LocalBudget.from_errors(errors, 0.0 * errors, depth=depth).budget for depth in (1, 2, 3, None)]
    assert budgets == [5.0, 8.0, 9.0, 9.0]


def test_columns_are_matched_by_name():
    true = pd.DataFrame({"a": [1.0, 2.0], "b": [10.0, 20.0]})
    observed = pd.DataFrame({"b": [11.0, 22.0], "a": [1.0, 1.0]})
    assert paired_errors(observed, true).tolist() == [[1.0, 0.0], [2.0, -1.0]]


FRAME = pd.DataFrame({"a": [1.0, 2.0], "b": [10.0, 20.0]})


@pytest.mark.parametrize(
    ("observed", "true", "words"),
    [
        (FRAME[["a"]], FRAME, r"readings have no column for 'b'\. There are 'a'\."),
        (FRAME, FRAME[["b"]], r"true values have no column for 'a'\. There are 'b'\."),
        (FRAME.rename(columns={"b": "c"}), FRAME, r"readings have no column for 'b'"),
        (FRAME.assign(b=[1.0, np.nan]), FRAME, r"readings must be finite numbers; got NaN at row 1, column 'b'"),
        (FRAME, FRAME.assign(a=["n/a", 1.0]), r"true values must hold numbers only; column 'a' holds text"),
    ],
)
def test_columns_that_do_not_fit_are_named(observed, true, words):
    with pytest.raises(InputError, match=words):
        LocalBudget.from_errors(observed, true)


TEN = np.arange(10.0)[:, None]


@pytest.mark.parametrize(
    ("observed", "true", "options", "words"),
    [
        (TEN, TEN[:9], {}, "10 and 9 rows"),
        (TEN, np.ones((10, 2)), {}, "one column for each of the 1 items"),
        (TEN, TEN.ravel(), {}, "matrix"),
        (TEN + np.nan, TEN, {}, "readings must be finite"),
        (TEN, TEN, {}, r"Nominal\(\)"),
        (1e308 * np.ones((9, 1)), -1e308 * np.ones((9, 1)), {}, "readings must be numbers from"),
        ([[1.0]], [[2.0]], {}, "1 pair can't promise to hold 0.9 .* at least 9 pairs"),
        (TEN[:8], 0.0 * TEN[:8], {}, "8 pairs can't promise"),
        (TEN, 0.0 * TEN, {"quantile": 1.0}, "quantile must lie between 0 and 1"),
        (TEN, 0.0 * TEN, {"quantile": 0.0}, "quantile must be above zero"),
        (TEN, 0.0 * TEN, {"quantile": "much"}, "quantile must be above zero, a finite number"),
    ],
)
def test_bad_pairs_are_told(observed, true, options, words):
    with pytest.raises(InputError, match=words):
        LocalBudget.from_errors(observed, true, **options)
