"""All readers of a rule book agree on advice, plan letters and figures, or refuse with the same sentence.

One tree, whose plans differ by 1e-9 and whose readings differ in the case of a letter, meets tables with columns in any
order, extra, missing, misspelt, doubled and of mixed type.
"""

import io
import json
import pickle
import re
import sqlite3
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest

from hedgerow import InputError, LocalBudget, RobustTree, RuleBook, Tree, evaluate
from hedgerow.explain import explain
from hedgerow.export import export
from hedgerow.plot import plot_tree
from hedgerow.problems import Selection
from hedgerow.report import report_html
from tests.commands import run as on_the_command_line

NAMES = ("Mill Lane", "Dock Road", "Old Bridge", "dock road")
PROBLEM = Selection(4, 1, item_names=NAMES, unit="min")
NEARLY = [1.0 - 1e-9, 1e-9, 0.0, 0.0]
TREE = Tree.full([1, 2, 2], [5.0, 4.0, 6.0], [[1, 0, 0, 0], NEARLY, [0, 0, 1, 0], [0, 1, 0, 0]])
COSTS = pd.DataFrame(np.random.default_rng(5).integers(1, 10, (12, 4)).astype(float), columns=NAMES)
LEAVES = TREE.apply(COSTS.to_numpy()).tolist()
LETTERS = [("A", "A", "B", "C")[leaf] for leaf in LEAVES]


