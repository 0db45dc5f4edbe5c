"""Every reader of a rule book with every kind of problem."""

import json
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hedgerow import LocalBudget, RobustTree, RuleBook, evaluate
from hedgerow.explain import explain
from hedgerow.export import FORMATS
from hedgerow.plot import plot_tree
from hedgerow.report import report_html
from tests.problems.shelf import KINDS, samples_for


@pytest.fixture(scope="module", params=KINDS.values(), ids=list(KINDS))
def fit(request):
    """A model of a problem of each kind, and the samples that it was fitted to."""
    problem = request.param
    samples = np.abs(samples_for(problem, 6))
    options = {"method": "local_search", "iteration_limit": 2, "random_state": 0}
    return RobustTree(problem, uncertainty=LocalBudget(fraction=0.02), **options).fit(samples), samples


def test_rows_and_rule_books_are_explained(fit):
    model, samples = fit
    for leaf, found in zip(model.tree_.apply(samples), explain(model, samples), strict=True):
        assert found.leaf == leaf
        json.dumps(found.to_dict())
        assert found.label in str(found)


@pytest.mark.parametrize("to", FORMATS)
def test_rule_books_are_exported(fit, to):
    if to == "onnx":
        pytest.importorskip("onnx")
    model, _ = fit
    content = model.rulebook_.export(to)
    assert content
    if isinstance(content, str) and to not in ("json", "sql", "onnx"):
        words = model.problem.describe(model.tree_.solutions[0])
        assert re.split("[;,→]", words)[0].strip() in content


def test_trees_are_drawn(fit):
    model, _ = fit
    assert plot_tree(model).texts
    plt.close("all")


def test_reports_are_written(fit):
    model, samples = fit
    page = report_html(model, samples)
    assert page.startswith("<!doctype html>")


def test_a_saved_rule_book_is_opened_evaluated_and_told_as_before(fit, tmp_path):
    model, samples = fit
    model.save(tmp_path / "rules.json")
    saved = RuleBook.load(tmp_path / "rules.json")
    assert saved.variable_names == model.problem.variable_names
    assert saved.plans.words == model.rulebook_.plans.words
    assert (saved.tree.predict(samples) == model.predict(samples)).all()
    if not saved.note:
        assert saved.problem == model.problem
        again = evaluate(saved.tree, saved.problem, samples, saved.uncertainty)
        assert again.robust == pytest.approx(model.result_.objective)
