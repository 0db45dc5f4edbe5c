"""The choice of a method: it follows the instance's size and the time."""

import logging

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, solve
from hedgerow.datasets import paper_shortest_path
from hedgerow.methods import METHODS, auto
from hedgerow.methods.auto import expects_to_finish
from hedgerow.methods.registry import Method
from hedgerow.problems import Selection
from hedgerow.run import Options
from tests.methods import toys


def instance(n_samples=6, n_items=4, **options):
    costs = np.random.default_rng(0).random((n_samples, n_items))
    return Instance.create(Selection(n_items, 2), costs, **{"uncertainty": LocalBudget(fraction=0.1), **options})


@pytest.fixture
def exact_finishes(monkeypatch):
    """Return a function that says whether the exact method expects to finish."""
    return lambda answer: monkeypatch.setattr(auto, "expects_to_finish", lambda *_: answer)


def chosen(data, time_limit=60.0, **settings):
    return auto.choose(data, Options(**settings), time_limit)[0]


def test_the_exact_method_is_picked_where_it_expects_to_finish(exact_finishes):
    exact_finishes(True)
    assert chosen(instance()) == "exact"
    exact_finishes(False)
    assert chosen(instance(n_samples=300)) == "local_search"


def test_where_nothing_can_be_asked_one_solution_is_picked(exact_finishes):
    exact_finishes(True)
    assert chosen(instance(depth=0)) == "one_solution"
    assert chosen(instance(), max_leaves=1) == "one_solution"
    assert chosen(Instance.create(Selection(2, 1), [[1.0, 2.0], [1.0, 2.0]])) == "one_solution"


def test_the_reason_is_a_sentence_in_the_message_and_in_the_log(exact_finishes, monkeypatch, caplog):
    exact_finishes(False)
    monkeypatch.setitem(METHODS, "local_search", Method(toys.give_up))
    with caplog.at_level(logging.INFO, logger="hedgerow"):
        result = solve(instance(n_samples=300), time_limit=5.0)
    name, reason = auto.choose(instance(n_samples=300), Options(), 5.0)
    assert result.method == name == "local_search"
    assert result.message.startswith(reason)
    assert reason.startswith("auto picked local_search: ")
    assert reason.endswith(".")
    assert "within 5 s" in reason
    assert reason in caplog.text


def test_a_proof_is_expected_for_the_papers_training_data_and_not_for_its_test_data():
    problem, train, test = paper_shortest_path()
    few, many = (Instance.create(problem, data, uncertainty=LocalBudget(fraction=0.05)) for data in (train, test))
    assert expects_to_finish(few, Options(), 60.0)
    assert not expects_to_finish(many, Options(), 60.0)
