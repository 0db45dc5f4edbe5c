"""The reference for real thresholds itself: cases that can be done by hand, and random trees that never beat it."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.datasets import motivating_example
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options
from tests.reference.thresholds_anywhere import ThresholdsAnywhere, midpoint_optimum

ONE_OF_TWO = ExplicitSet(np.eye(2))


def one_feature(values, costs, uncertainty, depth=1, **options):
    observations = np.reshape(values, (-1, 1)).astype(float)
    instance = Instance.create(
        ONE_OF_TWO, np.array(costs, dtype=float), observed=observations, uncertainty=uncertainty, depth=depth
    )
    return ThresholdsAnywhere(instance, **options)


def test_the_best_threshold_is_out_of_reach_of_both_sides():
    """At 0 and 10, with budgets 6 and 3, the threshold lies above 6 and below 7; the midpoint 5 is within reach."""
    far = one_feature([0, 10], [[0, 9], [9, 0]], LocalBudget([6.0, 3.0]))
    assert (far.optimum(), midpoint_optimum(far)) == (0.0, 9.0)
    for margin, expected in ((0.4, 0.0), (0.6, 9.0)):
        assert one_feature([0, 10], [[0, 9], [9, 0]], LocalBudget([6.0, 3.0]), margin=margin).optimum() == expected


def test_a_global_budget_of_all_samples_is_worth_what_the_local_one_is():
    """With one sample on each side and budgets that one move uses up, both kinds of set agree."""
    for budget, expected in ((9.0, 0.0), (11.0, 8.0)):
        reference = one_feature([0, 20], [[0, 9], [8, 0]], GlobalBudget(budget))
        assert reference.optimum() == expected


def test_the_motivating_example_has_a_razor_edge():
    """36 on the literal model, where ε itself keeps samples apart; that tree is worth no less than 43 with a margin."""
    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, observed=costs[:, :2], uncertainty=GlobalBudget(5.0))
    assert ThresholdsAnywhere(instance).optimum() == 36.0
    first, then, other = (1, 6.9995), (0, 5.9995), (0, 3.9995)
    tree = tuple(((*first, side), (*below, end)) for side, below in ((0, then), (1, other)) for end in (0, 1))
    assert ThresholdsAnywhere(instance).value(tree) == 36.0
    assert ThresholdsAnywhere(instance, margin=0.002).value(tree) >= 43.0


@pytest.mark.parametrize("seed", range(6))
def test_no_random_tree_is_better(seed):
    """Neither midpoints nor real thresholds near all kinds of events beat the reference."""
    rng = np.random.default_rng(seed)
    uncertainty = (LocalBudget if seed % 2 else GlobalBudget)(
        rng.uniform(0.5, 3.0), prices=rng.choice([0.5, 1.0, 2.0], 2)
    )
    instance = Instance.create(
        ExplicitSet(np.eye(3)),
        rng.integers(0, 9, (3, 3)).astype(float),
        observed=rng.uniform(0.0, 6.0, (3, 2)),
        uncertainty=uncertainty,
        depth=1 + seed % 3 % 2,
    )
    reference = ThresholdsAnywhere(instance, Options(max_leaves=3), margin=0.2 * (seed % 2))
    optimum = reference.optimum()
    assert optimum <= midpoint_optimum(reference)
    assert optimum <= min(reference.random_value(rng) for _ in range(100))
