"""The notebooks of the documentation run, cell by cell, and show what is stored in them."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))


def run(source, namespace):
    """Run a cell as a notebook does; return the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), namespace)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_stored_in_it(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    book = json.loads(path.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    namespace = {"__name__": "__main__"}
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        value = run("".join(cell["source"]), namespace)
        printed = "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")
        assert capsys.readouterr().out == printed
        shown = [output["data"] for output in cell["outputs"] if output["output_type"] == "execute_result"]
        assert [list(data) for data in shown] == ([["text/plain", "text/html"]] if value is not None else [])
        if value is not None:
            assert "".join(shown[0]["text/plain"]) == repr(value)
            tree = "".join(shown[0]["text/html"]).partition("\n\n")[0]
            assert tree == value._repr_html_().partition("\n\n")[0]
    assert (tmp_path / "report.html").exists()
