"""Where else a threshold may lie is said in the terms of the question."""

import numpy as np

from hedgerow import LocalBudget, RobustTree
from hedgerow.problems import Selection


def test_the_cell_of_a_question_about_two_plans_says_by_how_much_the_one_is_cheaper():
    rng = np.random.default_rng(0)
    costs = rng.uniform(8.0, 14.0, (40, 2)).round(1) - [[2.0, 0.0]]
    for sides in ([0, 1], [1, 0]):
        model = RobustTree(
            Selection(2, 1, item_names=["oak", "ash"]),
            depth=1,
            questions="plans",
            uncertainty=LocalBudget(1.0),
            round_thresholds=False,
        ).fit(costs[:, sides])
        rules, (low, high) = model.rulebook_, model.result_.cells[0]
        threshold = float(model.tree_.threshold[0])
        assert abs(threshold) > 0.0
        shown = [float(word) for word in rules.cell(0).split() if word.replace(".", "").isdigit()]
        assert shown, rules.cell(0)
        assert min(abs(low), abs(high)) <= min(shown) <= max(shown) <= max(abs(low), abs(high))
        assert "-" not in rules.cell(0)
        assert ("less" in rules.question(0)) == (threshold < 0.0)
