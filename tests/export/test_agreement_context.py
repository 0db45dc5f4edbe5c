"""Every export that computes agrees with `predict` on context, values never seen, gaps, and cards that read them."""

import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError, RuleBook, Tree
from hedgerow.data.gaps import FillIns, Substitute
from hedgerow.export import export
from hedgerow.rules import Labels
from hedgerow.tree.questions import ContextColumn, Feature, Question, context_questions
from tests.export.databases import DATABASES, answers, dialect_of
from tests.export.excel_engine import opened_model

READINGS = ("bridge", "tunnel", "ferry")
WEEKDAY = ContextColumn("weekday", ("Mon", "Fri", "Sat", "Sun"), date="day")
SKY = ContextColumn('the "sky"', ("it's wet", "dry <b>", "=1+1", "missing"))
NUMBERS = (ContextColumn("wind", typical=0.1 + 0.2), ContextColumn("crane out", typical=0.0))
FEATURES = (
    Feature(WEEKDAY, ("Sat", "Sun")),
    Feature(WEEKDAY, ("Fri",)),
    Feature(SKY, ("it's wet", "=1+1")),
    Feature(SKY, ("dry <b>", "missing")),
    *map(Feature, NUMBERS),
)
TYPICAL = {"bridge": 1 / 3, "tunnel": 12.1, "ferry": -7.7}
SUBSTITUTES = {
    "bridge": (Substitute("ferry", 0.1), Substitute("tunnel", -1 / 3)),
    "ferry": (Substitute("bridge", -0.1), Substitute("tunnel", 2.3)),
}
N_ROWS = 10_000


def rules(*, substitutes, features=FEATURES, seed=0):
    """Rules of depth 4 about three readings, differences of them, and context; every third leaf has several plans."""
    rng = np.random.default_rng(seed)
    asked = [
        *map(Question.of_item, range(3)),
        Question.of({0: 1.0, 1: -1.0, 2: 1 / 3}, "bridge less tunnel and more"),
        *context_questions(features, 3),
    ]

    def nested(depth, number):
        if depth == 0:
            plans = rng.choice([0.0, 1.0, 2.0, 1 / 3], (1 + 3 * (number % 3 == 0), 3))
            card = [{"solution": plan, "handicap": 0.25 * place} for place, plan in enumerate(plans)]
            return {"plans": card} if len(card) > 1 else {"solution": plans[0]}
        question = asked[number % len(asked)]
        about = question.about
        threshold = 0.5 if about is not None else (0.1 + 0.2, 12.1, -7.0)[number % 3]
        return question, threshold, nested(depth - 1, 2 * number + 1), nested(depth - 1, 2 * number + 2)

    tree = _tree(nested(4, 0), asked)
    names = (*READINGS, *(feature.name for feature in features))
    fill_ins = FillIns(TYPICAL, substitutes)
    return RuleBook(tree, names, context=features, fill_ins=fill_ins, labels=Labels(READINGS, reading_unit="min"))


def _tree(nested, questions):
    """The tree of nested questions, with the questions in the order of their list."""
    whole = Tree.from_dict(_as_dict(nested, questions))
    return whole.replace(questions=tuple(questions[_number(each, questions)] for each in whole.questions))


def _as_dict(nested, questions):
    if isinstance(nested, dict):
        return nested
    question, threshold, left, right = nested
    sides = {"threshold": threshold, "left": _as_dict(left, questions), "right": _as_dict(right, questions)}
    if question.item is not None:
        return {"item": question.item, **sides}
    return {"question": question.to_dict(), **sides}


def _number(question, questions):
    return next(place for place, each in enumerate(questions) if each.items == question.items)


