"""`hedgerow explain`: in full or as a table, with gaps as missing readings, and one sentence for what is wrong."""

import json

import pandas as pd
import pytest

from hedgerow import GlobalBudget, RuleBook, Tree
from hedgerow.datasets import motivating_example
from hedgerow.explain import explain
from hedgerow.rules import Labels
from tests.cli.conftest import COSTS, NAMES, refused, run, write_costs

PROBLEM, DAYS = motivating_example()
WAYS = [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]


@pytest.fixture
def days(tmp_path, monkeypatch):
    """A folder with the motivating example: its simple rule, and its five days with dates."""
    monkeypatch.chdir(tmp_path)
    fields = {"problem": PROBLEM, "uncertainty": GlobalBudget(5.0)}
    RuleBook(Tree.full([0], [5.0], WAYS), PROBLEM.item_names, **fields).save("rule.json")
    lines = ["date,e4,e2,e3,e1", *(f"2024-05-0{day + 1},{r[3]},{r[1]},{r[2]},{r[0]}" for day, r in enumerate(DAYS))]
    (tmp_path / "days.csv").write_text("\n".join(lines))
    return tmp_path


def told(*words):
    done = run("explain", *words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


# -- what is told ----------------------------------------------------------------------------------------------------


def test_a_chosen_row_is_explained_in_full(days):
    text = told("rule.json", "days.csv", "--row", 5)
    labels = [f"row {day} (2024-05-0{day})" for day in range(1, 6)]
    days = pd.DataFrame(DAYS, columns=PROBLEM.item_names, index=labels)
    assert text == str(explain("rule.json", days)[4]) + "\n"
    assert "e1 10 > 5" in text


def test_few_rows_are_explained_in_full_and_many_in_a_sentence_each(days):
    lines = (days / "days.csv").read_text().splitlines()
    (days / "few.csv").write_text("\n".join(lines[:4]))
    assert told("rule.json", "few.csv").count("because") == 3
    *rows, hint = told("rule.json", "days.csv").splitlines()
    assert len(rows) == 5
    assert rows[4].startswith("row 5 (2024-05-05): s → 2 → t; stable")
    assert hint == "(--row N explains a row in full)"


def test_json_holds_all_rows_with_their_columns(days):
    found = json.loads(told("rule.json", "days.csv", "--json"))
    assert found["n_rows"] == 5
    for number, (row, expected) in enumerate(zip(found["rows"], explain("rule.json", DAYS), strict=True)):
        assert row["row"] == number + 1
        assert row["columns"] == {"date": f"2024-05-0{number + 1}"}
        assert (row["leaf"], row["radius"]) == (expected.leaf, expected.radius)
    (only,) = json.loads(told("rule.json", "days.csv", "--json", "--row", 3))["rows"]
    assert only["row"] == 3


# -- gaps ------------------------------------------------------------------------------------------------------------


def test_empty_cells_are_missing_readings(days):
    (days / "gaps.csv").write_text("e1,e2,e3,e4\n,1,1,1\n 4 ,NA,1,1\n")
    text = told("rule.json", "gaps.csv")
    assert "no reading of e1" in text
    assert "s → 1 → t if e1 ≤ 5" in text
    assert "s → 2 → t if e1 > 5" in text
    first, second = json.loads(told("rule.json", "gaps.csv", "--json"))["rows"]
    assert (first["leaf"], second["leaf"]) == (None, 0)
    (days / "gaps.csv").write_text("e1,e2,e3,e4\n,1,1,1\n" + "4,1,1,1\n" * 4)
    assert "row 1: the advice depends on e1." in told("rule.json", "gaps.csv")


def test_absent_columns_are_missing_readings_and_told(days):
    RuleBook.of(RuleBook(Tree.full([0, 1, 1], [5.0, 2.0, 7.0], [*WAYS, *WAYS]), PROBLEM.item_names)).save("two.json")
    (days / "some.csv").write_text("id,e2\n7,1\n8,4\n")
    done = run("explain", "two.json", "some.csv")
    assert done.exit_code == 0
    assert "row 1 (7)" in done.stdout
    assert "if e1 > 5" not in done.stdout.split("row 2")[0], "with e2 ≤ 2 both sides advise the same"
    assert "if e1 > 5" in done.stdout.split("row 2")[1]


def test_hostile_names_keep_their_rows(days):
    names = ("=cmd()", 'a,"b"', "<b>", "🌉" * 100)
    tree = Tree.full([0, 1, 3], [5.0, 2.0, 7.0], [*WAYS, *WAYS])
    RuleBook.of(RuleBook(tree, names, labels=Labels(advice=("=1+1", "\x1b[31m", "<i>", "x" * 300)))).save("odd.json")
    header = '"=cmd()","a,""b""",<b>,' + names[3]
    (days / "odd.csv").write_text(header + ",note\n" + "1,2,3,4,\x1b[31mred\n" * 5, encoding="utf-8")
    lines = told("odd.json", "odd.csv").splitlines()
    assert len(lines) == 6
    assert all(line.isprintable() for line in lines)


# -- bad input -------------------------------------------------------------------------------------------------------


def test_bad_use_is_one_sentence_and_nothing_is_written(tree, folder):
    asked = [NAMES[item] for item in Tree.from_dict(json.loads(tree.read_text())["tree"]).asked_items]
    others = [name for name in NAMES if name not in asked]
    write_costs(folder / "none.csv", COSTS[:, : len(others)], others)
    (folder / "infinite.csv").write_text(",".join(NAMES) + "\n" + "inf,inf,inf,inf\n")
    nameless = {**json.loads(tree.read_text(encoding="utf-8")), "feature_names": []}
    (folder / "nameless.json").write_text(json.dumps(nameless))
    before = sorted(folder.iterdir())
    for words, message in [
        (("tree.json",), "Missing argument 'READINGS.csv'"),
        (("nameless.json", "costs.csv"), "keep no names of readings"),
        (("tree.json", "none.csv"), "none.csv: readings have no column for"),
        (("tree.json", "infinite.csv"), "must be a finite number; got 'inf'"),
        (("tree.json", "costs.csv", "--row", "0"), "--row must be from 1 to 6, the number of rows; got 0"),
        (("tree.json", "costs.csv", "--row", "7"), "--row must be from 1 to 6"),
    ]:
        output = () if "-o" in words else ("-o", "why.txt")
        assert message in refused("explain", *words, *output)
    assert sorted(folder.iterdir()) == before
