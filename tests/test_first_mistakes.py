"""Mistakes of the first hour: each is answered by a sentence that names what to write instead."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import RobustTree, alternatives, compare, evaluate, solve, tune, watch
from hedgerow.problems import Selection

COSTS = pd.DataFrame(np.arange(12.0).reshape(4, 3), columns=["a", "b", "c"])
PROBLEM, NAMED = Selection(3, 1), Selection(3, 1, item_names=["a", "b", "c"])


class ForeignModel:
    """A model of another package, which can write itself to a file."""

    def writeMPS(self, path):  # noqa: N802  # its name in PuLP
        """Write the model."""


MISTAKES = {
    "swapped": (lambda: RobustTree(COSTS).fit(PROBLEM), "as in RobustTree(problem).fit(costs); got a b"),
    "swapped in compare": (lambda: compare(COSTS, PROBLEM), "the problem comes first, then its costs"),
    "a problem for costs": (lambda: RobustTree(PROBLEM).fit(PROBLEM), "costs must be a table, as in RobustTree"),
    "two tables": (lambda: RobustTree(PROBLEM).fit(COSTS, COSTS), "pass others by name, as readings=… or context=…"),
    "solve without an instance": (lambda: solve(PROBLEM), "as in solve(Instance.create(problem, costs))"),
    "alternatives of a problem": (lambda: alternatives(PROBLEM, COSTS), "as in alternatives(RobustTree(problem)"),
    "tuning a problem": (lambda: tune(PROBLEM, COSTS), "as in tune(RobustTree(problem), costs)"),
    "watching a problem": (lambda: watch(PROBLEM, COSTS), "a fitted model, a rule book or the path of a tree file"),
    "evaluating a problem": (lambda: evaluate(PROBLEM, COSTS), "a fitted model or a rule book"),
    "text with decimal commas": (
        lambda: RobustTree(PROBLEM).fit(COSTS.assign(a="9,0")),
        "column 'a' holds text such as '9,0'. Read the file with decimal commas: pandas.read_csv(…, decimal=\",\").",
    ),
    "other text": (lambda: RobustTree(NAMED).fit(COSTS.astype(str)), "pandas.to_numeric"),
    "a foreign model": (lambda: RobustTree(ForeignModel()).fit(COSTS), "MixedIntegerProblem.from_model(model"),
    "a class": (lambda: RobustTree(Selection).fit(COSTS), "Did you mean Selection(…)?"),
    "a number as a budget": (
        lambda: RobustTree(PROBLEM, uncertainty=0.1).fit(COSTS),
        "must be Nominal, LocalBudget or",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_answer_names_what_to_write(mistake):
    make, words = MISTAKES[mistake]
    with pytest.raises((TypeError, ValueError)) as caught:
        make()
    assert words in str(caught.value)
