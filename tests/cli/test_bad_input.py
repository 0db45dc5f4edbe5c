"""Every command with every kind of bad input: status 2, one sentence, nothing written and nothing changed."""

import json
import sys

import pytest

from tests.cli.conftest import COSTS, NAMES, refused, run, write_costs
from tests.processes import as_ordinary_user

HEADER = ",".join(NAMES)
ROW = "1,2,3,4"
FIT = ("--method", "one_solution")

# Commands that read a table; TABLE stands for it, and "kept" is where the answer would go.
READERS = {
    "fit": ("fit", "grid:2", "TABLE", *FIT, "-o", "kept.json"),
    "fit --context": ("fit", "grid:2", "costs.csv", *FIT, "--context", "TABLE", "-o", "kept.json"),
    "predict": ("predict", "tree.json", "TABLE", "-o", "kept.csv"),
    "predict to Parquet": ("predict", "tree.json", "TABLE", "-o", "kept.parquet"),
    "evaluate": ("evaluate", "tree.json", "TABLE"),
    "evaluate --readings": ("evaluate", "tree.json", "costs.csv", "--readings", "TABLE"),
}
OBSERVING = ("fit --context", "evaluate --readings")

BAD_TABLES = {
    "empty": ("bad.csv", b"", "bad.csv is empty"),
    "only blank lines": ("bad.csv", b"\n\n", "bad.csv is empty"),
    "only a header": ("bad.csv", f"{HEADER}\n".encode(), "has a header but no rows"),
    "a short row": ("bad.csv", f"{HEADER}\n{ROW}\n1,2,3\n".encode(), "row 2 (line 3) must have 4 columns"),
    "a long row": ("bad.csv", f"{HEADER}\n{ROW},5\n".encode(), "row 1 (line 2) must have 4 columns"),
    "another encoding": ("bad.csv", f"{HEADER}\n1,2,3,".encode() + b"\x81\n", "is not UTF-8 text"),
    "UTF-16": ("bad.csv", f"{HEADER}\n{ROW}\n".encode("utf-16"), "is not UTF-8 text"),
    "an open quote": ("bad.csv", f'{HEADER}\n1,2,3,"4\n'.encode(), "can't be read as CSV"),
    "Excel named CSV": ("bad.csv", b"PK\x03\x04", "is an Excel file"),
    "CSV named Excel": ("bad.xlsx", f"{HEADER}\n{ROW}\n".encode(), "can't be read as an Excel file"),
    "an old Excel file": ("bad.xls", b"\xd0\xcf\x11\xe0", "save it as .xlsx"),
    "Parquet named CSV": ("bad.csv", b"PAR1\x15\x04", "is a Parquet file"),
    "an empty Parquet file": ("bad.parquet", b"", "bad.parquet is empty"),
    "CSV named Parquet": ("bad.parquet", f"{HEADER}\n{ROW}\n".encode(), "can't be read as Parquet"),
    "a Parquet file cut short": ("bad.parquet", b"PAR1\x15\x04PAR1", "can't be read as Parquet"),
}
BAD_COLUMNS = {
    "a missing column": (f"{HEADER[:-4]}\n1,2,3\n", "have no column for"),
    "a column twice": (f"{HEADER},2-3\n{ROW},5\n", "have these columns more than once: '2-3'"),
    "semicolons": (f"{HEADER[:-4]}\n1,2,3\n".replace(",", ";"), "The file was read with semicolons between columns"),
    "thousands": (f"{HEADER}\n1,2,3,".replace(",", ";") + "4.00,5\n", "got '4.00,5'"),
    "no header": (f"{ROW}\n{ROW}\n", "The first line holds numbers"),
    "text": (f"{HEADER}\n1,2,3,four\n", "row 1, column '2-3' must be a finite number; got 'four'"),
    "nothing": (f"{HEADER}\n1,2,3,\n", "column '2-3' must be a finite number; it is empty"),
    "NaN": (f"{HEADER}\n1,2,3,nan\n", "column '2-3' must be a finite number; it is empty"),
    "infinity": (f"{HEADER}\n1,2,3,1e999\n", "got '1e999'"),
    "a formula": (f'{HEADER}\n1,2,3,"=cmd()"\n', "got '=cmd()'"),
    "a page of text": (f"{HEADER}\n1,2,3,{'x' * 5000}\n", "must be a finite number; got 'xxx"),
    "a NUL byte": (f"{HEADER}\n1,2,3,\x004\n", r"got '\x004'"),
    "control characters": (f"{HEADER}\n1,2,3,\x1b[2J\n", r"got '\x1b[2J'"),
}

