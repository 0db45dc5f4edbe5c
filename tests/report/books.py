"""Rule books for the tests of the report: small, deep, large, without a drawing, and with hostile names."""

import html
import re

import numpy as np

from hedgerow import GlobalBudget, Instance, LocalBudget, RuleBook, Tree, evaluate
from hedgerow.datasets import motivating_example
from hedgerow.problems import ShortestPath
from hedgerow.run import Result, Statistics

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{7*7}}",
    "a\u202eb\u2028 & <b>bold</b> ' ${1}",
)
A, B = [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]
COSTS = motivating_example()[1]
HEDGED = Tree.from_dict(
    {
        "item": 0,
        "threshold": 5.0,
        "left": {"item": 1, "threshold": 6.5, "left": {"solution": A}, "right": {"solution": B}},
        "right": {"solution": B},
    }
)


def book(problem, costs, tree, uncertainty, *, weights=None, **changes) -> RuleBook:
    """Return the tree file of a given tree."""
    instance = Instance.create(problem, costs, weights=weights, uncertainty=uncertainty, depth=tree.depth)
    found = evaluate(tree, problem, costs, instance.uncertainty)
    fields = {"lower_bound": -np.inf, "status": "feasible", "method": "fix_tree", **changes}
    result = Result(
        tree=tree,
        objective=found.robust,
        nominal=found.nominal,
        runtime=1.5,
        thresholds="midpoints",
        iterations=10,
        statistics=Statistics(),
        **fields,
    )
    return RuleBook.of_fit(result, instance, as_given=uncertainty)


def motivating(**changes) -> RuleBook:
    """Return the motivating example's robust tree: e1 ≤ 5 and e2 ≤ 6.5 → A, else B."""
    return book(motivating_example()[0], COSTS, HEDGED, GlobalBudget(5.0), **changes)


def hostile() -> RuleBook:
    """Return the same with names that want to be more than text."""
    problem = ShortestPath(
        ["s", "<b>1</b>", "s", "2"], ["<b>1</b>", "t", "2", "t"], "s", "t", item_names=HOSTILE, unit="<i>min</i>"
    )
    return book(problem, COSTS, HEDGED, LocalBudget(1.0))


def text_of(page):
    """Return the text that a person reads before any script runs."""
    body = re.sub(r"<(style|script)[^>]*>.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())
