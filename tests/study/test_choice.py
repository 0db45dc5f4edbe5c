"""The usual setting, unless another one is clearly better; among equals the fewest readings."""

import numpy as np
import pytest

from hedgerow.study.tuning import Setting, choose

# Rows differ by far more than settings do, as years of prices do. Two rows in a row go together.
LEVEL = np.repeat([10.0, 50.0, 200.0, 90.0], 2)
NOISE = np.repeat([1.0, -1.0, 1.0, -1.0], 2)


def chosen(costs, readings=None, sign=1.0):
    """The chosen one of some settings, by name; costs are shifts of the level. One may be called the usual setting."""
    settings = [
        Setting("resampled", "items", 0, 12) if name == "usual" else Setting("truth", "items", depth)
        for depth, name in enumerate(costs)
    ]
    columns = [LEVEL + sign * shift for shift in (*costs.values(), 40.0, -1.0)]
    asked = [(readings or {}).get(name, 1.0) for name in costs]
    scores, best = choose(settings, np.column_stack(columns), np.array(asked), np.ones(8), sign)
    assert scores["share"].is_monotonic_decreasing
    return next(name for name, setting in zip(costs, settings, strict=True) if setting is best)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(("gained", "expected"), [(0.5, "usual"), (2.0, "other")])
def test_another_setting_must_be_better_than_the_usual_one_by_two_standard_errors(gained, expected, sign):
    """The standard error of the difference is 0.58; the rows' level is no noise."""
    assert chosen({"usual": NOISE, "other": -gained}, sign=sign) == expected


def test_without_a_usual_setting_the_best_is_chosen():
    assert chosen({"one": NOISE, "other": -0.3}) == "other"


def test_rows_that_go_together_are_one_piece_of_evidence():
    assert chosen({"usual": NOISE, "other": -0.5}) == "usual"
    assert chosen({"usual": np.tile([1.0, -1.0], 4), "other": -0.5}) == "other"


@pytest.mark.parametrize(("lost", "expected"), [(0.01, "few"), (0.2, "many")])
def test_of_settings_that_cost_the_same_the_fewest_readings_decide(lost, expected):
    """A tenth of a percent of the 40 that are won over one plan is 0.04."""
    assert chosen({"many": 0.0, "few": lost}, {"many": 9.0, "few": 3.0}) == expected


def test_a_much_better_setting_by_chance_is_no_equal_of_the_usual_one():
    assert chosen({"usual": NOISE, "lucky": -0.5}, {"usual": 9.0, "lucky": 3.0}) == "usual"
