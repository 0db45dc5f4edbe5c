"""One table of formats, one function for all: what it takes, and what it refuses."""

from importlib.util import find_spec

import pytest

from hedgerow import RobustTree, RuleBook, Tree
from hedgerow.datasets import motivating_example
from hedgerow.export import FORMATS, export
from hedgerow.problems import Selection
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


def test_a_maximising_problem_with_unit_is_told_in_its_own_words():
    problem = Selection(3, 1, item_names=["north", "south", "west"], unit="EUR", sense="max")
    tree = Tree.full([2], [4.5], [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert export(RuleBook(tree, problem.item_names, problem=problem), "rules") == (
        "If west ≤ 4.5 EUR, then take north.\nIf west > 4.5 EUR, then take west.\n"
    )
