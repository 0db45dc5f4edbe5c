"""`explain`: from any source, and with names from strangers."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, LocalBudget, RobustTree, RuleBook, Tree
from hedgerow.datasets import motivating_example
from hedgerow.explain import explain
from hedgerow.rules import Labels

PROBLEM, COSTS = motivating_example()
WAYS = [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
TREE = Tree.full([0], [5.0], WAYS)


def saved(problem=PROBLEM, tree=TREE, **fields):
    return RuleBook(tree, problem.item_names, problem=problem, **fields)


# -- sources and readings --------------------------------------------------------------------------------------------


def test_columns_are_matched_by_name_and_absent_ones_are_missing():
    table = pd.DataFrame(COSTS, columns=PROBLEM.item_names, index=pd.date_range("2024-05-01", periods=5))
    shuffled = table.assign(note="x")[["e4", "note", "e2", "e1", "e3"]]
    for found, plain in zip(explain(saved(), shuffled), explain(saved(), COSTS), strict=True):
        assert found.leaf == plain.leaf
        assert found.label.startswith("2024-05-0")
    (partial,) = explain(saved(), table[["e1"]].iloc[[0]])
    assert (partial.leaf, partial.missing) == (0, ())


def test_a_model_without_names_takes_arrays_only():
    seen = pd.DataFrame({"wind": [1.0, 2.0, 8.0, 9.0, 9.5]})
    model = RobustTree(PROBLEM, depth=1, method="exact", random_state=0).fit(COSTS, context=seen.to_numpy())
    assert [each.leaf for each in model.explain(seen.to_numpy())] == model.apply(seen.to_numpy()).tolist()
    with pytest.raises(InputError, match="context have no column for 'feature 0'"):
        model.explain(seen)


@pytest.mark.parametrize(
    ("observations", "message"),
    [
        ([1.0, 2.0, 3.0, 4.0], "a list in a list"),
        ([[np.inf, 0.0, 0.0, 0.0]], "finite numbers; got inf at row 0, column 'e1'"),
        (pd.DataFrame({"e2": [1.0]}), "no column for 'e1'. There are 'e2'"),
    ],
)
def test_bad_observations_are_refused(observations, message):
    with pytest.raises(InputError, match=message):
        explain(saved(), observations)


# -- words -----------------------------------------------------------------------------------------------------------


def test_firmness_is_judged_by_the_errors_that_were_measured():
    lowered = saved(uncertainty=LocalBudget(0.5), uncertainty_as_given=LocalBudget(5.0))
    found = explain(lowered, COSTS)[2]
    assert (found.radius, found.protected) == (4.0, False)
    assert "errors of up to 5 were measured: such an error may change it" in str(found)


HOSTILE = [
    "=cmd()|'/c calc'!A1",
    'a,"b"\r\n\x1b[31mred',
    "<script>alert(1)</script>",
    "'; DROP TABLE x; --",
    "🌉" * 100,
]


def test_hostile_names_stay_in_their_line():
    tree = Tree.full([1, 0, 4], [5.0, 2.0, 3.0], np.eye(5)[:4])
    source = RuleBook(tree, HOSTILE, labels=Labels(HOSTILE, HOSTILE[:4], "€\n"))
    rows = [[1.0, 6.0, 1.0, 1.0, 3.0], [np.nan] * 5]
    found, gap = explain(source, pd.DataFrame(rows, columns=HOSTILE, index=["first\nsecond", "\x07"]))
    for each in (found, gap):
        text = str(each)
        assert all(line.isprintable() for line in text.split("\n"))
        assert text.split("\n", maxsplit=1)[0] in ("first�second", "�")
    assert found.path[1].name == HOSTILE[4]


def test_notebooks_show_a_table():
    found = explain(RuleBook(Tree.full([0], [5.0], [[1.0], [0.0]]), ("<b>",)), [[4.0], [6.0]])
    assert "<table" in found._repr_html_()
    assert "<b>" not in found._repr_html_()
