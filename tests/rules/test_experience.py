"""Readings beyond the training data: every reader says that advice for them is outside experience."""

import csv
import io
import json
import shutil
import subprocess

import numpy as np
import openpyxl
import pytest

from hedgerow import RobustTree, RuleBook, Tree
from hedgerow.export import FORMATS, export
from hedgerow.problems import Selection
from tests.cli.conftest import run

COSTS = np.array([[4.0, 9.0], [18.0, 11.0], [6.0, 10.0]])


@pytest.fixture(scope="module")
def rules():
    problem = Selection(2, 1, item_names=["bridge", "tunnel"], unit="min")
    return RobustTree(problem, depth=1, method="nominal").fit(COSTS).rulebook_


def test_only_readings_that_are_asked_about_and_beyond_the_ranges_count(rules):
    assert rules.asked == {0: "bridge"}
    rows = [[4.0, 9.0], [18.0, 900.0], [-5.0, 9.0], [18.1, 9.0], [np.nan, 9.0]]
    note = ("bridge (seen: 4 to 18 min)",)
    assert rules.outside(rows) == [(), (), note, note, ()]
    assert RuleBook(Tree.full([0], [5.0], [[1.0], [0.0]])).outside([[1e9]]) == [()]


@pytest.mark.parametrize("to", sorted(set(FORMATS) - {"json", "excel", "python", "javascript", "onnx", "text"}))
def test_exports_say_what_was_seen(rules, to):
    assert "bridge 4 to 18 min. Advice beyond that is outside experience." in export(rules, to)


def test_exports_that_run_name_what_is_outside(rules):
    module: dict = {}
    exec(export(rules, "python"), module)
    assert module["SEEN"] == {"bridge": (4.0, 18.0)}
    assert [module["advise"]({"bridge": value})["outside"] for value in (4.0, 18, -5.0)] == [[], [], ["bridge"]]
    workbook = openpyxl.load_workbook(io.BytesIO(export(rules, "excel")))
    assert [workbook["Advice"][place].value for place in ("E9", "F9")] == [4, 18]
    assert "outside experience" in workbook["Advice"]["G9"].value
    if shutil.which("node"):
        script = (
            export(rules, "javascript") + "console.log(JSON.stringify([4, -5].map((b) => advise({bridge: b}).outside)))"
        )
        done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == [[], ["bridge"]]


def test_predict_says_so_on_the_command_line(rules, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rules.save("tree.json")
    (tmp_path / "today.csv").write_text("bridge,tunnel\n5,9\n-5,9\n")
    done = run("predict", "tree.json", "today.csv")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["outside experience"] for row in rows] == ["", "bridge (seen: 4 to 18 min)"]
