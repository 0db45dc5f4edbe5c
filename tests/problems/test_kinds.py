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
    _reading,
    problem_file,
    problem_from_dict,
)

PATH = {
    "kind": "shortest_path",
    "nodes": ["s", "1", "t"],
    "arcs": [[0, 1], [1, 2], [0, 2]],
    "source": 0,
    "target": 2,
    "items": ["a", "b", "c"],
    "positions": [[0.0, 0.0], [1, 1], [2, 0]],
    "unit": "min",
}
SELECTION = {"kind": "selection", "n": 3, "p": 2, "items": ["a", "b", "c"], "unit": "", "sense": "max"}
EXPLICIT = {"kind": "explicit", "solutions": [[1, 0], [0, 1]], "items": ["a", "b"], "names": ["x", "y"]}
GRID = {"kind": "grid", "size": 3, "unit": "min"}
MIXED = {
    "kind": "mixed_integer",
    "variables": ["make", "buy", "set up"],
    "rows": ["demand", "capacity"],
    "items": [1, 0],
    "costs": [1.0, 2.0, 5.0],
    "offset": 3.0,
    "lower": [0.0, None, 0.0],
    "upper": [None, 9.0, 1.0],
    "integer": [2],
    "row_lower": [4.0, None],
    "row_upper": [4.0, 0.0],
    "entries": {"row": [0, 0, 1, 1], "column": [0, 1, 0, 2], "value": [1.0, 1.0, 1.0, -3.0]},
    "unit": "EUR",
    "sense": "max",
}
PLAN_SETS = {"kind": "plan_sets", "problem": SELECTION, "sets": {"with a": [[1, 1, 0], [1, 0, 1]]}, "inside": "worst"}
KNAPSACK = {"kind": "knapsack", "weights": [1, 2.5], "capacity": 3, "items": ["a", "b"], "unit": "t", "sense": "max"}
ASSIGNMENT = {"kind": "assignment", "workers": ["a", "b"], "tasks": ["x", "y", "z"], "unit": "", "sense": "min"}
SPANNING_TREE = {"kind": "spanning_tree", "nodes": ["a", "b", "c"], "edges": [[0, 1], [1, 2]], "items": ["x", "y"]}
SCHEDULING = {"kind": "scheduling", "jobs": ["a", "b", "c"], "n_machines": 2, "unit": "h", "sense": "max"}
LOAD_SHIFTING = {"kind": "load_shifting", "n_periods": 4, "run": 2, "min_run": 2, "max_runs": 1, "items": list("abcd")}
FACILITIES = {
    "kind": "facility_location",
    "unit_costs": [[1, 2], [3, 4], [5, 6]],
    "opening_costs": [7, 8],
    "capacities": [2, 2],
    "customers": ["a", "b", "c"],
    "sites": ["x", "y"],
    "unit": "EUR",
}
TOUR = {"kind": "travelling_salesman", "cities": ["a", "b", "c", "d"], "unit": "km", "sense": "min"}
GOOD = [
    PATH,
    SELECTION,
    EXPLICIT,
    GRID,
    KNAPSACK,
    ASSIGNMENT,
    SPANNING_TREE,
    SCHEDULING,
    LOAD_SHIFTING,
    FACILITIES,
    TOUR,
    PLAN_SETS,
    MIXED,
]


def test_grids_and_plain_descriptions_need_little():
    assert ShortestPath.grid(4).to_dict() == {"kind": "grid", "size": 4}
    assert problem_from_dict(GRID) == ShortestPath.grid(3, unit="min")
    assert problem_from_dict({"kind": "selection", "n": 3, "p": 1}) == Selection(3, 1)
    assert problem_from_dict({"kind": "explicit", "solutions": [[1, 2]]}) == ExplicitSet([[1, 2]])
    assert problem_from_dict({**PATH, "items": ["x", "y", "z"]}).item_names == ("x", "y", "z")
    assert problem_from_dict({"kind": "knapsack", "weights": [1, 2], "capacity": 2}) == Knapsack([1, 2], 2)
    assert problem_from_dict({"kind": "load_shifting", "n_periods": 24, "run": 8}) == LoadShifting(24, 8)


@pytest.mark.parametrize("description", GOOD, ids=lambda description: description["kind"])
def test_good_descriptions_come_back_as_they_were(description):
    problem = problem_from_dict(description)
    assert problem_from_dict(problem.to_dict()) == problem
    assert {**problem.to_dict(), **description} == problem.to_dict()


def test_every_kind_is_tried_here():
    assert {description["kind"] for description in GOOD} == set(problem_file.registry)


