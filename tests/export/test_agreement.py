"""Every export that computes agrees with `predict`, at the thresholds and their floating neighbours too."""

import json
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from hedgerow import LocalBudget, RobustTree, RuleBook, Tree
from hedgerow.export import export
from tests.export.databases import DATABASES, answers, column_name, dialect_of
from tests.export.excel_engine import decisions
from tests.export.trees import HOSTILE, card_tree, comparing_tree, rows_at_thresholds, tree_file, wide_tree
from tests.problems.shelf import SHELF

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
    "cards": (card_tree(), HOSTILE),
    "cards of gains": (card_tree(seed=1, take="largest"), HOSTILE),
}


@pytest.fixture(params=CASES)
def case(request):
    tree, names = CASES[request.param]
    rows = rows_at_thresholds(tree, len(names), N_ROWS)
    assert set(tree.apply(rows).tolist()) == set(np.flatnonzero(tree.is_reachable).tolist())
    return tree_file(tree, names), rows, tree.choose(rows)


def leaves_of(source, chosen):
    return source.tree.leaf_of[chosen].tolist()


def advice_texts(source, chosen):
    book = RuleBook.of(source)
    return [book.plans.text(row) for row in chosen.tolist()]


def asked_frame(source, rows):
    """The columns that the tree asks about, and an id."""
    asked = source.tree.asked_items
    frame = pd.DataFrame(rows[:, asked], columns=[source.feature_names[item] for item in asked])
    return frame.assign(**{"row id": np.arange(len(rows))})


def test_the_python_function_advises_what_predict_does(case):
    source, rows, chosen = case
    module = {}
    exec(compile(export(source, "python"), "exported.py", "exec"), module)
    frame = asked_frame(source, rows)
    answers = [module["advise"](readings) for readings in frame.to_dict("records")]
    assert [answer["leaf"] for answer in answers] == leaves_of(source, chosen)
    for answer, row in zip(answers[:100], rows, strict=False):
        card = source.tree.card(answer["leaf"])
        totals = [] if card is None else source.tree.totals(answer["leaf"], row[None])[0].tolist()
        assert [total for _, total in answer["totals"]] == totals
    assert [answer["advice"] for answer in answers] == advice_texts(source, chosen)
    _same_solutions(source, chosen, [answer["solution"] for answer in answers])


def _same_solutions(source, chosen, solutions):
    names = RuleBook.of(source).variable_names
    for row, solution in dict(zip(chosen.tolist(), solutions, strict=True)).items():
        dense = [solution.get(name, 0.0) for name in names]
        np.testing.assert_array_equal(dense, source.tree.solutions[row])
        assert 0.0 not in solution.values()


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_javascript_function_advises_what_predict_does(case, tmp_path):
    source, rows, chosen = case
    (tmp_path / "tree.js").write_text(export(source, "javascript"), encoding="utf-8")
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
    assert [leaf for leaf, _, _ in answers] == leaves_of(source, chosen)
    assert [advice for _, advice, _ in answers] == advice_texts(source, chosen)
    _same_solutions(source, chosen, [dict(solution) for _, _, solution in answers])


@pytest.mark.parametrize("database", DATABASES)
def test_the_query_advises_what_predict_does(case, database):
    source, rows, chosen = case
    columns = [column_name(database, name) for name in source.feature_names]
    source = replace(source, feature_names=tuple(columns))
    asked = source.tree.asked_items
    kinds = {columns[item]: "DOUBLE PRECISION" for item in asked}
    query = export(source, "sql", table='my "table";', dialect=dialect_of(database))
    expected = list(zip(leaves_of(source, chosen), advice_texts(source, chosen), strict=True))
    assert answers(database, query, 'my "table";', kinds, rows[:, asked].tolist()) == expected


@pytest.mark.parametrize("database", DATABASES)
@pytest.mark.parametrize("kind", ["knapsack", "assignment", "load shifting", "selection", "grid"])
def test_the_query_of_a_fitted_rule_book_advises_what_predict_does(kind, database):
    problem = SHELF[kind]
    rng = np.random.default_rng(0)
    samples = rng.uniform(1.0, 25.0, (30, len(problem.item_names)))
    options = {"questions": ["items", "pairs"], "method": "local_search", "iteration_limit": 2, "random_state": 0}
    rules = RobustTree(problem, depth=2, uncertainty=LocalBudget(fraction=0.02), **options).fit(samples).rulebook_
    frame = pd.DataFrame(rng.uniform(1.0, 25.0, (200, samples.shape[1])), columns=list(rules.names))
    kinds = dict.fromkeys(frame.columns, "DOUBLE PRECISION")
    query = export(rules, "sql", dialect=dialect_of(database))
    found = answers(database, query, "readings", kinds, frame.to_numpy().tolist())
    np.testing.assert_array_equal(rules.tree.solutions[[leaf for leaf, _ in found]], rules.predict(frame))
    assert [advice for _, advice in found] == rules.advise(frame)["advice"].tolist()


def test_the_workbook_advises_what_predict_does(case):
    source, rows, chosen = case
    few = slice(0, 40 if source.tree.n_leaves <= 4 else 12)  # the engine is slow
    asked = rows[few][:, source.tree.asked_items]
    answers = decisions(export(source, "excel"), asked)
    assert [leaf for _, leaf in answers] == leaves_of(source, chosen[few])
    assert [advice for advice, _ in answers] == advice_texts(source, chosen[few])


def test_the_tree_file_reads_back_as_the_same_tree(case):
    source, rows, chosen = case
    again = RuleBook.from_json(export(source, "json"))
    assert again == source
    np.testing.assert_array_equal(again.tree.choose(rows), chosen)
