"""Every reader of a rule book works for every kind of problem, from the model and from its file."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from hedgerow import LocalBudget, RobustTree, RuleBook
from hedgerow.export import FORMATS, export
from hedgerow.plot import plot_regions, plot_solutions, plot_tree
from hedgerow.report import report_html
from tests.explain.test_every_problem import KINDS


@pytest.fixture(scope="module", params=KINDS.values(), ids=list(KINDS))
def fitted(request):
    problem = request.param
    samples = np.random.default_rng(0).integers(0, 25, (6, len(problem.item_names))) / 4.0
    frame = pd.DataFrame(samples, columns=problem.item_names)
    model = RobustTree(
        problem, uncertainty=LocalBudget(fraction=0.02), method="local_search", iteration_limit=2, random_state=0
    )
    return model.fit(frame), frame


def test_every_format(fitted):
    model, _ = fitted
    for to in FORMATS:
        assert export(model, to), to


def test_figures_show_every_plan(fitted):
    model, frame = fitted
    plans = model.rulebook_.plans
    assert {text.get_text() for text in plot_tree(model).texts} >= set(plans.letters)
    assert len(plot_solutions(model)) == len(plans)
    if model.tree_.asks_single_items:
        plot_regions(model, frame)
    plt.close("all")


def test_the_report_names_every_plan(fitted):
    model, frame = fitted
    page = report_html(model, frame)
    assert all(f">{letter}<" in page or f'"{letter}"' in page for letter in model.rulebook_.plans.letters)


def test_print_and_notebooks_show_the_tree(fitted):
    model, _ = fitted
    for source in (model.rulebook_, model.result_):
        assert "worst case" in str(source)
        assert "worst case" in source._repr_html_()


def test_the_file_gives_the_same_advice(fitted, tmp_path):
    model, frame = fitted
    model.save(tmp_path / "rules.json")
    rules = RuleBook.load(tmp_path / "rules.json")
    np.testing.assert_array_equal(rules.predict(frame), model.predict(frame))
    assert rules.export("rules") == model.export("rules")
