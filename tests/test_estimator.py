"""The estimator: what it takes, what it keeps, and that it behaves as scikit-learn's own do."""

import json
import signal

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import hedgerow
from hedgerow import InputError, LocalBudget, Nominal, RobustTree, RuleBook
from hedgerow.adversary.move_cost import move_costs
from hedgerow.methods import METHODS
from hedgerow.methods.registry import Method
from hedgerow.problems import Selection
from tests.methods import toys

NAMES = ["oak", "ash", "elm", "yew"]
COSTS = np.random.default_rng(3).integers(1, 30, (12, 4)).astype(float)
TABLE = pd.DataFrame(COSTS, columns=NAMES)


@pytest.fixture(autouse=True)
def _toys(monkeypatch):
    for name in ("draw", "ctrl_c"):
        monkeypatch.setitem(METHODS, name, Method(toys.TOYS[name]))


def problem(**options):
    return Selection(4, 2, item_names=NAMES, **options)


def model(**options):
    chosen = {"uncertainty": LocalBudget(fraction=0.1), "method": "draw", "iteration_limit": 20, "random_state": 0}
    return RobustTree(options.pop("problem", problem()), **{**chosen, **options})


# -- fit, predict, score ---------------------------------------------------------------------------------------------


def test_ctrl_c_ends_a_fit_like_any_other_and_leaves_the_model_as_it_was():
    stopped = model(method="ctrl_c")
    with pytest.raises(KeyboardInterrupt):
        stopped.fit(COSTS)
    assert not hasattr(stopped, "tree_")


def test_an_interruptible_fit_keeps_its_best_tree_before_ctrl_c_goes_on():
    before = signal.getsignal(signal.SIGINT)
    stopped = model(method="ctrl_c", interruptible=True)
    with pytest.raises(KeyboardInterrupt):
        stopped.fit(COSTS)
    assert signal.getsignal(signal.SIGINT) is before
    assert (stopped.result_.status, stopped.rulebook_.training.n_samples) == ("interrupted", len(COSTS))
    assert stopped.predict(COSTS).shape == COSTS.shape


def test_score_is_minus_the_mean_nominal_cost():
    fitted = model().fit(COSTS)
    paid = np.einsum("ji,ji->j", COSTS, fitted.predict(COSTS))
    assert fitted.score(COSTS) == pytest.approx(-paid.mean())
    weights = np.arange(12.0)
    assert fitted.score(COSTS, sample_weight=weights) == pytest.approx(-np.average(paid, weights=weights))


# -- tables ----------------------------------------------------------------------------------------------------------


def test_columns_are_matched_by_name_in_any_order_and_others_ignored():
    plain, named = model().fit(COSTS), model().fit(TABLE[["yew", "elm", "ash", "oak"]].assign(date="today"))
    assert named.tree_ == plain.tree_
    assert named.feature_names_in_.tolist() == NAMES
    shuffled = TABLE[["elm", "yew", "oak", "ash"]].assign(id=range(12))
    for fitted in (plain, named):
        np.testing.assert_array_equal(fitted.predict(shuffled), fitted.predict(COSTS))
    assert named.score(shuffled) == pytest.approx(plain.score(COSTS))


# -- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"depth": 2.5},
        {"uncertainty": 0.05},
        {"method": "magic"},
        {"time_limit": 0.0},
        {"min_samples_leaf": 13},
        {"monitor": "loud"},
        {"problem": "grid:4"},
    ],
)
def test_bad_parameters_are_refused_by_fit_not_by_the_constructor(options):
    unchecked = model(**options)
    with pytest.raises(InputError):
        unchecked.fit(COSTS)
    assert not hasattr(unchecked, "tree_")


# -- the tree file ---------------------------------------------------------------------------------------------------


def test_a_problem_that_cannot_be_rebuilt_is_shown_and_applied_all_the_same(tmp_path):
    class Cheapest(Selection):
        def to_dict(self):
            return {"kind": "custom"}

    fitted = model(problem=Cheapest(4, 2, item_names=NAMES)).fit(COSTS)
    fitted.save(tmp_path / "tree.json")
    saved = RuleBook.load(tmp_path / "tree.json")
    assert "can't be rebuilt" in saved.note
    assert saved.variable_names == tuple(NAMES)
    assert saved.plans.text(0) == fitted.problem.describe(fitted.tree_.solutions[0])
    with pytest.raises(hedgerow.FileFormatError, match="can't be rebuilt"):
        saved.needed_problem()


def test_a_bare_tree_file_still_has_names_and_advice():
    document = {"format": "hedgerow-tree", "version": 1, "tree": {"solution": [1.0, 0.0]}, "feature_names": []}
    saved = RuleBook.from_json(json.dumps(document))
    assert saved.variable_names == ("x1", "x2")
    assert saved.plans.words == ("[1.0, 0.0]",)
    assert saved.uncertainty == Nominal()
    assert saved.result is saved.problem is saved.training is None
    with pytest.raises(hedgerow.FileFormatError, match="which problem"):
        saved.needed_problem()
    with pytest.raises(hedgerow.InputError, match="no ranges"):
        saved.with_budget(LocalBudget(fraction=0.1))


def test_a_budget_from_errors_is_lowered_to_those_that_reach_a_tree():
    """Errors that lead to the same leaf don't count, or the tree would ask nothing."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(0.0, 9.0, (60, 3))
    readings = truth + rng.normal(0.0, 1.5, truth.shape)
    given = LocalBudget.from_errors(readings, truth)
    options = {"depth": 2, "method": "local_search", "iteration_limit": 3, "random_state": 0}
    model = RobustTree(Selection(3, 1), uncertainty=given, **options).fit(truth)
    assert model.uncertainty_.budget < given.budget
    assert model.result_.message.startswith("The budget was lowered from ")
    assert model.tree_.n_leaves > 1
    carried = move_costs(model.tree_, truth, LocalBudget(0.0))[np.arange(60), model.tree_.choose(readings)]
    assert model.uncertainty_.budget <= carried.max()
    as_it_is = RobustTree(Selection(3, 1), uncertainty=LocalBudget(given.budget), **options).fit(truth)
    assert as_it_is.uncertainty_.budget == given.budget
    assert "lowered" not in as_it_is.result_.message
    assert as_it_is.tree_.n_leaves == 1
    assert clone(model).fit(truth).uncertainty_ == model.uncertainty_
