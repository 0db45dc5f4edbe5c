"""Solutions in words: short however many variables there are, and true about the differences."""

import numpy as np
import pandas as pd

from hedgerow import RobustTree, RuleBook, Tree
from hedgerow.explain import explain, explain_tree
from hedgerow.problems import Selection
from hedgerow.rules import Plans

N = 5000
NAMES = [f"y{number}" for number in range(N)]


def large():
    """Three leaves: 1,206 variables used by all; one leaf has two of its own, and one another amount of y0."""
    solutions = np.zeros((4, N))
    solutions[:, :1206] = 1.0
    solutions[0, [2000, 3000]] = 1.0, 2.5
    solutions[1, 0] = 3.0
    solutions[3] = solutions[0]
    advice = [", ".join(NAMES[:1206])] * 4
    return Plans(solutions, NAMES, advice), solutions


def test_what_not_every_leaf_has_comes_first():
    words, _ = large()
    assert words.in_words(0) == "y0, y2000, 2.5 × y3000, and 1,205 more that every leaf has"
    assert words.in_words(1) == "3 × y0, and 1,205 more that every leaf has"
    assert words.same_as.tolist() == [0, 1, 2, 0]


def test_long_lists_end_with_a_count():
    solutions = np.zeros((2, N))
    solutions[1, :1211] = 1.0
    words = Plans(solutions, NAMES, ["nothing", ", ".join(NAMES[:1211])])
    assert words.in_words(0) == "nothing"
    assert words.in_words(1).endswith("y7 and 1,203 more")


def test_a_leaf_with_only_what_all_have_says_so():
    solutions = np.zeros((2, N))
    solutions[:, :100] = 1.0
    solutions[1, 200] = 1.0
    words = Plans(solutions, NAMES, [", ".join(NAMES[:100])] * 2)
    assert words.in_words(0).startswith("only what every leaf has: y0, y1")


def test_solvers_rounding_makes_no_new_plan():
    solutions = np.array([[1.0, 0.0], [1e-9, 1.0], [1.0 - 1e-9, -1e-9], [1.0, 1e-5]])
    plans = Plans(solutions, NAMES[:2], list("abcd"))
    assert (plans.of_leaf.tolist(), plans.words) == ([0, 1, 0, 2], ("a", "b", "d"))


def test_one_solution_alone_is_shortened():
    words = Plans(np.ones((1, N)), NAMES, [", ".join(NAMES)])
    assert words.in_words(0).endswith("y7 and 4,992 more")


def test_a_rule_book_is_a_table_and_a_sentence():
    problem = Selection(2, 1, item_names=["bridge", "tunnel"])
    rules = RobustTree(problem, depth=1, method="nominal").fit([[4.0, 9.0], [18.0, 11.0], [6.0, 10.0]]).rulebook_
    frame = rules.to_frame()
    assert frame.columns.tolist() == ["rule", "plan", "advice", "n_samples"]
    assert frame.to_numpy().tolist() == [["bridge ≤ 10", "A", "bridge", 2], ["bridge > 10", "B", "tunnel", 1]]
    assert rules.summary == f"The rules ask about bridge and choose among 2 plans. {rules.result.summary}"
    alone = RuleBook(Tree.single([1.0]))
    assert alone.to_frame().to_numpy().tolist() == [["always", "A", "[1.0]", pd.NA]]
    assert alone.summary == "The rules ask nothing and choose among 1 plan."


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
    assert "leaf 0: x501, and 99 more that every leaf has" in str(explain_tree(source))
