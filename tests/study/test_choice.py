"""One standard error decides: the simplest setting that rows held out can't tell from the best."""

import numpy as np
import pytest

from hedgerow import LocalBudget, Nominal
from hedgerow.study.choice import Setting, choose

# Rows differ by far more than settings do, as years of prices do.
LEVEL = np.array([10.0, 50.0, 200.0, 90.0])
NOISE = np.array([1.0, -1.0, 1.0, -1.0])


def chosen_of(*costs, sign=1.0, blocks=None):
    """Depths of the best and of the chosen setting; costs are (depth, shift of the level)."""
    table = {Setting("truth", "items", depth, Nominal()): LEVEL + shift for depth, shift in costs}
    scores, chosen = choose(table, np.ones(4), np.arange(4) if blocks is None else blocks, sign, LEVEL + sign * 40.0)
    return scores["setting"][0].depth, chosen.depth


def test_the_smaller_depth_is_chosen_if_it_is_worse_by_less_than_the_noise():
    assert chosen_of((1, 0.1 + NOISE), (2, 0.0)) == (2, 1)


def test_the_best_is_chosen_if_a_simpler_one_gives_up_much_of_what_it_wins():
    """With few rows everything is within one standard error, also what loses a tenth of the gain over one plan."""
    assert chosen_of((1, 4.0 + 9.0 * NOISE), (2, 0.0)) == (2, 2)


def test_the_best_is_chosen_if_it_is_better_by_more_than_the_noise():
    """The rows' level is no noise: what is costly for all settings alike tells nothing."""
    assert chosen_of((1, 1.0 + NOISE), (2, 0.0)) == (2, 2)


def test_rows_that_go_together_are_one_piece_of_evidence():
    shift = np.array([2.0, 2.0, -0.5, -0.5])
    assert chosen_of((1, shift), (2, 0.0), blocks=np.array([0, 0, 1, 1])) == (2, 1)


@pytest.mark.parametrize(("gained", "robust"), [(0.3, False), (2.0, True)])
def test_a_budget_is_chosen_if_it_is_better_by_more_than_the_noise(gained, robust):
    plain, other = Setting("truth", "items", 2, Nominal()), Setting("truth", "items", 2, LocalBudget(1.0))
    _, chosen = choose({plain: LEVEL + NOISE, other: LEVEL - gained}, np.ones(4), np.arange(4), 1.0, LEVEL + 40.0)
    assert chosen.has_budget == robust


@pytest.mark.parametrize(("gained", "is_usual"), [(0.3, True), (2.0, False)])
def test_the_usual_setting_is_chosen_unless_another_one_is_better_by_more_than_the_noise(gained, is_usual):
    """Also where the other one is simpler."""
    usual, other = Setting("truth", "plans", 2, Nominal()), Setting("truth", "plans", 1, Nominal())
    costs = {usual: LEVEL + NOISE, other: LEVEL - gained}
    _, chosen = choose(costs, np.ones(4), np.arange(4), 1.0, LEVEL + 40.0, usual)
    assert (chosen is usual) == is_usual
    assert choose(costs, np.ones(4), np.arange(4), 1.0, LEVEL + 40.0)[1] is other
