"""Tables in and out: Parquet beside CSV, types and ids carried through, and names that are up to no good."""

import csv
import datetime
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hedgerow.cli.output import write_output
from hedgerow.cli.reading import OUTSIDE
from hedgerow.data.files import read_table
from hedgerow.data.table import number_columns, number_matrix, row_labels
from hedgerow.rules import RuleBook
from tests.cli.conftest import COSTS, NAMES, refused, run

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

HOSTILE = (
    "left, then right",
    'the "long" way',
    "<script>alert(1)</script>",
    "=cmd()",
    "'; DROP TABLE items; --",
    "🦔 hedge [red]hog[/red]",
    "{{ braces }} %s \\n",
    "x" * 200,
)
DAYS = [datetime.date(2024, 2, 26 + day) for day in range(4)] + [datetime.date(2024, 3, 1 + day) for day in range(2)]

DECISIONS = [f"decision {name}" for name in NAMES]


def write_parquet(path: Path, columns) -> Path:
    parquet.write_table(pa.table(columns), path)
    return path


def costs_as_arrow():
    return {name: pa.array(COSTS[:, item]) for item, name in enumerate(NAMES)}


# -- Parquet -----------------------------------------------------------------------------------------------------


def test_parquet_and_csv_give_the_same_tree(folder):
    write_parquet(folder / "costs.parquet", costs_as_arrow())
    for file in ("costs.csv", "costs.parquet"):
        words = ("--method", "draw", "--iteration-limit", 10, "--context", file, "-o", f"{file}.json")
        done = run("fit", "grid:2", file, *words)
        assert done.exit_code == 0, done.stderr
    first, second = (RuleBook.load(folder / f"costs.{ending}.json") for ending in ("csv", "parquet"))
    assert first.tree == second.tree
    words = ("evaluate", "costs.csv.json", "--local-budget", 3, "--json")
    results = [run(*words, file, "--context", file).stdout for file in ("costs.csv", "costs.parquet")]
    assert results[0] == results[1]
    assert json.loads(results[0])["n_samples"] == 6


def test_columns_are_carried_from_parquet_to_parquet(tree, folder):
    carried = {
        "day": pa.array(DAYS, pa.date32()),
        "id": pa.array([7, 8, 9, 10, 11, 2**60 + 1], pa.int64()),
        "site": pa.array(["north", "north", "south", None, "south", "north"]).dictionary_encode(),
        "leaf": pa.array([True, False] * 3),
    }
    write_parquet(folder / "today.parquet", {**carried, **costs_as_arrow()})
    done = run("predict", "tree.json", "today.parquet", "-o", "decisions.parquet")
    assert done.exit_code == 0, done.stderr
    found = parquet.read_table(folder / "decisions.parquet")
    assert found.column_names == ["day", "id", "site", "leaf (input)", *NAMES, "leaf", "advice", OUTSIDE, *DECISIONS]
    last = [found[name][-1].as_py() for name in ("day", "id", "site", "leaf (input)")]
    assert last == [DAYS[-1], 2**60 + 1, "north", False]
    saved = RuleBook.load(tree)
    assert found["leaf"].to_pylist() == saved.tree.apply(COSTS).tolist()
    np.testing.assert_array_equal(np.column_stack([found[name] for name in NAMES]), COSTS)
    np.testing.assert_array_equal(np.column_stack([found[name] for name in DECISIONS]), saved.tree.predict(COSTS))


def test_what_spells_a_number_in_csv_stays_text_in_parquet(tree, folder):
    lines = ["id," + ",".join(NAMES), *(f"00{j}," + ",".join(map(str, row)) for j, row in enumerate(COSTS.tolist()))]
    (folder / "today.csv").write_text("\n".join(lines))
    assert run("predict", "tree.json", "today.csv", "-o", "decisions.parquet").exit_code == 0
    assert parquet.read_table(folder / "decisions.parquet")["id"].to_pylist() == [f"00{j}" for j in range(6)]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (pa.array([1.0] * 5 + [None]), "bad.parquet: row 6, column '2-3' must be a finite number; it is empty"),
        (pa.array([1.0, float("nan")] * 3), "row 2, column '2-3' must be a finite number; it is empty"),
        (pa.array(DAYS), "got '2024-02-26'"),
        (pa.array([[1.0]] * 6), "row 1, column '2-3' must be a finite number; got '[1.]'"),
        (pa.nulls(6), "it is empty"),
    ],
    ids=["null", "NaN", "date", "list", "only nulls"],
)
@pytest.mark.parametrize("words", [("fit", "grid:2"), ("predict", "tree.json"), ("evaluate", "tree.json")])
def test_cells_that_are_no_numbers_are_told(tree, folder, words, cells, message):
    write_parquet(folder / "bad.parquet", {**costs_as_arrow(), "2-3": cells})
    if words[0] == "predict" and "empty" in message:  # readings may be missing, costs may not
        done = run(*words, "bad.parquet")
        assert done.exit_code == 0
        filled = [row["filled in"] for row in csv.DictReader(done.stdout.splitlines())]
        assert filled == ["2-3" if cell is None or cell != cell else "" for cell in cells.to_pylist()]
    else:
        assert message in refused(*words, "bad.parquet")