def table(seed=1, n_rows=N_ROWS):
    """Rows with gaps everywhere, some without anything, and texts that the fit never saw."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(3.0, 12.0, (n_rows, 3)), columns=READINGS)
    frame["wind"] = rng.choice([0.1 + 0.2, 0.5, np.nextafter(0.5, 1.0), 9.0], n_rows)
    frame["crane out"] = rng.integers(0, 2, n_rows).astype(float)
    frame = frame.mask(rng.random(frame.shape) < 0.3)
    for column in (WEEKDAY, SKY):
        words = [*column.values, "holiday", "SAT", "sat", " Sat ", "", "dry", None]
        frame[column.name] = rng.choice(np.array(words, dtype=object), n_rows)
    return frame


@pytest.fixture(params=[{}, SUBSTITUTES], ids=["typical", "substitutes"])
def case(request):
    book, frame = rules(substitutes=request.param), table()
    chosen = book.choose(frame)
    assert len(set(chosen.tolist())) > 16
    return book, frame, [(int(book.tree.leaf_of[row]), book.plans.text(row)) for row in chosen]


def cells(frame):
    """Rows with None for gaps."""
    return frame.astype(object).where(frame.notna(), None)


def test_the_python_function_and_advise_say_what_predict_does(case):
    book, frame, expected = case
    module = {}
    exec(compile(export(book, "python"), "exported.py", "exec"), module)
    assert set(module["ASKED"]) == set(frame.columns)

    def advised(row):
        answer = module["advise"](row)
        return answer["leaf"], answer["advice"]

    for rows in (frame, cells(frame)):
        assert [advised(row) for row in rows.to_dict("records")] == expected
    there = [{name: cell for name, cell in row.items() if cell is not None} for row in cells(frame).to_dict("records")]
    assert [advised(row) for row in there] == expected
    advice = book.advise(frame)
    assert [*zip(advice["leaf"], advice["advice"], strict=True)] == expected


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_javascript_function_advises_what_predict_does(case, tmp_path):
    book, frame, expected = case
    (tmp_path / "tree.js").write_text(export(book, "javascript"), encoding="utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(cells(frame).to_dict("records")), encoding="utf-8")
    script = """
        const advise = require("./tree.js");
        const rows = JSON.parse(require("fs").readFileSync("rows.json", "utf8"));
        console.log(JSON.stringify(rows.map(row => advise(row)).map(answer => [answer.leaf, answer.advice])));
    """
    done = subprocess.run(["node", "-e", script], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert [*map(tuple, json.loads(done.stdout))] == expected


@pytest.mark.parametrize("database", DATABASES)
def test_the_query_advises_what_predict_does(case, database):
    book, frame, expected = case
    query = export(book, "sql", dialect=dialect_of(database))
    texts = {WEEKDAY.name, SKY.name}
    kinds = {name: "VARCHAR(40)" if name in texts else "DOUBLE PRECISION" for name in frame.columns}
    found = answers(database, query, "readings", kinds, cells(frame).to_numpy().tolist())
    assert found == expected


def test_the_workbook_advises_what_predict_does(case):
    book, frame, expected = case
    decide = opened_model(export(book, "excel"))
    columns = list(dict.fromkeys([*READINGS, *(feature.column.name for feature in FEATURES)]))
    for row, answer in list(zip(cells(frame)[columns].to_numpy().tolist(), expected, strict=True))[:40]:
        assert decide(row)[::-1] == answer


def test_the_onnx_model_fills_in_numbers_and_refuses_text(case):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    book, frame, _ = case
    with pytest.raises(InputError, match="an ONNX model takes numbers only; these rules ask about the text in 'week"):
        export(book, "onnx")
    book = rules(substitutes=book.fill_ins.substitutes, features=FEATURES[4:])
    session = runtime.InferenceSession(export(book, "onnx"))
    leaf, solution, *_ = session.run(
        None, {given.name: frame[[given.name]].to_numpy() for given in session.get_inputs()}
    )
    assert leaf.tolist() == book.apply(frame).tolist()
    np.testing.assert_array_equal(solution, book.predict(frame))


@pytest.mark.parametrize("name", ["python", "javascript", "sql"])
def test_what_columns_hold_and_what_fills_gaps_is_told_in_comments(name):
    words = export(rules(substitutes=SUBSTITUTES), name)
    assert "weekday: one of Mon, Fri, Sat, Sun, of the column day" in words
    assert "for bridge, ferry plus 0.1 min; for ferry, bridge less 0.1 min; if that one is not known either" in words


def test_rules_and_model_card_say_what_fills_gaps():
    for name in ("rules", "model-card"):
        assert "If a reading is not known, take its usual value" in export(rules(substitutes={}), name)
