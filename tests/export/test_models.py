"""Exported models in real run times advise what `predict` does, at the thresholds and their floating neighbours too."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from hedgerow import InputError, RuleBook, Tree
from hedgerow.export import to_onnx, to_pmml
from tests.export.test_agreement import CASES, NAMES
from tests.export.trees import HOSTILE, comparing_tree, rows_at_thresholds, tree_file, wide_tree

N_ROWS = 4000
N_SLOW_ROWS = 250


def every_threshold(tree, n_items):
    """Rows at each threshold of each item and at its floating neighbours, with all other readings at random."""
    rng = np.random.default_rng(1)
    inner = np.flatnonzero(tree.is_inner)
    rows = rng.normal(0.0, 60.0, (3 * inner.size, n_items))
    for place, node in enumerate(inner.tolist()):
        threshold = tree.threshold[node]
        near = [np.nextafter(threshold, -np.inf), threshold, np.nextafter(threshold, np.inf)]
        rows[3 * place : 3 * place + 3, tree.item[node]] = near
    return rows


def rows_of(tree, n_items, n_rows):
    rows = rows_at_thresholds(tree, n_items, n_rows)
    return np.vstack([rows, every_threshold(tree, n_items)]) if tree.depth and tree.asks_single_items else rows


class Onnx:
    def __init__(self, source):
        self.content = to_onnx(source)
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
    rows = rows_of(tree, len(names), 200 if len(names) > 100 else N_ROWS)
    leaf, solution = model(rows)
    np.testing.assert_array_equal(leaf, tree.apply(rows))
    np.testing.assert_array_equal(solution, tree.predict(rows))


def test_the_onnx_model_has_no_advice_where_a_reading_on_the_way_is_missing():
    pytest.importorskip("onnx")
    tree = Tree.full([0, 1, 2], [5.0, 2.0, 3.0], np.eye(4, 3))
    model = Onnx(tree_file(tree, NAMES[:3]))
    nan = np.nan
    leaf, solution = model(np.array([[4.0, nan, 0.0], [4.0, 1.0, nan], [nan, 1.0, 1.0], [6.0, nan, 9.0]]))
    assert leaf.tolist() == [-1, 0, -1, 3]
    assert np.isnan(solution[[0, 2]]).all()
    np.testing.assert_array_equal(solution[[1, 3]], tree.solutions[[0, 3]])


def test_the_onnx_model_names_variables_and_advice():
    onnx = pytest.importorskip("onnx")
    source = tree_file(wide_tree())
    model = onnx.load_from_string(to_onnx(source))
    facts = {fact.key: json.loads(fact.value) for fact in model.metadata_props}
    assert facts["variables"] == list(RuleBook.of(source).variable_names)
    assert facts["advice"] == list(source.advice)


@pytest.fixture(scope="module")
def pmml_model():
    if shutil.which("java") is None:
        pytest.skip("PMML is read by a Java program, and Java is not installed")
    pypmml = pytest.importorskip("pypmml")
    yield pypmml.Model.fromString
    pypmml.PMMLContext.shutdown()


def scored(model, rows):
    """Return what the reader makes of rows, by output; JSON keeps all digits, its data frames don't."""
    data = json.dumps({"columns": list(model.inputNames), "data": rows})
    found = json.loads(model.predict(data))
    return dict(zip(found["columns"], zip(*found["data"], strict=True), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_the_pmml_model_advises_what_predict_does(name, pmml_model):
    tree, names = CASES[name]
    source = tree_file(tree, names)
    rows = rows_of(tree, len(names), N_SLOW_ROWS if tree.n_leaves > 4 else N_ROWS)
    leaves = tree.apply(rows).tolist()
    found = scored(pmml_model(to_pmml(source)), rows[:, tree.asked_items].tolist())
    assert list(map(int, found["predicted leaf"])) == leaves
    advice = found.get("advice_", found.get("advice"))
    assert list(advice) == [source.plans.text(leaf) for leaf in leaves]
    others = [name for name in found if name not in ("predicted leaf", "advice_", "advice")]
    entries = tree.solutions[:, tree.solutions.any(axis=0)]
    np.testing.assert_array_equal(np.column_stack([found[name] for name in others]), entries[leaves])


def test_the_pmml_model_has_no_advice_where_a_reading_on_the_way_is_missing(pmml_model):
    tree = Tree.full([0, 1, 2], [5.0, 2.0, 3.0], np.eye(4, 3))
    model = pmml_model(to_pmml(tree_file(tree, NAMES[:3])))
    found = scored(model, [[4.0, None, 0.0], [4.0, 1.0, None], [None, 1.0, 1.0], [6.0, None, 9.0]])
    assert found["predicted leaf"] == (None, "0", None, "3")
    assert found["advice"][0] is None


def test_pmml_names_are_unique_and_fit_into_xml():
    from xml.etree import ElementTree as Xml

    for tree in (wide_tree(), comparing_tree()):
        root = Xml.fromstring(to_pmml(tree_file(tree, HOSTILE)))
        space = "{http://www.dmg.org/PMML-4_4}"
        kinds = ("DataField", "DerivedField", "OutputField")
        names = [field.get("name") for kind in kinds for field in root.iter(f"{space}{kind}")]
        assert len(set(names)) == len(names)


def test_one_row_at_a_time_is_advised_as_predict_does():
    for tree, names in CASES.values():
        source = tree_file(tree, names)
        rows = rows_of(tree, len(names), 300)
        found = [source.advise(dict(zip(names, row, strict=True))) for row in rows.tolist()]
        leaves = tree.apply(rows)
        assert [advice.leaf for advice in found] == leaves.tolist()
        assert [advice.text for advice in found] == [source.plans.text(leaf) for leaf in leaves.tolist()]
        dense = [found[-1].solution.get(name, 0.0) for name in source.variable_names]
        np.testing.assert_array_equal(dense, tree.solutions[leaves[-1]])


def test_one_row_needs_numbers_on_its_way_only():
    source = tree_file(Tree.full([0, 1, 2], [5.0, 2.0, 3.0], np.eye(4, 3)), ("a", "b", "c"))
    assert source.advise({"a": 4, "b": np.float32(3.0), "c": "no number"}).leaf == 1
    for readings, message in [
        ({"a": 4.0}, "the reading of 'b' is missing"),
        ({"a": float("nan")}, "the reading of 'a' is missing"),
        ({"a": "4"}, "the reading of 'a' must be a number; got '4'"),
    ]:
        with pytest.raises(InputError, match=message):
            source.advise(readings)
    advice = source.advise({"a": 9.0, "c": 1.0})
    advice.solution["other"] = 1.0
    assert "other" not in source.advise({"a": 9.0, "c": 1.0}).solution


def test_mlflow_keeps_rules_with_signature_and_example_and_serves_them(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    from hedgerow.mlflow import load_model, log_model

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    tree = Tree.full([0, 1, 2], [5.0, 2.0, 3.0], np.eye(4, 3))
    source = tree_file(tree, ("a", "b", "c"))
    with mlflow.start_run():
        logged = log_model(source, "rules")
    assert load_model(logged.model_uri) == source
    served = mlflow.pyfunc.load_model(logged.model_uri)
    assert served.metadata.signature.inputs.input_names() == ["a", "b", "c"]
    example = served.input_example if hasattr(served, "input_example") else None
    example = served.metadata.load_input_example(logged.model_uri) if example is None else example
    assert list(example.columns) == ["a", "b", "c"]
    found = served.predict(example.assign(a=[9.0], c=[9.0]))
    assert found["leaf"].tolist() == [3]
    assert found["advice"].tolist() == [source.plans.text(3)]
    assert not list(Path(tmp_path).rglob("*.pkl"))


def test_mlflow_refuses_what_it_cannot_keep(tmp_path):
    pytest.importorskip("mlflow")
    from hedgerow.mlflow import load_model, save_model

    with pytest.raises(InputError, match="no names"):
        save_model(wide_tree(2), tmp_path / "model")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="not empty"):
        save_model(tree_file(wide_tree(2)), tmp_path)
    with pytest.raises(InputError, match="holds no model"):
        load_model(tmp_path)
