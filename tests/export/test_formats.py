"""One table of formats, one function for all: what it takes, and what it refuses."""

import json
from importlib.util import find_spec

import pytest

from hedgerow import InputError, RobustTree, RuleBook, Tree
from hedgerow.datasets import motivating_example
from hedgerow.export import FORMATS, export
from hedgerow.problems import Selection
from hedgerow.rules import Labels
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


@pytest.mark.parametrize(
    ("source", "to", "options", "message"),
    [
        (RuleBook(Tree.single([1.0])), "pdf", {}, r"exported to text, rules, dot, .*, model-card; got 'pdf'"),
        (RuleBook(Tree.single([1.0])), "text", {"table": "costs"}, "the export to text has no option 'table'"),
        (42, "text", {}, "a fitted model"),
    ],
)
def test_what_no_export_takes_is_refused(source, to, options, message):
    with pytest.raises(InputError, match=message):
        export(source, to, **options)


def test_a_plan_for_each_leaf_is_needed():
    with pytest.raises(InputError, match="list of 1 texts"):
        RuleBook(Tree.single([1.0]), (), labels=Labels(advice=("too", "many")))


def test_the_json_is_the_tree_file(tmp_path):
    source = tree_file(wide_tree())
    (tmp_path / "again.json").write_text(export(source, "json"), encoding="utf-8")
    assert RuleBook.load(tmp_path / "again.json") == source
    assert json.loads(export(source, "json"))["version"] == 1


def test_a_maximising_problem_with_unit_is_told_in_its_own_words():
    problem = Selection(3, 1, item_names=["north", "south", "west"], unit="EUR", sense="max")
    tree = Tree.full([2], [4.5], [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert export(RuleBook(tree, problem.item_names, problem=problem), "rules") == (
        "If west ≤ 4.5 EUR, then take north.\nIf west > 4.5 EUR, then take west.\n"
    )


def test_equal_solutions_share_one_advice_and_control_characters_are_marked():
    book = RuleBook.of(tree_file(wide_tree(n_solutions=3)))
    assert len(book.plans) == 3
    assert sorted(set(book.plans.of_leaf.tolist())) == [0, 1, 2]
    assert all(words.isprintable() for words in book.plans.words)
