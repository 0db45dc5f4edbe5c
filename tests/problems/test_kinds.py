"""Problems from descriptions, whoever wrote them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.errors import FileFormatError
from hedgerow.problems import (
    ExplicitSet,
    Knapsack,
    LoadShifting,
    Selection,
    ShortestPath,
    base,
    problem_from_dict,
)

PATH = {
    "kind": "shortest_path",
    "tails": ["s", "1", "s"],
    "heads": ["1", "t", "t"],
    "source": "s",
    "target": "t",
    "nodes": ["s", "1", "t"],
    "item_names": ["a", "b", "c"],
    "positions": [[0.0, 0.0], [1, 1], [2, 0]],
    "unit": "min",
}
SELECTION = {"kind": "selection", "n": 3, "p": 2, "item_names": ["a", "b", "c"], "unit": "", "sense": "max"}
EXPLICIT = {"kind": "explicit", "solutions": [[1, 0], [0, 1]], "item_names": ["a", "b"], "solution_names": ["x", "y"]}
GRID = {"kind": "grid", "size": 3, "unit": "min"}
MODEL = {
    "variables": ["make", "buy", "set up"],
    "rows": ["demand", "capacity"],
    "cost": [1.0, 2.0, 5.0],
    "offset": 3.0,
    "lower": [0.0, -1e20, 0.0],
    "upper": [1e20, 9.0, 1.0],
    "integer": [False, False, True],
    "row_lower": [4.0, -1e20],
    "row_upper": [4.0, 0.0],
    "entries": [[0, 0, 1.0], [0, 1, 1.0], [1, 0, 1.0], [1, 2, -3.0]],
}
MIXED = {"kind": "mixed_integer", "model": MODEL, "items": ["buy", "make"], "unit": "EUR", "sense": "max"}
KNAPSACK = {
    "kind": "knapsack",
    "weights": [1, 2.5],
    "capacity": 3,
    "item_names": ["a", "b"],
    "unit": "t",
    "sense": "max",
}
ASSIGNMENT = {"kind": "assignment", "workers": ["a", "b"], "tasks": ["x", "y", "z"], "unit": "", "sense": "min"}
SCHEDULING = {"kind": "scheduling", "jobs": ["a", "b", "c"], "n_machines": 2, "unit": "h", "sense": "max"}
LOAD_SHIFTING = {
    "kind": "load_shifting",
    "n_periods": 4,
    "run": 2,
    "min_run": 2,
    "max_runs": 1,
    "item_names": list("abcd"),
}
GOOD = [
    PATH,
    SELECTION,
    EXPLICIT,
    GRID,
    KNAPSACK,
    ASSIGNMENT,
    SCHEDULING,
    LOAD_SHIFTING,
    MIXED,
]


def mixed(**fields):
    return {**MIXED, "model": {**MODEL, **fields}}


def test_grids_and_plain_descriptions_need_little():
    assert ShortestPath.grid(4).to_dict() == {"kind": "grid", "size": 4}
    assert problem_from_dict(GRID) == ShortestPath.grid(3, unit="min")
    assert problem_from_dict({"kind": "selection", "n": 3, "p": 1}) == Selection(3, 1)
    assert problem_from_dict({"kind": "explicit", "solutions": [[1, 2]]}) == ExplicitSet([[1, 2]])
    assert problem_from_dict({**PATH, "item_names": ["x", "y", "z"]}).item_names == ("x", "y", "z")
    assert problem_from_dict({"kind": "knapsack", "weights": [1, 2], "capacity": 2}) == Knapsack([1, 2], 2)
    assert problem_from_dict({"kind": "load_shifting", "n_periods": 24, "run": 8}) == LoadShifting(24, 8)


@pytest.mark.parametrize("description", GOOD, ids=lambda description: description["kind"])
def test_good_descriptions_come_back_as_they_were(description):
    problem = problem_from_dict(description)
    assert problem_from_dict(problem.to_dict()) == problem
    assert {**problem.to_dict(), **description} == problem.to_dict()


def test_every_kind_is_tried_here():
    built_in = {kind for kind, each in base.registry.items() if each.__module__.startswith("hedgerow.")}
    assert {description["kind"] for description in GOOD} == built_in


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (None, "a table of fields; got a NoneType"),
        ([1], "got a list"),
        ({"kind": "custom"}, "got 'custom'"),
        ({"kind": ["grid"]}, "kind must be one of"),
        ({"kind": "grid"}, "needs the field 'size'"),
        ({"kind": "grid", "size": 10**30}, "integer from 2 to 200; got 1000"),
        ({"kind": "grid", "size": 4, "szie": 4}, "no field 'szie'; its fields are kind, reading_unit, size, unit"),
        ({**PATH, "heads": ["1", "x", "t"]}, "heads must be among the nodes 's', '1', 't'; got 'x'"),
        ({**PATH, "tails": 5}, "tails must be a list of nodes; got 5"),
        ({**PATH, "nodes": ["s", "s", "t"]}, "more than once: 's'"),
        ({**PATH, "tails": PATH["heads"], "heads": PATH["tails"]}, "there is no path"),
        ({**PATH, "tails": [1.0, float("nan"), 2.0]}, "tails must name a node; got nan at position 1"),
        ({**PATH, "positions": {"s": (0, 0)}}, "missing are '1', 't'"),
        ({**PATH, "positions": [[0, 0], [1, 1], [0, float("inf")]]}, "positions must be finite numbers"),
        ({**SELECTION, "p": 4}, "p must be an integer from 1 to 3; got 4"),
        ({**SELECTION, "n": 10**9}, "n must be an integer from 1 to 200000"),
        ({**SELECTION, "sense": "least"}, 'sense must be "min" or "max"'),
        ({**EXPLICIT, "solutions": [[1, 0], [1]]}, "rows of equal length"),
        ({**EXPLICIT, "solutions": [[1, float("nan")]]}, "finite numbers; got NaN"),
        ({**EXPLICIT, "solutions": [["a", "b"]]}, "numbers only"),
        ({**EXPLICIT, "solution_names": ["x", "x"]}, "more than once: 'x'"),
        ({**KNAPSACK, "weights": [1, "2"]}, "weights must hold numbers only"),
        ({**KNAPSACK, "weights": [1, -2]}, "weights must be zero or more; got -2 for 'b'"),
        ({**KNAPSACK, "capacity": -1}, "capacity must be zero or more; got -1"),
        ({**ASSIGNMENT, "workers": []}, "at least one item"),
        ({**ASSIGNMENT, "tasks": "ab"}, "tasks must be a list of names; got 'ab'"),
        ({**ASSIGNMENT, "workers": 1000, "tasks": 1000}, "at most 200000 pairs"),
        ({**SCHEDULING, "n_machines": 0}, "n_machines must be an integer from 1 to 1000; got 0"),
        ({**LOAD_SHIFTING, "run": 5}, "run must be an integer from 1 to 4; got 5"),
        ({**LOAD_SHIFTING, "max_runs": 0}, "max_runs must be an integer of 1 or more; got 0"),
        ({**MIXED, "items": [3]}, "items must be names of variables, or the model's own variables; got 3"),
        ({**MIXED, "items": ["buy", "buy"]}, "more than once: 'buy'"),
        ({**MIXED, "model": [1]}, "model must be a table with the fields variables, rows, .*; got"),
        (mixed(variables=["make", "make", "set up"]), "more than once: 'make'"),
        (mixed(lower=[0.0, 0.0]), "lower bounds must be one number or 3 of them"),
        (mixed(cost=[1.0, None, 5.0]), "that of 'buy' is nan"),
        (mixed(upper=[-1.0, 9.0, 1.0]), "'make' must lie between 0 and -1"),
        (mixed(entries=[[2, 0, 1.0]]), "entries must be lists of three numbers: those of a row"),
        (mixed(entries=[[0, None, 1.0]]), "entries must be lists of three numbers"),
        (mixed(entries=[[0, 1.0]]), "entries must be lists of three numbers"),
        (mixed(integer=[True, False]), "the marks of whole variables must be one number or 3"),
    ],
)
def test_bad_descriptions_are_refused_in_words(description, message):
    with pytest.raises(FileFormatError, match=message):
        problem_from_dict(description)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_whatever_stands_in_a_field_there_is_a_problem_or_a_file_format_error(data):
    description = dict(data.draw(st.sampled_from(GOOD)))
    description[data.draw(st.sampled_from(sorted(description)))] = data.draw(JSON)
    try:
        problem = problem_from_dict(description)
    except FileFormatError:
        return
    assert problem.item_names