@pytest.fixture
def rules(tmp_path, monkeypatch):
    """The path of the rule book, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    RuleBook(TREE, NAMES, problem=PROBLEM, uncertainty=LocalBudget(1.0)).save("rules.json")
    return "rules.json"


def in_a_file(frame, name="today.csv"):
    frame.to_csv(name, index=False)
    return name


def facts_of(page):
    return json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.S).group(1))


# -- readers of one row each: rules and a table in, leaf numbers out ---------------------------------------------------


def by_python(rules, frame):
    module = {}
    exec(export(rules, "python"), module)
    return [module["advise"](row)["leaf"] for row in frame.to_dict("records")]


def by_sql(rules, frame):
    database = sqlite3.connect(":memory:")
    frame.drop(columns="dock road", errors="ignore").to_sql("readings", database, index=False)  # SQL ignores case
    leaves = pd.read_sql(export(rules, "sql"), database)["leaf"].tolist()
    database.close()
    return leaves


def by_command(rules, frame):
    done = on_the_command_line("predict", rules, in_a_file(frame), "-o", "out.csv")
    assert done.exit_code == 0, done.output
    return pd.read_csv("out.csv")["leaf"].tolist()


def by_command_explained(rules, frame):
    done = on_the_command_line("explain", rules, in_a_file(frame), "--json", "-o", "why.json")
    assert done.exit_code == 0, done.output
    return [row["leaf"] for row in json.loads(Path("why.json").read_text(encoding="utf-8"))["rows"]]


READERS = {
    "apply": lambda rules, frame: RuleBook.load(rules).apply(frame).tolist(),
    "predict": lambda rules, frame: [
        int(np.flatnonzero((TREE.solutions == row).all(axis=1))[0]) for row in RuleBook.load(rules).predict(frame)
    ],
    "evaluate": lambda rules, frame: RuleBook.load(rules).evaluate(COSTS, readings=frame).attack.nominal_leaf.tolist(),
    "explain": lambda rules, frame: [found.leaf for found in explain(rules, frame)],
    "python": by_python,
    "sql": by_sql,
    "command": by_command,
    "command explain": by_command_explained,
}
GOOD = {
    "as it was": COSTS,
    "in another order": COSTS[sorted(NAMES)],
    "with more columns": COSTS.assign(day=["Monday"] * 12, wind=3.0)[["wind", *reversed(NAMES), "day"]],
    "with what is asked alone": COSTS[["Old Bridge", "Dock Road"]],
    "with text where nothing is asked": COSTS.assign(**{"Mill Lane": "closed"}),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("columns", GOOD)
def test_all_readers_give_the_same_advice(rules, reader, columns):
    assert READERS[reader](rules, GOOD[columns]) == LEAVES


BAD = {
    "missing": (COSTS.drop(columns="Dock Road"), "have no column for 'Dock Road'."),
    "misspelt": (COSTS.rename(columns={"Dock Road": "DockRoad"}), "have no column for 'Dock Road'."),
    "twice": (pd.concat([COSTS, COSTS[["Dock Road"]]], axis=1), "have these columns more than once: 'Dock Road'."),
    "text": (
        COSTS.assign(**{"Dock Road": "jam"}),
        "must hold numbers only; column 'Dock Road' holds text such as 'jam'",
    ),
}
REFUSERS = {
    "apply": lambda rules, frame: RuleBook.load(rules).apply(frame),
    "predict": lambda rules, frame: RuleBook.load(rules).predict(frame),
    "evaluate": lambda rules, frame: RuleBook.load(rules).evaluate(COSTS, readings=frame),
    "evaluate function": lambda rules, frame: evaluate(RuleBook.load(rules), COSTS, readings=frame),
    "explain": explain,
    "report": lambda rules, frame: report_html(rules, COSTS, readings=frame),
}


@pytest.mark.parametrize("fault", BAD)
def test_all_readers_refuse_with_the_same_sentence(rules, fault):
    frame, expected = BAD[fault]
    sentences = {}
    for name, reader in REFUSERS.items():
        if name == "explain" and fault in ("missing", "misspelt"):
            continue  # a missing reading is explained
        with pytest.raises(InputError) as caught:
            reader(rules, frame)
        sentences[name] = str(caught.value).removeprefix("the costs don't match the tree: ")
    if fault in ("missing", "misspelt"):
        done = on_the_command_line("predict", rules, in_a_file(frame))
        sentences["command"] = done.stderr.removeprefix("hedgerow: today.csv: ").rstrip("\n")
        assert [found.missing for found in explain(rules, frame)] == [("Dock Road",)] * len(frame)
    assert set(sentences.values()) == {sentences["predict"]}, sentences
    assert sentences["predict"].startswith(f"readings {expected}")


def test_a_bare_tree_takes_arrays_alone():
    for use in (TREE.apply, TREE.predict):
        with pytest.raises(InputError, match="a tree takes arrays"):
            use(COSTS)
    with pytest.raises(InputError, match="context have no column for 'Mill Lane'"):
        evaluate(TREE, PROBLEM, COSTS, context=COSTS.rename(columns={"Mill Lane": "mill lane"}))


# -- letters and figures ----------------------------------------------------------------------------------------------


def test_plans_that_differ_by_rounding_are_the_same_plan_everywhere(rules):
    book = RuleBook.load(rules)
    assert [book.plans.letters[plan] for plan in book.plans.of_leaf] == ["A", "A", "B", "C"]
    facts = facts_of(report_html(rules, COSTS))
    assert [facts["plans"][leaf["plan"]]["letter"] for leaf in facts["rows"]] == ["A", "A", "B", "C"]
    assert [text.get_text() for text in plot_tree(rules).texts if text.get_text() in "ABCD"] == ["A", "A", "B", "C"]
    module = {}
    exec(export(rules, "python"), module)
    assert module["ADVICE_OF_ROW"] == (0, 0, 1, 2)
    sheet = openpyxl.load_workbook(io.BytesIO(export(rules, "excel")))["Solutions"]
    assert [row[0] for row in sheet.iter_rows(min_row=2, values_only=True)] == ["0, 1", "2", "3"]


def test_no_reader_sees_other_advice_behind_a_rounding_error(rules):
    """From leaf 0 the nearest other advice is not leaf 1, which holds the same plan."""
    (found,) = explain(rules, pd.DataFrame({"Dock Road": [4.0], "Old Bridge": [3.9]}))
    assert (found.leaf, found.counterfactual.leaf, found.radius) == (0, 2, 1.0)


def test_figures_agree(rules):
    book, shuffled = RuleBook.load(rules), GOOD["with more columns"]
    result = book.evaluate(shuffled)
    costs = in_a_file(shuffled, "costs.csv")
    by_command = json.loads(on_the_command_line("evaluate", rules, costs, "--json").stdout)
    facts = facts_of(report_html(rules, shuffled))
    assert result.nominal == by_command["nominal"] == evaluate(TREE, PROBLEM, shuffled).nominal
    assert result.robust == by_command["robust"]
    counts = np.bincount(LEAVES, minlength=4).tolist()
    assert counts == [leaf["samples"] for leaf in facts["rows"]]
    assert f"{result.nominal:g} min" in on_the_command_line("evaluate", rules, costs).stdout
    assert f"{result.nominal:g} min" in report_html(rules, shuffled)


def test_a_number_reads_the_same_everywhere(tmp_path, monkeypatch):
    """A threshold has up to ten digits, a cost six with its thousands set apart."""
    monkeypatch.chdir(tmp_path)
    tree = Tree.full([1], [1234567.891], [[1, 0, 0, 0], [0, 1, 0, 0]])
    RuleBook(tree, NAMES, problem=PROBLEM).save("rules.json")
    day = pd.DataFrame([[7654321.123, 1234567.0, 0.0, 0.0]], columns=NAMES)
    why = on_the_command_line("explain", "rules.json", in_a_file(day)).stdout
    drawn = [text.get_text() for text in plot_tree("rules.json").texts]
    page = report_html("rules.json", day)
    texts = [why, page, export("rules.json", "text"), export("rules.json", "rules"), *(t for t in drawn if "≤" in t)]
    assert all("1234567.891" in text for text in texts)
    table = on_the_command_line("evaluate", "rules.json", "today.csv").stdout
    assert all("7,654,321 min" in text for text in (table, page))


# -- a fitted model ---------------------------------------------------------------------------------------------------


def test_a_model_and_its_saved_rule_book_have_the_same_verbs(tmp_path):
    model = RobustTree(PROBLEM, depth=1, uncertainty=LocalBudget(1.0), method="fix_tree", iteration_limit=20,
                       random_state=0).fit(COSTS)  # fmt: skip
    model.save(tmp_path / "rules.json")
    loaded = RuleBook.load(tmp_path / "rules.json")
    asked = COSTS[list(loaded.asked_names)]
    np.testing.assert_array_equal(loaded.predict(asked), model.predict(COSTS))
    assert model.evaluate(COSTS).robust == loaded.evaluate(COSTS).robust == evaluate(model, COSTS).robust
    assert model.result_.objective == pytest.approx(evaluate(model, COSTS).robust)
    for each in (model, loaded):
        each.report(tmp_path / f"{type(each).__name__}.html", COSTS)
    assert (tmp_path / "RobustTree.html").read_text() == (tmp_path / "RuleBook.html").read_text()
    for to in ("json", "rules", "sql", "python", "javascript", "dot", "mermaid", "text"):
        assert model.export(to) == loaded.export(to)
    assert [str(found.to_dict()) for found in model.explain(COSTS)] == [str(f.to_dict()) for f in loaded.explain(COSTS)]
    assert [t.get_text() for t in model.plot().texts] == [t.get_text() for t in loaded.plot().texts]


def test_a_model_can_be_pickled_after_it_was_read():
    model = RobustTree(PROBLEM, depth=1, method="fix_tree", iteration_limit=5, random_state=0).fit(COSTS)
    assert model.explain(COSTS)
    again = pickle.loads(pickle.dumps(model))
    assert again.rulebook_ == model.rulebook_
    assert again.export("rules") == model.export("rules")


def test_readings_may_have_another_unit_than_totals(tmp_path):
    problem = Selection(4, 1, item_names=NAMES, unit="EUR", reading_unit="EUR/MWh")
    model = RobustTree(problem, depth=1, uncertainty=LocalBudget(1.0), method="fix_tree", iteration_limit=20,
                       random_state=0).fit(COSTS)  # fmt: skip
    model.save(tmp_path / "rules.json")
    for rules in (model.rulebook_, RuleBook.load(tmp_path / "rules.json")):
        assert (rules.unit, rules.reading_unit) == ("EUR", "EUR/MWh")
        assert re.search(r"≤ \S+ EUR/MWh", rules.export("rules"))
        assert re.search(r"by less than \S+ EUR/MWh in total", str(rules.explain(COSTS)[0]))
        assert any("EUR/MWh?" in text.get_text() for text in rules.plot().texts)
    assert "misread by up to 1 EUR/MWh in total" in report_html(model, COSTS)
