"""Several processes, or a Dask cluster, find the tree that one process finds."""

from unittest.mock import Mock

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from hedgerow import GlobalBudget, Instance, LocalBudget, RobustTree, solve
from hedgerow.problems import ShortestPath
from hedgerow.run import Options, workers
from tests.methods.test_local_search import Unlisted

BUDGETS = {"local": LocalBudget(fraction=0.05), "global": GlobalBudget(fraction=0.01)}
COSTS = np.round(np.random.default_rng(3).uniform(10, 30, (12, 12)), 1)


def instance(kind="local", problem=None):
    return Instance.create(problem or ShortestPath.grid(3), COSTS, uncertainty=BUDGETS[kind])


def found(instance, n_jobs=1, method="local_search", **limits):
    limits = {"iteration_limit": 30, "time_limit": None, **limits}
    return solve(instance, method=method, options=Options(n_jobs=n_jobs), random_state=0, **limits)


def assert_same(one, other):
    assert one.tree == other.tree
    assert (one.objective, one.iterations, one.status) == (other.objective, other.iterations, other.status)
    assert one.lower_bound == other.lower_bound
    steps = [[row.value for row in result.statistics if row.detail.startswith("better")] for result in (one, other)]
    assert steps[0] == steps[1]


@pytest.fixture(autouse=True)
def handed_out(monkeypatch):
    """Let processes begin at once, and tell how often tasks were handed out."""
    monkeypatch.setattr(workers, "_SECONDS_ALONE", 0.0)
    monkeypatch.setattr(workers, "_SECONDS_WORTHWHILE", 0.0)
    answers, spy = workers.Workers._answers, Mock()

    def told(self, tasks, sign):
        spy(tasks)
        return answers(self, tasks, sign)

    monkeypatch.setattr(workers.Workers, "_answers", told)
    return spy


@pytest.mark.parametrize("problem", [None, Unlisted(12, 5)], ids=["listed", "pool that grows"])
@pytest.mark.parametrize("kind", BUDGETS)
def test_two_processes_find_the_tree_that_one_finds(kind, problem, handed_out):
    one = found(instance(kind, problem))
    handed_out.assert_not_called()
    assert_same(one, found(instance(kind, problem), n_jobs=2))
    assert handed_out.call_count > 1


def test_so_do_two_threads():
    with joblib.parallel_config("threading"):
        assert_same(found(instance()), found(instance(), n_jobs=2))


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and two worker processes on loopback."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


@pytest.mark.slow
@pytest.mark.parametrize("kind", BUDGETS)
def test_a_dask_cluster_finds_the_tree_that_one_process_finds(cluster, kind):
    model = RobustTree(
        ShortestPath.grid(3),
        uncertainty=BUDGETS[kind],
        method="local_search",
        iteration_limit=30,
        time_limit=None,
        random_state=0,
    )
    expected = model.fit(COSTS).result_
    with joblib.parallel_config("dask"):
        assert_same(expected, model.fit(COSTS).result_)


@pytest.mark.slow
def test_a_grid_search_on_two_processes_chooses_as_on_one():
    """Whatever the models ask for, inside of it each works alone."""
    model = RobustTree(ShortestPath.grid(3), method="local_search", iteration_limit=3, random_state=0, n_jobs=2)
    choices = {"uncertainty": list(BUDGETS.values())}
    one, two = (GridSearchCV(model, choices, cv=2, n_jobs=n_jobs).fit(COSTS) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])
    assert one.best_estimator_.tree_ == two.best_estimator_.tree_
