"""One table of formats, one function for all: what it takes, and what it refuses."""

from importlib.util import find_spec

import pytest

from hedgerow import RobustTree, RuleBook, Tree
from hedgerow.datasets import motivating_example
from hedgerow.export import FORMATS, export
from tests.export.trees import tree_file, wide_tree

BINARY = ("excel", "onnx")
WRITABLE = [name for name in FORMATS if name != "onnx" or find_spec("onnx") is not None]


@pytest.mark.parametrize("name", WRITABLE)
def test_every_format_takes_whatever_holds_a_tree(name, tmp_path):
    problem, costs = motivating_example()
    model = RobustTree(problem, depth=1, method="nominal", iteration_limit=1).fit(costs)
    model.save(tmp_path / "tree.json")
    sources = [model, model.rulebook_, tmp_path / "tree.json", str(tmp_path / "tree.json"), RuleBook.of(model)]
    exports = [export(source, name) for source in sources]
    assert {type(content) for content in exports} == {bytes if name in BINARY else str}
    if name != "excel":  # which holds the time
        assert len(set(exports)) == 1
        assert name in BINARY or exports[0].endswith("\n")


@pytest.mark.parametrize("name", WRITABLE)
@pytest.mark.parametrize("source", [tree_file(wide_tree()), RuleBook(Tree.single([0.0])), RuleBook(wide_tree(2))])
def test_every_format_takes_hostile_names_and_no_names(name, source):
    assert export(source, name)
