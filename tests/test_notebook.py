"""What notebooks and `print` show: the tree, figures and status; `repr` stays in one line."""

import numpy as np
import pytest
import sklearn

from hedgerow import Instance, LocalBudget, RobustTree, RuleBook, Tree, solve
from hedgerow.problems import Selection

COSTS = np.array([[1.0, 3.0, 9.0], [4.0, 2.0, 8.0], [5.0, 2.5, 1.0]])


@pytest.fixture(scope="module")
def model():
    problem = Selection(3, 1, item_names=["oak & ash", "<b>elm</b>", "yew"], unit="EUR")
    options = {"depth": 1, "uncertainty": LocalBudget(0.5), "method": "exact", "thresholds": "midpoints"}
    return RobustTree(problem, **options, random_state=0).fit(COSTS)


def shown(model):
    return {
        "model": model,
        "rule book": model.rulebook_,
        "result": model.result_,
        "evaluation": model.evaluate(COSTS),
    }


@pytest.mark.parametrize("kind", ["model", "rule book", "result", "evaluation"])
def test_each_shows_its_tree_and_says_what_it_costs(model, kind):
    value = shown(model)[kind]
    page = value._repr_mimebundle_()["text/html"] if kind == "model" else value._repr_html_()
    page = page.partition("<style")[0]  # where the diagram of scikit-learn begins
    assert page.count("?\n") == page.count("yes:") == page.count("no:") == 1
    for words in ("as read", "worst case"):
        assert words in page
        assert words in str(value)
    assert "<script" not in page
    assert len(page) < 20_000
    assert "\n" not in repr(value) or kind == "model"
    assert len(repr(value)) < 250
    if kind != "evaluation":
        assert "Proven optimal" in page
        assert "Proven optimal" in str(value)


def test_names_are_text_and_never_more(model):
    page = model.rulebook_._repr_html_()
    assert "<b>" not in page
    assert "&lt;b&gt;elm&lt;/b&gt;" in page


def test_a_model_without_a_fit_shows_the_diagram_of_scikit_learn():
    model = RobustTree(Selection(3, 1), depth=1)
    assert str(model) == repr(model)
    bundle = model._repr_mimebundle_()
    assert bundle["text/plain"] == repr(model)
    assert "sk-top-container" in bundle["text/html"]
    assert "<pre>" not in bundle["text/html"].partition("sk-top-container")[0]
    assert "sk-top-container" in model._repr_html_()


def test_a_fitted_model_shows_the_tree_above_the_diagram(model):
    page = model._repr_mimebundle_()["text/html"]
    assert page.index("├─ yes") < page.index("sk-top-container")
    with sklearn.config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()
        assert not hasattr(model, "_repr_html_")


def test_a_bare_tree_has_no_figures():
    bare = RuleBook(Tree.single([1.0, 0.0]))
    assert str(bare) == "[1.0, 0.0] (leaf 0)"
    assert repr(bare) == "RuleBook(depth=0, n_leaves=1, asks=[])"


def test_a_result_speaks_of_the_depth_that_was_allowed():
    """A tree may be smaller than it could be; the proof is about all trees that were allowed."""
    instance = Instance.create(Selection(2, 1), np.array([[1.0, 2.0], [1.0, 2.0]]), depth=2)
    result = solve(instance, method="exact", thresholds="midpoints")
    assert result.tree.depth < 2
    assert "no tree of depth 2" in str(result)
