"""Exported models in real run times advise what `predict` does, at the thresholds and their floating neighbours too."""

import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hedgerow import Tree
from hedgerow.export import export
from tests.export.databases import answers
from tests.export.excel_engine import decisions
from tests.export.test_agreement import CASES
from tests.export.trees import rows_at_thresholds, tree_file

N_ROWS = 4000
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "mlflow_model.py"


class Onnx:
    def __init__(self, source):
        self.content = export(source, "onnx")
        self.session = pytest.importorskip("onnxruntime").InferenceSession(self.content)
        self.names = source.feature_names

    def __call__(self, rows):
        inputs = {given.name: rows[:, [self.names.index(given.name)]] for given in self.session.get_inputs()}
        return self.session.run(None, inputs)


@pytest.mark.parametrize("name", CASES)
def test_the_onnx_model_advises_what_predict_does(name):
    onnx = pytest.importorskip("onnx")
    tree, names = CASES[name]
    model = Onnx(tree_file(tree, names))
    onnx.checker.check_model(onnx.load_from_string(model.content), full_check=True)
    rows = rows_at_thresholds(tree, len(names), 200 if len(names) > 100 else N_ROWS)
    leaf, solution = model(rows)
    np.testing.assert_array_equal(leaf, tree.apply(rows))
    np.testing.assert_array_equal(solution, tree.predict(rows))


def test_a_card_advises_nothing_where_one_of_its_readings_is_missing():
    plans = [{"solution": row, "handicap": 0.5 * place} for place, row in enumerate(np.eye(3))]
    card = {"item": 0, "threshold": 5.0, "left": {"plans": plans}, "right": {"solution": [0, 0, 1]}}
    source = tree_file(Tree.from_dict(card), ("a", "b", "c"))
    nan = np.nan
    rows = np.array([[4.0, nan, 3.0], [4.0, 3.5, 3.25], [4.0, 3.75, 2.75], [9.0, 1.0, 1.0], [nan, 1.0, 1.0]])
    expected = [(None, None), (0, source.plans.text(0)), (0, source.plans.text(2)), (1, source.plans.text(3))]
    expected.append((None, None))
    kinds = dict.fromkeys("abc", "DOUBLE PRECISION")
    cells = [[None if np.isnan(value) else value for value in row] for row in rows.tolist()]
    assert answers("sqlite", export(source, "sql"), "readings", kinds, cells) == expected
    shown = decisions(export(source, "excel"), rows)
    assert shown[0] == ("No advice yet: all readings are needed", "")
    assert [(leaf, words) for words, leaf in shown[1:4]] == expected[1:4]
    module = {}
    exec(export(source, "python"), module)
    with pytest.raises(ValueError, match="the reading of 'b' is missing"):
        module["advise"]({"a": 4.0, "c": 3.0})
    leaf, solution = Onnx(source)(rows)
    assert leaf.tolist() == [-1, 0, 0, 1, -1]
    np.testing.assert_array_equal(solution[[1, 2, 3]], source.tree.solutions[[0, 2, 3]])
    assert np.isnan(solution[[0, 4]]).all()


def test_the_example_for_mlflow_keeps_rules_as_json_and_serves_them(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    source = tree_file(Tree.full([0, 1, 2], [5.0, 2.0, 3.0], np.eye(4, 3)), ("a", "b", "c"))
    source.save(tmp_path / "rules.json")
    example = runpy.run_path(str(EXAMPLE))
    with mlflow.start_run():
        logged = example["log_rules"](tmp_path / "rules.json")
    served = mlflow.pyfunc.load_model(logged.model_uri)
    advice = served.predict(pd.DataFrame({"a": [9.0], "b": [1.0], "c": [9.0]}))
    assert advice["leaf"].tolist() == [3]
    assert advice["advice"].tolist() == [source.plans.text(3)]
    assert not list(tmp_path.rglob("*.pkl"))
