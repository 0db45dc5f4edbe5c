"""Convergence, robustness and ladder: the lines and bars are the numbers."""

import math

import numpy as np
import pytest

from hedgerow import GlobalBudget, InputError, Instance, LocalBudget, RobustTree, Tree, solve
from hedgerow.datasets import motivating_example
from hedgerow.plot import Rung, plot_convergence, plot_ladder, plot_robustness, plot_trained_curve
from hedgerow.problems import Selection
from hedgerow.run import Row, Statistics
from hedgerow.study import RobustnessCurve, robustness_curve, train_curve
from tests.plot.drawn import HEDGED, SIMPLE, WAY_A, pixels

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


# -- robustness ----------------------------------------------------------------------------------------------------


def curves():
    problem, costs = motivating_example()
    sets = [GlobalBudget(budget) for budget in (0.0, 2.0, 4.0, 5.0)]
    trees = {"nominal tree": SIMPLE, "robust tree": HEDGED, "one solution": Tree.single(WAY_A)}
    return {name: robustness_curve(tree, problem, costs, sets) for name, tree in trees.items()}


def test_each_curve_is_a_line_of_its_own_look():
    ax = plot_robustness(curves())
    values = {line.get_label().strip(): line.get_ydata().tolist() for line in ax.lines}
    assert values["nominal tree"][-1] == 50.0
    assert values["robust tree"][-1] == 43.0
    assert values["one solution"] == [57.0] * 4
    looks = [(line.get_color(), line.get_marker(), str(line._dash_pattern)) for line in ax.lines]
    assert all(len(set(column)) == 3 for column in zip(*looks, strict=True))


def test_a_single_budget_is_a_point():
    ax = plot_robustness({"tree": RobustnessCurve("local", np.array([1.0]), np.array([5.0]))})
    assert [(line.get_xdata().tolist(), line.get_ydata().tolist()) for line in ax.lines] == [([1.0], [5.0])]
    assert ax.lines[0].get_marker() not in ("", "None")
    pixels(ax)


def test_curves_of_two_kinds_do_not_share_a_figure():
    local = RobustnessCurve("local", np.array([1.0]), np.array([5.0]))
    both = {"a": local, "b": RobustnessCurve("global", np.array([1.0]), np.array([5.0]))}
    for given in (both, {}, [local], {"a": [1, 2]}):
        with pytest.raises(InputError, match="curve"):
            plot_robustness(given)


# -- ladder --------------------------------------------------------------------------------------------------------


def test_bars_are_percent_of_the_first_value():
    ax = plot_ladder([Rung("best", 40.0), Rung("tree", 42.0), Rung("bound", 41.0, is_bound=True)])
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([0.0, 5.0, 2.5])
    assert [text.get_text() for text in ax.texts] == ["40", "42  +5 %", "41  +2.5 %  (bound)"]
    assert [bool(bar.get_hatch()) for bar in ax.patches] == [False, False, True]


def test_gains_fall_and_zero_has_no_percent():
    falling = plot_ladder([Rung("best", 40.0), Rung("tree", 38.0)])
    assert falling.texts[1].get_text() == "38  −5 %"
    zero = plot_ladder([Rung("best", 0.0), Rung("tree", 2.0)], unit="EUR")
    assert zero.texts[1].get_text() == "2 EUR  +2"
    for ax in (falling, zero, plot_ladder([Rung("alone", 1.0)])):
        pixels(ax)


def test_groups_have_colours_of_their_own():
    ax = plot_ladder([Rung("a", 1.0, "as read"), Rung("a", 2.0, "worst case"), Rung("b", 2.0, "as read")])
    first, second, third = (bar.get_facecolor() for bar in ax.patches)
    assert first == third != second
    assert [text.strip() for text in legend(ax)] == ["as read", "worst case"]


@pytest.mark.parametrize("rungs", [[], [1.0], "ladder", [Rung("a", INF)], None])
def test_rungs_are_finite_values_with_names(rungs):
    with pytest.raises(InputError, match="rung"):
        plot_ladder(rungs)


def test_local_budgets_have_a_curve_too():
    problem, costs = motivating_example()
    curve = robustness_curve(SIMPLE, problem, costs, [LocalBudget(1.0)])
    assert plot_robustness({"tree": curve}).get_xlabel() == "local budget Γ"


# -- trained curves ------------------------------------------------------------------------------------------------


def trained(test_costs=None):
    problem, costs = motivating_example()
    model = RobustTree(problem, uncertainty=GlobalBudget(fraction=0.0), method="exact", random_state=0)
    return train_curve(model, costs, [0.0, 0.05, 0.5], test_costs=test_costs)


def test_a_trained_curve_shows_both_costs_and_marks_where_the_tree_changes():
    curve = trained()
    ax = plot_trained_curve(curve)
    assert [text.strip() for text in legend(ax)] == ["worst case, training", "as read, training"]
    assert ax.lines[0].get_ydata().tolist() == [point.robust for point in curve.points]
    assert [text.get_text() for text in ax.texts] == [str(n) for n in range(1, len(curve.breakpoints) + 1)]
    pixels(ax)


def test_test_data_brings_two_lines_more():
    _, costs = motivating_example()
    ax = plot_trained_curve(trained(costs[:3]))
    assert [text.strip() for text in legend(ax)][2:] == ["worst case, test", "as read, test"]


def test_only_trained_curves_are_drawn_so():
    with pytest.raises(InputError, match="train_curve"):
        plot_trained_curve(curves()["robust tree"])
