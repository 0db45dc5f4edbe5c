"""A solution as a picture: drawn on its graph where the problem has one, else as a list of what is used."""

__all__ = ["OnGraph", "plot_solution", "plot_solutions"]

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.data.checks import finite_vector
from hedgerow.errors import InputError
from hedgerow.plot._style import COLOURS, INK, LINE, PAPER, SIZE, SOFT, Look, axes_or_new, dress, house_style
from hedgerow.plot._text import one_line, paragraph
from hedgerow.problem import Problem
from hedgerow.problems.drawing import Network, network_of
from hedgerow.rules import RuleBook
from hedgerow.tolerances import FEASIBILITY
from hedgerow.wording.numbers import number, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_BARS = 30
_PER_ROW = 3


@runtime_checkable
class OnGraph(Protocol):
    """What a problem must offer to have its solutions drawn on a graph; its variables are the arcs, in their order.

    Examples
    --------
    >>> from hedgerow.plot import OnGraph
    >>> from hedgerow.problems import Selection, ShortestPath
    >>> isinstance(ShortestPath.grid(2), OnGraph), isinstance(Selection(3, 1), OnGraph)
    (True, False)
    """

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes."""

    @property
    def arcs(self) -> tuple[tuple[str, str], ...]:
        """The two ends of each arc, by name."""

    @property
    def positions(self) -> FloatArray | None:
        """Coordinates of the nodes, one row (x, y) each, or None to have them placed."""


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
        height = 4.4 if isinstance(problem, OnGraph) else 0.9 + 0.26 * min(max(_used(values).size, 1), _MOST_BARS)
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
            leaves = plans.leaves(plan)
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
    place = np.arange(shown.size)
    ax.barh(place, values[shown], height=0.62, color=COLOURS[1])
    for y, value in zip(place, values[shown], strict=True):
        side: Look = {"ha": "left", "xytext": (4, 0)} if value >= 0 else {"ha": "right", "xytext": (-4, 0)}
        ax.annotate(
            typeset(number(float(value))), (value, y), textcoords="offset points", va="center", color=INK, **side
        )
    hidden = f"; the first {_MOST_BARS} of {used.size} are shown" if used.size > _MOST_BARS else ""
    left_out = values.size - used.size
    below = f"value{hidden}" if not left_out else f"value; {left_out:,} more are 0{hidden}"
    dress(ax, x=below)
    ax.grid(False, axis="y")
    ax.set_yticks(place, [one_line(names[variable], 36) for variable in shown], color=INK)
    ax.set_ylim(max(shown.size, 1) - 0.4, -0.6)
    ax.margins(x=0.12)
    if not used.size:
        ax.set_xticks([])
        ax.text(0.5, 0.5, "nothing is used", ha="center", va="center", transform=ax.transAxes, color=SOFT)


_MOST_NODES = 100
_MOST_ARCS = 500
_RADIUS = 9.5
_FITS_INSIDE = 3
_LONGEST_NAME = 14
_USED = COLOURS[1]
_UNUSED = "#b9beb9"


def _draw_on_graph(ax: "Axes", graph: Network, used: BoolArray) -> None:
    """Draw a problem's graph with the used arcs as thick arrows; loops, which no path uses, are left out."""
    nodes, ends, place = list(graph.nodes), graph.ends, graph.places
    if len(nodes) <= _MOST_NODES and len(ends) <= _MOST_ARCS:
        _draw_arrows(ax, ends, place, used, "-|>" if graph.directed else "-")
        _draw_nodes(ax, nodes, place, np.isin(np.arange(len(nodes)), ends[used]))
    else:
        _draw_lines(ax, ends, place, used)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.12)
    ax.set_axis_off()


def _draw_nodes(ax: "Axes", nodes: list[str], place: FloatArray, on_way: BoolArray) -> None:
    from matplotlib.patheffects import withStroke

    edges = np.where(on_way, _USED, LINE)
    ax.scatter(
        place[:, 0], place[:, 1], s=(2 * _RADIUS) ** 2, facecolor=PAPER, edgecolor=edges, linewidth=1.4, zorder=4
    )
    for name, point in zip(nodes, place, strict=True):
        text = one_line(name, _LONGEST_NAME)
        inside = len(text) <= _FITS_INSIDE
        look: Look = {"va": "center_baseline", "fontsize": SIZE - 1}
        if not inside:
            look = {"va": "top", "fontsize": SIZE - 2, "path_effects": [withStroke(linewidth=2.5, foreground=PAPER)]}
        below = (0, 0 if inside else -(_RADIUS + 2))
        ax.annotate(text, point, below, textcoords="offset points", ha="center", color=INK, zorder=5, **look)


def _draw_arrows(ax: "Axes", ends: IntArray, place: FloatArray, used: BoolArray, style: str) -> None:
    from matplotlib.patches import FancyArrowPatch

    for (tail, head), in_use, bend in zip(ends, used, _bends(ends), strict=True):
        if tail == head:
            continue
        look: Look = {"color": _UNUSED, "linewidth": 1.0, "mutation_scale": 9, "zorder": 2, "gid": "unused"}
        if in_use:
            look = {"color": _USED, "linewidth": 2.6, "mutation_scale": 14, "zorder": 3, "gid": "used"}
        between: Look = {"shrinkA": _RADIUS + 1, "shrinkB": _RADIUS + 1, "connectionstyle": f"arc3,rad={bend}"}
        ax.add_patch(FancyArrowPatch(place[tail], place[head], arrowstyle=style, **between, **look))


def _draw_lines(ax: "Axes", ends: IntArray, place: FloatArray, used: BoolArray) -> None:
    """Draw a large graph, in which names and arrows would only blacken the picture."""
    from matplotlib.collections import LineCollection

    ax.add_collection(LineCollection(list(place[ends[~used]]), colors=_UNUSED, linewidths=0.5, zorder=1, gid="unused"))
    ax.add_collection(LineCollection(list(place[ends[used]]), colors=_USED, linewidths=2.4, zorder=2, gid="used"))
    ax.autoscale_view()


def _bends(ends: IntArray) -> list[float]:
    """Return how much each arc is bent, so that arcs between the same two nodes lie apart."""
    pairs = [tuple(sorted(pair)) for pair in ends.tolist()]
    total = Counter(pairs)
    seen: Counter[tuple[int, ...]] = Counter()
    bends: list[float] = []
    for pair in pairs:
        # An arc bends to its own right, so that of two opposite ones both may bend alike.
        side = (-1) ** seen[pair] * (1 if ends[len(bends)][0] == pair[0] else -1)
        bends.append(0.0 if total[pair] == 1 else 0.16 * (1 + seen[pair] // 2) * side)
        seen[pair] += 1
    return bends
