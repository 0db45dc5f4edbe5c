"""The tree as a picture: questions, answers and what to do."""

__all__ = ["plot_tree"]

from functools import partial
from typing import TYPE_CHECKING, Any

from hedgerow.plot._layout import Drawing, tree_drawing
from hedgerow.plot._style import INK, LINE, PAPER, SIZE, SOFT, Look, axes_or_new, house_style, measured, one_line
from hedgerow.rules import RuleBook

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONGEST_NAME, _LONGEST_ADVICE = 28, 48
_LARGEST = 120.0  # inches; a figure's pixels are limited


def plot_tree(source: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the tree from left to right, with one row for each leaf, or for each of its plans, by matplotlib alone.

    Leaves that give the same advice have the same letter and colour. Thresholds have up to ten digits; long
    names and advice are shortened.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, the path of a tree file, an evaluation or its attack, or a bare `Tree`.
    ax
        Where to draw, whose size the tree is fitted to; a new figure, large enough for it, if None.

    Examples
    --------
    >>> from hedgerow import Tree, evaluate
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.plot import plot_tree
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> ax = plot_tree(evaluate(tree, problem, costs))
    >>> [text.get_text() for text in ax.texts if "≤" in text.get_text()]
    ['e1 ≤ 5?']
    """
    book = RuleBook.of(source)
    with house_style():
        name, advice = (partial(one_line, longest=most) for most in (_LONGEST_NAME, _LONGEST_ADVICE))
        drawing = tree_drawing(book, name, advice, lambda text: measured(text, SIZE), SIZE)
        ax = axes_or_new(ax, (min(drawing.width / 72, _LARGEST), min(drawing.height / 72, _LARGEST)), filled=True)
        _draw(ax, drawing, _fit(ax, drawing.width, drawing.height))
    return ax


def _fit(ax: "Axes", width: float, height: float) -> float:
    """Give the axes coordinates in which a drawing of that size in points fits; return by how much it shrinks."""
    box = ax.get_window_extent()
    per_point = ax.figure.dpi / 72
    room_x, room_y = box.width / per_point, box.height / per_point
    shrink = min(1.0, room_x / width, room_y / height)
    spare_x, spare_y = room_x / shrink - width, room_y / shrink - height
    ax.set(xlim=(-spare_x / 2, width + spare_x / 2), ylim=(height + spare_y / 2, -spare_y / 2))
    ax.set_axis_off()
    return shrink


_KINDS: dict[str, Look] = {
    "question": {"color": INK},
    "answer above": {"color": SOFT, "va": "bottom"},
    "answer below": {"color": SOFT, "va": "top"},
    "aside": {"color": SOFT},
    "advice": {"color": INK},
    "on light": {"color": INK, "fontweight": "bold"},
    "on dark": {"color": PAPER, "fontweight": "bold"},
}
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def _draw(ax: "Axes", drawing: Drawing, shrink: float) -> None:
    from matplotlib.patches import FancyBboxPatch, Rectangle

    for line in drawing.lines:
        ax.plot(line.x, line.y, color=LINE, linewidth=1.1 * shrink, zorder=1)
    for left, top, width, height, mark, colour in drawing.boxes:
        if colour:
            ax.add_patch(Rectangle((left, top), width, height, facecolor=colour, gid=mark))
            continue
        look: Look = {"facecolor": PAPER, "edgecolor": LINE, "linewidth": 1.1 * shrink, "zorder": 2, "gid": mark}
        style = f"round,pad=0,rounding_size={height / 4}"
        ax.add_patch(FancyBboxPatch((left, top), width, height, boxstyle=style, **look))
    for x, y, words, kind, anchor in drawing.texts:
        size = (SIZE - 1.5 if kind.startswith("answer") else SIZE) * shrink
        ax.text(x, y, words, **{"fontsize": size, "ha": _ANCHORS[anchor], "va": "center", "zorder": 3, **_KINDS[kind]})
