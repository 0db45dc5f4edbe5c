"""Items without names take those of a table."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, LocalBudget, RobustTree
from hedgerow.problems import ExplicitSet, Knapsack, LoadShifting, Oracle, Selection

TREES = ["oak", "ash", "elm"]
FRAME = pd.DataFrame({"day": ["Mon", "Tue"], "oak": [1.0, 5.0], "ash": [3.0, 2.0], "elm": [4.0, 6.0]})


def cheapest(costs):
    return (np.arange(3) == np.argmin(costs)).astype(float)


@pytest.mark.parametrize(
    "problem",
    [
        Selection(3, 1),
        Knapsack([1, 1, 1], 1, sense="min"),
        ExplicitSet(np.eye(3)),
        LoadShifting(3, run=1),
        Oracle(cheapest, 3),
    ],
    ids=lambda problem: type(problem).__name__,
)
def test_items_without_names_are_named_after_the_columns_of_numbers(problem):
    model = RobustTree(problem, depth=1, uncertainty=LocalBudget(0.5), method="nominal").fit(FRAME)
    assert model.rulebook_.feature_names == model.rulebook_.variable_names == tuple(TREES)
    assert set(model.rulebook_.plans.words) <= {*TREES, "nothing"}
    assert problem.item_names != tuple(TREES)  # the problem itself is as it was
    shuffled = FRAME[["elm", "day", "ash", "oak"]]
    assert model.predict(shuffled).tolist() == model.predict(FRAME[TREES].to_numpy()).tolist()
    assert model.evaluate(shuffled).nominal == model.result_.nominal


def test_names_that_are_given_are_kept():
    with pytest.raises(InputError, match="no column for 'a', 'b', 'c'"):
        RobustTree(Selection(3, 1, item_names=list("abc"))).fit(FRAME)
    with pytest.raises(InputError, match=r"'x1', 'x2'.* 2 items have no names of their own, and 3 columns hold"):
        RobustTree(Selection(2, 1)).fit(FRAME)
    named = pd.DataFrame({"x3": [1.0, 5.0], "x1": [3.0, 2.0], "x2": [4.0, 6.0]})
    assert RobustTree(Selection(3, 1), depth=0).fit(named).rulebook_.feature_names == ("x1", "x2", "x3")
