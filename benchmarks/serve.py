"""How fast rules answer: `predict`, one row at a time, and each export in its run time, on the same rows."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import scope
from benchmarks.measure import seconds
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell
from hedgerow import RuleBook, Tree
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.export import export
from hedgerow.rules import Labels
from hedgerow.tree.questions import Question

_N_ITEMS, _DEPTH = 20, 4
_ROWS = 1_000_000
_ROWS_ONE_BY_ONE = 20_000
_MOST_MICROSECONDS = 20.0


def run() -> Outcome:
    """Answer the same rows in every way, and count those on which the answers differ from `predict`."""
    rows = []
    for kind, tree in (("single readings", _tree(sums=False)), ("sums of readings", _tree(sums=True))):
        names = tuple(f"item {item}" for item in range(_N_ITEMS))
        book = RuleBook(tree, names, labels=Labels(variable_names=names))
        data = _near_thresholds(tree)
        leaves = tree.apply(data)
        for name, count, answers in _ways(book, data):
            spent = seconds(answers, repeats=1)
            wrong = int((answers() != leaves[:count]).sum())
            rows.append((kind, name, count, count / spent, 1e6 * spent / count, wrong))
            tell(f"{kind}, {name}: {1e6 * spent / count:.2f} µs per row, {wrong} differ")
    one_by_one = max(float(str(row[4])) for row in rows if row[1] == "Python module")
    wrong = sum(int(str(row[5])) for row in rows)
    answered = sum(int(str(row[2])) for row in rows)
    return Outcome(
        "How fast rules answer",
        [Table("rates", f"Depth {_DEPTH}, {_N_ITEMS} items, 16 leaves; half of the readings on or next to a threshold",
               ("asks about", "way", "rows", "rows per second", "µs per row", "differ"), rows)],
        [
            Goal("answers that differ from predict", f"{wrong:,} of {answered:,}", "none", wrong == 0),
            Goal("one row at a time", f"{one_by_one:.1f} µs per row", "microseconds", one_by_one < _MOST_MICROSECONDS),
        ],
    )  # fmt: skip


def _tree(*, sums: bool) -> Tree:
    rng = np.random.default_rng(0)
    n_inner = 2**_DEPTH - 1

    def nested(node: int) -> dict[str, Any]:
        if node >= n_inner:
            return {"solution": np.eye(n_inner + 1, _N_ITEMS)[node - n_inner].tolist()}
        below = {"left": nested(2 * node + 1), "right": nested(2 * node + 2), "threshold": float(rng.normal(0.0, 20.0))}
        items = rng.choice(_N_ITEMS, 4, replace=False).tolist()
        if not sums:
            return {"item": items[0], **below}
        factors = rng.choice([1.0, -1.0, 0.1, 1 / 3], 4).tolist()
        question = Question.of(dict(zip(items, factors, strict=True)), f"sum {node}")
        return {"question": question.to_dict(), **below}

    return Tree.from_dict(nested(0))


def _near_thresholds(tree: Tree) -> FloatArray:
    """Return rows in which half of the readings are thresholds or the floating-point numbers next to these."""
    rng = np.random.default_rng(1)
    n_rows = 20_000 if scope.is_quick() else _ROWS
    rows = rng.normal(0.0, 40.0, (n_rows, _N_ITEMS))
    if tree.asks_single_items:
        for item in tree.asked_items:
            own = tree.threshold[tree.is_inner][tree.item[tree.is_inner] == item]
            near = np.concatenate([own, np.nextafter(own, -np.inf), np.nextafter(own, np.inf)])
            chosen = rng.random(n_rows) < 0.5
            rows[chosen, item] = rng.choice(near, int(chosen.sum()))
    return rows


def _ways(book: RuleBook, rows: FloatArray) -> "Iterator[tuple[str, int, Callable[[], IntArray]]]":
    asked = book.tree.asked_items
    yield "predict", len(rows), lambda: book.apply(rows)
    few = min(len(rows), _ROWS_ONE_BY_ONE)
    readings = [dict(zip(book.feature_names, row, strict=True)) for row in rows[:few].tolist()]
    module: dict[str, Any] = {}
    exec(export(book, "python"), module)
    yield "Python module", few, lambda: np.array([module["advise"](each)["leaf"] for each in readings])
    yield "SQL in SQLite", few, _sqlite(book, rows[:few])
    if find_spec("onnx") is not None and find_spec("onnxruntime") is not None:
        import onnxruntime

        session = onnxruntime.InferenceSession(export(book, "onnx"))
        inputs = {book.asked[item]: np.ascontiguousarray(rows[:, [item]]) for item in asked.tolist()}
        yield "ONNX Runtime", len(rows), lambda: session.run(["leaf"], inputs)[0]


def _sqlite(book: RuleBook, rows: FloatArray) -> "Callable[[], IntArray]":
    def answers() -> IntArray:
        with closing(sqlite3.connect(":memory:")) as database:
            names = ", ".join(f'"{name}" REAL' for name in book.feature_names)
            database.execute(f"CREATE TABLE readings ({names})")
            database.executemany(f"INSERT INTO readings VALUES ({', '.join('?' * rows.shape[1])})", rows.tolist())
            return np.array([answer[-2] for answer in database.execute(str(export(book, "sql")))])

    return answers
