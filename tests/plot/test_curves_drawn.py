"""Convergence and the price of robustness: the lines are the numbers."""

import math

import numpy as np
import pytest

from hedgerow import GlobalBudget, InputError, Instance, RobustTree, solve
from hedgerow.datasets import motivating_example
from hedgerow.plot import plot_convergence
from hedgerow.problems import Selection
from hedgerow.run import Row, Statistics
from hedgerow.study import price_of_robustness
from tests.plot.drawn import pixels

INF = math.inf


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


# -- convergence ---------------------------------------------------------------------------------------------------


def test_value_and_bound_are_steps_over_time():
    rows = Statistics((Row(0.1, 1, 50.0, -INF), Row(0.3, 2, 43.0, 36.0), Row(0.9, 3, 43.0, 42.0)))
    ax = plot_convergence(rows)
    value, bound = ax.lines
    assert value.get_drawstyle() == bound.get_drawstyle() == "steps-post"
    assert value.get_ydata().tolist() == [50.0, 43.0, 43.0]
    assert np.array_equal(bound.get_ydata(), [np.nan, 36.0, 42.0], equal_nan=True)
    assert legend(ax) == ["best tree: 43", "proven bound: 42", "gap: 2.33 %"]
    pixels(ax)


def test_a_run_without_a_bound_says_so():
    ax = plot_convergence(Statistics((Row(0.1, 1, 50.0, -INF), Row(0.2, 1, 47.0, -INF))))
    assert len(ax.lines) == 1
    assert legend(ax) == ["best tree: 47", "no bound"]
    pixels(ax)


def test_a_maximising_run_has_its_bound_above():
    ax = plot_convergence(Statistics((Row(0.1, 1, 50.0, INF), Row(0.2, 1, 60.0, 60.0))))
    assert legend(ax) == ["best tree: 60", "proven bound: 60", "proven optimal"]


def test_a_model_s_run_lasts_until_its_end_and_has_its_unit():
    problem, costs = motivating_example()
    result = solve(Instance.create(problem, costs, depth=1), method="nominal")
    ax = plot_convergence(result)
    assert ax.lines[0].get_xdata()[-1] >= result.statistics[-1].runtime
    model = RobustTree(Selection(2, 1, unit="EUR"), depth=0).fit([[1.0, 2.0]])
    assert plot_convergence(model).get_ylabel() == "worst case (EUR)"


@pytest.mark.parametrize("run", [Statistics(), Statistics((Row(0.1, 1, INF, -INF),)), [1, 2], None])
def test_there_must_be_something_to_draw(run):
    with pytest.raises(InputError):
        plot_convergence(run)


# -- price of robustness -------------------------------------------------------------------------------------------


def price():
    problem, costs = motivating_example()
    model = RobustTree(problem, uncertainty=GlobalBudget(fraction=0.0), method="exact", random_state=0)
    return price_of_robustness(model, costs, [0.0, 0.05, 0.5])


def test_the_price_shows_both_costs_and_marks_where_the_tree_changes():
    curve = price()
    ax = curve.plot()
    assert [text.strip() for text in legend(ax)] == ["worst case of the first tree", "worst case", "as read"]
    assert ax.lines[1].get_ydata().tolist() == curve.to_frame()["robust"].tolist()
    assert [text.get_text() for text in ax.texts] == [str(n) for n in curve.to_frame()["tree"].unique()]
    pixels(ax)
