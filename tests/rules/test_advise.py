"""Advice in words for a table: a reading that is missing in one row never refuses the others."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, RobustTree, RuleBook, Tree
from hedgerow.data.gaps import FillIns
from hedgerow.problems import Selection

NAMES = ("bridge", "tunnel", "ferry")
TREE = Tree.full([0, 1, 2], [5.0, 2.0, 3.0], np.eye(4, 3))
RULES = RuleBook(TREE, NAMES)
NAN = np.nan


def test_readings_that_are_missing_are_filled_in_and_named():
    rules = RuleBook(TREE, NAMES, fill_ins=FillIns({"bridge": 4.0, "tunnel": 3.0, "ferry": 2.0}))
    frame = pd.DataFrame(
        [[4.0, 1.0, NAN], [4.0, NAN, 1.0], [9.0, NAN, 9.0], [NAN, NAN, NAN]], columns=NAMES, index=list("abcd")
    )
    advice = rules.advise(frame)
    assert advice.index.tolist() == ["a", "b", "c", "d"]
    assert advice["leaf"].tolist() == rules.apply(frame).tolist() == [0, 1, 3, 1]
    assert advice["filled_in"].tolist() == ["ferry", "tunnel", "tunnel", "bridge, tunnel, ferry"]
    with pytest.raises(InputError, match="readings have no column for 'tunnel', 'ferry'"):
        rules.advise(frame[["bridge"]])
    with pytest.raises(InputError, match="fill_ins must be for the readings that the tree asks about"):
        RuleBook(TREE, NAMES, fill_ins=FillIns({"bridge": 4.0}))


def test_complete_rows_get_what_predict_says_and_notes_on_experience():
    problem = Selection(2, 1, item_names=["bridge", "tunnel"], unit="min")
    costs = np.array([[4.0, 9.0], [18.0, 11.0], [6.0, 10.0]])
    model = RobustTree(problem, depth=1, method="nominal").fit(costs)
    rows = np.array([[4.0, 9.0], [40.0, 9.0]])
    advice = model.advise(rows)
    assert advice["leaf"].tolist() == model.apply(rows).tolist()
    assert advice["advice"].tolist() == [problem.describe(each) for each in model.predict(rows)]
    assert advice["outside"].tolist() == ["", "bridge (seen: 4 to 18 min)"]


def test_text_is_refused():
    with pytest.raises(InputError, match="must hold numbers only"):
        RULES.advise(pd.DataFrame({"bridge": ["jam"], "tunnel": [1.0], "ferry": [1.0]}))
