"""Solutions in words: short however many variables there are, and true about the differences."""

import numpy as np

from hedgerow import RobustTree, RuleBook, Tree
from hedgerow.explain import explain
from hedgerow.problems import Selection
from hedgerow.rules import Plans

NAMES = ["y0", "y1"]


def test_solvers_rounding_makes_no_new_plan():
    solutions = np.array([[1.0, 0.0], [1e-9, 1.0], [1.0 - 1e-9, -1e-9], [1.0, 1e-5]])
    plans = Plans(solutions, NAMES, list("abcd"))
    assert (plans.of_leaf.tolist(), plans.words) == ([0, 1, 0, 2], ("a", "b", "d"))


def test_a_rule_book_has_a_summary():
    problem = Selection(2, 1, item_names=["bridge", "tunnel"])
    rules = RobustTree(problem, depth=1, method="nominal").fit([[4.0, 9.0], [18.0, 11.0], [6.0, 10.0]]).rulebook_
    assert rules.summary == f"The rules ask about bridge and choose among 2 plans. {rules.result.summary}"
    assert RuleBook(Tree.single([1.0])).summary == "The rules ask nothing and choose among 1 plan."


def test_explanations_of_large_models_stay_short():
    problem = Selection(2000, 100)
    solutions = np.zeros((2, 2000))
    solutions[:, :99] = 1.0
    solutions[0, 500] = solutions[1, 1500] = 1.0
    tree = Tree.full([0], [5.0], solutions)
    source = RuleBook(tree, problem.item_names, problem=problem)
    text = str(explain(source, np.ones((1, 2000)))[0])
    assert "x501, and 99 more that every leaf has  (leaf 0)" in text
    assert len(text) < 1000
