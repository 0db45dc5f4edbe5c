"""A graph on axes: its nodes, its arcs, and those in use on top."""

__all__ = ["draw_on_graph"]

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.plot._style import COLOURS, INK, LINE, PAPER, SIZE, Look
from hedgerow.plot._text import one_line
from hedgerow.problems.drawing import Network

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NODES = 100
_MOST_ARCS = 500
_RADIUS = 9.5
_FITS_INSIDE = 3
_LONGEST_NAME = 14
_USED = COLOURS[1]
_UNUSED = "#b9beb9"


def draw_on_graph(ax: "Axes", graph: Network, used: BoolArray) -> None:
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
