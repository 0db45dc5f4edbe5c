"""Where else a threshold may lie is said in the terms of the question."""

import numpy as np
import pytest

from hedgerow import LocalBudget, RobustTree
from hedgerow.problems import Selection


@pytest.mark.parametrize(
    ("seed", "asked", "cell"),
    [
        (2, "ash at least 0.2 less than oak", "anything from 0.102 to 0.2 is as good"),
        (5, "oak at least 0.8 less than ash", "anything from 0.71 to 0.9 is as good"),
        (6, "oak at most 0.35 more than ash", "anything from 0.2 to 0.39 is as good"),
    ],
)
def test_the_cell_of_a_comparison_says_how_much_more_or_less_it_may_be(seed, asked, cell):
    costs = np.random.default_rng(seed).uniform(8.0, 14.0, (40, 2)).round(1)
    problem = Selection(2, 1, item_names=["oak", "ash"])
    rules = RobustTree(problem, depth=1, questions="plans", uncertainty=LocalBudget(1.0)).fit(costs).rulebook_
    assert (rules.question(0), rules.cell(0)) == (asked, cell)
