"""The choice of questions by held-out rows, and what `warm-up` runs."""

import numpy as np

from hedgerow import Instance
from hedgerow.adversary import knapsack
from hedgerow.compiled import running
from hedgerow.methods import warm_up
from hedgerow.methods.question_choice import chosen_questions
from hedgerow.methods.search import open_node
from hedgerow.methods.warm_up import warm_up_steps
from hedgerow.problems import Selection
from hedgerow.run import Deadline, Options


def test_where_items_share_a_level_differences_between_plans_are_chosen():
    rng = np.random.default_rng(0)
    level = rng.normal(size=(60, 1))
    costs = 10.0 + 3.0 * level + rng.normal(size=(60, 2))
    instance = Instance.create(Selection(2, 1), costs, depth=1)
    _, words = chosen_questions(instance, Options(), Deadline(), rng)
    assert words == 'questions="plans:3" cost least on held-out rows.'


def test_warming_up_begins_with_the_exact_method():
    assert next(iter(warm_up_steps())) == "exact, no budget"


def test_warming_up_compiles_what_only_hard_worst_cases_need(monkeypatch):
    """Each kernel that the full knapsack calls is called."""
    called = []
    for name in ("_first_search", "_search", "bounds_by_count"):
        kernel = getattr(knapsack, name)
        monkeypatch.setattr(
            knapsack, name, lambda *given, _name=name, _run=kernel: called.append(_name) or _run(*given)
        )
    monkeypatch.setattr(warm_up, "running", lambda _: running("plain"))
    warm_up_steps()["a hard worst case"]()
    assert set(called) == {"_first_search", "_search", "bounds_by_count"}


def test_warming_up_compiles_what_questions_that_share_items_need(monkeypatch):
    called = set()
    for name in ("write_turns", "price_linked"):
        kernel = getattr(open_node, name)
        monkeypatch.setattr(open_node, name, lambda *given, _name=name, _run=kernel: called.add(_name) or _run(*given))
    monkeypatch.setattr(warm_up, "running", lambda _: running("plain"))
    for kind in ("local budget", "global budget"):
        warm_up_steps()[f"local_search, {kind}, questions about plans"]()
    assert called == {"write_turns", "price_linked"}
