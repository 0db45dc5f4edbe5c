"""scikit-learn's own checks, on an estimator whose problem has as many items as X has columns."""

import dataclasses
import inspect

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import GlobalBudget, InputError, LocalBudget, RobustTree
from hedgerow.problems import Selection

NOT_OURS = {
    "check_dtype_object": "wrong entries raise InputError, a ValueError, as all wrong input does, and no TypeError",
    "check_estimators_empty_data_messages": "how many columns are needed is the problem's to say, and not one",
    "check_estimators_nan_inf": "predict needs the readings that are asked about only; fit does refuse NaN and inf",
    "check_n_features_in_after_fitting": "tables may have further columns; the message names what is missing",
}


class Cheapest(RobustTree):
    """Chooses one item; costs are X, so that there are as many items as columns."""

    def __init__(self, depth=1, uncertainty=None, random_state=0):
        self.depth = depth
        self.uncertainty = uncertainty
        self.random_state = random_state

    def __getattr__(self, name):
        if name == "problem":
            return Selection(len(self.__dict__["names_"]), 1, item_names=self.__dict__["names_"])
        template = RobustTree(Selection(1, 1), method="greedy", time_limit=20.0).get_params(deep=False)
        if name in template:
            return template[name]
        raise (NotFittedError if name == "rulebook_" else AttributeError)(name)  # Python asks here after a property

    def fit(self, X, y=None, sample_weight=None):
        shape = np.shape(X if hasattr(X, "columns") else np.asarray(X))
        width = shape[1] if len(shape) == 2 else 1
        self.names_ = [str(name) for name in getattr(X, "columns", [f"x{place}" for place in range(max(1, width))])]
        given, weight = (X if hasattr(X, "columns") else np.asarray(X)), sample_weight
        before, self.uncertainty = self.uncertainty, self.uncertainty or LocalBudget(0.5)
        try:
            return super().fit(given, sample_weight=None if weight is None else np.asarray(weight))
        finally:
            self.uncertainty = before

    def score(self, X, y=None, sample_weight=None):
        return super().score(X, sample_weight=sample_weight)


if "expected_failed_checks" in inspect.signature(parametrize_with_checks).parameters:
    all_checks = parametrize_with_checks([Cheapest()], expected_failed_checks=lambda estimator: NOT_OURS)
else:  # before scikit-learn 1.6
    Cheapest._more_tags = lambda self: {"_xfail_checks": NOT_OURS}
    all_checks = parametrize_with_checks([Cheapest()])


@all_checks
def test_scikit_learn_is_content(estimator, check):
    check(estimator)


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
    fields = {f"uncertainty__{field.name}" for field in dataclasses.fields(model.uncertainty)}
    assert fields <= set(model.get_params())
    assert not fields & set(model.get_params(deep=False))


@pytest.mark.parametrize("params", [{"uncertainty__gamma": 1.0}, {"uncertainty__budget": -1.0}])
def test_parameters_that_no_set_has_are_refused(params):
    with pytest.raises(InputError):
        RobustTree(Selection(2, 1), uncertainty=LocalBudget(1.0)).set_params(**params)
    with pytest.raises(InputError, match="choose a budget first"):
        RobustTree(Selection(2, 1)).set_params(uncertainty__budget=1.0)
