"""Problem files: a few lines for each kind, paths from the file's own folder, and errors with file and field."""

import json
import os
import sys

import pytest

from hedgerow.errors import FileFormatError, HedgerowError, InfeasibleProblemError, InputError
from hedgerow.problems import MixedIntegerProblem, Selection, ShortestPath, read_problem

EDGES = "from,to,street,length\ns,1,High Street,3\n1,t,Mill Lane,4\ns,t,Ring,9\n"
MODEL = "max\n 2 a_1 + a_2 + b + 1\nst\n r: a_1 + a_2 + b <= 2\nbounds\n a_1 <= 1\n a_2 <= 1\n b <= 1\nend\n"
GRAPH = 'kind = "graph"\nedges = "data/edges.csv"\nsource = "s"\ntarget = "t"\ntail = "from"\nhead = "to"\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "edges.csv").write_text(EDGES)
    (tmp_path / "data" / "plant.lp").write_text(MODEL)
    return tmp_path


def problem_in(folder, text):
    (folder / "problem.toml").write_text(text, encoding="utf-8")
    return read_problem(folder / "problem.toml")


def test_a_graph_is_read_from_a_list_of_edges(folder):
    problem = problem_in(folder, GRAPH + 'unit = "min"\nname = "street"\n')
    assert problem == ShortestPath(
        ["s", "1", "s"], ["1", "t", "t"], "s", "t", item_names=["High Street", "Mill Lane", "Ring"], unit="min"
    )
    assert problem_in(folder, GRAPH).item_names == ("s-1", "1-t", "s-t")


def test_columns_are_called_tail_and_head_unless_said_otherwise_and_nodes_may_be_numbers(folder):
    (folder / "e.csv").write_text("tail,head\n1,2\n2,3\n")
    problem = problem_in(folder, 'kind = "graph"\nedges = "e.csv"\nsource = 1\ntarget = 3')
    assert (problem.source, problem.target) == ("1", "3")


def test_a_model_file_may_come_with_items_unit_and_sense(folder):
    problem = problem_in(folder, 'kind = "model"\nfile = "data/plant.lp"\nitems = ["b", "a_*"]\nunit = "EUR"')
    assert problem.item_names == ("b", "a_1", "a_2")
    assert (problem.sense, problem.unit, problem.items_chosen) == ("max", "EUR", True)
    other = problem_in(folder, 'kind = "model"\nfile = "data/plant.lp"\nitems = "a_*"\nsense = "min"')
    assert (other.n_items, other.sense) == (2, "min")
    assert not problem_in(folder, 'kind = "model"\nfile = "data/plant.lp"').items_chosen


def test_kinds_that_stand_for_themselves_need_no_reader_of_their_own(folder):
    assert problem_in(folder, 'kind = "selection"\nn = 5\np = 2') == Selection(5, 2)
    assert problem_in(folder, 'kind = "grid"\nsize = 3') == ShortestPath.grid(3)
    assert isinstance(read_problem(folder / "data" / "plant.lp"), MixedIntegerProblem)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", FileFormatError, "kind must be one of assignment, explicit, .*graph, .*mixed_integer, model, "),
        ('kind = "maze"', FileFormatError, "got 'maze'"),
        (GRAPH.replace("data/edges.csv", "no.csv"), InputError, "edges must name a regular file; 'no.csv' is none"),
        (GRAPH.replace("data/edges.csv", "a" * 3000), InputError, r"'a{20,40}\.\.\.a{20,40}' is none"),
        (GRAPH.replace('"from"', '"tail"'), InputError, r"edges\.csv has no column 'tail' for the node.*field 'tail'"),
        (GRAPH.replace('source = "s"\n', ""), FileFormatError, "needs the field 'source'"),
        (GRAPH.replace('source = "s"', 'source = "q"'), InputError, "'q'"),
        (
            GRAPH.replace('source = "s"', 'source = "t"').replace('get = "t"', 'get = "s"'),
            InfeasibleProblemError,
            "path",
        ),
        (GRAPH + "capacity = 3\n", FileFormatError, "no field 'capacity'"),
        ('kind = "model"\nfile = "no.mps"', InputError, "file must name a regular file; 'no.mps' is none"),
        ('kind = "model"\nfile = "data/edges.csv"', InputError, "name must end in"),
        ('kind = "model"\nfile = "data/plant.lp"\nitems = ["c"]', InputError, "no variable 'c'"),
        ('kind = "selection"\nn = 5\np = 9', FileFormatError, "p must be an integer from 1 to 5"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_field(folder, text, error, message):
    with pytest.raises(error, match=message) as caught:
        problem_in(folder, text)
    assert "problem.toml" in str(caught.value)
    assert isinstance(caught.value, HedgerowError)


@pytest.fixture
def secrets(folder):
    """A folder beside that of the problem file, with files whose contents must never be shown."""
    outside = folder / "outside"
    inside = folder / "inside"
    outside.mkdir()
    inside.mkdir()
    for name in ("secret.csv", "secret.lp", "secret.xlsx"):
        (outside / name).write_text("password:hunter2\nuser,1,2\nend\n")
    for name in ("secret.csv", "secret.lp"):
        (inside / name).write_text("password:hunter2\nuser,1,2\nend\n")
    return inside


def fields_that_name(name):
    text = json.dumps(str(name))
    yield f'kind = "graph"\nedges = {text}\nsource = 1\ntarget = 2'
    yield f'kind = "model"\nfile = {text}'


def refused(folder, text):
    with pytest.raises(HedgerowError) as caught:
        problem_in(folder, text)
    assert "hunter2" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["../outside/secret.csv", "../outside/secret.lp", "../outside/none.csv", "/etc/passwd", "/dev/zero", "..", "/"],
)
def test_files_outside_the_folder_are_refused(secrets, name):
    for text in fields_that_name(name):
        assert "must name a file in the problem file's folder or below" in refused(secrets, text)


def test_links_are_held_to_the_same_rule(secrets):
    for name in ("secret.csv", "secret.lp"):
        (secrets / f"link-{name}").symlink_to(secrets.parent / "outside" / name)
        for text in fields_that_name(f"link-{name}"):
            assert "must name a file in the problem file's folder or below" in refused(secrets, text)
    (secrets / "circle.csv").symlink_to(secrets / "circle.csv")
    for text in fields_that_name("circle.csv"):
        refused(secrets, text)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes among files")
def test_pipes_folders_and_names_that_are_none_are_refused(secrets):
    os.mkfifo(secrets / "pipe.csv")
    os.mkfifo(secrets / "pipe.lp")
    (secrets / "folder.csv").mkdir()
    for name in ("pipe.csv", "pipe.lp", "folder.csv", "."):
        for text in fields_that_name(name):
            assert "must name a regular file" in refused(secrets, text)


def test_an_empty_cell_is_told_with_its_row(folder):
    (folder / "data" / "edges.csv").write_text(EDGES.replace("1,t", ",t"))
    with pytest.raises(InputError, match=r"row 2, column 'from' must hold the node that an edge leaves"):
        problem_in(folder, GRAPH)


def test_other_files_are_refused(folder):
    with pytest.raises(InputError, match=r"must end in \.toml, \.mps"):
        read_problem(folder / "problem.json")
    with pytest.raises(InputError, match="no such problem file"):
        read_problem(folder / "no.toml")
