"""A solution as a picture: drawn on its graph where the problem has one, else as a list of what is used."""

__all__ = ["plot_solution", "plot_solutions"]

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.data.checks import finite_vector
from hedgerow.errors import InputError
from hedgerow.plot._style import COLOURS, INK, LINE, PAPER, SIZE, Look, axes_or_new, dress, house_style
from hedgerow.plot._text import one_line, paragraph
from hedgerow.problem import Problem
from hedgerow.problems.drawing import Network, network_of
from hedgerow.rules import RuleBook
from hedgerow.tolerances import FEASIBILITY

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_BARS = 30
_PER_ROW = 3


def plot_solution(problem: Problem, solution: Any, *, title: str | None = None, ax: "Axes | None" = None) -> "Axes":
    """Draw a solution on the problem's graph, or as bars of the variables that it uses where there is no graph.

    Parameters
    ----------
    problem
        The problem. A graph is drawn if it has `nodes`, `arcs` (one for each variable) and `positions`, as
        `ShortestPath` has. Nodes without positions are placed by networkx, the same way each time.
    solution
        The values of all variables.
    title
        What to write above it; the solution in words if None.
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
    with house_style():
        bars = min(max(_used(values).size, 1), _MOST_BARS)
        height = 4.4 if network_of(problem) is not None else 0.9 + 0.26 * bars
        ax = axes_or_new(ax, (5.2, height))
        _draw(ax, problem, values, paragraph(problem.describe(values) if title is None else title, 60, 2))
    return ax


def plot_solutions(source: Any, problem: Problem | None = None) -> "list[Axes]":
    r"""Draw the distinct solutions of a tree side by side on a new figure, with the leaves that advise them.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, the path of a tree file, an evaluation or its attack, or a bare `Tree`.
    problem
        The problem, where the source does not know it: for a bare tree, or a file from a problem of one's own.

    Returns
    -------
    The axes, one for each solution, in the order of the letters that `plot_tree` gives them.

    Examples
    --------
    >>> from hedgerow import Tree
    >>> from hedgerow.plot import plot_solutions
    >>> from hedgerow.problems import ShortestPath
    >>> tree = Tree.full([0], [5.0], [[1, 0, 1, 0], [0, 1, 0, 1]])
    >>> [ax.get_title(loc="left") for ax in plot_solutions(tree, ShortestPath.grid(2))]
    ['A · leaf 0\n0 → 1 → 3', 'B · leaf 1\n0 → 2 → 3']
    """
    book = RuleBook.of(source)
    problem = book.needed_problem() if problem is None else problem
    plans = book.plans
    n_rows, n_columns = -(-len(plans) // _PER_ROW), min(len(plans), _PER_ROW)
    with house_style():
        from matplotlib import pyplot as plt

        figure = plt.figure(figsize=(4.0 * n_columns, 3.6 * n_rows), layout="constrained")
        axes = []
        for plan, solution in enumerate(plans.solutions):
            ax = figure.add_subplot(n_rows, n_columns, plan + 1)
            leaves = book.leaves_with(plan)
            some = ", ".join(map(str, leaves[:5])) + (", …" if len(leaves) > 5 else "")
            which = f"{plans.letters[plan]} · {'leaf' if len(leaves) == 1 else 'leaves'} {some}"
            _draw(ax, problem, solution, f"{which}\n{one_line(problem.describe(solution), 42)}")
            axes.append(ax)
    return axes


def _used(values: FloatArray) -> IntArray:
    return np.flatnonzero(np.abs(values) > FEASIBILITY)


def _draw(ax: "Axes", problem: Problem, values: FloatArray, title: str) -> None:
    network = network_of(problem)
    if network is not None:
        _draw_on_graph(ax, network, np.abs(values) > FEASIBILITY)
    else:
        _draw_bars(ax, problem.variable_names, values)
    ax.set_title(title, loc="left", fontsize=SIZE + 1, color=INK)


def _draw_bars(ax: "Axes", names: tuple[str, ...], values: FloatArray) -> None:
    used = _used(values)
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
    style = "-|>" if graph.directed and few else "-"
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