@pytest.mark.parametrize(
    ("description", "message"),
    [
        (None, "a table of fields; got a NoneType"),
        ([1], "got a list"),
        ({}, "kind must be one of assignment, explicit, facility_location, .*, travelling_salesman; got none"),
        ({"kind": "custom"}, "got 'custom'"),
        ({"kind": ["grid"]}, "kind must be one of"),
        ({"kind": "grid"}, "needs the field 'size'"),
        ({"kind": "grid", "size": 10**30}, "integer from 2 to 200; got 1000"),
        ({"kind": "grid", "size": True}, "integer from 2 to 200; got True"),
        ({"kind": "grid", "size": 4, "szie": 4}, "no field 'szie'; its fields are kind, reading_unit, size, unit"),
        ({"kind": "grid", "size": 4, "unit": 5}, "unit must be a text"),
        ({"kind": "grid", "size": 4, "unit": "\ud800"}, "can be written to a file"),
        ({"kind": "grid", "size": 4, "unit": "m" * 5000}, "at most 1000 characters; got 5000"),
        ({**PATH, "arcs": [[0, 1], [1, 3], [0, 2]]}, r"arcs\[1\] must be an integer from 0 to 2; got 3"),
        ({**PATH, "arcs": [[0, 1], [1, 2, 0], [0, 2]]}, r"arcs\[1\] must have at most 2"),
        ({**PATH, "arcs": [[0, 1], [1], [0, 2]]}, r"arcs\[1\] must hold 2 integers; got 1"),
        ({**PATH, "arcs": "ab"}, "arcs must be a list"),
        ({**PATH, "arcs": []}, "items must list 0 texts"),
        ({**PATH, "nodes": []}, "must be an integer from 0 to -1"),
        ({**PATH, "nodes": ["s", "s", "t"]}, "more than once: 's'"),
        ({**PATH, "target": 0}, "two different nodes"),
        ({**PATH, "arcs": [[1, 0], [2, 1], [2, 0]]}, "there is no path"),
        ({**PATH, "items": ["a", "b"]}, "items must list 3 texts; got 2"),
        ({**PATH, "positions": [[0, 0]]}, "one row for each of the 3 nodes"),
        ({**SELECTION, "p": 4}, "p must be an integer from 1 to 3; got 4"),
        ({**SELECTION, "n": 10**9}, "n must be an integer from 1 to 200000"),
        ({**SELECTION, "sense": "least"}, 'sense must be "min" or "max"'),
        ({**EXPLICIT, "solutions": [[1, 0], [1]]}, r"solutions\[1\] must hold 2 numbers; got 1"),
        ({**EXPLICIT, "solutions": [[1, float("nan")]]}, "finite numbers; got nan"),
        ({**EXPLICIT, "solutions": [[1, 10**400]]}, "finite numbers; got 1000"),
        ({**EXPLICIT, "solutions": [[1, "2"]]}, "must hold numbers; got '2'"),
        ({**EXPLICIT, "solutions": []}, "entries; got 0 rows"),
        ({**EXPLICIT, "names": ["x"]}, "names must list 2 texts; got 1"),
        ({**KNAPSACK, "weights": [1, "2"]}, r"weights\[1\] must hold numbers; got '2'"),
        ({**KNAPSACK, "weights": []}, "items must list 0 texts"),
        ({**KNAPSACK, "capacity": -1}, "capacity must be zero or more; got -1"),
        ({**KNAPSACK, "capacity": None}, "capacity must hold numbers; got None"),
        ({**ASSIGNMENT, "workers": []}, "at least one item"),
        ({**ASSIGNMENT, "workers": list(map(str, range(10**3))), "tasks": list(map(str, range(10**3)))}, "got 1000000"),
        ({**SPANNING_TREE, "edges": [[0, 1], [0, 1]]}, "not connected"),
        ({**SPANNING_TREE, "edges": [[0, 1], [0, 3]]}, "integer from 0 to 2; got 3"),
        ({**SCHEDULING, "n_machines": 0}, "n_machines must be an integer from 1 to 1000; got 0"),
        ({**SCHEDULING, "jobs": []}, "at least one item"),
        ({**LOAD_SHIFTING, "run": 5}, "run must be an integer from 1 to 4; got 5"),
        ({**LOAD_SHIFTING, "min_run": 3}, "min_run must be an integer from 1 to 2; got 3"),
        ({**FACILITIES, "capacities": [1, 1]}, "serve 2 customers in all, but there are 3"),
        ({**FACILITIES, "opening_costs": [7]}, "one number for each of the 2 sites"),
        ({**FACILITIES, "unit_costs": [[1, 2], [3, 4], [5, -6]]}, "unit_costs must be zero or more; got -6"),
        ({**TOUR, "cities": ["a", "b"]}, "fewer than 3 cities; got 2"),
        ({**TOUR, "cities": list(map(str, range(501)))}, "at most 500 cities; got 501"),
        ({**MIXED, "items": [3]}, "items must be an integer from 0 to 2; got 3"),
        ({**MIXED, "items": []}, "at least one variable"),
        ({**MIXED, "items": [1, 1]}, "chosen more often: 'buy'"),
        ({**MIXED, "variables": ["make", "make", "set up"]}, "more than once: 'make'"),
        ({**MIXED, "lower": [0.0, 0.0]}, "lower must list 3 numbers; got 2"),
        ({**MIXED, "costs": [1.0, None, 5.0]}, r"costs\[1\] must hold numbers; got None"),
        ({**MIXED, "upper": [-1.0, 9.0, 1.0]}, "'make' must lie between 0 and -1"),
        ({**MIXED, "entries": [1]}, "entries must be a table"),
        ({**MIXED, "entries": {"row": [2], "column": [0], "value": [1.0]}}, "row must be an integer from 0 to 1"),
        ({**MIXED, "entries": {"row": [0], "column": [0, 1], "value": [1.0]}}, "as many rows as columns"),
        ({**MIXED, "entries": {"row": [0], "column": [0]}}, "needs the field 'value'"),
    ],
)
def test_bad_descriptions_are_refused_in_words(description, message):
    with pytest.raises(FileFormatError, match=message):
        problem_from_dict(description)


def test_long_lists_are_refused_before_they_are_read(monkeypatch):
    monkeypatch.setattr(_reading, "MAX_ITEMS", 2)
    with pytest.raises(FileFormatError, match="nodes must have at most 2 entries; got 3"):
        problem_from_dict(PATH)
    monkeypatch.setattr(_reading, "MAX_ENTRIES", 3)
    with pytest.raises(FileFormatError, match="1 to 3 entries; got 2 rows of 2"):
        problem_from_dict(EXPLICIT)


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
