"""RobustTree among scikit-learn's tools: its own checks, and grid search."""

import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import LocalBudget, RobustTree
from hedgerow.problems import Selection

NOT_OURS = {
    "check_array_api_input": "NumPy arrays and DataFrames are what is taken",
    "check_dtype_object": "wrong entries raise InputError, a ValueError, as all wrong input does, and no TypeError",
    "check_estimators_empty_data_messages": "how many columns are needed is the problem's to say, and not one",
    "check_estimators_nan_inf": "predict needs the readings that are asked about only; fit does refuse NaN and inf",
    "check_n_features_in_after_fitting": "tables may have further columns; the message names what is missing",
    "check_parameters_default_constructible": "the default of `uncertainty` is a value of its own, which never changes",
}
"""Checks that are left out, and why."""

WIDTHS = (3, 2, 1, 4, 5, 10, 20, 30)
"""How many columns the data of a check may have."""


def model(width):
    return RobustTree(Selection(width, 1), depth=1, method="greedy", uncertainty=LocalBudget(0.5), random_state=0)


CHECKS = [check for _, check in parametrize_with_checks([model(3)]).args[1] if check.func.__name__ not in NOT_OURS]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.func.__name__)
def test_scikit_learn_is_content(check):
    """With a problem that has as many items as the data of the check have columns."""
    errors = []
    for width in WIDTHS:
        try:
            check(model(width))
        except Exception as error:
            errors.append(error)
        else:
            return
    raise ExceptionGroup(check.func.__name__, errors)


def test_a_search_may_choose_depth_and_budget():
    costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5], [1.5, 3.5], [4.5, 1.0], [2.0, 3.0]]
    model = RobustTree(Selection(2, 1), random_state=0)
    search = GridSearchCV(model, {"depth": [0, 1], "uncertainty": [LocalBudget(0.0), LocalBudget(0.5)]}, cv=2)
    search.fit(costs)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_estimator_.get_params() == {**model.get_params(), **search.best_params_}
