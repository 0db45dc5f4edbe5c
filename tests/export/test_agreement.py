"""Every export that computes agrees with `predict`, at the thresholds and their floating neighbours too."""

import json
import shutil
import sqlite3
import subprocess
from contextlib import closing

import duckdb
import numpy as np
import pandas as pd
import pytest

from hedgerow import RuleBook, Tree
from hedgerow.export import to_excel, to_javascript, to_json, to_python, to_sql
from tests.export.excel_engine import decisions
from tests.export.trees import HOSTILE, comparing_tree, rows_at_thresholds, tree_file, wide_tree

N_ROWS = 10_000
NAMES = tuple(f"item {number}" for number in range(2000))
CASES = {
    "64 leaves, hostile names": (wide_tree(), HOSTILE),
    "2,000 items": (
        Tree.full([1999, 0, 1234], [0.1 + 0.2, -1e-7, 1e15 / 3], np.eye(4, 2000)),
        NAMES,
    ),
    "the same item again": (Tree.full([0, 0, 0], [5.0, 2.5, 7.5], np.eye(4)), NAMES[:4]),
    "sums of readings": (comparing_tree(), HOSTILE),
    "one leaf": (Tree.single([1.0, 0.25]), NAMES[:2]),
}


@pytest.fixture(params=CASES)
def case(request):
    tree, names = CASES[request.param]
    rows = rows_at_thresholds(tree, len(names), N_ROWS)
    leaves = tree.apply(rows)
    assert set(leaves.tolist()) == {leaf for leaf in range(tree.n_leaves) if _can_be_reached(tree, leaf)}
    return tree_file(tree, names), rows, leaves


def _can_be_reached(tree, leaf):
    return bool((tree.boxes.lower[leaf] < tree.boxes.upper[leaf]).all())


def advice_texts(source, leaves):
    book = RuleBook.of(source)
    return [book.plans.text(leaf) for leaf in leaves.tolist()]


def asked_frame(source, rows):
    """The columns that the tree asks about, and an id."""
    asked = source.tree.asked_items
    frame = pd.DataFrame(rows[:, asked], columns=[source.feature_names[item] for item in asked])
    return frame.assign(**{"row id": np.arange(len(rows))})


def test_the_python_function_advises_what_predict_does(case):
    source, rows, leaves = case
    module = {}
    exec(compile(to_python(source), "exported.py", "exec"), module)
    frame = asked_frame(source, rows)
    answers = [module["advise"](readings) for readings in frame.to_dict("records")]
    assert [answer["leaf"] for answer in answers] == leaves.tolist()
    assert [answer["advice"] for answer in answers] == advice_texts(source, leaves)
    _same_solutions(source, leaves, [answer["solution"] for answer in answers])


def _same_solutions(source, leaves, solutions):
    names = RuleBook.of(source).variable_names
    for leaf, solution in dict(zip(leaves.tolist(), solutions, strict=True)).items():
        dense = [solution.get(name, 0.0) for name in names]
        np.testing.assert_array_equal(dense, source.tree.solutions[leaf])
        assert 0.0 not in solution.values()


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_javascript_function_advises_what_predict_does(case, tmp_path):
    source, rows, leaves = case
    (tmp_path / "tree.js").write_text(to_javascript(source), encoding="utf-8")
    frame = asked_frame(source, rows)
    (tmp_path / "rows.json").write_text(json.dumps([list(frame.columns), frame.to_numpy().tolist()]), encoding="utf-8")
    script = """
        const advise = require("./tree.js");
        const [names, rows] = JSON.parse(require("fs").readFileSync("rows.json", "utf8"));
        const answers = rows.map(row => advise(Object.fromEntries(names.map((name, k) => [name, row[k]]))));
        console.log(JSON.stringify(answers.map(a => [a.leaf, a.advice, Object.entries(a.solution)])));
    """
    done = subprocess.run(["node", "-e", script], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert [leaf for leaf, _, _ in answers] == leaves.tolist()
    assert [advice for _, advice, _ in answers] == advice_texts(source, leaves)
    _same_solutions(source, leaves, [dict(solution) for _, _, solution in answers])


def test_the_query_on_sqlite_advises_what_predict_does(case):
    source, rows, leaves = case
    frame = asked_frame(source, rows)
    quoted = ['"' + name.replace('"', '""') + '"' for name in frame.columns]
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f'CREATE TABLE "my ""table"";" ({", ".join(f"{name} REAL" for name in quoted)})')
        marks = ", ".join("?" * frame.shape[1])
        database.executemany(f'INSERT INTO "my ""table"";" VALUES ({marks})', frame.to_numpy().tolist())
        answers = database.execute(to_sql(source, table='my "table";')).fetchall()
    _same_answers(source, frame, leaves, answers)


def test_the_query_on_duckdb_advises_what_predict_does(case):
    source, rows, leaves = case
    frame = asked_frame(source, rows)
    with duckdb.connect() as database:
        database.register("readings", frame)
        answers = database.execute(to_sql(source)).fetchall()
    _same_answers(source, frame, leaves, answers)


def _same_answers(source, frame, leaves, answers):
    by_row = {answer[-3]: answer[-2:] for answer in answers}
    assert len(answers) == len(by_row) == len(frame)
    assert [by_row[row][0] for row in range(len(frame))] == leaves.tolist()
    assert [by_row[row][1] for row in range(len(frame))] == advice_texts(source, leaves)


def test_the_workbook_advises_what_predict_does(case):
    source, rows, leaves = case
    few = slice(0, 40 if source.tree.n_leaves <= 4 else 12)  # the engine is slow
    asked = rows[few][:, source.tree.asked_items]
    answers = decisions(to_excel(source), asked)
    assert [leaf for _, leaf in answers] == leaves[few].tolist()
    assert [advice for advice, _ in answers] == advice_texts(source, leaves[few])


def test_the_tree_file_reads_back_as_the_same_tree(case):
    source, rows, leaves = case
    again = RuleBook.from_json(to_json(source))
    assert again == source
    np.testing.assert_array_equal(again.tree.apply(rows), leaves)
