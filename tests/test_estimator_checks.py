"""RobustTree among scikit-learn's tools: its own checks, grid search, pipelines, tables as output."""

import dataclasses
import warnings

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import GlobalBudget, InputError, LocalBudget, RobustTree
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


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler()])
def test_a_scaler_before_the_model_is_pointed_out(scaler):
    """What is passed to fit is the cost: scaled costs are other costs."""
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (20, 2))
    with pytest.warns(UserWarning, match="the costs look scaled"):
        make_pipeline(scaler, model(2)).fit(costs)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(2).fit(costs)


def test_a_search_may_choose_the_budget():
    """`uncertainty__budget` and its like are parameters of the grid."""
    costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5], [1.5, 3.5], [4.5, 1.0], [2.0, 3.0]]
    model = RobustTree(Selection(2, 1), depth=1, uncertainty=LocalBudget(0.5), random_state=0)
    search = GridSearchCV(model, {"uncertainty__budget": [0.0, 0.5], "uncertainty__epsilon": [0.001, 0.01]}, cv=2)
    search.fit(costs)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_estimator_.uncertainty.budget == search.best_params_["uncertainty__budget"]


def test_budget_and_fraction_replace_each_other():
    model = RobustTree(Selection(2, 1), uncertainty=GlobalBudget(9.0, limits=2.0))
    model.set_params(uncertainty__fraction=0.05)
    assert model.uncertainty == GlobalBudget(fraction=0.05, limits=2.0)
    model.set_params(uncertainty__budget=3.0)
    assert model.uncertainty == GlobalBudget(3.0, limits=2.0)
    fields = {f"uncertainty__{field.name}" for field in dataclasses.fields(model.uncertainty) if field.init}
    assert fields <= set(model.get_params())
    assert not fields & set(model.get_params(deep=False))


@pytest.mark.parametrize("params", [{"uncertainty__gamma": 1.0}, {"uncertainty__budget": -1.0}])
def test_parameters_that_no_set_has_are_refused(params):
    with pytest.raises(InputError):
        RobustTree(Selection(2, 1), uncertainty=LocalBudget(1.0)).set_params(**params)
    with pytest.raises(InputError, match="choose a budget first"):
        RobustTree(Selection(2, 1)).set_params(uncertainty__budget=1.0)
