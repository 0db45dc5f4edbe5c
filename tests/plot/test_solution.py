"""Solutions are drawn on their graph, or listed."""

import networkx as nx
import numpy as np
import pytest

from hedgerow import InputError, RobustTree, Tree
from hedgerow.plot import plot_solution, plot_solutions
from hedgerow.problems import Selection, ShortestPath
from tests.helpers import Machines
from tests.plot.drawn import HEDGED, attacked, by_gid, pixels


def arrows(ax):
    return [text for text in ax.texts if text.get_gid() == "used"]


def test_the_used_arcs_are_those_of_the_solution():
    problem = ShortestPath.grid(3)
    solution = problem.best_solution(np.random.default_rng(0).uniform(1, 9, (1, 12))).solution
    ax = plot_solution(problem, solution)
    drawn = {(*arrow.xyann, *arrow.xy) for arrow in arrows(ax)}
    place = dict(zip(problem.nodes, problem.positions, strict=True))
    assert drawn == {(*place[problem.arcs[arc][0]], *place[problem.arcs[arc][1]]) for arc in problem.path(solution)}
    (unused,) = by_gid(ax, "unused")
    assert len(unused.get_segments()) == 12 - len(drawn)
    assert ax.get_title(loc="left") == problem.describe(solution)


def test_a_graph_without_positions_is_placed_the_same_way_each_time():
    graph = nx.DiGraph([("s", "1"), ("1", "t"), ("s", "2"), ("2", "t"), ("t", "s")])
    problem = ShortestPath.from_networkx(graph, "s", "t")
    solution = problem.best_solution(np.ones((1, 5))).solution
    first, second = (plot_solution(problem, solution).collections[1].get_offsets() for _ in range(2))
    assert np.array_equal(first, second)
    assert len(np.unique(np.round(first, 3), axis=0)) == 4


def test_a_large_graph_has_no_names():
    problem = ShortestPath.grid(40)
    solution = problem.best_solution(np.ones((1, problem.n_items))).solution
    ax = plot_solution(problem, solution)
    assert len(arrows(ax)) == solution.sum()
    assert not [text for text in ax.texts if text.get_text()]
    pixels(ax)


def test_a_problem_without_a_drawing_is_listed_as_bars():
    ax = plot_solution(Selection(4, 2, item_names=["oak", "ash", "elm", "yew"]), [0, 1, 0, 1])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["ash", "yew"]
    assert [bar.get_width() for bar in ax.patches] == [1.0, 1.0]
    assert ax.get_xlabel() == "value; 2 more are 0"


def test_the_bars_of_a_long_list_are_cut_with_a_note():
    ax = plot_solution(Selection(2000, 50), np.repeat([1.0, 0.0], [50, 1950]))
    assert len(ax.patches) == 30
    assert "the first 30 of 50" in ax.get_xlabel()


def test_a_solution_that_uses_nothing_says_so():
    assert plot_solution(Selection(3, 1), [0, 0, 0]).get_xlabel() == "value; 3 more are 0"


def test_variables_that_are_not_items_are_named_by_their_own_names():
    ax = plot_solution(Machines(2), [1, 0, 0, 1])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["job 0 on A", "job 1 on B"]


def test_a_tree_s_solutions_stand_side_by_side_once_each():
    axes = plot_solutions(attacked(HEDGED))
    assert [ax.get_title(loc="left") for ax in axes] == ["A · leaf 0\ns → 1 → t", "B · leaves 1, 2\ns → 2 → t"]
    assert [len(arrows(ax)) for ax in axes] == [2, 2]


def test_solutions_of_a_model_of_one_s_own_problem_are_drawn():
    costs = np.array([[1.0, 5.0, 2.0, 2.0], [4.0, 1.0, 1.0, 3.0]])
    model = RobustTree(Machines(4), depth=0, method="one_solution").fit(costs)
    assert len(plot_solutions(model)) == 1


@pytest.mark.parametrize("solution", [[1, 0], [[1, 0, 1]], [1, 0, np.nan], "101"])
def test_a_solution_has_one_number_per_variable(solution):
    with pytest.raises(InputError, match="solution"):
        plot_solution(Selection(3, 1), solution)


def test_a_problem_is_a_problem():
    with pytest.raises(InputError, match="problem must be"):
        plot_solution("grid:4", [1, 0])


def test_a_bare_tree_needs_its_problem():
    with pytest.raises(ValueError, match="which problem"):
        plot_solutions(Tree.single([1.0, 0.0]))
