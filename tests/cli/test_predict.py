"""`hedgerow predict`: one decision per row, with what identifies the row carried through."""

import csv
import io

import numpy as np
import pandas as pd

from hedgerow.rules import RuleBook
from tests.cli.conftest import COSTS, NAMES, run


def table(text):
    return list(csv.reader(io.StringIO(text)))


def test_every_row_keeps_its_readings_and_gets_its_leaf_its_advice_and_its_plan(tree, folder):
    done = run("predict", "tree.json", "costs.csv")
    assert done.exit_code == 0, done.stderr
    header, *rows = table(done.stdout)
    assert header == [*NAMES, "leaf", "advice", "outside experience", *(f"decision {name}" for name in NAMES)]
    saved = RuleBook.load(tree)
    leaves = saved.tree.apply(COSTS)
    np.testing.assert_array_equal(np.array([row[:4] for row in rows], dtype=float), COSTS)
    assert [int(row[4]) for row in rows] == leaves.tolist()
    assert [row[5] for row in rows] == [saved.problem.describe(saved.tree.solutions[leaf]) for leaf in leaves]
    np.testing.assert_array_equal(np.array([row[7:] for row in rows], dtype=float), saved.tree.predict(COSTS))


def test_all_columns_are_kept_and_their_order_does_not_matter(tree, folder):
    plain = table(run("predict", "tree.json", "costs.csv").stdout)
    lines = ["date,2-3,1-3,leaf,0-2,0-1"]
    lines += [f'"Mon, {j}",{c[3]},{c[2]},L{j},{c[1]},{c[0]}' for j, c in enumerate(COSTS.tolist())]
    (folder / "today.csv").write_text("\n".join(lines))
    assert run("predict", "tree.json", "today.csv", "-o", "decisions.csv").exit_code == 0
    header, *rows = table((folder / "decisions.csv").read_text(encoding="utf-8"))
    assert header == ["date", "2-3", "1-3", "leaf (input)", "0-2", "0-1", *plain[0][4:]]
    assert [(row[0], row[3]) for row in rows] == [(f"Mon, {j}", f"L{j}") for j in range(6)]
    assert [row[6:] for row in rows] == [row[4:] for row in plain[1:]]


def test_empty_cells_are_filled_in_and_the_column_says_where(tree, folder):
    rules = RuleBook.load(tree)
    gaps = COSTS.copy().astype(str)
    gaps[1, NAMES.index(rules.asked_readings[0])] = ""
    lines = [",".join(NAMES), *(",".join(row) for row in gaps)]
    (folder / "gaps.csv").write_text("\n".join(lines) + "\n")
    done = run("predict", "tree.json", "gaps.csv", "-o", "out.csv")
    assert done.exit_code == 0, done.stderr
    written = pd.read_csv(folder / "out.csv")
    assert written["filled in"].fillna("").tolist() == ["", rules.asked_readings[0], *[""] * (len(COSTS) - 2)]
    assert table((folder / "out.csv").read_text(encoding="utf-8"))[2][NAMES.index(rules.asked_readings[0])] == ""