GAPS = ("nothing", "NaN")


@pytest.fixture
def place(folder):
    """A folder with a tree that asks about 2-3 and with answers of yesterday, of which no byte may change."""
    options = ("--depth", 1, "--local", 0.1, "--method", "draw", "--iteration-limit", 20)
    assert run("fit", "grid:2", "costs.csv", *options).exit_code == 0
    for name in ("kept.json", "kept.csv", "kept.parquet"):
        (folder / name).write_text("yesterday's")
    return folder


def check(place, message, *words):
    """Run the command; it must be refused in one short sentence and leave every file as it was."""
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    said = refused(*words)
    assert message in said
    assert len(said) < 400
    assert said.count("bad.") <= 1
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before


def reading(reader, path):
    return [path if word == "TABLE" else word for word in READERS[reader]]


@pytest.mark.parametrize("kind", BAD_TABLES)
@pytest.mark.parametrize("reader", READERS)
def test_tables_that_are_none(place, reader, kind):
    name, content, message = BAD_TABLES[kind]
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    (place / name).write_bytes(content)
    check(place, message, *reading(reader, name))


@pytest.mark.parametrize("kind", BAD_COLUMNS)
@pytest.mark.parametrize("reader", [reader for reader in READERS if reader not in OBSERVING])
def test_tables_with_wrong_columns_or_cells(place, reader, kind):
    content, message = BAD_COLUMNS[kind]
    (place / "bad.csv").write_text(content, encoding="utf-8")
    if kind in GAPS and reader.startswith("predict"):  # readings may be missing, costs may not
        assert run(*reading(reader, "bad.csv")).exit_code == 0
    else:
        check(place, message, *reading(reader, "bad.csv"))


@pytest.mark.parametrize("reader", READERS)
def test_tables_that_are_not_there(place, reader):
    check(place, "nowhere.csv: there is no such file", *reading(reader, "nowhere.csv"))
    (place / "shelf.parquet").mkdir()
    check(place, "shelf.parquet is a directory", *reading(reader, "shelf.parquet"))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions work otherwise there")
@pytest.mark.parametrize("reader", READERS)
def test_tables_that_may_not_be_read(place, reader):
    secret = write_costs(place / "secret.csv")
    words = reading(reader, "secret.csv")
    secret.chmod(0)

    def is_refused():
        message = refused(*words)
        assert "path 'secret.csv' is not readable" in message.lower() or "secret.csv: Permission denied" in message

    as_ordinary_user(is_refused)


@pytest.mark.parametrize("reader", OBSERVING)
def test_observations_of_other_samples(place, reader):
    write_costs(place / "bad.csv", COSTS[:2])
    check(place, "bad.csv must have one row for each of the 6 samples; got 2", *reading(reader, "bad.csv"))


