"""A solution as a picture: drawn on its graph where the problem has one, else as a list of what is used."""

__all__ = ["plot_solution"]

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.data.checks import finite_vector
from hedgerow.errors import InputError
from hedgerow.plot._style import (
    COLOURS,
    INK,
    LINE,
    PAPER,
    SIZE,
    Look,
    axes_or_new,
    dress,
    house_style,
    one_line,
    paragraph,
)
from hedgerow.problem import Network
from hedgerow.problems.base import Problem
from hedgerow.tolerances import FEASIBILITY

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_BARS = 30


def plot_solution(problem: Problem, solution: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw a solution on the problem's graph, or as bars of the variables that it uses where there is no graph.

    Parameters
    ----------
    problem
        The problem. Its graph is drawn if its method `network` returns one, as that of `ShortestPath` does if the
        nodes have coordinates.
    solution
        The values of all variables.
    ax
        Where to draw; a new figure if None.

    Examples
    --------
    >>> from hedgerow.plot import plot_solution
    >>> from hedgerow.problems import Selection, ShortestPath
    >>> ax = plot_solution(ShortestPath.grid(2), [1, 0, 1, 0])
    >>> ax.get_title(loc="left")
    '0 → 1 → 3'
    >>> ax = plot_solution(Selection(3, 2, item_names=["oak", "ash", "elm"]), [1, 0, 1])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['oak', 'elm']
    """
    if not isinstance(problem, Problem):
        raise InputError(f"problem must be one of hedgerow.problems or alike; got {type(problem).__name__}.")
    values = finite_vector(solution, "solution", length=len(problem.variable_names), per="variables")
    network, used = problem.network(), np.abs(values) > FEASIBILITY
    with house_style():
        if network is not None:
            ax = axes_or_new(ax, (5.2, 4.4))
            _draw_on_graph(ax, network, used)
        else:
            ax = axes_or_new(ax, (5.2, 0.9 + 0.26 * min(max(int(used.sum()), 1), _MOST_BARS)))
            _draw_bars(ax, problem.variable_names, values, np.flatnonzero(used))
        ax.set_title(paragraph(problem.describe(values), 60, 2), loc="left", fontsize=SIZE + 1, color=INK)
    return ax


def _draw_bars(ax: "Axes", names: tuple[str, ...], values: FloatArray, used: IntArray) -> None:
    shown = used[:_MOST_BARS]
    places = np.arange(shown.size)
    ax.barh(places, values[shown], height=0.62, color=COLOURS[1])
    ax.set_yticks(places, [one_line(names[variable], 36) for variable in shown])
    ax.invert_yaxis()
    others = [f"{values.size - used.size:,} more are 0"] if used.size < values.size else []
    cut = [f"the first {_MOST_BARS} of {used.size} are shown"] if used.size > _MOST_BARS else []
    dress(ax, x="; ".join(["value", *others, *cut]))
    ax.grid(False, axis="y")


_MOST_NAMED = 100
_RADIUS = 4.0
_LONGEST_NAME = 14
_USED = COLOURS[1]
_UNUSED = "#b9beb9"


def _draw_on_graph(ax: "Axes", graph: Network, used: BoolArray) -> None:
    """Draw a problem's graph: unused arcs as thin lines, used ones as arrows, and nodes with names if they are few."""
    from matplotlib.collections import LineCollection

    segments = graph.places[graph.ends]
    ax.add_collection(LineCollection(list(segments[~used]), colors=_UNUSED, linewidths=0.9, zorder=1, gid="unused"))
    few = len(graph.nodes) <= _MOST_NAMED
    room = _RADIUS + 1 if few else 0.0
    style = "-|>" if few else "-"
    look: Look = {"arrowstyle": style, "color": _USED, "linewidth": 2.4, "mutation_scale": 14}
    for tail, head in segments[used]:
        ends: Look = {"shrinkA": room, "shrinkB": room}
        ax.annotate("", head, tail, arrowprops={**look, **ends}, zorder=3, gid="used")
    ax.update_datalim(graph.places)
    if few:
        _draw_nodes(ax, graph, np.isin(np.arange(len(graph.nodes)), graph.ends[used]))
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.12)
    ax.autoscale_view()
    ax.set_axis_off()


def _draw_nodes(ax: "Axes", graph: Network, on_way: BoolArray) -> None:
    from matplotlib.patheffects import withStroke

    edges = np.where(on_way, _USED, LINE)
    dots: Look = {"s": (2 * _RADIUS) ** 2, "facecolor": PAPER, "edgecolor": edges, "linewidth": 1.4}
    ax.scatter(*graph.places.T, **dots, zorder=4)
    look: Look = {"fontsize": SIZE - 2, "path_effects": [withStroke(linewidth=2.5, foreground=PAPER)]}
    for name, point in zip(graph.nodes, graph.places, strict=True):
        text, below = one_line(name, _LONGEST_NAME), (_RADIUS, -_RADIUS)
        ax.annotate(text, point, below, textcoords="offset points", va="top", zorder=5, **look)