def test_parquet_without_rows(tree, folder):
    write_parquet(folder / "bad.parquet", {name: pa.array([], pa.float64()) for name in NAMES})
    assert "bad.parquet has no rows" in refused("predict", "tree.json", "bad.parquet")


def test_numbers_read_back_exactly(folder):
    values = np.array([0.1, 1 / 3, -1e-300, 5e-324, 2.0**53 + 2, -0.5])
    for name in ("exact.csv", "exact.parquet"):
        write_output(folder / name, pd.DataFrame({"x": values}))
        assert number_matrix(read_table(folder / name), ["x"], "items")[:, 0].tolist() == values.tolist()


# -- columns -----------------------------------------------------------------------------------------------------


def test_only_the_columns_that_the_tree_asks_about_are_needed(tree, folder):
    saved = RuleBook.load(tree)
    asked = [saved.feature_names[item] for item in saved.tree.asked_items]
    assert asked == ["2-3"]
    (folder / "little.csv").write_text("2-3,0-1\n" + "".join(f"{value},?\n" for value in COSTS[:, 3]))
    done = run("predict", "tree.json", "little.csv")
    assert done.exit_code == 0
    whole = run("predict", "tree.json", "costs.csv")
    advice, expected = (
        [line.split(",")[first:] for line in each.stdout.splitlines()] for each, first in ((done, 2), (whole, 4))
    )
    assert advice == expected


def test_ids_with_zeros_in_front_name_no_items(folder):
    (folder / "t.csv").write_text("id,oak,ash\n007,1,4\n008,3,2\n")
    assert number_columns(read_table(folder / "t.csv")) == ["oak", "ash"]


def test_labels_are_the_first_column_that_tells_rows_apart(folder):
    (folder / "t.csv").write_text("x,site,gap,,day,id\n1,n,,a,Mon,7\n2,n,b,b,Tue,8\n")
    assert row_labels(read_table(folder / "t.csv"), ["x"]) == ("day", ["Mon", "Tue"])
    assert row_labels(read_table(folder / "t.csv"), ["x", "day", "id"]) == ("row", ["1", "2"])


# -- names -------------------------------------------------------------------------------------------------------


@pytest.fixture
def hostile(folder):
    """Costs and a fitted tree whose items have the worst of names."""
    names = ", ".join(json.dumps(name, ensure_ascii=False) for name in HOSTILE)
    (folder / "plan.toml").write_text(
        f'kind = "selection"\nn = 8\np = 2\nitem_names = [{names}]\nunit = "<EUR>"\n', "utf-8"
    )
    costs = np.random.default_rng(1).integers(1, 30, (6, 8)).astype(float)
    write_output(folder / "costs.csv", pd.DataFrame(costs, columns=HOSTILE))
    return costs


def test_hostile_names_pass_through_every_command(hostile, folder):
    words = ("--depth", 1, "--local", 0.1, "--method", "draw", "--iteration-limit", 20)
    done = run("fit", "plan.toml", "costs.csv", *words)
    assert done.exit_code == 0, done.stderr
    saved = RuleBook.load(folder / "tree.json")
    assert saved.feature_names == HOSTILE
    assert saved.feature_names[saved.tree.item[0]] in done.stdout
    for name in ("decisions.csv", "decisions.parquet"):
        assert run("predict", "tree.json", "costs.csv", "-o", name).exit_code == 0
        table = read_table(folder / name)
        decisions = [f"decision {each}" for each in HOSTILE]
        assert tuple(table.columns) == (*HOSTILE, "leaf", "advice", OUTSIDE, *decisions)
        np.testing.assert_array_equal(number_matrix(table, HOSTILE, "items"), hostile)
        np.testing.assert_array_equal(number_matrix(table, decisions, "items"), saved.tree.predict(hostile))
        assert table["advice"].tolist() == [saved.plans.text(leaf) for leaf in saved.tree.apply(hostile)]
    done = run("evaluate", "tree.json", "costs.csv", "--local", 1)
    assert done.exit_code == 0, done.stderr
    assert "<EUR>" in done.stdout