@pytest.mark.parametrize("reader", READERS)
def test_without_pyarrow_there_is_a_word_on_it(place, reader, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (place / "bad.parquet").write_bytes(b"PAR1")
    check(place, "pip install 'hedgerow[parquet]'", *reading(reader, "bad.parquet"))


# -- tree files --------------------------------------------------------------------------------------------------

BAD_TREES = {
    "not there": (None, "bad.json: there is no such tree file"),
    "empty": ("", "bad.json: this is not a tree file"),
    "not JSON": ("tree", "bad.json: this is not a tree file"),
    "other JSON": ("[1, 2]", "bad.json: this is not a tree file"),
    "HTML": ("<html></html>", "bad.json: this is not a tree file"),
    "deeply nested": ("[" * 100_000, "bad.json: this is not a tree file"),
    "binary": (b"\xff\xfe\x00", "bad.json is not a tree file: it is not text"),
    "cut short": (lambda text: text[: len(text) // 2], "bad.json: this is not a tree file"),
    "from the future": (lambda text: text.replace('"version": 1', '"version": 2', 1), "please update Hedgerow"),
    "with NaN": (lambda text: text.replace('"threshold": ', '"threshold": NaN, "x": ', 1), "bad.json: "),
    "without a tree": (lambda text: text.replace('"tree"', '"bush"', 1), "bad.json: the tree file is damaged"),
    "a directory": ("DIRECTORY", "bad.json is a directory; a tree file is needed"),
}


@pytest.mark.parametrize("kind", BAD_TREES)
@pytest.mark.parametrize(
    "words", [("predict", "bad.json", "costs.csv", "-o", "kept.csv"), ("evaluate", "bad.json", "costs.csv")]
)
def test_tree_files_that_are_none(place, words, kind):
    content, message = BAD_TREES[kind]
    path = place / "bad.json"
    if content == "DIRECTORY":
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        text = content((place / "tree.json").read_text(encoding="utf-8")) if callable(content) else content
        path.write_text(text, encoding="utf-8")
    check(place, message, *words)


def test_a_fraction_needs_the_ranges_of_the_training_data(place):
    document = json.loads((place / "tree.json").read_text(encoding="utf-8"))
    del document["details"]["training"]
    (place / "bad.json").write_text(json.dumps(document), encoding="utf-8")
    check(place, "keeps no ranges of the training data", "evaluate", "bad.json", "costs.csv", "--local", "0.1")


# -- options and outputs -----------------------------------------------------------------------------------------

BUDGETS = [
    (("--local", "-0.1"), "--local: fraction must be zero or more"),
    (("--global", "nan"), "--global: fraction must be zero or more"),
    (("--local-budget", "-1"), "--local-budget: budget must be zero or more"),
    (("--global-budget", "inf"), "--global-budget: budget must be zero or more"),
    (("--local", "much"), "Invalid value for '--local'"),
    (("--local", "0.1", "--global-budget", "3"), "at most one budget can be given; got --local and --global-budget"),
    (("--prices", "range"), "--prices needs a budget"),
    (("--limits", "1"), "--limits needs a budget"),
    (("--local", "0.1", "--prices", "0,1,1,1"), "prices must be"),
    (("--local", "0.1", "--prices", "1,2"), "prices must hold one number for each of the 4"),
    (("--local", "0.1", "--limits", "-1"), "limits must be"),
    (("--local", "0.1", "--limits", "1;2"), "--limits must be"),
]


@pytest.mark.parametrize(("options", "message"), BUDGETS, ids=[" ".join(options) for options, _ in BUDGETS])
@pytest.mark.parametrize("reader", ["fit", "evaluate"])
def test_budgets_that_make_no_sense(place, reader, options, message):
    check(place, message, *reading(reader, "costs.csv"), *options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--method", "magic"), "method must be one of auto, exact, "),
        (("--thresholds", "median"), 'thresholds must be one of "midpoints", "grid", "continuous"'),
        (("--solver", "abacus"), "solver must be one of 'highs', 'gurobi'"),
    ],
)
def test_choices_are_answered_with_what_is_allowed(place, options, message):
    check(place, message, *reading("fit", "costs.csv"), *options)


WRITERS = [
    ("fit", "grid:2", "costs.csv", *FIT),
    ("predict", "tree.json", "costs.csv"),
    ("generate", "shortest-path"),
]


@pytest.mark.parametrize("words", WRITERS, ids=lambda words: words[0])
def test_places_where_nothing_can_be_written(place, words):
    check(place, "there is no directory nowhere", *words, "-o", "nowhere/bad.csv")
    check(place, ". is a directory", *words, "-o", ".")
    check(place, "there is no directory costs.csv", *words, "-o", "costs.csv/bad.csv")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions work otherwise there")
@pytest.mark.parametrize("words", WRITERS, ids=lambda words: words[0])
def test_places_where_one_may_not_write(place, words):
    shelf = place / "shelf"
    shelf.mkdir(mode=0o500)
    as_ordinary_user(lambda: check(place, "you may not write to shelf", *words, "-o", "shelf/answer.csv"))


@pytest.mark.parametrize("words", WRITERS[1:], ids=lambda words: words[0])
def test_parquet_out_without_pyarrow(place, words, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    check(place, "pip install 'hedgerow[parquet]'", *words, "-o", "kept.parquet")


@pytest.mark.parametrize("command", ["fit", "predict", "evaluate", "generate", "demo"])
def test_words_that_no_command_knows(place, command):
    check(place, "--colour", command, "--colour")
    if command not in ("demo", "generate"):
        check(place, "Missing argument", command)


# -- wishes and questions as JSON --------------------------------------------------------------------------------------

BAD_WISHES = {
    "no JSON": ('{"max_items": ', "can't be read as JSON"),
    "deeply nested": ('{"complete": ' * 100_000, "nests deeper than 64 levels"),
    "deep enough for the interpreter": ('{"complete": ' + "[" * 300 + "]" * 300 + "}", "nests deeper than 64 levels"),
    "a key twice": ('{"max_items": 1, "max_items": 2}', "'max_items' occurs twice"),
    "NaN": ('{"item_prices": {"0-1": NaN}}', "NaN is not a number that JSON knows"),
    "infinity": ('{"item_prices": {"0-1": 1e999}}', "too large a number"),
    "half a surrogate pair": ('{"ask_first": "\\ud83d"}', "half a surrogate pair"),
}


@pytest.mark.parametrize("kind", BAD_WISHES)
def test_wishes_and_questions_that_are_no_good_json(place, kind):
    text, message = BAD_WISHES[kind]
    (place / "bad.json").write_text(text)
    check(place, message, "fit", "grid:2", "costs.csv", *FIT, "--wishes", "bad.json", "-o", "kept.json")
    check(place, message, "fit", "grid:2", "costs.csv", *FIT, "--questions", "bad.json", "-o", "kept.json")
    check(place, message, "fit", "grid:2", "costs.csv", *FIT, "--wishes", text, "-o", "kept.json")


def test_wishes_that_are_no_object_or_not_there(place):
    (place / "bad.json").write_text("[1, 2]")
    message = "--wishes must be a JSON object or a file with one"
    check(place, message, "fit", "grid:2", "costs.csv", *FIT, "--wishes", "bad.json", "-o", "kept.json")
    message = "--wishes: no.json can't be read: there is no such file"
    check(place, message, "fit", "grid:2", "costs.csv", *FIT, "--wishes", "no.json", "-o", "kept.json")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("export", "tree.json", "--to", "xlsx"), "Do you mean excel?"),
        (("fit", "grid:2", "costs.csv", "--local", "5%"), "'5%' is not a number; write 0.05 instead"),
        (("fit", "grid:2", "costs.csv", "--global", "0,05"), "'0,05' is not a number; write 0.05 instead"),
        (("fit", "costs.csv", "grid:2"), "the problem comes before the costs: hedgerow fit PROBLEM COSTS.csv"),
    ],
)
def test_a_likely_slip_is_answered_with_the_right_spelling(place, words, message):
    check(place, message, *words)
