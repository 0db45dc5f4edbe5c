"""`hedgerow export`: a tree file in, another format out, and one sentence for all that can't be."""

import sys

import pytest

from hedgerow.export import FORMATS, export
from tests.cli.conftest import refused, run


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("excel", "onnx")])
def test_text_goes_to_standard_output_or_to_a_file(tree, folder, name):
    done = run("export", "tree.json", "--to", name)
    assert done.exit_code == 0, done.stderr
    assert done.stdout == export(tree, name)
    assert run("export", "tree.json", "--to", name, "-o", "-").stdout == done.stdout
    written = run("export", "tree.json", "--to", name, "-o", "out")
    assert (written.exit_code, written.stdout) == (0, "")
    assert (folder / "out").read_bytes().decode() == done.stdout


def test_an_sql_query_reads_the_named_table(tree):
    assert (
        'FROM "costs of today" AS given'
        in run("export", "tree.json", "--to", "sql", "--table", "costs of today").stdout
    )


def test_bad_use_is_one_sentence_and_nothing_is_written(tree, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    monkeypatch.setitem(sys.modules, "onnx", None)
    before = sorted(folder.iterdir())
    for words, message in [
        (("tree.json",), "Missing option '--to'"),
        (("--to", "text"), "Missing argument 'TREE.json'"),
        (("tree.json", "--to", "pdf"), "can be exported to text, rules, dot, mermaid, json"),
        (("tree.json", "--to", "text", "--table", "costs"), "the export to text has no option 'table'"),
        (("tree.json", "--to", "sql", "--table", ""), "table must be the name of a table"),
        (("tree.json", "--to", "excel"), "pip install 'hedgerow[excel]'"),
        (("tree.json", "--to", "onnx"), "pip install 'hedgerow[onnx]'"),
    ]:
        output = () if "-o" in words else ("-o", "out")
        assert message in refused("export", *words, *output)
    assert sorted(folder.iterdir()) == before


def test_a_workbook_is_not_shown_on_a_terminal(tree):
    for output in ((), ("-o", "-")):
        assert "name a file with -o tree.xlsx" in refused("export", "tree.json", "--to", "excel", *output)
