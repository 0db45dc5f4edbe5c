"""Rule books for the tests of the report: small, deep, large, without a drawing, and with hostile names."""

import html
import re

import numpy as np

from hedgerow import GlobalBudget, Instance, LocalBudget, RuleBook, Tree, evaluate
from hedgerow.datasets import city_routes, motivating_example
from hedgerow.problems import Selection, ShortestPath
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


def deep() -> tuple[RuleBook, np.ndarray]:
    """Return a tree of 16 leaves over the streets of the demo's town, and its costs."""
    random = np.random.default_rng(2)
    problem, costs, _ = city_routes()
    items = random.choice(len(problem.item_names), 15)
    thresholds = np.median(costs[:, items], axis=0) + random.choice([-1.5, -0.5, 0.5, 1.5], 15)
    solutions = problem.all_solutions(100)[random.choice(7, 16)]
    return book(problem, costs, Tree.full(items, thresholds, solutions), LocalBudget(2.0)), costs


def large() -> tuple[RuleBook, np.ndarray]:
    """Return a tree of 64 leaves over 2,000 items, of which it asks about 20, and its costs."""
    random = np.random.default_rng(1)
    problem = Selection(2000, 12)
    solutions = np.zeros((64, 2000))
    for solution in solutions:
        solution[random.choice(40, 12, replace=False)] = 1.0
    items = random.choice(random.choice(2000, 20, replace=False), 63)
    tree = Tree.full(items, random.uniform(20.0, 50.0, 63), solutions)
    costs = random.uniform(10.0, 60.0, (30, 2000))
    return book(problem, costs, tree, LocalBudget(fraction=0.05, prices="range")), costs


def text_of(page):
    """Return the text that a person reads before any script runs."""
    body = re.sub(r"<(style|script)[^>]*>.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())
