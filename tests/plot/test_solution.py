"""Solutions are drawn on their graph, or listed."""

import numpy as np
import pytest

from hedgerow import InputError
from hedgerow.plot import plot_solution
from hedgerow.problems import Selection, ShortestPath
from tests.plot.drawn import by_gid


def arrows(ax):
    return [text for text in ax.texts if text.get_gid() == "used"]


def test_the_used_arcs_are_those_of_the_solution():
    problem = ShortestPath.grid(3)
    solution = problem.best_solution(np.random.default_rng(0).uniform(1, 9, (1, 12))).solution
    ax = plot_solution(problem, solution)
    drawn = {(*arrow.xyann, *arrow.xy) for arrow in arrows(ax)}
    place = dict(zip(problem.nodes, problem.positions, strict=True))
    assert drawn == {(*place[problem.arcs[arc][0]], *place[problem.arcs[arc][1]]) for arc in np.flatnonzero(solution)}
    (unused,) = by_gid(ax, "unused")
    assert len(unused.get_segments()) == 12 - len(drawn)
    assert ax.get_title(loc="left") == problem.describe(solution)


def test_a_problem_without_a_drawing_is_listed_as_bars():
    ax = plot_solution(Selection(4, 2, item_names=["oak", "ash", "elm", "yew"]), [0, 1, 0, 1])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["ash", "yew"]
    assert [bar.get_width() for bar in ax.patches] == [1.0, 1.0]
    assert ax.get_xlabel() == "value; 2 more are 0"


@pytest.mark.parametrize("solution", [[1, 0], [[1, 0, 1]], [1, 0, np.nan], "101"])
def test_a_solution_has_one_number_per_variable(solution):
    with pytest.raises(InputError, match="solution"):
        plot_solution(Selection(3, 1), solution)
