"""SciPy's HiGHS, which stands in where highspy can't be loaded, keeps to the same terms."""

import builtins
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from hedgerow.mip import create_model
from hedgerow.mip.registry import _stand_in
from hedgerow.mip.scipy_highs import ScipyHighsModel


def knapsack(model):
    take = model.add_variables(3, upper=1.0, cost=[-5.0, -4.0, -3.0], integer=True)
    model.add_row(take, [4.0, 3.0, 2.0], -np.inf, 6.0)
    return take


def test_it_takes_the_place_of_a_highspy_that_cannot_be_loaded(monkeypatch, caplog):
    load = builtins.__import__

    def refuse(name, *arguments, **options):
        if name == "highspy":
            raise ImportError("undefined symbol")
        return load(name, *arguments, **options)

    monkeypatch.delitem(sys.modules, "hedgerow.mip.highs", raising=False)
    monkeypatch.setattr(builtins, "__import__", refuse)
    _stand_in.cache_clear()
    with caplog.at_level("INFO", "hedgerow"):
        models = [create_model(), create_model()]
    assert all(isinstance(model, ScipyHighsModel) for model in models)
    assert caplog.text.count("SciPy's own HiGHS takes its place") == 1


def test_a_model_is_solved_extended_and_solved_again():
    model = ScipyHighsModel()
    take = knapsack(model)
    first = model.solve()
    assert (first.status, first.objective, first.bound) == ("optimal", -8.0, pytest.approx(-8.0))
    model.add_row(take[[0, 2]], [1.0, 1.0], -np.inf, 1.0)
    assert model.solve().objective == -7.0
    model.set_costs(take, [-1.0, -1.0, -9.0])
    model.set_bounds(take[:1], [1.0], [1.0])
    assert model.solve().values.tolist() == [1.0, 0.0, 0.0]


def test_a_cutoff_that_nothing_is_below_is_told():
    model = ScipyHighsModel()
    knapsack(model)
    result = model.solve(cutoff=-8.0)
    assert (result.status, result.values, result.bound) == ("cutoff", None, -8.0)


@pytest.mark.parametrize("integer", [True, False])
def test_infeasible_and_unbounded_models_are_told_apart(integer):
    model = ScipyHighsModel()
    columns = model.add_variables(2, cost=[-1.0, 0.0], integer=integer)
    model.add_rows(sp.csr_array([[1.0, -1.0]]), columns, 0.0, 0.0)
    assert model.solve().status == "unbounded"
    model.add_row(columns, [1.0, 1.0], -np.inf, -1.0)
    assert model.solve().status == "infeasible"


def test_a_linear_programme_has_its_value_for_a_bound():
    model = ScipyHighsModel()
    columns = model.add_variables(2, upper=3.0, cost=[-1.0, -2.0])
    model.add_row(columns, [1.0, 1.0], -np.inf, 4.0)
    result = model.solve(time_limit=10.0)
    assert (result.status, result.objective) == ("optimal", pytest.approx(-7.0))
    assert result.bound == pytest.approx(-7.0)
