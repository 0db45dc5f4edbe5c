"""Several processes: `tune` on a Dask cluster, and a grid search of scikit-learn, choose as one process does."""

import joblib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from hedgerow import GlobalBudget, LocalBudget, RobustTree
from hedgerow.problems import ShortestPath
from hedgerow.study import tune

pytestmark = pytest.mark.slow

COSTS = np.random.default_rng(1).uniform(0.0, 9.0, (12, 12)).round(1)


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


def model():
    return RobustTree(ShortestPath.grid(3), method="local_search", iteration_limit=3, random_state=0)


def test_a_dask_cluster_judges_as_one_process_does(cluster):
    options = {"questions": ["items"], "depths": [0, 1], "folds": 3, "refit": False}
    one = tune(model(), COSTS, **options)
    with joblib.parallel_config("dask"):
        assert one.to_frame().equals(tune(model(), COSTS, **options, n_jobs=None).to_frame())


def test_a_grid_search_on_two_processes_chooses_as_on_one():
    choices = {"uncertainty": [LocalBudget(fraction=0.1), GlobalBudget(fraction=0.1)]}
    one, two = (GridSearchCV(model(), choices, cv=2, n_jobs=n_jobs).fit(COSTS) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])
    assert one.best_estimator_.tree_ == two.best_estimator_.tree_
