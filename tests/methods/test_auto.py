"""The choice of a method: it follows the instance's size and the time."""

import logging

import numpy as np
import pytest
from examples.facility_location import FacilityLocation

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, Wishes, solve
from hedgerow.datasets import paper_shortest_path
from hedgerow.methods import METHODS, auto
from hedgerow.methods.auto import expects_to_finish
from hedgerow.methods.parameters import MethodParameters
from hedgerow.methods.registry import Method
from hedgerow.problems import Selection
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits
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


def test_small_instances_go_to_scenario_generation_if_there_is_time(exact_finishes):
    exact_finishes(False)
    assert chosen(instance()) == "scenario_generation"
    assert chosen(instance(n_samples=300), time_limit=None) == "scenario_generation"
    assert chosen(instance(), time_limit=1.0) == "local_search"
    assert chosen(instance(n_samples=300)) == "local_search"


def test_where_nothing_can_be_asked_one_solution_is_picked(exact_finishes):
    exact_finishes(True)
    assert chosen(instance(depth=0)) == "one_solution"
    assert chosen(instance(), max_leaves=1) == "one_solution"
    assert chosen(Instance.create(Selection(2, 1), [[1.0, 2.0], [1.0, 2.0]])) == "one_solution"


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
def test_a_budget_that_reaches_every_leaf_makes_one_solution_enough(exact_finishes, kind):
    exact_finishes(False)
    assert chosen(instance(uncertainty=kind(fraction=1.1)), time_limit=1.0) == "one_solution"
    assert chosen(instance(uncertainty=kind(fraction=0.9)), time_limit=1.0) == "local_search"
    assert chosen(instance(uncertainty=kind(fraction=1.1, limits=0.1)), time_limit=1.0) == "local_search"


def test_the_reason_is_a_sentence_in_the_message_and_in_the_log(exact_finishes, monkeypatch, caplog):
    exact_finishes(False)
    monkeypatch.setitem(METHODS, "local_search", Method(toys.give_up, "a toy"))
    with caplog.at_level(logging.INFO, logger="hedgerow"):
        result = solve(instance(n_samples=300), time_limit=5.0)
    name, reason = auto.choose(instance(n_samples=300), Options(), 5.0)
    assert result.method == name == "local_search"
    assert result.message.startswith(reason)
    assert reason.startswith("auto picked local_search: ")
    assert reason.endswith(".")
    assert "within 5 s" in reason
    assert reason in caplog.text


def test_nominal_trees_are_expected_for_many_samples():
    """Each side of a question is a problem of its own then."""
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (300, 6))
    exact = Instance.create(Selection(6, 2), costs, uncertainty=Nominal())
    robust = Instance.create(Selection(6, 2), costs, uncertainty=GlobalBudget(fraction=0.05))
    assert expects_to_finish(exact, Options(), 60.0)
    assert not expects_to_finish(robust, Options(), 60.0)


def test_no_proof_is_expected_where_every_question_to_the_oracle_is_a_mip():
    """Thirty-two hard questions are too many to promise anything."""
    rng = np.random.default_rng(0)
    problem = FacilityLocation(rng.uniform(1.0, 9.0, (20, 20)), rng.uniform(5.0, 9.0, 20), capacities=2)
    samples = rng.uniform(1.0, 5.0, (5, 20))
    assert not expects_to_finish(Instance.create(problem, samples, uncertainty=LocalBudget(1.0)), Options(), 60.0)


def test_a_proof_is_expected_for_the_papers_training_data_and_not_for_its_test_data():
    problem, train, test = paper_shortest_path()
    few, many = (Instance.create(problem, data, uncertainty=LocalBudget(fraction=0.05)) for data in (train, test))
    assert expects_to_finish(few, Options(), 60.0)
    assert not expects_to_finish(many, Options(), 60.0)


def test_one_row_leaves_nothing_to_ask():
    alone = Instance.create(Selection(2, 1), [[1.0, 3.0]], depth=2)
    reason = "auto picked one_solution: every item has one value only, so there is nothing to ask."
    assert auto.choose(alone, Options(), 60.0) == ("one_solution", reason)


@pytest.mark.parametrize(("more", "method"), [(0, "exact"), (-1, "local_search")])
def test_trees_that_keep_wishes_are_listed_where_samples_times_pairs_of_splits_are_few(more, method, monkeypatch):
    data, wishes = instance(), Wishes(ask_first="item 0", max_plans=2)
    n_splits = len(candidate_splits(data.question_values, None, questions=data.questions))
    most = MethodParameters(most_with_wishes=data.n_samples * n_splits**2 + more)
    monkeypatch.setattr(auto, "PARAMETERS", most)
    assert chosen(data, wishes=wishes) == method
